//! Times with and without a unit beside each other, where they are read; what is refused stands in `messages/units.txt`.

use isx::quantity::Rational;
use isx::taskset::{Nonpreemptive, TimeBase, read_str};

/// A task set whose tasks, from line 4 on, have these entries.
fn set(head: &str, tasks: &[&str]) -> String {
    let tasks: String =
        (1..).zip(tasks).map(|(number, task)| format!("  - {{name: t{number}, {task}}}\n")).collect();
    format!("name: bad\n{head}\ntasks:\n{tasks}")
}

const CLOCK: &str = "clock: 80 MHz";

#[test]
fn cycles_beside_periods_in_units_are_what_a_clock_is_for() {
    let good = |head: &str, task: &str| read_str("good.yaml", &set(head, &[task])).unwrap().task_set;
    let cycles =
        good(CLOCK, "wcet: 80, period: 1 ms, deadline: 0.5 ms, choices: [{name: c, area: 1, saves: 8}]");
    assert_eq!(cycles.tasks[0].period().to_string(), "80000");
    assert_eq!(cycles.tasks[0].choices[0].wcets[0].to_string(), "72");
    assert_eq!(good(CLOCK, "wcet: 1 us, period: 1 ms, deadline: 0.5 ms").tasks[0].wcets[0].to_string(), "80");
    assert_eq!(good(CLOCK, "wcet: 80, period: 80000, deadline: 500").tasks[0].wcets[0].to_string(), "80");
    assert_eq!(good("source: x", "wcet: 80, period: 80000").time_base, TimeBase::Unnamed);
    assert_eq!(good("source: x", "wcet: 80 us, period: 1 ms").time_base, TimeBase::Seconds);
}

#[test]
fn costs_of_a_kernel_have_the_units_of_the_other_times() {
    // With a clock, execution may be cycles or a time beside WCETs in cycles; a jitter is a time like the period.
    let text = set(
        "clock: 1 MHz\nswitch: 3",
        &["wcet: 100, period: 1 ms, jitter: 10 us, blocking: 20 us, nonpreemptive: 30"],
    );
    let set = read_str("good.yaml", &text).unwrap().task_set;
    let kernel = &set.tasks[0].kernel;
    let times = [&kernel.jitter, &kernel.blocking, &set.switch].map(ToString::to_string);
    assert_eq!(times, ["10", "20", "3"]);
    assert_eq!(kernel.nonpreemptive, Nonpreemptive::Part(Rational::from_integer(30.into())));
}
