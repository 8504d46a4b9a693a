//! EDF verdicts: does preemptive earliest-deadline-first on one processor meet every deadline of a design?
//!
//! Tasks are sporadic or periodic, independent and preemptable; the worst case is the one in which all release
//! a job at time 0 and then as often as they may. In the order the questions are asked:
//!
//! 1. [`utilization`](mod@utilization): U <= 1 is necessary, and sufficient where every D_i >= P_i.
//! 2. [`demand`]: where some D_i < P_i, the processor demand criterion decides a design.
//! 3. [`verdict`](mod@verdict): the design of least utilization may fail where another within the same area
//!    passes; a branch and bound over the designs decides whether one does, and which is the smallest.
//!
//! Everything is decided in integers, and every loop has a limit that counts steps, not time: the same question
//! gets the same answer on every machine, and a limit that is reached is reported, never papered over.

mod budget;
mod cut;
pub mod demand;
mod mark;
mod search;
pub mod utilization;
pub mod verdict;

pub use budget::{BudgetVerdict, SmallestWithin};
pub use demand::{Demand, demand_test};
pub use mark::{SmallestSchedulable, Verdicts, verdicts};
pub use utilization::{Load, unconstrained};
pub use verdict::{NotSchedulable, SmallestArea, Verdict, smallest_area, verdict};

use crate::formulate::Formulation;
use num_bigint::BigInt;

/// A task of one design, as a scheduler sees it: all three times in one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdfTask<'a> {
    /// e_i >= 0: worst-case execution time with the choice the design takes.
    pub wcet: &'a BigInt,
    /// P_i > 0: period, or minimum inter-arrival time.
    pub period: &'a BigInt,
    /// D_i > 0: relative deadline; shorter than, equal to or longer than the period.
    pub deadline: &'a BigInt,
}

/// The tasks of a design: one choice (or none) a task.
///
/// # Panics
///
/// If `choices` is not one a task, or names a choice that is not there.
#[must_use]
pub fn edf_tasks<'a>(formulation: &'a Formulation, choices: &[Option<u32>]) -> Vec<EdfTask<'a>> {
    assert_eq!(choices.len(), formulation.tasks.len(), "one choice a task");
    let pairs = formulation.tasks.iter().zip(choices);
    pairs
        .map(|(task, &choice)| EdfTask {
            wcet: task.wcet_with(choice),
            period: &task.period,
            deadline: &task.deadline,
        })
        .collect()
}

/// How much work a verdict may take before it is given up as unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Evaluations of the demand of a task set for one design.
    pub design_steps: u64,
    /// Evaluations of the demand of a task set for all designs of one search together.
    pub demand_steps: u64,
    /// Bounds looked up while branching over designs.
    pub search_steps: u64,
}

impl Default for Limits {
    /// Ten million demands a design and fifty million together, five hundred million bounds: some seconds each.
    fn default() -> Self {
        Self { design_steps: 10_000_000, demand_steps: 50_000_000, search_steps: 500_000_000 }
    }
}

/// Why a question about schedulability was not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undecided {
    /// The demand test of a design did not end.
    #[error(
        "the processor demand test of a design did not end within {0} steps: its utilization is close to 1 and \
         its periods share few factors; round the periods to a common grid"
    )]
    DemandSteps(u64),
    /// The demand tests of the designs together did not end.
    #[error(
        "the processor demand tests of the designs within the area did not end within {0} steps together; \
         round the periods to a common grid or take choices out"
    )]
    TotalDemandSteps(u64),
    /// The search over designs did not end.
    #[error(
        "the search over the designs within the area did not end within {0} steps; \
         lower the area budget or take choices out"
    )]
    SearchSteps(u64),
}
