//! Why no design of a clock is schedulable, and the moments that this is about.

use super::failure::Wrong;
use super::format;
use super::limits::words;
use super::problem::{Policy, Problem, Task, TaskSet};
use super::read::Numbers;
use super::scenario::Scenario;
use super::schedule::{Moment, jobs_due, moments};
use num_bigint::{BigInt, BigUint};
use num_traits::{ToPrimitive, Zero};

/// The designs of a clock; the cost is the time that their jobs take up to a moment.
pub fn moment_scenario(problem: &Problem, set: &TaskSet, clock: usize, moment: &Moment) -> Scenario {
    let cost = |class: usize, at: usize| {
        let option = problem.classes[class][at].option as usize;
        BigInt::from(&set.tasks[class].wcets[clock][option] * &moment.jobs[class])
    };
    Scenario::weighted(problem, clock, &cost)
}

/// Why no design of a clock is schedulable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The utilization exceeds 1.
    Overload,
    /// EDF: the jobs due by a time take longer than that time.
    Demand(BigUint),
    /// Fixed priorities: a job of a task is late, counted from 1.
    Late(usize, BigUint),
}

/// The maximum number of moments of a late job.
pub const MOST_MOMENTS: usize = 100_000;

impl Reason {
    /// Reads what follows the kind of a reason.
    pub(crate) fn read(numbers: &mut Numbers, kind: u64, set: &TaskSet) -> Result<Self, Wrong> {
        let reason = match kind {
            format::reason::OVERLOAD => Self::Overload,
            format::reason::DEMAND => Self::Demand(numbers.big("a time")?),
            _ => {
                let task = numbers.within(set.tasks.len().saturating_sub(1), "a task")?;
                Self::Late(task, numbers.big("a job")?)
            }
        };
        let fits = match &reason {
            Self::Overload => true,
            Self::Demand(_) => set.policy == Policy::Edf,
            Self::Late(_, job) => {
                set.policy == Policy::FixedPriority && !job.is_zero() && !set.tasks.is_empty()
            }
        };
        if fits {
            Ok(reason)
        } else {
            Err(Wrong::Verdict("the scheduler of the task set cannot fail for this reason".into()))
        }
    }

    /// An upper bound on the number of times stored while its moments are processed.
    pub(crate) fn most_times(&self, set: &TaskSet) -> u64 {
        let Self::Late(task, job) = self else { return 1 };
        let late = &set.tasks[*task];
        let last = &late.period * (job - 1u32) + &late.deadline;
        let releases = |other: &Task| (&last / &other.period).to_u64().unwrap_or(u64::MAX);
        let times = set.ahead_of(*task).map(releases).fold(1, u64::saturating_add);
        // Beyond this many they are joined, and refused if that does not help.
        times.min(3 * MOST_MOMENTS as u64)
    }

    /// The number of machine words of its number.
    pub(crate) fn words(&self) -> u64 {
        match self {
            Self::Overload => 1,
            Self::Demand(number) | Self::Late(_, number) => words(number),
        }
    }

    /// The moments at one of which a schedulable design must have finished its jobs, generated one at a time. Fails
    /// if there are more than [`MOST_MOMENTS`].
    pub fn moments<'a>(&'a self, set: &'a TaskSet) -> Result<Box<dyn Iterator<Item = Moment> + 'a>, Wrong> {
        let jobs = |count: &dyn Fn(&Task) -> BigUint| set.tasks.iter().map(count).collect();
        let only =
            |time, jobs| Ok(Box::new(std::iter::once(Moment { time, jobs })) as Box<dyn Iterator<Item = _>>);
        match self {
            Self::Overload => only(set.hyperperiod.clone(), jobs(&|task| &set.hyperperiod / &task.period)),
            Self::Demand(time) => {
                only(time.clone(), jobs(&|task| jobs_due(time, &task.period, &task.deadline)))
            }
            Self::Late(task, job) => match moments(set, *task, job, MOST_MOMENTS) {
                Some(moments) => Ok(Box::new(moments)),
                None => Err(Wrong::Verdict(format!("the late job has more than {MOST_MOMENTS} moments"))),
            },
        }
    }
}
