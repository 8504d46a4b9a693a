//! Response times, margins and lowest clocks of the designs of a page, for task sets where the utilization does not determine them.
//!
//! They are expensive, so they are computed for the smallest schedulable design first, then for the designs around
//! it, until a fixed number of steps is used up; the page says for which designs it has them.

use super::error::ReportError;
use super::packed::packed;
use crate::answers::show::{Margin, Response, Schedulability};
use isx_design::schedulability::{Effort, Limits};
use isx_exact::quantity::format_decimal;
use isx_report::front::{Number, Point};
use isx_taskset::TaskSet;
use isx_taskset::formulate::Formulation;
use serde::Serialize;
use serde_json::{Value, json};
use std::io;

/// The limit of work per page: half a second or less.
const LIMITS: Limits = Limits { steps: 100_000_000, design_steps: 12_500_000 };

/// The most designs of a page with response times and margins.
const MOST_DESIGNS: usize = 2_000;

/// The most bytes for the packed details.
pub const MOST_PACKED: usize = 45_000;

/// Response times and margins.
#[derive(Clone, Debug, Serialize)]
pub struct Details {
    /// The number of designs with details.
    pub designs: usize,
    /// Details of the smallest schedulable design.
    pub smallest: Option<Value>,
    /// Deflated, in base 64: `designs`, their indices on the front; `margins` and `clocks`, the lowest ones in hertz, one per
    /// design; and under fixed priorities `responses`, one list per task with one entry per design.
    pub packed: String,
}

/// Details of the designs, the nearest to `focus` first.
pub fn details(
    set: &TaskSet,
    formulations: &[Formulation],
    designs: &[(usize, Point)],
    smallest: Option<&Point>,
    focus: Option<usize>,
) -> Result<Details, ReportError> {
    let mut effort = Effort::new(LIMITS);
    let mut of = |point: &Point| {
        let variant = point.variant.map_or(0, |variant| variant as usize);
        let formulation = formulations.iter().find(|one| one.variant == variant)?;
        let found = Schedulability::of_choices(set, formulation, &point.choices, None, &mut effort);
        // If the work limit of the page was reached first, the result is no property of the design and is omitted.
        (effort.left() > 0 && !is_cut_short(&found, &effort)).then_some(found)
    };
    let smallest = smallest.and_then(&mut of).map(|found| {
        json!({ "margin": margin(&found.margin), "clock": clock(&found), "responses": found.responses.iter().map(response).collect::<Vec<_>>() })
    });
    let focus = focus.unwrap_or(0);
    let nearest = order(designs.len(), &|at| (designs[at].0.abs_diff(focus), designs[at].0));
    let mut told: Vec<(usize, Schedulability)> = Vec::new();
    for (index, point) in nearest.into_iter().take(MOST_DESIGNS).map(|at| &designs[at]) {
        let Some(found) = of(point) else { break };
        let own = point.margin.as_ref().map(Number::exact);
        if let (Some(margin), Margin::Exactly { factor, .. }) = (own, &found.margin)
            && margin != *factor
        {
            let why = format!(
                "the margin of point {index} is `{margin}` in the front and `{factor}` in the task set"
            );
            return Err(ReportError::other(set, why));
        }
        told.push((*index, found));
    }
    loop {
        let text = columns(&told, set.tasks.len())?;
        let packed = packed(text.as_bytes())?;
        if packed.len() <= MOST_PACKED || told.is_empty() {
            return Ok(Details { designs: told.len(), smallest, packed });
        }
        told.truncate(told.len() / 2);
    }
}

/// The numbers below `count` in order of their keys.
fn order(count: usize, key: &dyn Fn(usize) -> (usize, usize)) -> Vec<usize> {
    let mut keyed: Vec<((usize, usize), usize)> = (0..count).map(|at| (key(at), at)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, at)| at).collect()
}

/// Whether the work limit of the page was reached before the answer, and not the limit of one design.
fn is_cut_short(found: &Schedulability, effort: &Effort) -> bool {
    let unknown =
        matches!(found.margin, Margin::Unknown(_)) || found.responses.iter().any(|one| one.time.is_none());
    unknown && effort.left() < LIMITS.design_steps
}

/// The packed columns, in order of the designs.
fn columns(told: &[(usize, Schedulability)], tasks: usize) -> io::Result<String> {
    let sorted = order(told.len(), &|at| (told[at].0, 0));
    let sorted: Vec<&(usize, Schedulability)> = sorted.into_iter().map(|at| &told[at]).collect();
    let has_responses = sorted.iter().any(|(_, found)| !found.responses.is_empty());
    let column = |task: usize| -> Value {
        sorted.iter().map(|(_, found)| found.responses.get(task).map_or(Value::Null, response)).collect()
    };
    let table = json!({
        "designs": sorted.iter().map(|(index, _)| *index).collect::<Vec<_>>(),
        "margins": sorted.iter().map(|(_, found)| margin(&found.margin)).collect::<Vec<_>>(),
        "clocks": sorted.iter().map(|(_, found)| clock(found)).collect::<Vec<_>>(),
        "responses": if has_responses { (0..tasks).map(column).collect() } else { Vec::new() },
    });
    Ok(serde_json::to_string(&table)?)
}

/// `[numerator, denominator, what fails beyond]`, or why the margin is unknown.
fn margin(margin: &Margin) -> Value {
    match margin {
        Margin::Exactly { factor, limit, is_reached } => {
            let limit = if *is_reached { limit.clone() } else { format!("{limit}, at this factor too") };
            json!([factor.numer().to_string(), factor.denom().to_string(), limit])
        }
        Margin::Unknown(why) => json!({ "why": why }),
    }
}

/// The lowest clock in hertz; null if there is none, or it is not known.
fn clock(found: &Schedulability) -> Value {
    found.lowest_clock.as_ref().map(|lowest| format_decimal(&lowest.hertz)).into()
}

/// The response time, or why there is none.
fn response(response: &Response) -> Value {
    match (&response.time, &response.why) {
        (Some(time), _) => format_decimal(time).into(),
        (None, why) => json!({ "why": why }),
    }
}
