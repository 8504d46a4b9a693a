//! The content of the page of a front, as in its JSON, schema `isx.report/4`: the front's own document, and what only its
//! task set says. Numbers that must be exact are strings.

use super::agree::summed;
use super::details::{Details, Limit, details};
use super::kept::{AROUND, Kept};
use super::page::{OriginSheet, ReportError, SCHEMA, packed};
use isx_exact::quantity::format_decimal;
use isx_report::front::json as written;
use isx_report::front::{Front, Head, NamedTask, Point};
use isx_taskset::formulate::{Formulation, formulate_allowed};
use isx_taskset::{Block, Choice, Scheduler, Task, TaskSet, TimeBase};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io;

/// The most bytes of the packed designs; if they exceed it, the page keeps fewer designs.
pub const MOST_PACKED: usize = 600_000;

/// The content of a page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Sheet {
    pub schema: &'static str,
    pub title: String,
    pub description: Option<String>,
    /// `front.json` without its points.
    pub document: Value,
    pub front: Designs,
    /// Unit of the times; empty if there is none, or it is unknown.
    pub time_unit: &'static str,
    /// The set's own clock in hertz, if known.
    pub clock: Option<String>,
    pub limit: Limit,
    pub variants: Vec<String>,
    /// Each with its name, its choices with the blocks that these use, and its times in every mode of every variant of the
    /// processor, mode by mode within a variant, null where it does not run. If only the front is known, there are no times,
    /// and the choices are those that the designs take.
    pub tasks: Vec<Value>,
    /// Each with its name, and costs, slot and fastest clock if there is a task set.
    pub blocks: Vec<Value>,
    /// Response times and margins, if the utilization does not determine them.
    pub details: Option<Details>,
    pub origin: OriginSheet,
}

/// The designs of the front that are in the page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Designs {
    /// How many the front has.
    pub count: usize,
    /// The number in the page: every `stride`-th, and `around` on each side of its limits.
    pub kept: usize,
    pub stride: usize,
    pub around: usize,
    /// The indices of the designs in the page: the first and last of each run of neighbors.
    pub runs: Vec<[usize; 2]>,
    /// The designs in the page, as in `front.json`, packed.
    pub points: String,
}

/// The page of a front; with its task set, also execution times, costs of blocks, and response times. A front that was read
/// must have the names of the set, and figures that are the sums of its choices.
pub fn sheet(front: &Front, set: Option<&TaskSet>) -> Result<Sheet, ReportError> {
    let (head, kept) = (&front.head, Kept::of(front));
    let mut designs = kept.points(front);
    let software = vec![None; head.tasks.len()];
    let (mut base, mut minimal) = (Point { choices: software, ..head.base.clone() }, head.minimal.clone());
    let mut taken = designs.iter().map(|(_, point)| point).chain(&minimal);
    if let Some(point) = taken.find(|point| point.choices.len() != head.tasks.len()) {
        let (here, first) = (point.choices.len(), head.tasks.len());
        return Err(ReportError::Front(format!("not an isx front: a design has {here} tasks, not {first}")));
    }
    let mut sheet = Sheet {
        schema: SCHEMA,
        title: head.taskset.clone(),
        document: document(&Head { base: base.clone(), ..head.clone() })?,
        front: packed_points(front, kept.clone())?,
        clock: head.clock.as_ref().map(format_decimal),
        limit: if head.scheduler == Scheduler::Edf { Limit::Unknown } else { Limit::Necessary },
        variants: head.variants.clone(),
        tasks: head.tasks.iter().map(named).collect(),
        blocks: head.blocks.iter().map(|name| json!({"name": name})).collect(),
        origin: OriginSheet {
            of: if front.exploration().is_some() { "task set" } else { "front" },
            ..OriginSheet::default()
        },
        ..Sheet::default()
    };
    let Some(set) = set else { return Ok(sheet) };
    let formulations = formulate_allowed(set, None)?;
    if front.exploration().is_none() {
        summed(head, set, &formulations, &mut designs, [&mut base].into_iter().chain(&mut minimal))?;
    }
    sheet.fill(set, &formulations);
    // With modes or overruns a design has several response times and margins.
    if sheet.limit != Limit::Decides && set.modes.is_empty() && set.overruns.is_none() {
        let smallest = minimal.first().filter(|_| head.has_one_objective());
        sheet.details = Some(details(set, &formulations, &designs, smallest, kept.first_limit())?);
    }
    Ok(sheet)
}

/// The fields of `front.json` besides its points.
fn document(head: &Head) -> io::Result<Value> {
    let field = |(name, json): (&str, String)| Ok((name.to_owned(), serde_json::from_str(&json)?));
    Ok(Value::Object(written::head(head)?.into_iter().map(field).collect::<io::Result<Map<_, _>>>()?))
}

/// Packs the designs, and halves their number until they fit.
pub fn packed_points(front: &Front, mut kept: Kept) -> io::Result<Designs> {
    loop {
        let runs = kept.runs();
        let points = packed(&written::points(front, runs.iter().cloned())?)?;
        if points.len() <= MOST_PACKED || !kept.halve() {
            return Ok(Designs {
                count: front.len(),
                kept: runs.iter().map(ExactSizeIterator::len).sum(),
                stride: kept.stride(),
                around: AROUND,
                runs: runs.iter().map(|run| [run.start, run.end - 1]).collect(),
                points,
            });
        }
    }
}

impl Sheet {
    /// Adds the data of a task set that its front lacks.
    fn fill(&mut self, set: &TaskSet, formulations: &[Formulation]) {
        self.description.clone_from(&set.description);
        self.time_unit = set.time_base.unit();
        self.clock = match &set.time_base {
            TimeBase::Cycles { hertz } => Some(format_decimal(hertz)),
            TimeBase::Seconds | TimeBase::Unnamed => None,
        };
        self.limit = Limit::of(formulations);
        self.variants = set.variants.iter().map(|variant| variant.name.clone()).collect();
        self.tasks = set.tasks.iter().map(|one| task(set, one)).collect();
        self.blocks = set.blocks.iter().map(block).collect();
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
