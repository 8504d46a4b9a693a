//! Where overruns are refused. What they are is judged by `tests/random`.

use isx::taskset::{WhatIf, read_str};

#[test]
fn overruns_are_refused_where_they_are_not_counted() {
    let refused = |head: &str, task: &str| {
        let text = format!("name: x\n{head}\ntasks: [{{name: a, wcet: 1, period: 9, {task}}}]\n");
        let mut what_if = WhatIf::default();
        what_if.overruns(1);
        what_if.apply(&read_str("x", &text).unwrap().task_set).unwrap_err().to_string()
    };
    assert_eq!(refused("", ""), "overruns need a `wcet_high` of some task or choice");
    let short = "overruns are computed under EDF with no deadline shorter than its period";
    assert_eq!(refused("", "wcet_high: 2, deadline: 8"), short);
    assert_eq!(refused("scheduler: rm", "wcet_high: 2"), short);
    let one = "overruns are computed for one processor in one mode";
    assert_eq!(refused("modes: [m]", "wcet_high: 2"), one);
    assert_eq!(refused("variants: [{name: v}]", "wcet_high: 2"), one);
    let priced = "overruns are computed for one area: price the resources";
    assert_eq!(refused("resources: [LUT, DSP]", "wcet_high: 2"), priced);
}
