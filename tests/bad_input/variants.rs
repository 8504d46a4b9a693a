//! Errors in variants of the processor are reported with their place and a remedy.

#![allow(clippy::panic, reason = "the helper of the tests below fails by panicking")]

use isx::taskset::read_str;

/// Refuses a set with these variants, whose only task has these entries in its last line, with this message.
#[track_caller]
fn refused(variants: &str, task: &str, message: &str) {
    let text = format!(
        "name: bad\nresources: [LUT]\nvariants: {variants}\ntasks:\n- {{name: fir, period: 100, {task}}}\n"
    );
    match read_str("bad.yaml", &text) {
        Ok(reading) => panic!("accepted: {reading:?}"),
        Err(error) => assert_eq!(error.to_string(), message.trim_start_matches('\n'), "{variants}\n{task}"),
    }
}

const TWO: &str = "[{name: small}, {name: big, cost: {LUT: 9}}]";

#[test]
fn times_are_given_for_every_variant_by_name() {
    refused(
        TWO,
        "wcet: {small: 10}",
        r#"
error: `wcet` of task `fir` is not given for variant `big`
 --> bad.yaml:5:34
  |
5 | - {name: fir, period: 100, wcet: {small: 10}}
  |                                  ^^^^^^^^^^ one is missing here
  |
  = help: give a time for each variant: `small`, `big`"#,
    );
    refused(
        TWO,
        "wcet: {small: 10, bgi: 5}",
        r#"
error: `wcet` of task `fir` names an unknown variant `bgi`
 --> bad.yaml:5:46
  |
5 | - {name: fir, period: 100, wcet: {small: 10, bgi: 5}}
  |                                              ^^^ did you mean `big`?
  |
  = help: give a time for each variant: `small`, `big`"#,
    );
    refused(
        TWO,
        "wcet: {small: 10, big: 0}",
        r#"
error: `big` of `wcet` of task `fir` must be greater than 0
 --> bad.yaml:5:51
  |
5 | - {name: fir, period: 100, wcet: {small: 10, big: 0}}
  |                                                   ^ this is 0"#,
    );
    refused(
        TWO,
        "wcet: {small: 10, big: 5, big: 6}",
        r#"
error: `big` is given twice in `wcet` of task `fir`, first in line 5
 --> bad.yaml:5:54
  |
5 | - {name: fir, period: 100, wcet: {small: 10, big: 5, big: 6}}
  |                                              ---     ^^^ given again here
  |                                              |
  |                                              first given here"#,
    );
    refused(
        TWO,
        "wcet: {small: 10 ms, big: 5}",
        r#"
error: `small` of `wcet` of task `fir` has a unit, but `period` of task `fir` in line 5 has none
 --> bad.yaml:5:42
  |
5 | - {name: fir, period: 100, wcet: {small: 10 ms, big: 5}}
  |                       --- without a unit ^^^^^ with a unit
  |
  = help: write every time with a unit, or none; WCETs and savings may be plain beside periods with a unit where they are cycles: then give the processor's clock, for example `clock: 100 MHz`"#,
    );
    refused(
        TWO,
        "wcet: {small: 10, big: 5}, choices: [{name: c, cost: {LUT: 1}, saves: 5}]",
        r#"
error: `saves` of choice `c` of task `fir` is all of the WCET: the new WCET must be greater than 0
 --> bad.yaml:5:98
  |
5 | - {name: fir, period: 100, wcet: {small: 10, big: 5}, choices: [{name: c, cost: {LUT: 1}, saves: 5}]}
  |                                                                                                  ^ the saving must be smaller than the WCET
  |
  = help: the WCET of task `fir` is 5"#,
    );
    refused(
        "[]",
        "wcet: {small: 10}",
        r#"
error: `wcet` of task `fir` is a mapping, not a time
 --> bad.yaml:5:34
  |
5 | - {name: fir, period: 100, wcet: {small: 10}}
  |                                  ^^^^^^^^^^ a time is due here"#,
    );
}

#[test]
fn variants_are_named_and_cost_resources() {
    refused(
        "[{name: small, fmax: 9 MHz}]",
        "wcet: 10",
        r#"
error: `fmax` of variant `small` needs the `clock` of the task set
 --> bad.yaml:3:32
  |
3 | variants: [{name: small, fmax: 9 MHz}]
  |                                ^^^^^ no clock is given that this would lower
  |
  = help: give the processor's clock without this limit, for example `clock: 100 MHz`: WCETs without a unit are then cycles of it"#,
    );
    refused(
        "[{name: small, area: 9}]",
        "wcet: 10",
        r#"
error: `area` of variant `small` stands in a set with `resources`
 --> bad.yaml:3:32
  |
3 | variants: [{name: small, area: 9}]
  |                                ^ a `cost` is due here
  |
  = help: write for example `cost: {LUT: 9}`"#,
    );
    refused(
        "[{name: small}, {name: small}]",
        "wcet: 10",
        r#"
error: a second variant is named `small`, the first is in line 3
 --> bad.yaml:3:34
  |
3 | variants: [{name: small}, {name: small}]
  |                   -----          ^^^^^ named again here
  |                   |
  |                   first named here"#,
    );
    refused(
        "[{name: small, slot: x}]",
        "wcet: {small: 10}",
        r#"
error: unknown key `slot` in variant `small`
 --> bad.yaml:3:26
  |
3 | variants: [{name: small, slot: x}]
  |                          ^^^^ this is a key of a block
  |
  = help: the keys of a variant are `name`, `area`, `cost`, `fmax`, `source`"#,
    );
    refused(
        "[{cost: {LUT: 9}}]",
        "wcet: 10",
        r#"
error: variant 1 has no `name`
 --> bad.yaml:3:13
  |
3 | variants: [{cost: {LUT: 9}}]
  |             ^^^^^^^^^^^^^
  |
  = help: add `name: ..` to it"#,
    );
    refused(
        "small",
        "wcet: 10",
        r#"
error: `variants` of the task set is not a list
 --> bad.yaml:3:11
  |
3 | variants: small
  |           ^^^^^ a list is due here: each item begins with `- `"#,
    );
}
