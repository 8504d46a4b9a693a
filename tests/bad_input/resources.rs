//! Errors in resources and costs are reported with their place and a remedy.

#![allow(clippy::panic, reason = "the helper of the tests below fails by panicking")]

use isx::taskset::read_str;

/// Refuses the set with this head, whose only task has a choice with these entries in its last line, with this message.
#[track_caller]
pub fn refused(head: &str, choice: &str, message: &str) {
    let text = format!(
        "name: bad\n{head}\ntasks:\n- name: fir\n  wcet: 10\n  period: 100\n  choices:\n  - {{name: mac, saves: 1, {choice}}}\n"
    );
    match read_str("bad.yaml", &text) {
        Ok(reading) => panic!("accepted: {reading:?}"),
        Err(error) => assert_eq!(error.to_string(), message.trim_start_matches('\n'), "{head}\n{choice}"),
    }
}

/// The head of most sets below.
pub const TWO: &str = "resources: [LUT, DSP]";

#[test]
fn costs_name_resources_of_the_set_with_plain_numbers() {
    refused(
        TWO,
        "cost: {LUTS: 41}",
        r#"
error: `cost` of choice `mac` of task `fir` names an unknown resource `LUTS`
 --> bad.yaml:8:34
  |
8 |   - {name: mac, saves: 1, cost: {LUTS: 41}}
  |                                  ^^^^ did you mean `LUT`?
  |
  = help: the resources of the set are `LUT`, `DSP`"#,
    );
    refused(
        TWO,
        "cost: {BRAM: 41}",
        r#"
error: `cost` of choice `mac` of task `fir` names an unknown resource `BRAM`
 --> bad.yaml:8:34
  |
8 |   - {name: mac, saves: 1, cost: {BRAM: 41}}
  |                                  ^^^^ no resource has this name
  |
  = help: the resources of the set are `LUT`, `DSP`"#,
    );
    refused(
        TWO,
        "cost: {LUT: 41 cells}",
        r#"
error: `LUT` of `cost` of choice `mac` of task `fir`: `41 cells` is not a decimal number
 --> bad.yaml:8:39
  |
8 |   - {name: mac, saves: 1, cost: {LUT: 41 cells}}
  |                                       ^^^^^^^^ a plain decimal number is due here
  |
  = help: amounts are plain numbers: their resource is the key before them"#,
    );
    refused(
        TWO,
        "cost: 41",
        r#"
error: `cost` of choice `mac` of task `fir` is not a mapping
 --> bad.yaml:8:33
  |
8 |   - {name: mac, saves: 1, cost: 41}
  |                                 ^^ names with their values are due here
  |
  = help: write for example `cost: {LUT: 41}`"#,
    );
    refused(
        TWO,
        "cost: {LUT: 41, LUT: 4}",
        r#"
error: `LUT` is given twice in `cost` of choice `mac` of task `fir`, first in line 8
 --> bad.yaml:8:43
  |
8 |   - {name: mac, saves: 1, cost: {LUT: 41, LUT: 4}}
  |                                  ---      ^^^ given again here
  |                                  |
  |                                  first given here"#,
    );
    refused(
        TWO,
        "cost:",
        r#"
error: `cost` of choice `mac` of task `fir` is not a mapping
 --> bad.yaml:8:27
  |
8 |   - {name: mac, saves: 1, cost:}
  |                           ^^^^ names with their values are due here
  |
  = help: write for example `cost: {LUT: 41}`"#,
    );
    refused(
        TWO,
        "cost: {LUT: }",
        r#"
error: `LUT` of `cost` of choice `mac` of task `fir`: a number is missing
 --> bad.yaml:8:34
  |
8 |   - {name: mac, saves: 1, cost: {LUT: }}
  |                                  ^^^ a plain decimal number is due here"#,
    );
}

#[test]
fn an_area_has_no_place_beside_resources_and_a_cost_none_without_them() {
    refused(
        TWO,
        "area: 41",
        r#"
error: `area` of choice `mac` of task `fir` stands in a set with `resources`
 --> bad.yaml:8:33
  |
8 |   - {name: mac, saves: 1, area: 41}
  |                                 ^^ a `cost` is due here
  |
  = help: write for example `cost: {LUT: 41}`"#,
    );
    refused(
        TWO,
        "uses: []",
        r#"
error: choice `mac` of task `fir` has no `cost`
 --> bad.yaml:8:6
  |
8 |   - {name: mac, saves: 1, uses: []}
  |      ^^^^^^^^^
  |
  = help: give the cost of its own hardware as `cost`, the blocks that it shares as `uses`, or both"#,
    );
    refused(
        TWO,
        "uses: [mul]",
        r#"
error: choice `mac` of task `fir` uses an unknown block `mul`
 --> bad.yaml:8:34
  |
8 |   - {name: mac, saves: 1, uses: [mul]}
  |                                  ^^^ no block has this name
  |
  = help: the task set has no `blocks`: add that list, each block with its `name` and `cost`"#,
    );
    refused(
        &format!("{TWO}\nblocks: [{{name: mul}}]"),
        "uses: [mul]",
        r#"
error: block `mul` has no `cost`
 --> bad.yaml:3:11
  |
3 | blocks: [{name: mul}]
  |           ^^^^^^^^^
  |
  = help: add what it costs, for example `cost: {LUT: 41}`"#,
    );
    refused(
        &format!("{TWO}\nblocks: [{{name: mul, area: 30}}]"),
        "uses: [mul]",
        r#"
error: `area` of block `mul` stands in a set with `resources`
 --> bad.yaml:3:28
  |
3 | blocks: [{name: mul, area: 30}]
  |                            ^^ a `cost` is due here
  |
  = help: write for example `cost: {LUT: 30}`"#,
    );
    refused(
        "area_unit: LUT",
        "cost: {LUT: 41, FF: 4}",
        r#"
error: `cost` of choice `mac` of task `fir` needs the `resources` of the task set
 --> bad.yaml:8:33
  |
8 |   - {name: mac, saves: 1, cost: {LUT: 41, FF: 4}}
  |                                 ^^^^^^^^^^^^^^^ no resources are given
  |
  = help: list them, for example `resources: [LUT, FF]`; choices and blocks then have a `cost` in place of `area`"#,
    );
    refused(
        "area_unit: LUT",
        "cost: 41",
        r#"
error: `cost` of choice `mac` of task `fir` needs the `resources` of the task set
 --> bad.yaml:8:33
  |
8 |   - {name: mac, saves: 1, cost: 41}
  |                                 ^^ no resources are given
  |
  = help: list them, for example `resources: [LUT, DSP]`; choices and blocks then have a `cost` in place of `area`"#,
    );
    refused(
        "area_unit: LUT\nresources: [LUT, DSP]",
        "cost: {LUT: 41}",
        r#"
error: `area_unit` of the task set stands beside `resources`
 --> bad.yaml:2:12
  |
2 | area_unit: LUT
  |            ^^^ an area that nothing has
3 | resources: [LUT, DSP]
  |            --------- these are counted instead
  |
  = help: leave `area_unit` out: the resources are named already"#,
    );
}

#[test]
fn resources_are_a_list_of_different_words() {
    refused(
        "resources: LUT",
        "cost: {LUT: 41}",
        r#"
error: `resources` of the task set is not a list
 --> bad.yaml:2:12
  |
2 | resources: LUT
  |            ^^^ a list is due here: each item begins with `- `
  |
  = help: write `resources: [LUT]`"#,
    );
    refused(
        "resources: []",
        "cost: {LUT: 41}",
        r#"
error: `resources` of the task set is empty
 --> bad.yaml:2:12
  |
2 | resources: []
  |            ^ the name of a resource is due here
  |
  = help: name at least one, for example `resources: [LUT]`"#,
    );
    refused(
        "resources: [LUT, DSP, LUT]",
        "cost: {LUT: 41}",
        r#"
error: `resources` of the task set names `LUT` twice
 --> bad.yaml:2:23
  |
2 | resources: [LUT, DSP, LUT]
  |             ---       ^^^ named again here
  |             |
  |             first named here"#,
    );
    refused(
        "resources: [LUT, [DSP]]",
        "cost: {LUT: 41}",
        r#"
error: item 2 of `resources` of the task set is not a name
 --> bad.yaml:2:18
  |
2 | resources: [LUT, [DSP]]
  |                  ^^^^ the name of a resource is due here"#,
    );
    refused(
        "resources: [LUT, '']",
        "cost: {LUT: 41}",
        r#"
error: item 2 of `resources` of the task set is empty
 --> bad.yaml:2:18
  |
2 | resources: [LUT, '']
  |                  ^^ the name of a resource is due here"#,
    );
    refused(
        "resources: [LUT, DSP 18]",
        "cost: {LUT: 41}",
        r#"
error: the name of resource `DSP 18` contains a space, `=` or `,`
 --> bad.yaml:2:18
  |
2 | resources: [LUT, DSP 18]
  |                  ^^^^^^ write one word, such as `LUT`
  |
  = help: resources are also written as `LUT=5000,DSP=8`"#,
    );
    refused(
        "resources: [LUT, name]",
        "cost: {LUT: 41}",
        r#"
error: the name of resource `name` is the key under which a device gives its name
 --> bad.yaml:2:18
  |
2 | resources: [LUT, name]
  |                  ^^^^ write one word, such as `LUT`
  |
  = help: resources are also written as `LUT=5000,DSP=8`"#,
    );
    refused(
        "resources: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q]",
        "cost: {LUT: 41}",
        r#"
error: item 17 of `resources` of the task set is one too many: a task set has up to 16 resources
 --> bad.yaml:2:61
  |
2 | resources: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q]
  |                                                             ^ the name of a resource is due here"#,
    );
}

#[test]
fn objectives_are_resources_of_the_set() {
    refused(
        &format!("{TWO}\nobjectives: [LUT, DPS]"),
        "cost: {LUT: 41}",
        r#"
error: `objectives` of the task set names an unknown resource `DPS`
 --> bad.yaml:3:19
  |
3 | objectives: [LUT, DPS]
  |                   ^^^ did you mean `DSP`?
  |
  = help: the resources of the set are `LUT`, `DSP`"#,
    );
    refused(
        &format!("{TWO}\nobjectives: [LUT, LUT]"),
        "cost: {LUT: 41}",
        r#"
error: `objectives` of the task set names `LUT` twice
 --> bad.yaml:3:19
  |
3 | objectives: [LUT, LUT]
  |              ---  ^^^ named again here
  |              |
  |              first named here"#,
    );
    refused(
        &format!("{TWO}\nobjectives: []"),
        "cost: {LUT: 41}",
        r#"
error: `objectives` of the task set is empty
 --> bad.yaml:3:13
  |
3 | objectives: []
  |             ^ the name of a resource is due here
  |
  = help: name at least one, for example `objectives: [LUT]`"#,
    );
}

#[test]
fn what_belongs_to_resources_needs_them() {
    refused(
        "objectives: [LUT, DPS]",
        "area: 41",
        r#"
error: `objectives` of the task set needs the `resources` of the task set
 --> bad.yaml:2:13
  |
2 | objectives: [LUT, DPS]
  |             ^^^^^^^^^ no resources are given
  |
  = help: list them, for example `resources: [LUT, DSP]`; choices and blocks then have a `cost` in place of `area`"#,
    );
    refused(
        "base: {LUT: 41}",
        "area: 41",
        r#"
error: `base` of the task set needs the `resources` of the task set
 --> bad.yaml:2:7
  |
2 | base: {LUT: 41}
  |       ^^^^^^^^ no resources are given
  |
  = help: list them, for example `resources: [LUT, DSP]`; choices and blocks then have a `cost` in place of `area`"#,
    );
    refused(
        "device: iCE40UP5K",
        "area: 41",
        r#"
error: `device` of the task set needs the `resources` of the task set
 --> bad.yaml:2:9
  |
2 | device: iCE40UP5K
  |         ^^^^^^^^^ no resources are given
  |
  = help: list them, for example `resources: [LUT, DSP]`; choices and blocks then have a `cost` in place of `area`"#,
    );
    refused(
        "fill: 90 %",
        "area: 41",
        r#"
error: `fill` of the task set needs the `resources` of the task set
 --> bad.yaml:2:7
  |
2 | fill: 90 %
  |       ^^^^ no resources are given
  |
  = help: list them, for example `resources: [LUT, DSP]`; choices and blocks then have a `cost` in place of `area`"#,
    );
    refused(
        &format!("{TWO}\nfill: 90 %"),
        "cost: {LUT: 41}",
        r#"
error: `fill` of the task set needs the `device` that it is a part of
 --> bad.yaml:3:7
  |
3 | fill: 90 %
  |       ^^^^ no device is given
  |
  = help: name a known `device`, or write one: `device: {name: mine, LUT: 5280}`"#,
    );
    refused(
        "resource: [LUT, DSP]",
        "cost: {LUT: 41}",
        r#"
error: unknown key `resource` in the task set
 --> bad.yaml:2:1
  |
2 | resource: [LUT, DSP]
  | ^^^^^^^^ did you mean `resources`?
  |
  = help: the keys of a task set are `name`, `description`, `source`, `clock`, `area_unit`, `resources`, `objectives`, `base`, `device`, `fill`, `variants`, `scheduler`, `blocks`, `tasks`"#,
    );
}

#[test]
fn the_base_is_an_amount_of_each_resource() {
    refused(
        &format!("{TWO}\nbase: {{LC: 41}}"),
        "cost: {LUT: 41}",
        r#"
error: `base` of the task set names an unknown resource `LC`
 --> bad.yaml:3:8
  |
3 | base: {LC: 41}
  |        ^^ no resource has this name
  |
  = help: the resources of the set are `LUT`, `DSP`"#,
    );
    refused(
        &format!("{TWO}\nbase: 41"),
        "cost: {LUT: 41}",
        r#"
error: `base` of the task set is not a mapping
 --> bad.yaml:3:7
  |
3 | base: 41
  |       ^^ names with their values are due here
  |
  = help: write for example `base: {LUT: 41}`"#,
    );
}
