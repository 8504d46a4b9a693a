//! Verdicts: does a preemptive scheduler on one processor, EDF or fixed priorities, meet every deadline of a design?
//!
//! Tasks are sporadic or periodic and preemptable. In the worst case all tasks release a job at time 0
//! and then at their maximum rate; with jitter, blocking or parts that cannot be interrupted, as [`demand`] and [`response`] say.
//! Context switches are part of the WCETs. The modules, in the order in which they are applied:
//!
//! 1. `utilization`: U <= 1 is necessary, and under EDF sufficient if every D_i >= P_i.
//! 2. [`demand`]: if some D_i < P_i, the processor demand criterion decides a design under EDF. [`response`]: under
//!    fixed priorities response times decide it, for any deadlines. [`analysis`] is the common interface of both.
//! 3. [`verdict`](mod@verdict): the design of least utilization may fail although another one within the same area
//!    passes; a branch and bound over the designs decides whether one does, and finds the smallest.
//! 4. [`points`]: the verdicts of all points of a front.
//! 5. `minimal`: with several resources, the minimal costs at which some design is schedulable.
//! 6. [`margin`](mod@margin): how much the WCETs of a design may grow.
//! 7. [`margin_front`](mod@margin_front): the front of area against margin.
//! 8. [`longer`]: the smallest schedulable area with all WCETs longer by a margin.
//! 9. [`schedule`](mod@schedule): the schedule of a design in the case that decides, job by job.
//!
//! All computations are in integers, and all questions of a command share one [`Effort`], which counts steps instead
//! of time: the same question gets the same answer on every machine, and undecided cases are reported as such.

mod alternatives;
pub mod analysis;
mod budget;
mod built_blocks;
mod candidate;
mod costs;
mod cut;
pub mod demand;
pub mod effort;
mod late_job;
pub mod longer;
pub mod margin;
pub mod margin_front;
mod minimal;
mod outcome;
pub mod points;
pub mod response;
pub mod schedule;
mod search;
mod task;
mod terms;
mod timeline;
mod utilization;
pub mod verdict;
mod waits;

pub use analysis::{ModeVerdict, decided_by_utilization, mode_verdicts, schedulable};
pub use budget::BudgetVerdict;
pub use costs::MinimalFront;
pub use demand::demand_test;
pub use effort::{Effort, Limits, Undecided};
pub use longer::{AtMargin, smallest_with_margins};
pub use margin::{Margin, is_lowest_clock_reached, lowest_clock, margin, slowdown};
pub use margin_front::{MarginFront, margin_front};
pub use outcome::{Failure, Outcome, SmallestArea};
pub use points::{
    FrontVerdicts, Smallest, SmallestSchedulable, SmallestWithin, at_budget, from_until, judge,
};
pub use response::{NoResponseTime, ResponseTime, delays, response_times};
pub use schedule::{NoSchedule, Schedule, schedule};
pub use task::{ScheduledTask, WholeTasks, scheduled_tasks};
pub use terms::terms_in_words;
pub use verdict::{AtBudget, NotSchedulable, Verdict, smallest_area, verdict};
