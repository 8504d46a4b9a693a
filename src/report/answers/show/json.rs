//! A design as JSON, schema `isx.design/1`. Numbers that must be exact are strings.

use super::{Change, Margin, Shown, ShownBlock, ShownTask};
use crate::answers::words::ratio;
use isx_exact::quantity::format_decimal;
use isx_taskset::Scheduler;
use num_traits::One;
use serde_json::{Value, json};
use std::io::{self, Write};

/// The schema's name.
pub const SCHEMA: &str = "isx.design/1";

/// Writes the design as one JSON object. Unknown values are null; fields that the set does not have are omitted.
///
/// # Errors
///
/// When `out` fails.
pub fn write_json(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let slack = isx_exact::quantity::Rational::one() - &shown.utilization.design;
    let mut document = json!({
        "schema": SCHEMA,
        "taskset": shown.taskset,
        "area_unit": shown.area_unit,
        "time_unit": shown.time_unit,
        "scheduler": shown.scheduler.map(Scheduler::name),
        "point": shown.index,
        "points": shown.count,
        "area": format_decimal(&shown.area),
        "utilization": ratio(&shown.utilization.design),
        "software_utilization": ratio(&shown.utilization.software),
        "slack": ratio(&slack),
        "schedulable": shown.schedulable,
        "schedulable_within": shown.schedulable_within,
    });
    let (margin, limit, unknown) = match &shown.schedulability.margin {
        Margin::Exactly { factor, limit } => (ratio(factor), json!(limit), Value::Null),
        Margin::Unknown(why) => (Value::Null, Value::Null, json!(why)),
    };
    document["margin"] = margin;
    document["margin_limit"] = limit;
    document["margin_unknown"] = unknown;
    document["tasks"] = shown.tasks.iter().map(task).collect();
    if let Some(blocks) = &shown.blocks {
        document["blocks"] = blocks.iter().map(block).collect();
    }
    if let Some(clock) = &shown.clock {
        document["clock_hz"] = clock.hertz.clone().into();
        document["clock_limited_by"] = clock.limited_by.clone().into();
    }
    if !shown.schedulability.responses.is_empty() {
        let responses = shown.schedulability.responses.iter();
        document["response_times"] = responses.map(super::Response::json).collect();
    }
    if !shown.what_if.is_empty() {
        document["what_if"] = shown.what_if.clone().into();
    }
    document["next"] = shown.next.as_ref().map_or(Value::Null, |next| {
        json!({
            "point": next.index,
            "area": format_decimal(&next.area),
            "more_area": format_decimal(&(&next.area - &shown.area)),
            "utilization": ratio(&next.utilization),
            "less_utilization": ratio(&(&shown.utilization.design - &next.utilization)),
            "choices": next.changes,
            "blocks": next.blocks,
        })
    });
    document["complete"] = shown.complete.into();
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn task(task: &ShownTask) -> Value {
    let mut value = json!({ "task": task.name, "choice": task.choice });
    if let Some(figures) = &task.figures {
        let Change { software, design } = &figures.wcet;
        value["area"] = format_decimal(&figures.area).into();
        value["wcet"] = json!({ "software": format_decimal(software), "design": format_decimal(design) });
        let Change { software, design } = &figures.utilization;
        value["utilization"] = json!({ "software": ratio(software), "design": ratio(design) });
        value["share"] = ratio(&figures.share);
    }
    value
}

fn block(block: &ShownBlock) -> Value {
    let mut value = json!({ "block": block.name });
    if let Some(area) = &block.area {
        value["area"] = format_decimal(area).into();
        value["used_by"] = block.users.clone().into();
    }
    value
}
