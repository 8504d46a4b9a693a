//! Errors in jitter, blocking and context switches are reported with their place and a remedy.

#![allow(clippy::panic, reason = "the helper of the tests below fails by panicking")]

use isx::quantity::Rational;
use isx::taskset::{Nonpreemptive, read_str};

/// Refuses a set with these lines before its tasks, and this last line, with this message.
#[track_caller]
fn refused(head: &str, task: &str, message: &str) {
    let text = format!("name: bad\n{head}\ntasks:\n- {{name: fir, {task}}}\n");
    match read_str("bad.yaml", &text) {
        Ok(reading) => panic!("accepted: {reading:?}"),
        Err(error) => assert_eq!(error.to_string(), message.trim_start_matches('\n'), "{head}\n{task}"),
    }
}

#[test]
fn every_term_is_a_time_of_0_or_more() {
    for key in ["jitter", "blocking", "nonpreemptive"] {
        let (column, spaces) = (37 + key.len(), " ".repeat(36 + key.len()));
        let message = format!(
            "error: `{key}` of task `fir`: `-2` is negative\n --> bad.yaml:4:{column}\n  |\n4 | - {{name: fir, wcet: 1, \
             period: 9, {key}: -2}}\n  | {spaces}^^ must be 0 or greater"
        );
        refused("", &format!("wcet: 1, period: 9, {key}: -2"), &message);
    }
    refused(
        "switch: -1",
        "wcet: 1, period: 9",
        r#"
error: `switch` of the task set: `-1` is negative
 --> bad.yaml:2:9
  |
2 | switch: -1
  |         ^^ must be 0 or greater"#,
    );
    refused(
        "blocks: [{name: fpu, area: 3, switch: many}]",
        "wcet: 1, period: 9, choices: [{name: c, uses: [fpu], saves: 0.5}]",
        r#"
error: `switch` of block `fpu`: `many` is not a decimal number
 --> bad.yaml:2:39
  |
2 | blocks: [{name: fpu, area: 3, switch: many}]
  |                                       ^^^^ a plain decimal number is due here"#,
    );
}

#[test]
fn jitter_is_at_most_the_deadline() {
    refused(
        "",
        "wcet: 1, period: 9, deadline: 7, jitter: 8",
        r#"
error: `jitter` of task `fir` is above the deadline
 --> bad.yaml:4:56
  |
4 | - {name: fir, wcet: 1, period: 9, deadline: 7, jitter: 8}
  |                                                        ^ the deadline is 7
  |
  = help: a deadline counts from the arrival of a job, and the job is released up to the jitter later"#,
    );
    refused(
        "modes: [cruise, landing]",
        "wcet: 1, period: {cruise: 9, landing: 4}, jitter: 5",
        r#"
error: `jitter` of task `fir` is above the deadline
 --> bad.yaml:4:65
  |
4 | - {name: fir, wcet: 1, period: {cruise: 9, landing: 4}, jitter: 5}
  |                                                                 ^ the deadline is 4
  |
  = help: a deadline counts from the arrival of a job, and the job is released up to the jitter later"#,
    );
}

#[test]
fn one_value_counts_in_all_modes() {
    refused(
        "modes: [cruise, landing]",
        "wcet: 1, period: 9, blocking: {cruise: 1, landing: 2}",
        r#"
error: `blocking` of task `fir` is a mapping, not a time
 --> bad.yaml:4:45
  |
4 | - {name: fir, wcet: 1, period: 9, blocking: {cruise: 1, landing: 2}}
  |                                             ^^^^^^^^^^^^^^^^^^^^^^ a time is due here"#,
    );
}

#[test]
fn units_are_those_of_the_other_times() {
    let accepted = |head: &str, task: &str| {
        let text = format!("name: x\n{head}\ntasks: [{{name: fir, {task}}}]\n");
        read_str("x", &text).unwrap_or_else(|error| panic!("{error}")).task_set
    };
    // With a clock, execution may be cycles or a time beside WCETs in cycles; a jitter is a time like the period.
    let set = accepted(
        "clock: 1 MHz\nswitch: 3",
        "wcet: 100, period: 1 ms, jitter: 10 us, blocking: 20 us, nonpreemptive: 30",
    );
    let kernel = &set.tasks[0].kernel;
    let times = [&kernel.jitter, &kernel.blocking, &set.switch].map(ToString::to_string);
    assert_eq!(times, ["10", "20", "3"]);
    assert_eq!(kernel.nonpreemptive, Nonpreemptive::Part(Rational::from_integer(30.into())));
    refused(
        "clock: 1 MHz",
        "wcet: 100, period: 1 ms, jitter: 10",
        r#"
error: `jitter` of task `fir` has no unit, but `period` of task `fir` in line 4 has one
 --> bad.yaml:4:48
  |
4 | - {name: fir, wcet: 100, period: 1 ms, jitter: 10}
  |                                  ----          ^^ without a unit
  |                                  |
  |                                  with a unit
  |
  = help: with a `clock` plain numbers are cycles: write every period and deadline with a unit, or every time of the file as plain cycles"#,
    );
    refused(
        "switch: 3",
        "wcet: 1 ms, period: 9 ms",
        r#"
error: `switch` of the task set has no unit, but `wcet` of task `fir` in line 4 has one
 --> bad.yaml:2:9
  |
2 | switch: 3
  |         ^ without a unit
3 | tasks:
4 | - {name: fir, wcet: 1 ms, period: 9 ms}
  |                     ---- with a unit
  |
  = help: write every time with a unit, or none; WCETs and savings may be plain beside periods with a unit where they are cycles: then give the processor's clock, for example `clock: 100 MHz`"#,
    );
}

#[test]
fn keys_have_their_places() {
    refused(
        "jitter: 3",
        "wcet: 1, period: 9",
        r#"
error: unknown key `jitter` in the task set
 --> bad.yaml:2:1
  |
2 | jitter: 3
  | ^^^^^^ this is a key of a task
  |
  = help: the keys of a task set are `name`, `description`, `source`, `clock`, `area_unit`, `resources`, `objectives`, `base`, `device`, `fill`, `variants`, `cores`, `modes`, `scheduler`, `switch`, `blocks`, `tasks`"#,
    );
}
