//! A design as JSON, schema `isx.design/1`. Numbers that must be exact are strings.

use super::{Change, Margin, Shown, ShownBlock, ShownTask};
use crate::answers::modes;
use crate::answers::words::ratio;
use isx_exact::quantity::{Rational, format_decimal};
use isx_report::front::costs;
use isx_taskset::Scheduler;
use num_traits::{One, Zero};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// The schema's name.
pub const SCHEMA: &str = "isx.design/1";
/// The schema's name for a task set with several resources: `cost` in place of `area`, and no `next`.
pub const SCHEMA_OF_RESOURCES: &str = "isx.design/2";

/// Writes the design as one JSON object. Unknown values are null; fields that the set does not have are omitted.
pub fn write_json(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let slack = Rational::one() - &shown.utilization.design;
    let mut document = Map::new();
    let mut add = |name: &str, value: Value| document.insert(name.to_owned(), value);
    let resources = &shown.resources;
    add("schema", if costs::is_area(resources) { SCHEMA } else { SCHEMA_OF_RESOURCES }.into());
    add("taskset", shown.taskset.clone().into());
    costs::fields(resources).into_iter().for_each(|(name, value)| drop(add(name, value)));
    add("time_unit", shown.time_unit.into());
    add("scheduler", shown.scheduler.map(Scheduler::name).into());
    add("point", shown.index.into());
    add("points", Some(shown.count).filter(|&count| count > 0).into());
    let (name, value) = cost(shown, &shown.cost);
    add(name, value);
    add("utilization", ratio(&shown.utilization.design));
    add("software_utilization", ratio(&shown.utilization.software));
    add("slack", ratio(&slack));
    add("schedulable", shown.schedulable.into());
    add("schedulable_within", shown.schedulable_within.into());
    let mut document = Value::from(document);
    let (margin, limit, unknown, is_reached) = match &shown.schedulability.margin {
        Margin::Exactly { factor, limit, is_reached } => {
            (ratio(factor), json!(limit), Value::Null, *is_reached)
        }
        Margin::Unknown(why) => (Value::Null, Value::Null, json!(why), true),
    };
    document["margin"] = margin;
    if !is_reached {
        document["margin_reached"] = false.into();
    }
    document["margin_limit"] = limit;
    document["margin_unknown"] = unknown;
    document["tasks"] = shown.tasks.iter().map(|one| task(shown, one)).collect();
    if let Some(blocks) = &shown.blocks {
        document["blocks"] = blocks.iter().map(|one| block(shown, one)).collect();
    }
    if let Some(variant) = &shown.variant {
        document["variant"] = variant.clone().into();
    }
    modes::add_json(&shown.modes, &shown.schedulability.modes, &mut document);
    if let Some(mode) = shown.modes.get(shown.schedulability.mode) {
        document["mode"] = mode.clone().into();
    }
    if let Some(clock) = &shown.clock {
        document["clock_hz"] = clock.hertz.clone().into();
        document["clock_limited_by"] = clock.limited_by.clone().into();
    }
    if let Some(hertz) = &shown.schedulability.lowest_clock {
        document["lowest_clock_hz"] = format_decimal(hertz).into();
        if !shown.schedulability.is_clock_reached {
            document["lowest_clock_reached"] = false.into();
        }
    }
    if !shown.schedulability.responses.is_empty() {
        let responses = shown.schedulability.responses.iter();
        document["response_times"] = responses.map(super::Response::json).collect();
    }
    if !shown.what_if.is_empty() {
        document["what_if"] = shown.what_if.clone().into();
    }
    document["next"] = shown.next.as_ref().map_or(Value::Null, |next| {
        let more: Vec<Rational> = next.cost.iter().zip(&shown.cost).map(|(then, now)| then - now).collect();
        let [(name, then), (_, more)] = [&next.cost, &more].map(|costs| cost(shown, costs));
        let mut value = json!({
            "point": next.index,
            name: then,
            format!("more_{name}"): more,
            "utilization": ratio(&next.utilization),
            "less_utilization": ratio(&(&shown.utilization.design - &next.utilization)),
            "choices": next.changes,
            "blocks": next.blocks,
        });
        if let Some(variant) = &next.variant {
            value["variant"] = variant.clone().into();
        }
        value
    });
    document["complete"] = shown.complete.into();
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

/// The cost of something as a field.
fn cost(shown: &Shown, cost: &[Rational]) -> (&'static str, Value) {
    costs::field(&shown.resources, cost)
}

fn task(shown: &Shown, task: &ShownTask) -> Value {
    let mut value = json!({ "task": task.name, "choice": task.choice });
    if let Some(figures) = &task.figures {
        let Change { software, design } = &figures.wcet;
        let (name, own) = cost(shown, &figures.cost);
        value[name] = own;
        value["wcet"] = json!({ "software": format_decimal(software), "design": format_decimal(design) });
        let Change { software, design } = &figures.switches;
        if !design.is_zero() || !software.is_zero() {
            value["switches"] =
                json!({ "software": format_decimal(software), "design": format_decimal(design) });
        }
        let Change { software, design } = &figures.utilization;
        value["utilization"] = json!({ "software": ratio(software), "design": ratio(design) });
        value["share"] = ratio(&figures.share);
    }
    value
}

fn block(shown: &Shown, block: &ShownBlock) -> Value {
    let mut value = json!({ "block": block.name });
    if let Some(of_block) = &block.cost {
        let (name, own) = cost(shown, of_block);
        value[name] = own;
        value["used_by"] = block.users.clone().into();
    }
    value
}
