//! What contributes to a missed deadline besides execution times, in words: tasks of equal priority, waits, context switches
//! and jitter.

use super::analysis::modes;
use super::demand::jobs_due;
use super::late_job::jobs_before;
use super::outcome::Failure;
use super::task::{ScheduledTask, scheduled_tasks, switches_of};
use super::waits::{Wait, WaitKind};
use isx_exact::quantity::Rational;
use isx_taskset::TaskSet;
use isx_taskset::formulate::{Formulation, Policy};
use num_bigint::BigInt;

/// The most tasks that are listed by name.
const MOST_NAMED: usize = 3;

/// What contributes to a failure of a design besides execution times, as the continuation of a sentence; empty if nothing.
pub fn terms_in_words(
    set: &TaskSet,
    formulation: &Formulation,
    choices: &[Option<u32>],
    failure: &Failure,
) -> String {
    let (number, failure) = failure.in_mode();
    let Some(mode) = modes(formulation).get(number) else { return String::new() };
    let tasks = scheduled_tasks(mode, choices);
    let tasks = tasks.tasks();
    let mut tied = Vec::new();
    let (jobs, wait) = match (failure, &mode.policy) {
        (Failure::Demand { time, .. }, _) => {
            let due = |task: &ScheduledTask| jobs_due(task.period, task.deadline, time);
            (tasks.iter().map(due).collect::<Vec<BigInt>>(), Wait::at(&tasks, time))
        }
        (Failure::Response { task: late, job }, Policy::FixedPriority(order)) => {
            let due = (job - 1u32) * tasks[*late].period + tasks[*late].deadline;
            let mut jobs = vec![BigInt::ZERO; tasks.len()];
            order.ahead_of(*late).for_each(|at| jobs[at] = jobs_before(&tasks[at], &due));
            jobs[*late].clone_from(job);
            tied.extend(order.tied_with(*late));
            (jobs, Wait::of(&tasks, *late, order))
        }
        _ => return String::new(),
    };
    let time = |units: &BigInt| {
        set.shown_times().in_words(&(Rational::from(units.clone()) * &formulation.time_unit))
    };
    let name = |at: usize| set.tasks.get(at).map_or("", |task| task.name.as_str());
    let mut terms = Vec::new();
    if !tied.is_empty() {
        terms.push(format!("{} of equal priority", named(&tied, &name)));
    }
    if let Some(Wait { task, kind, longest }) = wait {
        let (longest, task) = (time(longest), name(task));
        terms.push(match kind {
            WaitKind::Part => {
                format!("{longest} of waiting for a part of task `{task}` that cannot be interrupted")
            }
            WaitKind::Lock(resource) => {
                let users = set.users_of_locks();
                let lock = users.get(resource as usize).map_or("", |(lock, _)| lock);
                format!("{longest} of waiting for task `{task}`, which locks `{lock}`")
            }
            WaitKind::Blocking => format!("{longest} of blocking of task `{task}`"),
        });
    }
    let switches = switches_of(mode, choices);
    let switches: BigInt = switches.iter().zip(&jobs).map(|(switches, jobs)| switches * jobs).sum();
    if switches > BigInt::ZERO {
        terms.push(format!("{} of context switches", time(&switches)));
    }
    let late = (0..tasks.len()).filter(|&at| {
        jobs[at] > BigInt::ZERO && tasks[at].jitter().is_some_and(|jitter| *jitter > BigInt::ZERO)
    });
    let late: Vec<usize> = late.collect();
    if !late.is_empty() {
        terms.push(format!("the jitter of {}", named(&late, &name)));
    }
    if terms.is_empty() { String::new() } else { format!(", counting {}", listed(&terms)) }
}

fn listed(terms: &[String]) -> String {
    match terms {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        terms => terms.concat(),
    }
}

/// The first of some tasks.
fn named<'n>(tasks: &[usize], name: &dyn Fn(usize) -> &'n str) -> String {
    let first: Vec<String> = tasks.iter().take(MOST_NAMED).map(|&at| format!("`{}`", name(at))).collect();
    match tasks.len().saturating_sub(MOST_NAMED) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}
