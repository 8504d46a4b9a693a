//! What a missed deadline owes to the kernel: waits, jitter and context switches, in words.

use super::analysis::modes;
use super::demand::jobs_due;
use super::late_job::jobs_before;
use super::outcome::Failure;
use super::task::{ScheduledTask, scheduled_tasks};
use isx_exact::quantity::Rational;
use isx_taskset::TaskSet;
use isx_taskset::formulate::{Formulation, Policy};
use num_bigint::BigInt;

/// The tasks with jitter that are named.
const MOST_NAMED: usize = 3;

/// What a failure of a design owes to the kernel, as the continuation of a sentence; empty if nothing.
pub fn terms_in_words(
    set: &TaskSet,
    formulation: &Formulation,
    choices: &[Option<u32>],
    failure: &Failure,
) -> String {
    if !set.has_kernel_costs() {
        return String::new();
    }
    let (number, failure) = failure.in_mode();
    let Some(mode) = modes(formulation).get(number) else { return String::new() };
    let tasks = scheduled_tasks(mode, choices);
    let (jobs, wait) = match (failure, &mode.policy) {
        (Failure::Demand { time, .. }, _) => {
            let due = |task: &ScheduledTask| jobs_due(task.period, task.deadline, time);
            (tasks.iter().map(due).collect::<Vec<BigInt>>(), Wait::at(&tasks, time))
        }
        (Failure::Response { task: late, job }, Policy::FixedPriority(order)) => {
            let due = (job - 1u32) * tasks[*late].period + tasks[*late].deadline;
            let mut jobs = vec![BigInt::ZERO; tasks.len()];
            for &at in order.iter().take_while(|&&at| at as usize != *late) {
                jobs[at as usize] = jobs_before(&tasks[at as usize], &due);
            }
            jobs[*late].clone_from(job);
            (jobs, Wait::of(&tasks, *late, order))
        }
        _ => return String::new(),
    };
    let time = |units: &BigInt| {
        set.shown_times().in_words(&(Rational::from(units.clone()) * &formulation.time_unit))
    };
    let name = |at: usize| set.tasks.get(at).map_or("", |task| task.name.as_str());
    let mut told = Vec::new();
    if let Some(Wait { task, is_section, longest }) = &wait {
        let (longest, task) = (time(longest), name(*task));
        told.push(match is_section {
            true => format!("{longest} of waiting for a part of task `{task}` that cannot be interrupted"),
            false => format!("{longest} of blocking of task `{task}`"),
        });
    }
    let timed = mode.tasks_of(choices).iter().zip(choices);
    let switches = timed.zip(&jobs).map(|((task, &choice), jobs)| {
        task.switches_with(choice).map_or(BigInt::ZERO, |switches| switches * jobs)
    });
    let switches: BigInt = switches.sum();
    if switches > BigInt::ZERO {
        told.push(format!("{} of context switches", time(&switches)));
    }
    let late = (0..tasks.len()).filter(|&at| {
        jobs[at] > BigInt::ZERO && tasks[at].jitter().is_some_and(|jitter| *jitter > BigInt::ZERO)
    });
    let late: Vec<String> = late.map(|at| format!("`{}`", name(at))).collect();
    if !late.is_empty() {
        let more = match late.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        told.push(format!("the jitter of {}{more}", late[..late.len().min(MOST_NAMED)].join(", ")));
    }
    if told.is_empty() { String::new() } else { format!(", counting {}", listed(&told)) }
}

fn listed(told: &[String]) -> String {
    match told {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        told => told.concat(),
    }
}

/// The longest wait.
pub(super) struct Wait {
    pub task: usize,
    /// Whether it is for a part of this task that cannot be interrupted; otherwise the task is blocked.
    pub is_section: bool,
    pub longest: BigInt,
}

impl Wait {
    /// Of jobs due by `time` under EDF.
    pub fn at(tasks: &[ScheduledTask], time: &BigInt) -> Option<Self> {
        Self::longest(tasks, &|_, task| task.deadline <= time, &|_, task| task.deadline > time)
    }

    /// Of the jobs of a task under fixed priorities.
    pub fn of(tasks: &[ScheduledTask], late: usize, order: &[u32]) -> Option<Self> {
        let lower: Vec<usize> =
            order.iter().map(|&at| at as usize).skip_while(|&at| at != late).skip(1).collect();
        Self::longest(tasks, &|at, _| at == late, &|at, _| lower.contains(&at))
    }

    fn longest(
        tasks: &[ScheduledTask],
        is_blocked: &dyn Fn(usize, &ScheduledTask) -> bool,
        blocks: &dyn Fn(usize, &ScheduledTask) -> bool,
    ) -> Option<Self> {
        let wait = |(task, one): (usize, &ScheduledTask)| {
            let blocked =
                one.kernel.filter(|_| is_blocked(task, one)).map(|kernel| (false, &kernel.blocking));
            let section = one.section().filter(|_| blocks(task, one)).map(|section| (true, section));
            let (is_section, longest) = blocked.or(section)?;
            (*longest > BigInt::ZERO).then(|| Self { task, is_section, longest: longest.clone() })
        };
        // The first of the longest.
        tasks.iter().enumerate().filter_map(wait).reduce(|a, b| if b.longest > a.longest { b } else { a })
    }
}
