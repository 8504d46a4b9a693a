//! What a user should know beside a front.

use super::terminal::Talk;
use isx::exploration::Exploration;
use isx::schedulability::FrontVerdicts;
use isx::taskset::{IdleChoice, IdleReason, TaskSet};

/// The tasks whose idle choices are told, unless all are wanted.
const MOST_IDLE_TASKS: usize = 4;
/// The longest note on a task's idle choices that names them all, unless all are wanted.
const LONGEST_IDLE_NOTE: usize = 160;

/// The notes on a front, the most telling last.
pub fn notes(explored: &Exploration, talk: Talk) -> Vec<String> {
    if talk == Talk::Quiet {
        return Vec::new();
    }
    let front = &explored.front;
    // Floats may well choose what exact sums never would.
    let mut notes = if front.is_exact() { idle_notes(explored.task_set(), talk) } else { Vec::new() };
    if !front.is_exact() {
        let doubt = "the front is inexact: where a design shown fails (`?`), one that is missing may need no more area \
                     and be schedulable";
        notes.push(doubt.into());
    }
    if !front.is_complete() && front.is_exact() {
        notes.push("the front stops at --max-area; larger designs save more".into());
    }
    if front.formulation().tasks.iter().any(|task| task.deadline < task.period) {
        let rule = "some deadlines are shorter than their periods: U <= 1 is not enough there, so the processor demand \
                    criterion decides";
        notes.push(rule.into());
    }
    if front.is_exact() {
        notes.extend(undecided_notes(&explored.verdicts));
    }
    notes
}

/// What `?` stands for.
fn undecided_notes(verdicts: &FrontVerdicts) -> Vec<String> {
    let without = verdicts.points.iter().filter(|verdict| verdict.is_none()).count();
    let ended = verdicts.undecided_for_steps;
    let mut notes = Vec::new();
    if without > ended {
        let fails = "?: the design shown fails its deadlines, another of no more area may not; `isx check --area` searches \
                     all designs within an area, and may end unknown too";
        notes.push(fails.into());
    }
    if ended > 0 {
        let points = if ended == 1 { "point" } else { "points" };
        notes.push(format!(
            "the work that verdicts may take ended before {ended} {points} marked ? could be decided"
        ));
    }
    notes
}

/// One note a task with the choices that no point takes, and why: `not used by fir: mac, dual (slower than software);
/// tiny (dominated by big)`.
fn idle_notes(set: &TaskSet, talk: Talk) -> Vec<String> {
    let idle = set.idle_choices();
    let groups: Vec<&[IdleChoice]> = idle.chunk_by(|a, b| a.task == b.task).collect();
    if talk == Talk::Verbose {
        return groups.into_iter().map(in_full).collect();
    }
    // One task more takes no more room than saying that there is one.
    let shown = if groups.len() <= MOST_IDLE_TASKS + 1 { groups.len() } else { MOST_IDLE_TASKS };
    let mut notes: Vec<String> = groups[..shown].iter().map(|group| in_short(group)).collect();
    let more = groups.len() - shown;
    if more > 0 {
        let choices: usize = groups[shown..].iter().map(|group| group.len()).sum();
        notes.push(format!("{choices} choices of {more} more tasks are not used either; -v names them"));
    }
    notes
}

fn in_full(idle: &[IdleChoice]) -> String {
    format!("not used by {}: {}", idle[0].task, by_reason(idle))
}

/// The note in full where it is short, else how many choices there are of each kind.
fn in_short(idle: &[IdleChoice]) -> String {
    let full = in_full(idle);
    if full.len() <= LONGEST_IDLE_NOTE {
        return full;
    }
    let count = |like: fn(&IdleReason) -> bool| idle.iter().filter(|one| like(&one.reason)).count();
    let kinds = [
        (count(|reason| matches!(reason, IdleReason::SlowerThanSoftware)), "slower than software"),
        (count(|reason| matches!(reason, IdleReason::SavesNothing)), "without a saving"),
        (count(|reason| matches!(reason, IdleReason::DominatedBy(_))), "dominated by others"),
    ];
    let kinds: Vec<(usize, &str)> = kinds.into_iter().filter(|(count, _)| *count > 0).collect();
    let kinds = match kinds.as_slice() {
        [(_, kind)] => format!("all {kind}"),
        kinds => kinds.iter().map(|(count, kind)| format!("{count} {kind}")).collect::<Vec<_>>().join(", "),
    };
    format!("not used by {}: {} choices, {kinds}; -v names them", idle[0].task, idle.len())
}

/// The choices with the same reason together, in the order of the file.
fn by_reason(idle: &[IdleChoice]) -> String {
    let mut groups: Vec<(IdleReason, Vec<&str>)> = Vec::new();
    for choice in idle {
        match groups.iter_mut().find(|(reason, _)| *reason == choice.reason) {
            Some((_, choices)) => choices.push(choice.choice),
            None => groups.push((choice.reason, vec![choice.choice])),
        }
    }
    let groups: Vec<String> =
        groups.iter().map(|(reason, choices)| format!("{} ({reason})", choices.join(", "))).collect();
    groups.join("; ")
}
