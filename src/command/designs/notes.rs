//! Notes for the user about a front.

use crate::terminal::{self, Talk, talk};
use isx_design::exploration::Exploration;
use isx_design::schedulability::FrontVerdicts;
use isx_exact::quantity::{format_decimal, format_rounded};
use isx_report::front::costs;
use isx_taskset::formulate::{Formulation, Policy};
use isx_taskset::{
    Block, Nonpreemptive, RepeatedChoice, Scheduler, Task, TaskSet, TimeBase, UnusedChoice, UnusedReason,
};

/// Without --verbose the unused choices of at most this many tasks are named.
const MOST_UNUSED_TASKS: usize = 4;
/// Without --verbose a longer note on a task's unused choices counts them and does not name them.
const LONGEST_UNUSED_NOTE: usize = 160;

/// Without --verbose at most this many choices in several tasks are named, and as many tasks of each.
const MOST_REPEATED: usize = 3;

/// A front of several resources with more points than this is rarely read whole.
const MANY_POINTS: usize = 200_000;

/// The notes on a front, the most important last.
pub fn notes(explored: &Exploration, talk: Talk) -> Vec<String> {
    let (front, resources) = (&explored.front, &explored.task_set().resources);
    let mut notes = set_notes(explored.task_set(), talk);
    if let Some(why) = &explored.larger_margins_unknown {
        notes.push(format!("designs of larger margins are UNKNOWN: {why}"));
    } else if !front.is_complete() {
        let stops = match resources.limits.iter().any(Option::is_some) {
            false => "the front stops at --max-area; larger designs save more",
            true => "the front stops at the limits; larger designs may save more",
        };
        notes.push(stops.into());
    }
    if resources.objectives.len() > 1 && front.len() > MANY_POINTS {
        notes.push(format!(
            "{} points: `isx fit` and `isx check --within` decide without the front, --objectives and --within shorten \
             it, and --format parquet takes the least space",
            front.len()
        ));
    }
    if explored.task_set().scheduler != Scheduler::Edf {
        let rule = "under fixed priorities U <= 1 is not enough: exact response times decide, and the design of least \
                    utilization in an area need not be the schedulable one";
        notes.push(rule.into());
    } else if front
        .formulation()
        .tasks
        .iter()
        .any(|task| task.kernel.is_some() || !task.locks.most.is_empty())
    {
        let rule = "some jobs have jitter or wait for others: U <= 1 is not enough there, so the processor demand criterion \
                    decides, with their waits";
        notes.push(rule.into());
    } else if front.formulation().tasks.iter().any(|task| task.deadline < task.period) {
        let rule = "some deadlines are shorter than their periods: U <= 1 is not enough there, so the processor demand \
                    criterion decides";
        notes.push(rule.into());
    }
    notes.extend(margins_note(explored));
    notes.extend(ties_note(front.formulation(), explored.task_set()));
    notes.extend(verdict_notes(&explored.verdicts, costs::is_area(resources)));
    notes
}

/// Prints the notes on a task set, for any question.
pub fn print_set_notes(set: &TaskSet) {
    set_notes(set, talk()).iter().for_each(|note| terminal::note(note));
}

/// The notes on a task set, for any question.
fn set_notes(set: &TaskSet, talk: Talk) -> Vec<String> {
    let unused = unused_notes(set, talk).into_iter();
    let notes = unused.chain(repeated_note(set, talk)).chain(limit_note(set, talk)).chain(one_core_note(set));
    notes.chain(lock_note(set)).chain(part_note(set)).collect()
}

/// Parts as long as the WCET under fixed priorities, where that is not the same as a task that nothing interrupts.
fn part_note(set: &TaskSet) -> Option<String> {
    let is_whole = |task: &&Task| match &task.kernel.nonpreemptive {
        Nonpreemptive::Part(part) => *part >= task.wcets[0],
        Nonpreemptive::All => false,
    };
    let task = set.tasks.iter().find(is_whole).filter(|_| set.scheduler != Scheduler::Edf)?;
    Some(format!(
        "the `nonpreemptive` of task `{}` is as long as its WCET: `nonpreemptive: all` says that nothing interrupts it, and a \
         number is a bound",
        task.name
    ))
}

/// Margins that are limits.
fn margins_note(explored: &Exploration) -> Option<String> {
    let is_one = |point: usize| explored.open_margins.contains(&point);
    let first = (0..explored.front.len()).find(|&point| is_one(point))?;
    let margin = explored.point_margins.get(first).map(|margin| format_rounded(margin, 6))?;
    let (more, are) = match explored.open_margins.len() {
        1 => (String::new(), "is a limit that is"),
        several => (format!(" and {} other(s)", several - 1), "are limits that are"),
    };
    Some(format!(
        "the margin {margin}{more} {are} not reached: deadlines are met with every smaller factor, not with that itself"
    ))
}

/// Tasks of equal priority.
fn ties_note(formulation: &Formulation, set: &TaskSet) -> Option<String> {
    let modes = std::iter::once(formulation).chain(&formulation.modes);
    let mut tied = modes.filter_map(|mode| match &mode.policy {
        Policy::FixedPriority(order) => {
            let (task, _) = order.levels().find(|&(task, _)| order.tied_with(task).next().is_some())?;
            Some([task, order.tied_with(task).next()?])
        }
        Policy::Edf => None,
    });
    let [one, other] = tied.next_back()?.map(|task| &set.tasks[task].name);
    let more = match set.scheduler {
        Scheduler::FixedPriority => "",
        _ => "; a `priority` orders them",
    };
    Some(format!("tasks of equal priority, such as `{one}` and `{other}`, count against each other{more}"))
}

/// Locks of one task alone.
fn lock_note(set: &TaskSet) -> Option<String> {
    let users = set.users_of_locks();
    let alone: Vec<String> =
        users.iter().filter(|(_, tasks)| tasks.len() == 1).map(|(lock, _)| format!("`{lock}`")).collect();
    let are_locked = match alone.as_slice() {
        [] => return None,
        [one] => format!("lock {one} is"),
        several => format!("locks {} are each", several.join(", ")),
    };
    Some(format!("{are_locked} named by one task alone, and so no task waits for it"))
}

/// What an answer about one core leaves out of a set with several.
pub fn one_core_note(set: &TaskSet) -> Option<String> {
    set.cores.as_ref()?;
    let rule = "this is about one core with all tasks; `isx partition` distributes them among the `cores` of the file";
    Some(rule.to_owned())
}

/// Blocks that would permit a faster clock than the set's, which is usual: `mul, div have an fmax above the clock ..`.
fn limit_note(set: &TaskSet, talk: Talk) -> Option<String> {
    let TimeBase::Cycles { hertz } = &set.time_base else { return None };
    let is_above = |block: &&Block| block.fmax.as_ref().is_some_and(|fmax| fmax > hertz);
    let above: Vec<&str> = set.blocks.iter().filter(is_above).map(|block| block.name.as_str()).collect();
    if above.is_empty() || talk != Talk::Verbose {
        return None;
    }
    let (have, slow) = if above.len() == 1 { ("has", "slows") } else { ("have", "slow") };
    Some(format!("{} {have} an fmax above the clock, and {slow} no design", above.join(", ")))
}

/// Choices that occur in several tasks: `aes (464 NAND2) in tls, disk: same name and area, ..`. For several such
/// choices only the number of their tasks is given, unless all are requested.
fn repeated_note(set: &TaskSet, talk: Talk) -> Option<String> {
    let repeated = set.repeated_choices();
    let (most, most_tasks) = match talk {
        Talk::Verbose => (usize::MAX, usize::MAX),
        _ => (MOST_REPEATED, if repeated.len() == 1 { MOST_REPEATED } else { 0 }),
    };
    if repeated.is_empty() || set.is_generated() {
        return None;
    }
    let shown = fitting(repeated.len(), most);
    let named: Vec<String> =
        repeated[..shown].iter().map(|choice| told_repeated(choice, set.area_unit(), most_tasks)).collect();
    let more = match repeated.len() - shown {
        0 => String::new(),
        more => format!("; {more} more (-v names them)"),
    };
    Some(format!(
        "{}{more}: same name and area, charged in each task; hardware built once is declared under `blocks:` and named in \
         `uses:`",
        named.join("; ")
    ))
}

/// How many are shown: showing one more than `most` takes no more space than saying that there is one more.
fn fitting(count: usize, most: usize) -> usize {
    if count <= most.saturating_add(1) { count } else { most }
}

/// `mul, div and 12 more blocks`.
fn some_of(names: &[&str], most: usize, what: &str) -> String {
    let shown = fitting(names.len(), most);
    let named = names[..shown].join(", ");
    match names.len() - shown {
        0 => named,
        more => format!("{named} and {more} more {what}"),
    }
}

/// `aes (464 NAND2) in tls, disk`, or the number of tasks.
fn told_repeated(repeated: &RepeatedChoice, unit: &str, most: usize) -> String {
    let RepeatedChoice { choice, area, tasks } = repeated;
    let area = format!("{} {unit}", format_decimal(area));
    let tasks = if most == 0 { format!("{} tasks", tasks.len()) } else { some_of(tasks, most, "tasks") };
    format!("{choice} ({}) in {tasks}", area.trim_end())
}

/// Explains `no*` and `?`.
fn verdict_notes(verdicts: &FrontVerdicts, one_area: bool) -> Vec<String> {
    let mut notes = Vec::new();
    let judged = verdicts.points.iter().enumerate();
    let fails =
        |(at, verdict): (usize, &Option<bool>)| *verdict == Some(false) && verdicts.within(at) == Some(true);
    if judged.clone().any(fails) {
        let (no_more, flag) =
            if one_area { ("of no more area", "--area") } else { ("at no more cost", "--within") };
        notes.push(format!(
            "no*: the design shown misses a deadline, another {no_more} is schedulable; `isx check {flag}` shows it"
        ));
    }
    let undecided = judged.filter(|(_, verdict)| verdict.is_none()).count();
    if undecided > 0 {
        let points = if undecided == 1 { "point" } else { "points" };
        notes.push(format!(
            "the work that verdicts may take ended before {undecided} {points} marked ? could be decided"
        ));
    }
    notes
}

/// One note per task with the choices that no point takes, and why: `not used by fir: mac, dual (slower than
/// software); tiny (dominated by big)`.
fn unused_notes(set: &TaskSet, talk: Talk) -> Vec<String> {
    let unused = set.unused_choices();
    let groups: Vec<&[UnusedChoice]> = unused.chunk_by(|a, b| a.task == b.task).collect();
    if talk == Talk::Verbose {
        return groups.into_iter().map(in_full).collect();
    }
    let shown = fitting(groups.len(), MOST_UNUSED_TASKS);
    let mut notes: Vec<String> = groups[..shown].iter().map(|group| in_short(group)).collect();
    let more = groups.len() - shown;
    if more > 0 {
        let choices: usize = groups[shown..].iter().map(|group| group.len()).sum();
        notes.push(format!("{choices} choices of {more} more tasks are not used either; -v names them"));
    }
    notes
}

fn in_full(unused: &[UnusedChoice]) -> String {
    format!("not used by {}: {}", unused[0].task, by_reason(unused))
}

/// The full note if it is short, else the number of choices of each kind.
fn in_short(unused: &[UnusedChoice]) -> String {
    let full = in_full(unused);
    if full.len() <= LONGEST_UNUSED_NOTE {
        return full;
    }
    let count = |like: fn(&UnusedReason) -> bool| unused.iter().filter(|one| like(&one.reason)).count();
    let kinds = [
        (count(|reason| matches!(reason, UnusedReason::SlowerThanSoftware)), "slower than software"),
        (count(|reason| matches!(reason, UnusedReason::SavesNothing)), "without a saving"),
        (count(|reason| matches!(reason, UnusedReason::DominatedBy(_))), "dominated by others"),
    ];
    let kinds: Vec<(usize, &str)> = kinds.into_iter().filter(|(count, _)| *count > 0).collect();
    let kinds = match kinds.as_slice() {
        [(_, kind)] => format!("all {kind}"),
        kinds => kinds.iter().map(|(count, kind)| format!("{count} {kind}")).collect::<Vec<_>>().join(", "),
    };
    format!("not used by {}: {} choices, {kinds}; -v names them", unused[0].task, unused.len())
}

/// Groups the choices with the same reason, in file order.
fn by_reason(unused: &[UnusedChoice]) -> String {
    let mut groups: Vec<(UnusedReason, Vec<&str>)> = Vec::new();
    for choice in unused {
        match groups.iter_mut().find(|(reason, _)| *reason == choice.reason) {
            Some((_, choices)) => choices.push(choice.choice),
            None => groups.push((choice.reason, vec![choice.choice])),
        }
    }
    let groups: Vec<String> =
        groups.iter().map(|(reason, choices)| format!("{} ({reason})", choices.join(", "))).collect();
    groups.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A set whose first `choices` choices occur in all of its tasks.
    fn repeating(choices: i64, tasks: usize) -> TaskSet {
        let task = |at: usize| {
            let task = Task::new(format!("t{at}"), 90, 100);
            (0..choices).fold(task, |task, at| task.with_choice(format!("c{at}"), 10 + at, 80 - at))
        };
        TaskSet::new("set", (0..tasks).map(task)).unwrap().with_area_unit("LUT").unwrap()
    }

    #[test]
    fn many_choices_in_several_tasks_are_folded_unless_all_are_wanted() {
        assert_eq!(repeated_note(&repeating(1, 1), Talk::Normal), None);
        let one = repeated_note(&repeating(1, 12), Talk::Normal).unwrap();
        assert!(one.starts_with("c0 (10 LUT) in t0, t1, t2 and 9 more tasks: "), "{one}");
        let many = repeated_note(&repeating(9, 12), Talk::Normal).unwrap();
        let wanted = "c0 (10 LUT) in 12 tasks; c1 (11 LUT) in 12 tasks; c2 (12 LUT) in 12 tasks; 6 more (-v names them): ";
        assert!(many.starts_with(wanted), "{many}");
        let verbose = repeated_note(&repeating(9, 12), Talk::Verbose).unwrap();
        let all = verbose.contains("; c8 (18 LUT) in t0, t1, t2, t3, ") && !verbose.contains(" more ");
        assert!(all, "{verbose}");
    }
}
