//! The margin of a design: the largest factor on all WCETs, and the parts of them, with which it stays schedulable.
//!
//! Schedulability is monotone in such a factor, so there is a largest one, and it is a fraction: 1 / U, or if a
//! deadline is missed first, under EDF the minimum of t / dbf(t), and under fixed priorities the minimum over all
//! jobs of the maximum of t / (q e_i + sum_{j higher} ceil(t / P_j) e_j), with t up to the deadline of the job. It is
//! found from above: starting with 1 / U (under EDF with the ratios of some early deadlines, if smaller), the set is
//! tested with scaled WCETs; if it fails, the ratio of the failing time or job, which is lower, is the next factor.
//! Each step eliminates another time or job, and the first factor that passes is the margin. To scale by a fraction p
//! / q, WCETs are multiplied by p and periods and deadlines by q.
//!
//! All execution that the set gives grows: WCETs, parts that cannot be interrupted, critical sections. Context switches and
//! blocking by holders outside the set do not. If the jobs counted at a time t execute A in all, their context switches take
//! O and they wait for B, the largest factor is (t - O - B) / A; if they wait for a part of N, it is (t - O) / (A + N); if that
//! is a whole job, of execution e and switches o, it is (t - O - o) / (A + e). Where even a factor of 0 is too much, the margin
//! is 0.
//!
//! Of a job that nothing interrupts, t is when it begins: the factor is the lesser of t / ((q - 1) e_i + sum_j ..) and d / (q e_i +
//! sum_j ..). If it waits for nothing, it must begin before t, where another job is released: then the margin is the least
//! upper bound of the factors with which deadlines are met, and they may be missed at it.
//!
//! With switches and blocking scaled too, the same descent gives the lowest clock: the design's clock divided by the factor.
//!
//! Worked instance, EDF: (e, P, D) = (2, 5, 4), (4, 9, 6), U = 38/45. The test fails at factor 45/38, eventually at t
//! = 6 with dbf(6) = 2 + 4: the margin is 1. Under rate-monotonic priorities task 2 has the times 5 and 6: of the
//! ratios 5 / (4 + 2) and 6 / (4 + 2 * 2) the first, 5/6, is greater; it is below 1, so the task is late already. Under EDF, with 1/2 of
//! each job for context switches and blocking of 1 for the first task: at t = 6, (6 - 1 - 1) / 5 = 4/5.
//!
//! Sources: W. Dinkelbach, "On nonlinear fractional programming", Management Science 13(7), 1967, for the descent;
//! E. Bini, M. Di Natale and G. Buttazzo, "Sensitivity analysis for fixed-priority real-time systems", Real-Time
//! Systems 39, 2008, for the ratios under fixed priorities.

use super::analysis::{AnalysisOfMode, decided_by_utilization};
use super::demand::{jobs_due, wait_at};
use super::effort::{Effort, Undecided, weight};
use super::late_job::{jobs_before, multiples_below};
use super::outcome::{Failure, Outcome, Strict};
use super::task::{ScheduledTask, scheduled_tasks, switches_of};
use super::utilization::Load;
use super::waits::{Wait, WaitKind, all_at, all_of};
use isx_exact::quantity::Rational;
use isx_taskset::formulate::{Formulation, Policy, TimedKernel, TimedLock, TimedTask};
use isx_taskset::{PriorityOrder, TaskSet, TimeBase};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Signed;
use std::cmp::Ordering;
use std::iter::once;

/// How much the WCETs of a design may grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Margin {
    /// The largest factor on all WCETs with which every deadline is met; below 1 if the design is not schedulable.
    pub factor: Rational,
    /// Where the design fails beyond it; `None` if the processor is fully used, with U = 1 at the margin.
    pub limit: Option<Failure>,
    /// Whether every deadline is met with this factor too, not only with every smaller one: a job that nothing interrupts may
    /// have to begin before another one is released.
    pub is_reached: bool,
}

/// The margin of a design. Fails if the work limit does not suffice; each test may take the steps of one design. Panics
/// if `choices` does not have one entry per task, or names a choice that does not exist; or if every WCET is 0, which
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
    largest_factor(formulation, choices, Grows::Wcets, effort)
}

/// The largest factor on all execution, with which a lower clock makes it longer, at which every deadline is met: context
/// switches and blocking too. Otherwise as [`margin`].
/// Fails as [`margin`].
pub fn slowdown(
    formulation: &Formulation,
    choices: &[Option<u32>],
    effort: &mut Effort,
) -> Result<Rational, Undecided> {
    Ok(largest_factor(formulation, choices, Grows::AllExecution, effort)?.factor)
}

/// Whether a design of the set is schedulable at its [`lowest_clock`] too, not only at every higher one, see
/// [`Margin::is_reached`]. Panics as [`margin`].
pub fn is_lowest_clock_reached(
    formulation: &Formulation,
    choices: &[Option<u32>],
    effort: &mut Effort,
) -> bool {
    let runs_through =
        |task: &TimedTask| task.kernel.as_ref().is_some_and(|kernel| kernel.nonpreemptive.is_none());
    formulation.policy == Policy::Edf
        || !formulation.tasks.iter().any(runs_through)
        || largest_factor(formulation, choices, Grows::AllExecution, effort)
            .is_ok_and(|margin| margin.is_reached)
}

/// The lowest clock, in hertz, at which a design of the set is schedulable; above its own if it is not. `None` if the set has no clock,
/// if no clock suffices, or if that was not decided. Panics as [`margin`].
pub fn lowest_clock(
    set: &TaskSet,
    formulation: &Formulation,
    choices: &[Option<u32>],
    effort: &mut Effort,
) -> Option<Rational> {
    let TimeBase::Cycles { hertz } = &set.time_base else { return None };
    let own = formulation.clock_of(choices).unwrap_or(hertz);
    let slowdown = slowdown(formulation, choices, effort).ok()?;
    slowdown.is_positive().then(|| own / slowdown)
}

/// What a factor multiplies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grows {
    /// The WCETs, and the parts that cannot be interrupted and the critical sections in them.
    Wcets,
    /// All that a lower clock makes longer: context switches and blocking too.
    AllExecution,
}

fn largest_factor(
    formulation: &Formulation,
    choices: &[Option<u32>],
    grows: Grows,
    effort: &mut Effort,
) -> Result<Margin, Undecided> {
    if !formulation.modes.is_empty() {
        let modes = formulation.modes.iter().enumerate().map(|(number, mode)| {
            let margin = largest_factor(mode, choices, grows, effort)?;
            let in_mode = |failure| Failure::InMode { mode: number, failure: Box::new(failure) };
            Ok(Margin { limit: margin.limit.map(in_mode), ..margin })
        });
        let least = |a: Margin, b: Margin| match a.factor.cmp(&b.factor) {
            Ordering::Less => a,
            Ordering::Equal => Margin { is_reached: a.is_reached && b.is_reached, ..a },
            Ordering::Greater => b,
        };
        // A set with modes has some.
        return modes.reduce(|a, b| Ok(least(a?, b?))).unwrap_or(Err(Undecided::Steps(0)));
    }
    let whole = scheduled_tasks(formulation, choices);
    let design = Growing::new(formulation, choices, whole.tasks(), grows);
    let mut test = AnalysisOfMode::new(formulation);
    test.strict = Strict::Below;
    let load = test.load(&design.tasks);
    let all: Vec<&BigInt> = test.frequencies.iter().collect();
    let full = design.largest(&load.hyperperiod, &all, &[]);
    let mut margin = Margin { factor: full.into(), limit: None, is_reached: true };
    if formulation.policy == Policy::Edf && !decided_by_utilization(formulation) {
        margin = margin.lowered_by_early_deadlines(&design, effort)?;
    }
    while margin.factor.is_positive() {
        let scaled = Scaled::new(&design, &load, &margin.factor);
        effort.take(2 * weight(scaled.load.hyperperiod.bits().max(128)) * design.tasks.len() as u64)?;
        match test.test_loaded(&scaled.tasks(), &scaled.load, effort) {
            Outcome::Passes => {
                if design.tasks.iter().any(ScheduledTask::runs_through) {
                    test.strict = Strict::No;
                    match test.test_loaded(&scaled.tasks(), &scaled.load, effort) {
                        Outcome::Undecided(undecided) => return Err(undecided),
                        exactly => margin.is_reached = exactly == Outcome::Passes,
                    }
                }
                return Ok(margin);
            }
            Outcome::Fails(failure) => {
                let lowered = ratio(&design, &formulation.policy, failure, &margin.factor, effort)?;
                debug_assert!(lowered.factor < margin.factor, "a failure lowers the margin");
                margin = lowered;
            }
            // Unreachable: the factor is at most 1 / U.
            Outcome::Overload => return Ok(margin),
            Outcome::Undecided(undecided) => return Err(undecided),
        }
    }
    Ok(Margin { factor: Rational::default(), ..margin })
}

/// A fraction, not reduced; with a denominator of 0 it is without a bound, or below all if the numerator is negative.
struct Ratio {
    numer: BigInt,
    denom: BigInt,
}

impl Ratio {
    fn is_below(&self, other: &Self) -> bool {
        let is_unbounded = |one: &Self| one.denom == BigInt::ZERO && one.numer == BigInt::ZERO;
        &self.numer * &other.denom < &other.numer * &self.denom
            || (is_unbounded(other) && !is_unbounded(self))
    }
}

impl From<Ratio> for Rational {
    fn from(Ratio { numer, denom }: Ratio) -> Self {
        if denom == BigInt::ZERO { Self::default() } else { Self::new(numer, denom) }
    }
}

/// A design of which some execution grows.
struct Growing<'a> {
    tasks: Vec<ScheduledTask<'a>>,
    /// The part of each WCET that does not grow: context switches; empty if there are none.
    fixed: Vec<BigInt>,
    grows: Grows,
}

impl<'a> Growing<'a> {
    fn new(
        formulation: &Formulation,
        choices: &[Option<u32>],
        tasks: Vec<ScheduledTask<'a>>,
        grows: Grows,
    ) -> Self {
        let has_any = grows == Grows::Wcets && formulation.tasks.iter().any(|task| !task.switches.is_empty());
        let fixed = if has_any { switches_of(formulation, choices) } else { Vec::new() };
        Self { tasks, fixed, grows }
    }

    /// The largest factor with which `jobs` of each task and the longest of `waits` take at most `time`; without a bound, as a
    /// denominator of 0, if nothing grows and all has time.
    fn largest(&self, time: &BigInt, jobs: &[&BigInt], waits: &[Wait]) -> Ratio {
        let all: BigInt = self.tasks.iter().zip(jobs).map(|(task, &jobs)| task.wcet * jobs).sum();
        let fixed: BigInt = self.fixed.iter().zip(jobs).map(|(fixed, &jobs)| fixed * jobs).sum();
        let (left, growing) = (time - &fixed, all - fixed);
        let after =
            |(grows, constant): &(BigInt, BigInt)| Ratio { numer: &left - constant, denom: &growing + grows };
        // A wait is no longer than any of its bounds, and the job can afford the one that leaves most.
        let most = |wait: &Wait| {
            let bounds = self.bounds(wait);
            bounds.iter().map(after).reduce(|a, b| if a.is_below(&b) { b } else { a })
        };
        let none = after(&(BigInt::ZERO, BigInt::ZERO));
        waits.iter().filter_map(most).fold(none, |a, b| if b.is_below(&a) { b } else { a })
    }

    /// Bounds on a wait, each with a growing and a constant part: the wait is the least of them.
    fn bounds(&self, wait: &Wait) -> Vec<(BigInt, BigInt)> {
        let grows = |time: &BigInt| (time.clone(), BigInt::ZERO);
        match wait.kind {
            WaitKind::Blocking if self.grows == Grows::Wcets => vec![(BigInt::ZERO, wait.longest.clone())],
            WaitKind::Blocking | WaitKind::Lock(_) => vec![grows(wait.longest)],
            WaitKind::Part => {
                let task = &self.tasks[wait.task];
                let fixed = self.fixed.get(wait.task).cloned().unwrap_or_default();
                let part = task.kernel.and_then(|kernel| kernel.nonpreemptive.as_ref()).map(grows);
                part.into_iter().chain([(task.wcet - &fixed, fixed)]).collect()
            }
        }
    }

    /// The demand by `time` under EDF, waits included.
    fn demand_by(&self, time: &BigInt, jobs: &[BigInt]) -> BigInt {
        let demand = self.tasks.iter().zip(jobs).map(|(task, jobs)| task.wcet * jobs);
        demand.sum::<BigInt>() + wait_at(&self.tasks, time)
    }
}

impl Margin {
    /// The minimum of this factor and the ratios t / dbf(t) at the first deadlines of each task. If one of them is
    /// below 1 / U the tested set has U < 1, whose failures are all early; at U = 1 they may be anywhere in the
    /// hyperperiod.
    fn lowered_by_early_deadlines(
        mut self,
        design: &Growing,
        effort: &mut Effort,
    ) -> Result<Self, Undecided> {
        for task in &design.tasks {
            let mut time = task.deadline.clone();
            for _ in 0..EARLY_DEADLINES {
                effort.take(2 * weight(time.bits().max(128)) * design.tasks.len() as u64)?;
                let due = |task: &ScheduledTask| jobs_due(task.period, task.deadline, &time);
                let due: Vec<BigInt> = design.tasks.iter().map(due).collect();
                let ratio =
                    design.largest(&time, &due.iter().collect::<Vec<_>>(), &all_at(&design.tasks, &time));
                if &ratio.numer * self.factor.denom() < self.factor.numer() * &ratio.denom {
                    let limit = Failure::Demand { demand: design.demand_by(&time, &due), time: time.clone() };
                    self = Self { factor: ratio.into(), limit: Some(limit), ..self };
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
    times: Vec<([BigInt; 3], Option<TimedKernel>, Vec<TimedLock>)>,
    load: Load,
}

impl Scaled {
    fn new(design: &Growing, load: &Load, factor: &Rational) -> Self {
        let (p, q) = (factor.numer(), factor.denom());
        let waiting = if design.grows == Grows::Wcets { q } else { p };
        let mut load = Load { hyperperiod: &load.hyperperiod * q, demand: BigInt::ZERO };
        let times = design.tasks.iter().enumerate().map(|(at, task)| {
            let wcet = match design.fixed.get(at) {
                None => task.wcet * p,
                Some(fixed) => (task.wcet - fixed) * p + fixed * q,
            };
            let kernel = task.kernel.map(|kernel| TimedKernel {
                jitter: &kernel.jitter * q,
                due: &kernel.due * q,
                blocking: &kernel.blocking * waiting,
                nonpreemptive: kernel.nonpreemptive.as_ref().map(|part| part * p),
            });
            let longer = |lock: &TimedLock| TimedLock { longest: &lock.longest * p, ..*lock };
            let locks = task.locks.iter().map(longer).collect();
            let (period, deadline) = (task.period * q, task.deadline * q);
            load.demand += &wcet * (&load.hyperperiod / &period);
            ([wcet, period, deadline], kernel, locks)
        });
        Self { times: times.collect(), load }
    }

    fn tasks(&self) -> Vec<ScheduledTask<'_>> {
        let times = self.times.iter();
        let tasks = times.map(|([wcet, period, deadline], kernel, locks)| ScheduledTask {
            wcet,
            period,
            deadline,
            kernel: kernel.as_ref(),
            locks,
        });
        tasks.collect()
    }
}

/// The largest factor with which a design that fails at `factor` no longer fails in this way.
fn ratio(
    design: &Growing,
    policy: &Policy,
    failure: Failure,
    factor: &Rational,
    effort: &mut Effort,
) -> Result<Margin, Undecided> {
    match (&failure, policy) {
        (Failure::Response { task, job }, Policy::FixedPriority(order)) => {
            let factor = ratio_of_job(design, order, *task, job, effort)?;
            Ok(Margin { factor, limit: Some(failure), is_reached: true })
        }
        (Failure::Demand { time, .. }, _) => {
            least_ratio_up_to(design, time.div_floor(factor.denom()), effort)
        }
        // Unreachable: EDF has no response-time analysis, and a mode has no modes.
        (Failure::Response { .. }, Policy::Edf) | (Failure::InMode { .. }, _) => Err(Undecided::Steps(0)),
    }
}

/// The factor at a deadline t up to `time` at which it is at most that at `time`: the least over the last
/// deadlines up to `time`, half of it, a quarter of it and so on. The test finds the latest failing time, and ratios
/// grow with time over long ranges: stepping from one late time to the previous one would take too long.
fn least_ratio_up_to(design: &Growing, mut time: BigInt, effort: &mut Effort) -> Result<Margin, Undecided> {
    let tasks = &design.tasks;
    let steps = 2 * weight(time.bits().max(128)) * tasks.len() as u64;
    let mut least: Option<(Ratio, BigInt, Vec<BigInt>)> = None;
    loop {
        effort.take(steps)?;
        let due: Vec<BigInt> = tasks.iter().map(|task| jobs_due(task.period, task.deadline, &time)).collect();
        // The same jobs are already due by the last of their deadlines.
        let due_by = |(task, jobs): (&ScheduledTask, &BigInt)| {
            (*jobs > BigInt::ZERO).then(|| (jobs - 1u32) * task.period + task.deadline)
        };
        let Some(last) = tasks.iter().zip(&due).filter_map(due_by).max() else { break };
        let ratio = design.largest(&last, &due.iter().collect::<Vec<_>>(), &all_at(tasks, &last));
        if least.as_ref().is_none_or(|(least, ..)| ratio.is_below(least)) {
            least = Some((ratio, last, due));
        }
        if time == BigInt::ZERO {
            break;
        }
        time /= 2u32;
    }
    // Unreachable if empty: some job is due by the failing time.
    let Some((ratio, time, due)) = least else { return Err(Undecided::Steps(0)) };
    let limit = Failure::Demand { demand: design.demand_by(&time, &due), time };
    Ok(Margin { factor: ratio.into(), limit: Some(limit), is_reached: true })
}

/// The largest factor with which job q is done at some t, or has begun if nothing interrupts it, over the times t before the
/// deadline d of job q after which another task releases a further job, and d itself.
fn ratio_of_job(
    design: &Growing,
    order: &PriorityOrder,
    late: usize,
    job: &BigInt,
    effort: &mut Effort,
) -> Result<Rational, Undecided> {
    let tasks = &design.tasks;
    let ahead: Vec<usize> = order.ahead_of(late).collect();
    let due = (job - 1u32) * tasks[late].period + tasks[late].deadline;
    let waits = all_of(tasks, late, order);
    let steps = weight(due.bits().max(128)) * (ahead.len() + waits.len() + 1) as u64;
    let mut jobs = vec![BigInt::ZERO; tasks.len()];
    let mut best: Option<Ratio> = None;
    for time in once(due.clone()).chain(multiples_below(ahead.iter().map(|&at| tasks[at]), &due)) {
        effort.take(steps)?;
        for &at in &ahead {
            jobs[at] = jobs_before(&tasks[at], &time);
        }
        let mut largest = |own: BigInt, by: &BigInt| {
            jobs[late] = own;
            design.largest(by, &jobs.iter().collect::<Vec<_>>(), &waits)
        };
        let mut ratio = largest(job.clone(), if tasks[late].runs_through() { &due } else { &time });
        if tasks[late].runs_through() {
            let begins = largest(job - 1u32, &time);
            if begins.is_below(&ratio) {
                ratio = begins;
            }
        }
        if best.as_ref().is_none_or(|best| best.is_below(&ratio)) {
            best = Some(ratio);
        }
    }
    // The deadline was among the times.
    Ok(best.map_or_else(Rational::default, Rational::from))
}
