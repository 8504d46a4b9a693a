//! The schedule of a design in the case that decides, job by job, from time 0 to the deadline that is missed first or,
//! if all are met, to the one that is nearest to it.
//!
//! - Fixed priorities: the critical instant of one task, the one that the analysis finds late or, if none is, the one with the
//!   largest response time / deadline. It and all tasks of higher or equal priority are released at time 0 after their full
//!   jitter, and then as they arrive; it comes last among its equals. Lower tasks are left out, but for the job that is the wait.
//! - EDF: all tasks are released at time 0 after their full jitter; the deadline is the least t with dbf(t) + b(t) > t or, if
//!   there is none, the least t with the largest (dbf(t) + b(t)) / t. No deadline before is missed: at the first one missed,
//!   by t' say, the processor has been busy since time 0, or since a time s > 0 where jobs due by t' had just begun to be
//!   released. So dbf(t') + b(t') > t', or dbf(t' - s) > t' - s.
//!
//! The wait comes first: a part N_j of a task that arrived just before time 0 takes [0, N_j), and its job goes on with
//! its own deadline; a critical section begins just before time 0 too, and tasks above its ceiling interrupt it; B_i delays the
//! first job of task i, at the priority of that job.
//!
//! The schedule is simulated; the missed deadline, the response time and the demand that it shows must be those of the exact
//! analysis. For (dbf(t) + b(t)) / t the search of t ends where t U + S bounds the numerator too low, with S = sum_i max(0, P_i -
//! D_i) e_i / P_i + max b; at the latest at max D_i + h, since (dbf + b)(t + h) = (dbf + b)(t) + U h from max D_i on: no later ratio is
//! larger, unless none reaches U.

use super::analysis::schedulable;
use super::demand::{Waits, jobs_due, longest_wait, wait_at};
use super::effort::{Effort, Undecided};
use super::outcome::{Failure, Outcome, Strict};
use super::response::response_times;
use super::task::{ScheduledTask, Timed, scheduled_tasks};
use super::timeline::{Hold, Pattern, Run};
use super::utilization::{Load, unconstrained};
use super::waits::{Wait, WaitKind};
use isx_exact::quantity::Rational;
use isx_taskset::PriorityOrder;
use isx_taskset::formulate::{Formulation, Policy};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

pub use super::timeline::{Activity, Job, MOST_JOBS, Segment};

/// The maximum number of deadlines examined if utilization alone decides.
const FEW_DEADLINES: usize = 100;
/// The maximum number of bits of a time: then sums over all jobs fit 128 bits.
const MOST_BITS: u64 = 96;

/// Why a design has no schedule to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum NoSchedule {
    #[error(transparent)]
    Undecided(Undecided),
    #[error(
        "the schedule up to the deadline that decides has more than {MOST_JOBS} jobs; round the periods to a common grid"
    )]
    TooLong,
    #[error("the times have too many digits in their common unit; round them to a common grid")]
    TooFine,
    #[error("a set with several modes has a schedule in each of them")]
    Modes,
    #[error("the schedule and the exact analysis disagree about {0}; please report this error of isx")]
    Disagreement(&'static str),
}

/// The schedule of a design in the case that decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The tasks with jobs: by priority under fixed priorities, in file order under EDF.
    pub tasks: Vec<usize>,
    /// The jobs, by release.
    pub jobs: Vec<Job>,
    /// What the processor does, by time.
    pub segments: Vec<Segment>,
    /// The job whose deadline is missed first or, if none is, decides; an index in [`Self::jobs`].
    pub decisive: usize,
    /// How much of this job is not done at its deadline; `None` if the deadline is met.
    pub missing: Option<i128>,
    /// EDF: what the jobs due by that deadline need with their longest wait.
    pub demand: Option<i128>,
    /// Whether a later deadline may be nearer to being missed: there are too many to be examined, or no nearest one.
    pub is_one_of_many: bool,
    /// Where the schedule ends: at the deadline that decides; if it is missed a little later, or when the job is done.
    pub end: i128,
}

impl Schedule {
    /// The deadline that is missed first or, if none is, decides.
    pub fn deadline(&self) -> i128 {
        self.jobs[self.decisive].due
    }
}

/// The schedule of a design; the formulation is of a set with one mode, or of one mode. Panics if `choices` does not have one
/// entry per task, or names a choice that does not exist.
///
/// ```
/// use isx_design::schedulability::{Effort, Limits, schedule};
/// use isx_taskset::{Scheduler, Task, TaskSet};
/// let set = TaskSet::new("demo", [Task::new("fir", 2, 4), Task::new("iir", 3, 6)]).unwrap();
/// let set = set.with_scheduler(Scheduler::RateMonotonic).unwrap();
/// let formulation = isx_taskset::formulate::formulate(&set, None).unwrap();
/// let schedule = schedule(&formulation, &[None, None], &mut Effort::new(Limits::default())).unwrap();
/// assert_eq!((schedule.deadline(), schedule.missing, schedule.end), (6, Some(1), 7));
/// ```
pub fn schedule(
    formulation: &Formulation,
    choices: &[Option<u32>],
    effort: &mut Effort,
) -> Result<Schedule, NoSchedule> {
    if !formulation.modes.is_empty() {
        return Err(NoSchedule::Modes);
    }
    let outcome = schedulable(formulation, choices, effort);
    if let Outcome::Undecided(why) = outcome {
        return Err(NoSchedule::Undecided(why));
    }
    let tasks = scheduled_tasks(formulation, choices);
    let tasks = tasks.tasks();
    let known = Timed::<i128>::all(&tasks, &BigInt::zero()).ok_or(NoSchedule::TooFine)?;
    let is_too_fine = |task: &ScheduledTask| {
        let own = [task.wcet, task.period, task.deadline];
        let kernel = task.kernel.map(|kernel| [&kernel.jitter, &kernel.blocking]);
        own.into_iter().chain(kernel.into_iter().flatten()).any(|time| time.bits() > MOST_BITS)
    };
    if tasks.iter().any(is_too_fine) {
        return Err(NoSchedule::TooFine);
    }
    match &formulation.policy {
        Policy::FixedPriority(order) => {
            let (task, aim) = match outcome {
                Outcome::Fails(Failure::Response { task, job }) => (task, Aim::Late(job.to_usize())),
                outcome => of_response_times(formulation, choices, &outcome, &tasks, effort)?,
            };
            of_task(&tasks, &known, order, task, &aim)
        }
        Policy::Edf => of_demand(&tasks, &known, &outcome),
    }
}

/// What the schedule of a task under fixed priorities is to show.
enum Aim {
    /// The first late job: this one, counted from 1, if known.
    Late(Option<usize>),
    /// The job with this longest response time.
    Response(i128),
}

/// The task to show if the analysis names none: under overload the first late one, else the one with the largest response
/// time / deadline.
fn of_response_times(
    formulation: &Formulation,
    choices: &[Option<u32>],
    outcome: &Outcome,
    tasks: &[ScheduledTask],
    effort: &mut Effort,
) -> Result<(usize, Aim), NoSchedule> {
    let (Policy::FixedPriority(order), Some(times)) =
        (&formulation.policy, response_times(formulation, choices, effort))
    else {
        return Err(NoSchedule::Disagreement("the scheduler"));
    };
    let mut tightest: Option<(usize, BigInt, BigInt)> = None;
    for (at, _) in order.levels() {
        let task = &tasks[at];
        let deadline = task.jitter().map_or(task.deadline.clone(), |jitter| task.deadline + jitter);
        match &times
            .iter()
            .find(|time| time.task == at)
            .ok_or(NoSchedule::Disagreement("a response time"))?
            .response
        {
            Ok(response) if *response <= deadline => {
                let is_tighter =
                    |(_, most, due): &(usize, BigInt, BigInt)| response * due >= most * &deadline;
                if *task.wcet > BigInt::ZERO && tightest.as_ref().is_none_or(is_tighter) {
                    tightest = Some((at, response.clone(), deadline));
                }
            }
            Err(super::NoResponseTime::Undecided(why)) => return Err(NoSchedule::Undecided(*why)),
            _ if *outcome == Outcome::Overload => return Ok((at, Aim::Late(None))),
            _ => return Err(NoSchedule::Disagreement("a response time")),
        }
    }
    let (at, response, _) = tightest.ok_or(NoSchedule::Disagreement("the tasks"))?;
    Ok((at, Aim::Response(response.to_i128().ok_or(NoSchedule::TooFine)?)))
}

/// The schedule of a task and those of higher priority.
fn of_task(
    tasks: &[ScheduledTask],
    known: &[Timed<i128>],
    order: &PriorityOrder,
    task: usize,
    aim: &Aim,
) -> Result<Schedule, NoSchedule> {
    // The task comes last among those of its priority.
    let mut released: Vec<usize> = order.ahead_of(task).filter(|&at| known[at].wcet > 0).collect();
    released.push(task);
    let wait = Wait::of(tasks, task, order).map(|wait| {
        let is_above = |at: usize, resource: u32| {
            !order.ahead_of(at).chain([at]).any(|user| locks(&known[user], resource).is_some())
        };
        hold(&wait, known, &is_above)
    });
    let pattern = Pattern { known, released, is_edf: false, wait };
    let mut horizon = known[task].deadline + known[task].period;
    let (run, decisive) = loop {
        let run = pattern.run(horizon);
        let own = |job: &Job| job.task == task;
        let found = match aim {
            Aim::Late(_) => pattern.first_late(&run),
            Aim::Response(longest) => run.jobs.iter().position(|job| {
                own(job) && job.finish.is_some_and(|finish| finish - job.arrival >= *longest)
            }),
        };
        match found {
            Some(at) if run.jobs[at].due <= run.end => break (run, at),
            _ if run.is_cut => return Err(NoSchedule::TooLong),
            _ => horizon *= 2,
        }
    };
    let job = &run.jobs[decisive];
    let number = run.jobs[..=decisive].iter().filter(|job| job.task == task).count();
    // Of several late tasks of equal priority another may be late first.
    let is_equal = job.task != task && order.tied_with(task).any(|at| at == job.task);
    let agrees = (job.task == task || is_equal)
        && match aim {
            Aim::Late(named) => is_equal || named.is_none_or(|named| named == number),
            Aim::Response(longest) => {
                !is_equal && pattern.first_late(&run).is_none() && job.finish == Some(job.arrival + longest)
            }
        };
    if !agrees {
        return Err(NoSchedule::Disagreement("the response time of a task"));
    }
    pattern.shown(&run, decisive)
}

/// The critical section of a task on a resource.
fn locks(task: &Timed<i128>, resource: u32) -> Option<i128> {
    task.sections.iter().find(|(own, _)| *own == resource).map(|(_, section)| *section)
}

/// What jobs wait for; `is_above` says of a task whether it is above the ceiling of a resource.
fn hold(wait: &Wait, known: &[Timed<i128>], is_above: &dyn Fn(usize, u32) -> bool) -> Hold {
    let Wait { task, kind, .. } = *wait;
    let section = match kind {
        WaitKind::Blocking => None,
        WaitKind::Part => Some(known[task].part),
        WaitKind::Lock(resource) => locks(&known[task], resource),
    };
    let above = (0..known.len()).map(|at| match kind {
        WaitKind::Lock(resource) => is_above(at, resource),
        WaitKind::Part | WaitKind::Blocking => false,
    });
    Hold { task, section, above: above.collect() }
}

/// The schedule of all tasks under EDF.
fn of_demand(
    tasks: &[ScheduledTask],
    known: &[Timed<i128>],
    outcome: &Outcome,
) -> Result<Schedule, NoSchedule> {
    let released = (0..known.len()).filter(|&at| known[at].wcet > 0 || known[at].blocking > 0).collect();
    let mut pattern = Pattern { known, released, is_edf: true, wait: None };
    let found = pattern.deadline_that_decides(tasks, outcome)?;
    let Deciding { time, fails, .. } = found;
    let exact = BigInt::from(time);
    pattern.wait = Wait::at(tasks, &exact).map(|wait| {
        let is_above = |at: usize, resource: u32| {
            let mut users = known.iter().filter(|task| locks(task, resource).is_some());
            users.all(|user| known[at].deadline < user.deadline)
        };
        hold(&wait, known, &is_above)
    });
    let run = pattern.run(time);
    if run.is_cut {
        return Err(NoSchedule::TooLong);
    }
    // Of several jobs with this deadline the one served last; of those missed, the one served first.
    let due = |&at: &usize| run.jobs[at].due == time && (run.jobs[at].finish.is_none() == fails);
    let served = |&at: &usize| pattern.key(at, &run.jobs[at]);
    let with_deadline = (0..run.jobs.len()).filter(due);
    let decisive = if fails { with_deadline.min_by_key(served) } else { with_deadline.max_by_key(served) };
    let decisive = decisive.ok_or(NoSchedule::Disagreement("the deadlines"))?;
    let demand = tasks.iter().map(|task| jobs_due(task.period, task.deadline, &exact) * task.wcet);
    let demand = demand.sum::<BigInt>() + wait_at(tasks, &exact);
    // What was done and what is left to do by this deadline.
    let is_due = |job: &Job| job.due <= time;
    let of_wait =
        |segment: &&Segment| is_due(&run.jobs[segment.job]) || segment.activity == Activity::Uninterruptible;
    let done = run.segments.iter().filter(of_wait).map(|segment| segment.end - segment.start);
    let left = run.jobs.iter().filter(|job| is_due(job)).map(|job| job.held + job.left);
    let shown = done.sum::<i128>() + left.sum::<i128>() + run.wait_left;
    let first = pattern.first_late(&run).map(|at| run.jobs[at].due);
    if demand != BigInt::from(shown) || first != fails.then_some(time) {
        return Err(NoSchedule::Disagreement("the demand by a deadline"));
    }
    let mut shown = pattern.shown(&run, decisive)?;
    shown.demand = demand.to_i128();
    shown.is_one_of_many = found.is_one_of_many;
    Ok(shown)
}

/// A deadline under EDF.
struct Deciding {
    time: i128,
    /// Whether the demand and the wait exceed it.
    fails: bool,
    is_one_of_many: bool,
}

impl Pattern<'_> {
    /// The first deadline with too much demand or, if there is none, the one with the most for its time.
    fn deadline_that_decides(
        &self,
        tasks: &[ScheduledTask],
        outcome: &Outcome,
    ) -> Result<Deciding, NoSchedule> {
        let (load, waits) = (Load::of(tasks), Waits::of(self.known, 0));
        let is_simple = unconstrained(tasks) && *outcome == Outcome::Passes;
        let most = if is_simple { FEW_DEADLINES } else { MOST_JOBS };
        let known = |&at: &usize| (Reverse(self.known[at].deadline), at);
        let mut next: BinaryHeap<(Reverse<i128>, usize)> = self.released.iter().map(known).collect();
        let longest = tasks.iter().map(|task| task.deadline).max();
        let mut bound = match outcome {
            Outcome::Passes => (longest.unwrap_or(&BigInt::ZERO) + &load.hyperperiod).to_i128(),
            Outcome::Fails(Failure::Demand { time, .. }) => time.to_i128(),
            _ => None,
        };
        let (mut demand, mut best, mut examined) = (0, None::<(BigInt, i128)>, 0);
        while let Some((Reverse(time), at)) = next.pop() {
            let task = &self.known[at];
            demand += task.wcet;
            next.push((Reverse(time + task.period), at));
            if next.peek().is_some_and(|(Reverse(other), _)| *other == time) {
                continue;
            }
            if bound.is_some_and(|bound| time > bound) || examined >= most {
                break;
            }
            examined += 1;
            let needed = demand + waits.at(&time);
            if needed > time {
                return match outcome {
                    Outcome::Passes => Err(NoSchedule::Disagreement("the demand by a deadline")),
                    _ => Ok(Deciding { time, fails: true, is_one_of_many: false }),
                };
            }
            let needed = BigInt::from(needed);
            let is_most = |(most, by): &(BigInt, i128)| &needed * by > most * time;
            if *outcome == Outcome::Passes && time > 0 && best.as_ref().is_none_or(is_most) {
                let ratio = Rational::new(needed.clone(), time.into());
                bound = [bound, self.bound(tasks, &load, &ratio)].into_iter().flatten().min();
                best = Some((needed, time));
            }
        }
        let Some((needed, time)) = best else {
            let named = matches!(outcome, Outcome::Fails(_)) && examined < most;
            return Err(if named {
                NoSchedule::Disagreement("the demand by a deadline")
            } else {
                NoSchedule::TooLong
            });
        };
        // Below the utilization, it comes closer to that without end.
        let is_below = needed * &load.hyperperiod < &load.demand * time;
        Ok(Deciding { time, fails: false, is_one_of_many: examined >= most || is_below })
    }

    /// From this time on no demand and wait has this ratio to the time.
    fn bound(&self, tasks: &[ScheduledTask], load: &Load, ratio: &Rational) -> Option<i128> {
        let above = ratio - Rational::new(load.demand.clone(), load.hyperperiod.clone());
        let early = tasks.iter().filter(|task| task.deadline < task.period);
        let surplus =
            early.map(|task| Rational::new((task.period - task.deadline) * task.wcet, task.period.clone()));
        let wait = longest_wait(tasks, Strict::No);
        let surplus = surplus.sum::<Rational>() + Rational::from(wait);
        match above.cmp(&Rational::zero()) {
            Ordering::Greater => (surplus / above).ceil().to_integer().to_i128(),
            // No ratio is above the utilization.
            Ordering::Equal if surplus.is_zero() => Some(0),
            _ => None,
        }
    }

    /// The schedule up to the deadline of a job; if it is missed, a fifth longer, or until the job is done.
    fn shown(self, run: &Run, decisive: usize) -> Result<Schedule, NoSchedule> {
        let Job { due, .. } = run.jobs[decisive];
        let at_deadline = self.run(due);
        let job = &at_deadline.jobs[decisive];
        let missing = job.is_late(due).then_some(job.held + job.left);
        let mut end = due;
        let mut shown = at_deadline;
        if missing.is_some() {
            let later = self.run(due + due / 5 + 1);
            end = later.jobs[decisive].finish.map_or(later.end, |finish| finish.min(later.end)).max(due);
            shown = self.run(end);
        }
        if shown.is_cut {
            return Err(NoSchedule::TooLong);
        }
        let Run { jobs, segments, .. } = shown;
        let mut tasks = self.released;
        tasks.retain(|&task| self.known[task].wcet > 0 || task == jobs[decisive].task);
        if let Some(wait) = self.wait.as_ref().filter(|wait| !tasks.contains(&wait.task)) {
            tasks.push(wait.task);
        }
        Ok(Schedule { tasks, jobs, segments, decisive, missing, demand: None, is_one_of_many: false, end })
    }
}
