//! The margin of a design: the largest factor on all WCETs with which it stays schedulable.
//!
//! Schedulability is monotone in such a factor, so there is a largest one, and it is a fraction: 1 / U, or if a
//! deadline is missed first, under EDF the minimum of t / dbf(t), and under fixed priorities the minimum over all
//! jobs of the maximum of t / (q e_i + sum_{j higher} ceil(t / P_j) e_j), with t up to the deadline of the job. It is
//! found from above: starting with 1 / U (under EDF with the ratios of some early deadlines, if smaller), the set is
//! tested with scaled WCETs; if it fails, the ratio of the failing time or job, which is lower, is the next factor.
//! Each step eliminates another time or job, and the first factor that passes is the margin. To scale by a fraction p
//! / q, WCETs are multiplied by p and periods and deadlines by q.
//!
//! Worked instance, EDF: (e, P, D) = (2, 5, 4), (4, 9, 6), U = 38/45. The test fails at factor 45/38, eventually at t
//! = 6 with dbf(6) = 2 + 4: the margin is 1. Under rate-monotonic priorities task 2 has the times 5 and 6: of the
//! ratios 5 / (4 + 2) and 6 / (4 + 2 * 2) the first, 5/6, is greater; it is below 1, so the task is late already.
//!
//! Sources: W. Dinkelbach, "On nonlinear fractional programming", Management Science 13(7), 1967, for the descent;
//! E. Bini, M. Di Natale and G. Buttazzo, "Sensitivity analysis for fixed-priority real-time systems", Real-Time
//! Systems 39, 2008, for the ratios under fixed priorities.

use super::analysis::{Analysis, decided_by_utilization};
use super::demand::jobs_due;
use super::effort::{Effort, Undecided, weight};
use super::late_job::multiples_below;
use super::outcome::{Failure, Outcome};
use super::task::{ScheduledTask, scheduled_tasks};
use super::utilization::Load;
use isx_exact::quantity::Rational;
use isx_taskset::formulate::{Formulation, Policy};
use num_bigint::BigInt;
use num_integer::Integer;
use std::iter::once;

/// How much the WCETs of a design may grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Margin {
    /// The largest factor on all WCETs with which every deadline is met; below 1 if the design is not schedulable.
    pub factor: Rational,
    /// Where the design fails beyond it; `None` if the processor is fully used, with U = 1 at the margin.
    pub limit: Option<Failure>,
}

/// The margin of a design.
///
/// # Errors
///
/// If the work limit does not suffice; each test may take the steps of one design.
///
/// # Panics
///
/// If `choices` does not have one entry per task, or names a choice that does not exist; or if every WCET is 0, which
/// no valid task set has.
///
/// ```
/// use isx_design::schedulability::{Effort, Failure, Limits, margin};
/// use isx_taskset::{Scheduler, Task, TaskSet};
/// let set = TaskSet::new("demo", [Task::new("fir", 2, 4), Task::new("iir", 3, 6)]).unwrap();
/// let of = |set: &TaskSet| {
///     let formulation = isx_taskset::formulate::formulate(set, None).unwrap();
///     margin(&formulation, &[None, None], &mut Effort::new(Limits::default())).unwrap()
/// };
/// assert_eq!((of(&set).factor.to_string(), of(&set).limit), ("1".into(), None));
/// let set = set.with_scheduler(Scheduler::RateMonotonic).unwrap();
/// // iir ends by 6 if fir runs twice before: 6 / (3 + 2 * 2).
/// assert_eq!(of(&set).factor.to_string(), "6/7");
/// assert_eq!(of(&set).limit, Some(Failure::Response { task: 1, job: 1.into() }));
/// ```
pub fn margin(
    formulation: &Formulation,
    choices: &[Option<u32>],
    effort: &mut Effort,
) -> Result<Margin, Undecided> {
    let tasks = scheduled_tasks(formulation, choices);
    let test = Analysis::new(formulation);
    let load = test.load(&tasks);
    let full = Rational::new(load.hyperperiod.clone(), load.demand.clone());
    let mut margin = Margin { factor: full, limit: None };
    if formulation.policy == Policy::Edf && !decided_by_utilization(formulation) {
        margin = margin.lowered_by_early_deadlines(&tasks, effort)?;
    }
    loop {
        let scaled = Scaled::new(&tasks, &load, &margin.factor);
        effort.take(2 * weight(scaled.load.hyperperiod.bits().max(128)) * tasks.len() as u64)?;
        match test.test_loaded(&scaled.tasks(), &scaled.load, effort) {
            Outcome::Passes => return Ok(margin),
            Outcome::Fails(failure) => {
                let lowered = ratio(&tasks, &formulation.policy, failure, &margin.factor, effort)?;
                debug_assert!(lowered.factor < margin.factor, "a failure lowers the margin");
                margin = lowered;
            }
            // Unreachable: the factor is at most 1 / U.
            Outcome::Overload => return Ok(margin),
            Outcome::Undecided(undecided) => return Err(undecided),
        }
    }
}

impl Margin {
    /// The factor at which the demand by `time` reaches `time`.
    fn at(time: BigInt, demand: BigInt) -> Self {
        let factor = Rational::new(time.clone(), demand.clone());
        Self { factor, limit: Some(Failure::Demand { time, demand }) }
    }

    /// The minimum of this factor and the ratios t / dbf(t) at the first deadlines of each task. If one of them is
    /// below 1 / U the tested set has U < 1, whose failures are all early; at U = 1 they may be anywhere in the
    /// hyperperiod.
    fn lowered_by_early_deadlines(
        mut self,
        tasks: &[ScheduledTask],
        effort: &mut Effort,
    ) -> Result<Self, Undecided> {
        for task in tasks {
            let mut time = task.deadline.clone();
            for _ in 0..EARLY_DEADLINES {
                effort.take(2 * weight(time.bits().max(128)) * tasks.len() as u64)?;
                let due = |task: &ScheduledTask| jobs_due(task.period, task.deadline, &time) * task.wcet;
                let demand: BigInt = tasks.iter().map(due).sum();
                if &time * self.factor.denom() < self.factor.numer() * &demand {
                    self = Self::at(time.clone(), demand);
                }
                time += task.period;
            }
        }
        Ok(self)
    }
}

/// The number of deadlines per task that are examined first.
const EARLY_DEADLINES: usize = 4;

/// A design with its WCETs multiplied by a fraction, in time units that keep all numbers integers.
struct Scaled {
    times: Vec<[BigInt; 3]>,
    load: Load,
}

impl Scaled {
    fn new(tasks: &[ScheduledTask], load: &Load, factor: &Rational) -> Self {
        let (p, q) = (factor.numer(), factor.denom());
        let times = tasks.iter().map(|task| [task.wcet * p, task.period * q, task.deadline * q]);
        let load = Load { hyperperiod: &load.hyperperiod * q, demand: &load.demand * p };
        Self { times: times.collect(), load }
    }

    fn tasks(&self) -> Vec<ScheduledTask<'_>> {
        self.times.iter().map(|[wcet, period, deadline]| ScheduledTask { wcet, period, deadline }).collect()
    }
}

/// The largest factor with which a design that fails at `factor` no longer fails in this way.
fn ratio(
    tasks: &[ScheduledTask],
    policy: &Policy,
    failure: Failure,
    factor: &Rational,
    effort: &mut Effort,
) -> Result<Margin, Undecided> {
    match (&failure, policy) {
        (Failure::Response { task, job }, Policy::FixedPriority(order)) => {
            let factor = ratio_of_job(tasks, order, *task, job, effort)?;
            Ok(Margin { factor, limit: Some(failure) })
        }
        (Failure::Demand { time, .. }, _) => {
            let (time, demand) = least_ratio_up_to(tasks, time.div_floor(factor.denom()), effort)?;
            Ok(Margin::at(time, demand))
        }
        // Unreachable: EDF has no response-time analysis.
        (Failure::Response { .. }, Policy::Edf) => Err(Undecided::Steps(0)),
    }
}

/// A deadline t up to `time` with dbf(t), whose ratio t / dbf(t) is at most that at `time`: the minimum over the last
/// deadlines up to `time`, half of it, a quarter of it and so on. The test finds the latest failing time, and ratios
/// grow with time over long ranges: stepping from one late time to the previous one would take too long.
fn least_ratio_up_to(
    tasks: &[ScheduledTask],
    mut time: BigInt,
    effort: &mut Effort,
) -> Result<(BigInt, BigInt), Undecided> {
    let steps = 2 * weight(time.bits().max(128)) * tasks.len() as u64;
    // Compare two ratios by cross-multiplication.
    let mut least: Option<(BigInt, BigInt)> = None;
    loop {
        effort.take(steps)?;
        let due: Vec<BigInt> = tasks.iter().map(|task| jobs_due(task.period, task.deadline, &time)).collect();
        // The same jobs are already due by the last of their deadlines.
        let due_by = |(task, jobs): (&ScheduledTask, &BigInt)| {
            (*jobs > BigInt::ZERO).then(|| (jobs - 1u32) * task.period + task.deadline)
        };
        let Some(last) = tasks.iter().zip(&due).filter_map(due_by).max() else { break };
        let demand: BigInt = tasks.iter().zip(&due).map(|(task, jobs)| task.wcet * jobs).sum();
        if least.as_ref().is_none_or(|(t, of)| &last * of < t * &demand) {
            least = Some((last, demand));
        }
        time /= 2u32;
    }
    // Unreachable if empty: some job is due by the failing time.
    Ok(least.unwrap_or((BigInt::ZERO, BigInt::from(1))))
}

/// The maximum of t / (q e_i + sum_{j higher} ceil(t / P_j) e_j) over the multiples t of the higher-priority tasks'
/// periods up to the deadline d of job q, and d itself.
fn ratio_of_job(
    tasks: &[ScheduledTask],
    order: &[u32],
    late: usize,
    job: &BigInt,
    effort: &mut Effort,
) -> Result<Rational, Undecided> {
    let higher = order.iter().map(|&at| at as usize).take_while(|&at| at != late);
    let higher: Vec<ScheduledTask> = higher.map(|at| tasks[at]).collect();
    let due = (job - 1u32) * tasks[late].period + tasks[late].deadline;
    let work = tasks[late].wcet * job;
    let steps = weight(due.bits().max(128)) * (higher.len() as u64 + 1);
    let multiples = multiples_below(higher.iter().map(|task| task.period), &due);
    let mut best: Option<(BigInt, BigInt)> = None;
    for time in once(due.clone()).chain(multiples) {
        effort.take(steps)?;
        let demand = higher.iter().map(|task| time.div_ceil(task.period) * task.wcet).sum::<BigInt>() + &work;
        // Compare two ratios by cross-multiplication.
        if best.as_ref().is_none_or(|(t, of)| &time * of > t * &demand) {
            best = Some((time, demand));
        }
    }
    // The deadline was among the times.
    let (time, demand) = best.unwrap_or((due, work));
    Ok(Rational::new(time, demand))
}
