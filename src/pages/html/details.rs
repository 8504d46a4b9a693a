//! What the utilization says about deadlines on a page, and where it does not determine them, response times, margins and lowest
//! clocks of the designs.
//!
//! They are expensive, so they are computed for the smallest schedulable design first, then for the designs around
//! it, until a fixed number of steps is used up; the page says for which designs it has them.

use super::page::{ReportError, packed};
use crate::answers::document::Document;
use crate::answers::show::{Margin, Schedulability};
use isx_design::schedulability::{Effort, Limits, decided_by_utilization};
use isx_report::front::{Number, Point};
use isx_taskset::TaskSet;
use isx_taskset::formulate::{Formulation, Policy};
use serde::Serialize;

/// The limit of work per page: half a second or less.
const LIMITS: Limits = Limits { steps: 100_000_000, design_steps: 12_500_000 };

/// The most designs of a page with response times and margins.
const MOST_DESIGNS: usize = 2_000;

/// The most bytes for the packed details.
pub const MOST_PACKED: usize = 90_000;

/// What a utilization of at most 1 means for a design.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// It decides: a design is schedulable exactly if its utilization is at most 1.
    Decides,
    /// It is necessary but not sufficient.
    Necessary,
    /// It is necessary; whether it is sufficient depends on deadlines that are not known.
    #[default]
    Unknown,
}

impl Limit {
    /// Of a task set.
    pub fn of(formulations: &[Formulation]) -> Self {
        let decides = |formulation: &Formulation| {
            // With context switches, which a margin leaves as they are, 1/U is not the margin.
            let has_switches = formulation.tasks.iter().any(|task| !task.switches.is_empty());
            formulation.policy == Policy::Edf && decided_by_utilization(formulation) && !has_switches
        };
        if formulations.iter().all(decides) { Self::Decides } else { Self::Necessary }
    }
}

/// Response times and margins.
#[derive(Clone, Debug, Serialize)]
pub struct Details {
    /// The number of designs with details.
    pub designs: usize,
    /// Details of the smallest schedulable design.
    pub smallest: Option<Document>,
    /// The index of each design with details and these, as `isx show --json` prints them; packed.
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
    let smallest = smallest.and_then(&mut of).map(|found| found.document());
    let mut nearest: Vec<&(usize, Point)> = designs.iter().collect();
    nearest.sort_by_key(|(index, _)| (index.abs_diff(focus.unwrap_or(0)), *index));
    let mut kept: Vec<(usize, Document)> = Vec::new();
    for (index, point) in nearest.into_iter().take(MOST_DESIGNS) {
        let Some(found) = of(point) else { break };
        let own = point.margin.as_ref().map(Number::exact);
        if let (Some(margin), Margin::Exactly { factor, .. }) = (own, &found.margin)
            && margin != *factor
        {
            let why = format!(
                "the margin of point {index} is `{margin}` in the front and `{factor}` in the task set"
            );
            return Err(ReportError::other(set, &why));
        }
        kept.push((*index, found.document()));
    }
    loop {
        let packed = packed(&serde_json::to_vec(&kept).map_err(std::io::Error::from)?)?;
        if packed.len() <= MOST_PACKED || kept.is_empty() {
            return Ok(Details { designs: kept.len(), smallest, packed });
        }
        kept.truncate(kept.len() / 2);
    }
}

/// Whether the work limit of the page was reached before the answer, and not the limit of one design.
fn is_cut_short(found: &Schedulability, effort: &Effort) -> bool {
    let unknown =
        matches!(found.margin, Margin::Unknown(_)) || found.responses.iter().any(|one| one.time.is_none());
    unknown && effort.left() < LIMITS.design_steps
}
