//! The processor demand criterion by quick processor-demand analysis (QPA), in integers.
//!
//! The jobs that are released at or after 0 and due by t need
//!
//! ```text
//! dbf(t) = sum_i max(0, floor((t + P_i - D_i) / P_i)) e_i
//! ```
//!
//! and EDF meets every deadline if, and only if, dbf(t) <= t for all t > 0. Only times below a bound L matter:
//!
//! - L_a, where U < 1. Since dbf(t) <= t U + sum_i max(0, P_i - D_i) e_i / P_i, a failing t is below
//!   L_a = (sum_i max(0, P_i - D_i) e_i / P_i) / (1 - U).
//! - L_b, where U <= 1: the synchronous busy period, the least w > 0 with rbf(w) = sum_i ceil(w / P_i) e_i = w. The
//!   jobs released before L_b need rbf(L_b) = L_b, and later ones arrive no earlier than in a set started at L_b: so
//!   dbf(t) <= L_b + dbf(t - L_b) for t > L_b, and if t fails so does t - L_b. L_b itself does not fail.
//! - At U = 1 there is no L_a, and L_b is the least common multiple h of the periods: rbf(w) >= U w = w, with
//!   equality only if every P_i divides w. So no fixed point is computed, and h is the only bound. For U < 1 likewise
//!   L_b <= h, since rbf(h) = U h.
//!
//! QPA walks down from the last absolute deadline below L: from t with dbf(t) < t it jumps to dbf(t), since
//! dbf(s) <= dbf(t) <= s for every s between; from dbf(t) = t to the last deadline before t. It ends at a t that
//! fails, or once dbf(t) <= min D_i.
//!
//! Worked instance: (e, P, D) = (2, 5, 4), (5, 9, 6). U = 43/45, L_a = 46.5, L_b = 9 (7 -> 9 -> 9). The last deadline
//! below 9 is 6, and dbf(6) = 2 + 5 > 6: the set fails. With e_2 = 4, L is 8, dbf(6) = 6, then dbf(4) = 2 <= 4: it
//! passes.
//!
//! Release jitter: the first job of task i may arrive at -J_i and be released at 0, and later ones as they arrive. The
//! jobs released at or after 0 and due by t are then those of a task with the deadline D_i - J_i (Spuri), so D_i stands
//! for D_i - J_i here and in all that follows.
//!
//! Blocking, locks, and parts that cannot be interrupted: a job due after t may still run at 0, up to its longest part N_j or
//! through its critical section L_j(r) on a resource r, and a job due by t may have to wait for B_i that holders outside the set
//! have. Only one of these waits comes about (Baker). At every t from the least D_i on, where some job is due,
//!
//! ```text
//! dbf(t) + b(t) <= t,     b(t) = max( N_j of the tasks with D_j > t,  B_i of those with D_i <= t,
//!                                     L_j(r) of those with D_j > t where some task with D_i <= t locks r )
//! ```
//!
//! is sufficient, and necessary: the parts lie anywhere, one begins just before time 0, and its job arrives then. A
//! task with D_j - J_j <= t < D_j (the deadline as given) adds nothing to b(t): such a job would be the first of its task
//! after time 0, so that instead of at least e_j >= N_j of the demand it would take N_j.
//!
//! With the longest wait b the bounds become
//!
//! - L_a = (sum_i max(0, P_i - D_i) e_i / P_i + b) / (1 - U);
//! - L_b, the least w > 0 with b + rbf(w) = w: for t > L_b, dbf(t) + b(t) <= L_b + dbf(t - L_b), so t - L_b fails too;
//! - max D_i + h in place of h, and also at U = 1: from max D_i on dbf(t + h) = dbf(t) + U h, and b(t) is constant.
//!
//! b(t) grows with t except at each D_j of a part N_j or a section L_j(r). Between two of these the walk is as before, and it
//! does not jump over one: it goes on at the last deadline before. With locks there is no jitter: the levels of the stack
//! resource policy assume that jobs are released when they arrive.
//!
//! Sources: S. Baruah, A. Mok and L. Rosier, "Preemptively scheduling hard-real-time sporadic tasks on one
//! processor", RTSS 1990, for the criterion and L_a; M. Spuri, "Analysis of deadline scheduled real-time systems",
//! INRIA report 2772, 1996, for the busy period; F. Zhang and A. Burns, "Schedulability analysis for real-time
//! systems with EDF scheduling", IEEE Transactions on Computers 58(9), 2009, for QPA; T. Baker, "Stack-based scheduling
//! of realtime processes", Real-Time Systems 3, 1991, for blocking; L. George, N. Rivierre and M. Spuri, "Preemptive and
//! non-preemptive real-time uniprocessor scheduling", INRIA report 2966, 1996, for parts that cannot be interrupted.

use super::effort::{Effort, Limits, Undecided, weight};
use super::outcome::{Failure, Outcome, Strict};
use super::task::{ScheduledTask, Timed, Width, are_delayed, in_narrowest};
use super::utilization::{Load, unconstrained};
use super::waits::Wait;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

/// Decides whether EDF meets every deadline of `tasks` in at most `max_steps` steps; a demand evaluation takes at
/// least one step per task (see [`effort`](super::effort)).
///
/// ```
/// use isx_design::schedulability::{Failure, Outcome, ScheduledTask, demand_test};
/// use num_bigint::BigInt;
/// let times: Vec<BigInt> = (0..10).map(BigInt::from).collect();
/// let task = |e: usize, p: usize, d: usize| {
///     ScheduledTask { wcet: &times[e], period: &times[p], deadline: &times[d], kernel: None, locks: &[] }
/// };
/// let failure = Failure::Demand { time: 6.into(), demand: 7.into() };
/// assert_eq!(demand_test(&[task(2, 5, 4), task(5, 9, 6)], 1000), Outcome::Fails(failure));
/// assert_eq!(demand_test(&[task(2, 5, 4), task(4, 9, 6)], 1000), Outcome::Passes);
/// ```
pub fn demand_test(tasks: &[ScheduledTask], max_steps: u64) -> Outcome {
    let mut effort = Effort::new(Limits { steps: max_steps, design_steps: max_steps });
    test_design(tasks, &Load::of(tasks), Strict::No, &mut effort)
}

/// As [`demand_test`], with the step limit for one design; `load` is that of `tasks`.
pub(super) fn test_design(
    tasks: &[ScheduledTask],
    load: &Load,
    strict: Strict,
    effort: &mut Effort,
) -> Outcome {
    if load.is_overload() || (strict == Strict::Yes && load.is_full()) {
        return Outcome::Overload;
    }
    if unconstrained(tasks) && strict != Strict::Yes {
        return Outcome::Passes;
    }
    let full = load.is_full();
    let test = |effort: &mut Effort| {
        // The load, the bound and the conversions take some big-integer operations per task.
        effort.take(weight(load.hyperperiod.bits().max(128)) * tasks.len() as u64)?;
        let longest = longest_wait(tasks, strict);
        let bound = interval_bound(tasks, load, &longest);
        in_narrowest!(decide(tasks, &bound, &longest, strict, full, effort))
    };
    effort.for_design(test).unwrap_or_else(Outcome::Undecided)
}

/// dbf_i(t) / e_i: the number of jobs of a task with this period and deadline released at or after 0 and due by
/// `time`.
pub(super) fn jobs_due(period: &BigInt, deadline: &BigInt, time: &BigInt) -> BigInt {
    if time < deadline { BigInt::ZERO } else { (time - deadline) / period + 1 }
}

/// A bound on b(t).
pub(super) fn longest_wait(tasks: &[ScheduledTask], strict: Strict) -> BigInt {
    let sections = tasks.iter().flat_map(|task| task.locks.iter().map(|lock| &lock.longest));
    let waits = tasks.iter().filter_map(|task| task.part().max(task.blocking())).chain(sections);
    waits.max().cloned().unwrap_or_default() + strict.unit()
}

/// b(t).
pub(super) fn wait_at(tasks: &[ScheduledTask], time: &BigInt) -> BigInt {
    Wait::at(tasks, time).map_or(BigInt::ZERO, |wait| wait.longest.clone())
}

/// A time at or after which no t fails, for U <= 1: the smaller of h and L_a rounded up; of max D_i + h if jobs wait.
fn interval_bound(tasks: &[ScheduledTask], load: &Load, longest: &BigInt) -> BigInt {
    let mut periodic = load.hyperperiod.clone();
    if *longest > BigInt::ZERO {
        periodic += tasks.iter().map(|task| task.deadline).max().unwrap_or(&BigInt::ZERO);
    }
    if load.is_full() {
        return periodic;
    }
    let early = |task: &&ScheduledTask| task.deadline < task.period;
    let surplus =
        |task: &ScheduledTask| (task.period - task.deadline) * task.wcet * (&load.hyperperiod / task.period);
    let surplus = tasks.iter().filter(early).map(surplus).sum::<BigInt>() + longest * &load.hyperperiod;
    surplus.div_ceil(&(&load.hyperperiod - &load.demand)).min(periodic)
}

/// Runs the test in integers of type `T`; `None` if they may be too narrow. `full` means U = 1.
fn decide<T: Width>(
    tasks: &[ScheduledTask],
    bound: &BigInt,
    longest: &BigInt,
    strict: Strict,
    full: bool,
    effort: &mut Effort,
) -> Option<Result<Outcome, Undecided>> {
    // For t up to the bound, dbf(t) and rbf(t) are at most t U + sum_i (P_i + e_i).
    let extra = |task: &ScheduledTask| task.wcet + task.period + task.deadline;
    let mut largest = bound + longest + tasks.iter().map(extra).sum::<BigInt>();
    largest += tasks.iter().filter_map(ScheduledTask::jitter).sum::<BigInt>();
    let are_delayed = are_delayed(tasks);
    let tasks = Timed::<T>::all(tasks, &largest)?;
    let (bound, longest) = (T::from_big(bound)?, T::from_big(longest)?);
    let waits = Waits::of(if are_delayed { &tasks } else { &[] }, strict.in_width());
    let evaluation = weight(largest.bits()) * (tasks.len() + waits.locks.len()) as u64;
    // If the busy period is not found within half of the steps, the test continues without it in the other half.
    let half = effort.left() / 2;
    let busy =
        effort.share(
            half,
            |half| if full { None } else { busy_period(&tasks, &longest, &bound, evaluation, half) },
        );
    Some(walk_down(&tasks, &waits, busy.unwrap_or(bound), evaluation, effort))
}

/// b(t).
pub(super) struct Waits<'t, T> {
    /// What is added at every time.
    least: T,
    /// The tasks, with their parts and blocking; none if no job waits.
    tasks: &'t [Timed<T>],
    /// The least D_i of the tasks that lock r, D_j, and L_j(r).
    locks: Vec<(T, T, T)>,
}

impl<'t, T: Width> Waits<'t, T> {
    pub(super) fn of(tasks: &'t [Timed<T>], least: T) -> Self {
        Self { least, tasks, locks: locks(tasks) }
    }

    pub(super) fn at(&self, time: &T) -> T {
        let own = |task: &'t Timed<T>| if task.deadline > *time { &task.part } else { &task.blocking };
        let locks = self.locks.iter().filter(|(from, to, _)| from <= time && time < to);
        let longest = self.tasks.iter().map(own).chain(locks.map(|(.., wait)| wait)).max();
        longest.map_or_else(|| self.least.clone(), |longest| self.least.plus(longest))
    }

    /// The last time up to `time` at which b falls.
    fn falls(&self, time: &T) -> Option<&T> {
        let parts = self.tasks.iter().filter(|task| !task.part.is_zero()).map(|task| &task.deadline);
        parts.chain(self.locks.iter().map(|(_, to, _)| to)).filter(|to| *to <= time).max()
    }
}

/// The times from and up to which jobs wait for each critical section, and how long it is.
fn locks<T: Width>(tasks: &[Timed<T>]) -> Vec<(T, T, T)> {
    let mut locks = Vec::new();
    for task in tasks {
        for (resource, section) in &task.sections {
            let users = tasks.iter().filter(|task| task.sections.iter().any(|(other, _)| other == resource));
            let from = users.map(|task| &task.deadline).min().unwrap_or(&task.deadline);
            if *from < task.deadline {
                locks.push((from.clone(), task.deadline.clone(), section.clone()));
            }
        }
    }
    locks
}

/// L_b, if it is below `bound` and found within the allowed steps; an evaluation takes `evaluation` steps.
fn busy_period<T: Width>(
    tasks: &[Timed<T>],
    longest: &T,
    bound: &T,
    evaluation: u64,
    effort: &mut Effort,
) -> Option<T> {
    let mut window = tasks.iter().fold(longest.clone(), |sum, task| sum.plus(&task.wcet));
    while window < *bound && effort.take(evaluation).is_ok() {
        let request = |sum: T, task: &Timed<T>| sum + window.div_ceil(&task.period) * task.wcet.clone();
        let next = tasks.iter().fold(longest.clone(), request);
        if next == window {
            return Some(window);
        }
        window = next;
    }
    None
}

/// QPA for times below `bound`.
fn walk_down<T: Width>(
    tasks: &[Timed<T>],
    waits: &Waits<T>,
    bound: T,
    evaluation: u64,
    effort: &mut Effort,
) -> Result<Outcome, Undecided> {
    let Some(first) = tasks.iter().map(|task| &task.deadline).min() else { return Ok(Outcome::Passes) };
    let Some(mut time) = last_deadline_before(tasks, &bound) else { return Ok(Outcome::Passes) };
    loop {
        effort.take(evaluation)?;
        let demand = demand_by(tasks, &time) + waits.at(&time);
        if demand > time {
            return Ok(Outcome::Fails(Failure::Demand { time: time.to_big(), demand: demand.to_big() }));
        }
        let falls = waits.falls(&time).filter(|falls| demand < **falls);
        if demand <= *first && falls.is_none_or(|falls| falls <= first) {
            return Ok(Outcome::Passes);
        }
        time = if demand < time && falls.is_none() {
            demand
        } else {
            effort.take(evaluation)?;
            match last_deadline_before(tasks, falls.unwrap_or(&time)) {
                Some(before) => before,
                None => return Ok(Outcome::Passes),
            }
        };
    }
}

/// dbf(t).
fn demand_by<T: Width>(tasks: &[Timed<T>], time: &T) -> T {
    let due = |task: &&Timed<T>| task.deadline <= *time;
    tasks.iter().filter(due).fold(<T as Zero>::zero(), |sum, task| {
        let jobs = time.minus(&task.deadline).div_floor(&task.period) + T::one();
        sum + jobs * task.wcet.clone()
    })
}

/// The last absolute deadline before `time`.
fn last_deadline_before<T: Width>(tasks: &[Timed<T>], time: &T) -> Option<T> {
    let last = |task: &Timed<T>| {
        let jobs = (time.minus(&task.deadline) - T::one()).div_floor(&task.period);
        jobs * task.period.clone() + task.deadline.clone()
    };
    tasks.iter().filter(|task| task.deadline < *time).map(last).max()
}
