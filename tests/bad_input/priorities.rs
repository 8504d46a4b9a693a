//! Errors in the scheduler and the priorities of a task set are reported with their place.

#![allow(clippy::panic, reason = "the helper of the tests below fails by panicking")]

use isx::taskset::{Scheduler, read_str};

/// A task set whose third line is `scheduler`, and whose tasks, in lines 5 and 6, have these entries after their own.
fn set(scheduler: &str, tasks: [&str; 2]) -> String {
    let [a, b] = tasks;
    format!(
        "name: bad\narea_unit: LUT\n{scheduler}\ntasks:\n  - {{name: a, wcet: 1, period: 4{a}}}\n  - {{name: b, wcet: 1, period: 6{b}}}\n"
    )
}

/// The whole message of a text that must be refused for one error.
#[track_caller]
fn refused(text: &str) -> String {
    match read_str("bad.yaml", text) {
        Ok(reading) => panic!("accepted: {reading:?}"),
        Err(error) => {
            assert_eq!(error.diagnostics().len(), 1, "{error}");
            error.to_string()
        }
    }
}

#[test]
fn an_unknown_scheduler_names_the_nearest() {
    let wanted = "\
error: unknown scheduler `fixd`
 --> bad.yaml:3:12
  |
3 | scheduler: fixd
  |            ^^^^ did you mean `fixed`?
  |
  = help: the schedulers are `edf` (earliest deadline first), `rm` (rate-monotonic), `dm` (deadline-monotonic) and `fixed` (by the tasks' `priority`)";
    assert_eq!(refused(&set("scheduler: fixd", ["", ""])).trim_end(), wanted);
    let capital = refused(&set("scheduler: EDF", ["", ""]));
    assert!(
        capital.contains("unknown scheduler `EDF`") && capital.contains("did you mean `edf`?"),
        "{capital}"
    );
    let far = refused(&set("scheduler: round-robin", ["", ""]));
    assert!(far.contains("^ no scheduler has this name") && !far.contains("did you mean"), "{far}");
    let list = refused(&set("scheduler: [rm]", ["", ""]));
    assert!(list.contains("`scheduler` of the task set is a list, not the name of a scheduler"), "{list}");
    let key = refused(&set("sheduler: rm", ["", ""]));
    assert!(key.contains("unknown key `sheduler`") && key.contains("did you mean `scheduler`?"), "{key}");
}

#[test]
fn an_empty_scheduler_is_none_by_default() {
    let wanted = "\
error: `scheduler` of the task set is empty
 --> bad.yaml:3:1
  |
3 | scheduler:
  | ^^^^^^^^^ a text is due here
  |
  = help: quote a word that YAML takes for no value, such as \"null\" or \"~\"";
    assert_eq!(refused(&set("scheduler:", ["", ""])).trim_end(), wanted);
}

#[test]
fn with_fixed_priorities_every_task_has_one() {
    let wanted = "\
error: task `b` has no `priority`
 --> bad.yaml:6:6
  |
6 |   - {name: b, wcet: 1, period: 6}
  |      ^^^^^^^
  |
  = help: with `scheduler: fixed` every task has a `priority`, a whole number; 1 is the highest";
    assert_eq!(refused(&set("scheduler: fixed", [", priority: 1", ""])).trim_end(), wanted);
    let wanted = "\
error: 2 tasks have no `priority`, the first is task `a`
 --> bad.yaml:5:6
  |
5 |   - {name: a, wcet: 1, period: 4}
  |      ^^^^^^^
  |
  = help: with `scheduler: fixed` every task has a `priority`, a whole number; 1 is the highest";
    assert_eq!(refused(&set("scheduler: fixed", ["", ""])).trim_end(), wanted);
}

#[test]
fn a_priority_is_a_whole_number_from_1_on() {
    let with =
        |priority: &str| set("scheduler: fixed", [", priority: 1", &format!(", priority: {priority}")]);
    let wanted = "\
error: `priority` of task `b` must be greater than 0
 --> bad.yaml:6:45
  |
6 |   - {name: b, wcet: 1, period: 6, priority: 0}
  |                                             ^ this is 0
  |
  = help: 1 is the highest priority";
    assert_eq!(refused(&with("0")).trim_end(), wanted);
    for (priority, parts) in [
        ("-1", ["`priority` of task `b`", "must be greater than 0"]),
        ("1.5", ["`priority` of task `b` must be a whole number", "this is a fraction"]),
        ("4294967296", ["`priority` of task `b` must be at most 4294967295", "this is more"]),
        ("1e18", ["must be at most 4294967295", "this is more"]),
        ("high", ["`priority` of task `b`", "a plain decimal number is due here"]),
        ("010", ["`priority` of task `b`", "is ambiguous"]),
        ("2 ms", ["`priority` of task `b`", "a plain decimal number is due here"]),
        ("~", ["`priority` of task `b`", "`~` is not a decimal number"]),
        ("[1]", ["`priority` of task `b` is a list", "not a whole number"]),
    ] {
        let shown = refused(&with(priority));
        assert!(parts.iter().all(|part| shown.contains(part)), "{priority}: {shown}");
        assert!(shown.contains("--> bad.yaml:6:45"), "{shown}");
    }
    for (priority, wanted) in [("1", 1), ("4294967295", u32::MAX), ("2.0", 2), ("1e3", 1000)] {
        let read = read_str("good.yaml", &with(priority)).unwrap();
        assert_eq!(read.task_set.tasks[1].priority, Some(wanted), "{priority}");
        assert_eq!(read.task_set.scheduler, Scheduler::FixedPriority);
        assert!(read.warnings.is_empty());
    }
}

#[test]
fn priorities_that_no_scheduler_uses_are_a_warning() {
    let warnings = |text: &str| read_str("warn.yaml", text).unwrap().warnings;
    let wanted = "\
warning: 2 priorities are given that the scheduler `rm` does not use
 --> warn.yaml:5:45
  |
5 |   - {name: a, wcet: 1, period: 4, priority: 3}
  |                                             ^ not used
  |
  = help: write `scheduler: fixed` to schedule by the priorities, or leave them out";
    let both = warnings(&set("scheduler: rm", [", priority: 3", ", priority: 3"]));
    assert_eq!(both.len(), 1);
    assert_eq!(both[0].to_string().trim_end(), wanted);
    let one = warnings(&set("source: x", ["", ", priority: 3"]));
    assert_eq!(one[0].message(), "a `priority` is given that the scheduler `edf` does not use");
    assert_eq!(one[0].position(), (6, 45));
    // Unused values are checked nevertheless.
    refused(&set("scheduler: edf", ["", ", priority: 0"]));
    for scheduler in ["edf", "rm", "dm"] {
        let fine = read_str("good.yaml", &set(&format!("scheduler: {scheduler}"), ["", ""])).unwrap();
        assert_eq!(fine.task_set.scheduler.name(), scheduler);
        assert!(fine.warnings.is_empty());
    }
}

#[test]
fn the_scheduler_may_stand_after_the_tasks() {
    let tasks = "tasks: [{name: a, wcet: 5, period: 9, priority: 7}]\n";
    let scheduler = "scheduler: fixed\n";
    let read = |text: String| read_str("good.yaml", &text).unwrap();
    let after = read(format!("name: x\n{tasks}{scheduler}"));
    assert_eq!(after.task_set, read(format!("name: x\n{scheduler}{tasks}")).task_set);
    assert!(after.warnings.is_empty());
}
