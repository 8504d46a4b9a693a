//! Priorities that are read, and those that no scheduler uses; what is refused stands in `messages/priorities.txt`.

use isx::taskset::{Scheduler, read_str};

/// A task set whose third line is `scheduler`, and whose tasks, in lines 5 and 6, have these entries after their own.
fn set(scheduler: &str, tasks: [&str; 2]) -> String {
    let [a, b] = tasks;
    format!(
        "name: bad\narea_unit: LUT\n{scheduler}\ntasks:\n  - {{name: a, wcet: 1, period: 4{a}}}\n  - {{name: b, wcet: 1, period: 6{b}}}\n"
    )
}

#[test]
fn a_priority_is_a_whole_number_from_1_on() {
    for (priority, wanted) in [("1", 1), ("4294967295", u32::MAX), ("2.0", 2), ("1e3", 1000)] {
        let text = set("scheduler: fixed", [", priority: 1", &format!(", priority: {priority}")]);
        let read = read_str("good.yaml", &text).unwrap();
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
    assert!(read_str("bad.yaml", &set("scheduler: edf", ["", ", priority: 0"])).is_err());
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
