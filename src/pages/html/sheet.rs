//! The content of the page of a front, as in its JSON, schema `isx.report/4`: the front's own document, and what only its
//! task set says. Numbers that must be exact are strings.

use super::agree::summed;
use super::details::{Limit, details};
use super::kept::{AROUND, Kept};
use super::page::{ReportError, SCHEMA, packed};
use crate::answers::document::Document;
use isx_exact::quantity::format_decimal;
use isx_report::front::json as written;
use isx_report::front::{Front, Head, NamedTask, Point};
use isx_taskset::formulate::formulate_allowed;
use isx_taskset::{Block, Choice, Scheduler, Task, TaskSet, TimeBase};
use serde_json::{Map, Value, json};
use std::io;

/// The most bytes of the packed designs; if they exceed it, the page keeps fewer designs.
pub const MOST_PACKED: usize = 600_000;

/// The content of the page of a front; with its task set, also execution times, costs of blocks, and response times. A front
/// that was read must have the names of the set, and figures that are the sums of its choices.
///
/// | field | content |
/// |---|---|
/// | `document` | `front.json` without its points |
/// | `front` | the designs in the page, see [`packed_points`] |
/// | `time_unit` | unit of the times; empty if there is none, or it is unknown |
/// | `clock` | the set's own clock in hertz, if known |
/// | `tasks` | each with its name, its choices with the blocks that these use, and its times in every mode of every variant of the processor, mode by mode within a variant, null where it does not run. If only the front is known, there are no times, and the choices are those that the designs take |
/// | `blocks` | each with its name, and costs, slot and fastest clock if there is a task set |
/// | `details` | response times and margins, if the utilization does not determine them |
pub fn sheet(front: &Front, set: Option<&TaskSet>) -> Result<Document, ReportError> {
    let (head, kept) = (&front.head, Kept::of(front));
    let mut designs = kept.points(front);
    let software = vec![None; head.tasks.len()];
    let (mut base, mut minimal) = (Point { choices: software, ..head.base.clone() }, head.minimal.clone());
    let mut taken = designs.iter().map(|(_, point)| point).chain(&minimal);
    if let Some(point) = taken.find(|point| point.choices.len() != head.tasks.len()) {
        let (here, first) = (point.choices.len(), head.tasks.len());
        return Err(ReportError::Front(format!("not an isx front: a design has {here} tasks, not {first}")));
    }
    let document = document(&Head { base: base.clone(), ..head.clone() })?;
    let formulations = set.map(|set| formulate_allowed(set, None)).transpose()?.unwrap_or_default();
    if let Some(set) = set.filter(|_| front.exploration().is_none()) {
        summed(head, set, &formulations, &mut designs, [&mut base].into_iter().chain(&mut minimal))?;
    }
    let limit = match set {
        Some(_) => Limit::of(&formulations),
        None if head.scheduler == Scheduler::Edf => Limit::Unknown,
        None => Limit::Necessary,
    };
    // With modes or overruns a design has several response times and margins.
    let is_single = |set: &&TaskSet| set.modes.is_empty() && set.overruns.is_none();
    let details = set.filter(is_single).filter(|_| limit != Limit::Decides).map(|set| {
        let smallest = minimal.first().filter(|_| head.has_one_objective());
        details(set, &formulations, &designs, smallest, kept.limits.first().copied())
    });
    let clock = match set.map(|set| &set.time_base) {
        None => head.clock.as_ref(),
        Some(TimeBase::Cycles { hertz }) => Some(hertz),
        Some(TimeBase::Seconds | TimeBase::Unnamed) => None,
    };
    let (variants, tasks, blocks): (Vec<&String>, Vec<Value>, Vec<Value>) = match set {
        Some(set) => (
            set.variants.iter().map(|variant| &variant.name).collect(),
            set.tasks.iter().map(|one| task(set, one)).collect(),
            set.blocks.iter().map(block).collect(),
        ),
        None => (
            head.variants.iter().collect(),
            head.tasks.iter().map(named).collect(),
            head.blocks.iter().map(|name| json!({"name": name})).collect(),
        ),
    };
    Ok(Document::default()
        .add("schema", SCHEMA)
        .add("title", &head.taskset)
        .add("description", set.and_then(|set| set.description.as_ref()))
        .add("document", document)
        .add("front", packed_points(front, kept)?)
        .add("time_unit", set.map_or("", |set| set.time_base.unit()))
        .add("clock", clock.map(format_decimal))
        .add("limit", limit)
        .add("variants", variants)
        .add("tasks", tasks)
        .add("blocks", blocks)
        .add("details", details.transpose()?))
}

/// The fields of `front.json` besides its points.
fn document(head: &Head) -> io::Result<Value> {
    let field = |(name, json): (&str, String)| Ok((name.to_owned(), serde_json::from_str(&json)?));
    Ok(Value::Object(written::head(head)?.into_iter().map(field).collect::<io::Result<Map<_, _>>>()?))
}

/// The designs of the front that are in the page, packed; their number is halved until they fit. `count` is the number of the
/// front's designs, `kept` that in the page: every `stride`-th, and `around` on each side of its limits. `runs` has their
/// indices, the first and last of each run of neighbors, and `points` they themselves, as in `front.json`.
pub fn packed_points(front: &Front, mut kept: Kept) -> io::Result<Value> {
    loop {
        let runs = kept.runs();
        let points = packed(&written::points(front, runs.iter().cloned())?)?;
        if points.len() <= MOST_PACKED || !kept.halve() {
            return Ok(json!({
                "count": front.len(),
                "kept": runs.iter().map(ExactSizeIterator::len).sum::<usize>(),
                "stride": kept.stride,
                "around": AROUND,
                "runs": runs.iter().map(|run| [run.start, run.end - 1]).collect::<Vec<_>>(),
                "points": points,
            }));
        }
    }
}

/// A task as far as a front without its task set describes it.
fn named(task: &NamedTask) -> Value {
    let choices: Vec<Value> = task.choices.iter().map(|name| json!({"name": name, "uses": []})).collect();
    json!({"name": task.name, "part": task.part, "choices": choices, "places": []})
}

/// The figures of a task; its WCETs contain the context switches. There are none of tasks that overrun, which have several.
fn task(set: &TaskSet, task: &Task) -> Value {
    let choice = |choice: &Choice| {
        let uses: Vec<&String> = choice.uses.iter().map(|&block| &set.blocks[block as usize].name).collect();
        json!({"name": choice.name, "uses": uses})
    };
    let modes = set.modes.len().max(1);
    let places = if set.overruns.is_some() { 0 } else { set.variants.len().max(1) * modes };
    let place = |place: usize| {
        let timing = task.timing_in(place % modes)?;
        let wcet =
            |choice: &Choice| format_decimal(&(choice.wcet_in(place) + set.switches(task, Some(choice))));
        Some(json!({
            "wcet": format_decimal(&(task.wcet_in(place) + set.switches(task, None))),
            "period": format_decimal(&timing.period),
            "deadline": format_decimal(&timing.deadline),
            "choices": task.choices.iter().map(wcet).collect::<Vec<_>>(),
        }))
    };
    json!({
        "name": task.name,
        "part": task.part,
        "choices": task.choices.iter().map(choice).collect::<Vec<_>>(),
        "places": (0..places).map(place).collect::<Vec<_>>(),
    })
}

fn block(block: &Block) -> Value {
    json!({
        "name": block.name,
        "cost": block.cost.iter().map(format_decimal).collect::<Vec<_>>(),
        "slot": block.slot,
        "fmax": block.fmax.as_ref().map(format_decimal),
    })
}
