//! Verdicts: does a preemptive scheduler on one processor, earliest deadline first or by fixed priorities, meet every
//! deadline of a design?
//!
//! Tasks are sporadic or periodic, independent and preemptable; the worst case is the one in which all release
//! a job at time 0 and then as often as they may. In the order the questions are asked:
//!
//! 1. `utilization`: U <= 1 is necessary, and under EDF sufficient where every D_i >= P_i.
//! 2. [`demand`]: where some D_i < P_i, the processor demand criterion decides a design under EDF. [`response`]: under
//!    fixed priorities response times do, whatever the deadlines. [`design_test`] is the one interface of both.
//! 3. [`verdict`](mod@verdict): the design of least utilization may fail where another within the same area
//!    passes; a branch and bound over the designs decides whether one does, and which is the smallest.
//! 4. [`points`]: the verdicts of all points of a front.
//! 5. [`margin`](mod@margin): how far the WCETs of a design may grow.
//!
//! Everything is decided in integers, and all questions of a command draw on one [`Effort`], which counts steps, not
//! time: the same question gets the same answer on every machine, and what is left undecided says so.

mod alternatives;
mod budget;
mod built_blocks;
mod candidate;
mod cut;
pub mod demand;
pub mod design_test;
pub mod effort;
mod late_job;
pub mod margin;
pub mod points;
pub mod response;
mod search;
mod task;
mod utilization;
pub mod verdict;

pub use budget::BudgetVerdict;
pub use demand::demand_test;
pub use design_test::{Failure, Outcome, decided_by_utilization, schedulable};
pub use effort::{Effort, Limits, Undecided};
pub use margin::{Margin, margin};
pub use points::{
    FrontVerdicts, Smallest, SmallestSchedulable, SmallestWithin, Verdicts, at_budget, judge, verdicts,
};
pub use response::{NoResponseTime, ResponseTime, response_times};
pub use task::{ScheduledTask, scheduled_tasks};
pub use verdict::{AtBudget, NotSchedulable, SmallestArea, Verdict, smallest_area, verdict};
