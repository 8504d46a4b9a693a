//! Times with and without a unit in one file are refused, with a clock and without one.

use isx::taskset::{TimeBase, read_str};

/// A task set whose tasks, from line 4 on, have these entries.
fn set(head: &str, tasks: &[&str]) -> String {
    let tasks: String =
        (1..).zip(tasks).map(|(number, task)| format!("  - {{name: t{number}, {task}}}\n")).collect();
    format!("name: bad\n{head}\ntasks:\n{tasks}")
}

/// The whole message of a text that must be refused for one error.
#[allow(clippy::panic, reason = "a text that is accepted fails the test")]
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

const CLOCK: &str = "clock: 80 MHz";

#[test]
fn a_clock_does_not_excuse_periods_of_which_some_have_a_unit() {
    let wanted = "\
error: `period` of task `t2` has no unit, but `period` of task `t1` in line 4 has one
 --> bad.yaml:5:34
  |
4 |   - {name: t1, wcet: 30000, period: 1 ms}
  |                                     ---- with a unit
5 |   - {name: t2, wcet: 20, period: 10000}
  |                                  ^^^^^ without a unit
  |
  = help: with a `clock` plain numbers are cycles: write every period and deadline with a unit, or every time of the file as plain cycles";
    let text = set(CLOCK, &["wcet: 30000, period: 1 ms", "wcet: 20, period: 10000"]);
    assert_eq!(refused(&text), wanted);
    // JSON is YAML, and a dictionary of Python is written as YAML.
    let json = "{\"name\": \"x\", \"clock\": \"80 MHz\", \"tasks\": [\n\
                {\"name\": \"a\", \"wcet\": 3, \"period\": \"1 ms\"},\n{\"name\": \"b\", \"wcet\": 3, \"period\": 900}]}";
    assert!(
        refused(json)
            .contains("`period` of task `b` has no unit, but `period` of task `a` in line 2 has one")
    );
}

#[test]
fn the_rarer_kind_is_the_one_shown() {
    let plain = "wcet: 5, period: 10000";
    let shown = refused(&set(CLOCK, &[plain, plain, "wcet: 5, period: 1 ms"]));
    assert!(
        shown.starts_with(
            "error: `period` of task `t3` has a unit, but `period` of task `t1` in line 4 has none\n"
        ),
        "{shown}"
    );
}

#[test]
fn a_deadline_counts_as_a_period_does() {
    let shown = refused(&set(CLOCK, &["wcet: 5, period: 1 ms, deadline: 900"]));
    let wanted = "error: `deadline` of task `t1` has no unit, but `period` of task `t1` in line 4 has one\n";
    assert!(shown.starts_with(wanted), "{shown}");
    let shown = refused(&set(CLOCK, &["wcet: 5, period: 1000, deadline: 1 ms"]));
    assert!(shown.starts_with("error: `period` of task `t1` has no unit, but `deadline`"), "{shown}");
}

#[test]
fn wcets_and_savings_are_all_cycles_or_all_times() {
    let wanted = "error: `wcet` of task `t2` has no unit, but `wcet` of task `t1` in line 4 has one\n";
    let help = "write every WCET and saving with a unit, or every one as plain cycles";
    let shown = refused(&set(CLOCK, &["wcet: 2 us, period: 1 ms", "wcet: 9, period: 1 ms"]));
    assert!(shown.starts_with(wanted) && shown.contains(help), "{shown}");
    for choice in ["wcet: 9", "saves: 1"] {
        let task = format!("wcet: 2 us, period: 1 ms, choices: [{{name: c, area: 1, {choice}}}]");
        let shown = refused(&set(CLOCK, &[&task]));
        let key = choice.split(':').next().unwrap();
        let wanted = format!(
            "error: `{key}` of choice `c` of task `t1` has no unit, but `wcet` of task `t1` in line 4 has one\n"
        );
        assert!(shown.starts_with(&wanted) && shown.contains(help), "{shown}");
    }
    let shown = refused(&set(CLOCK, &["wcet: 2 us, period: 1000"]));
    assert!(
        shown.starts_with("error: `period` of task `t1` has no unit, but `wcet` of task `t1`"),
        "{shown}"
    );
}

#[test]
fn cycles_beside_periods_in_units_are_what_a_clock_is_for() {
    let good = |head: &str, task: &str| read_str("good.yaml", &set(head, &[task])).unwrap().task_set;
    let cycles =
        good(CLOCK, "wcet: 80, period: 1 ms, deadline: 0.5 ms, choices: [{name: c, area: 1, saves: 8}]");
    assert_eq!(cycles.tasks[0].period.to_string(), "80000");
    assert_eq!(cycles.tasks[0].choices[0].wcets[0].to_string(), "72");
    assert_eq!(good(CLOCK, "wcet: 1 us, period: 1 ms, deadline: 0.5 ms").tasks[0].wcets[0].to_string(), "80");
    assert_eq!(good(CLOCK, "wcet: 80, period: 80000, deadline: 500").tasks[0].wcets[0].to_string(), "80");
    assert_eq!(good("source: x", "wcet: 80, period: 80000").time_base, TimeBase::Unnamed);
    assert_eq!(good("source: x", "wcet: 80 us, period: 1 ms").time_base, TimeBase::Seconds);
}

#[test]
fn without_a_clock_the_clock_is_offered_as_a_way_out() {
    let wanted = "\
error: `wcet` of task `t2` has no unit, but `wcet` of task `t1` in line 4 has one
 --> bad.yaml:5:22
  |
4 |   - {name: t1, wcet: 1 ms, period: 10 ms}
  |                      ---- with a unit
5 |   - {name: t2, wcet: 1000, period: 20 ms}
  |                      ^^^^ without a unit
  |
  = help: write every time with a unit, or none; WCETs and savings may be plain beside periods with a unit where they are cycles: then give the processor's clock, for example `clock: 100 MHz`";
    let text = set("source: x", &["wcet: 1 ms, period: 10 ms", "wcet: 1000, period: 20 ms"]);
    assert_eq!(refused(&text), wanted);
    let shown = refused(&set("source: x", &["wcet: 1, period: 10", "wcet: 3, period: 20 ms"]));
    assert!(
        shown.starts_with(
            "error: `period` of task `t2` has a unit, but `wcet` of task `t1` in line 4 has none"
        )
    );
    let saves = "wcet: 1 ms, period: 9 ms, choices: [{name: m, area: 1, saves: 5}]";
    // A saving in another unit cannot be compared, so its size is not checked.
    assert!(
        refused(&set("source: x", &[saves]))
            .starts_with("error: `saves` of choice `m` of task `t1` has no unit")
    );
}
