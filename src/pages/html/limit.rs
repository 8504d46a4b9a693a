//! What utilization says about deadlines on a page.

use isx_design::schedulability::decided_by_utilization;
use isx_taskset::formulate::{Formulation, Policy};
use serde::Serialize;

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
