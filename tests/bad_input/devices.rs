//! Errors in the device of a task set, and in what may be used of it.

#![allow(clippy::panic, reason = "the helper of the test below fails by panicking")]

use super::resources::{TWO, refused};
use isx::taskset::read_str;

#[test]
fn a_device_is_known_or_written_with_every_resource() {
    refused(
        "resources: [LUT, URAM]\ndevice: iCE40UP5K",
        "cost: {LUT: 41}",
        r#"
error: `device` of the task set has no resource `URAM`
 --> bad.yaml:3:9
  |
3 | device: iCE40UP5K
  |         ^^^^^^^^^ lacks it
  |
  = help: iCE40UP5K has 5280 LC (or LUT, LUT4), 5280 FF (or DFF), 30 RAM (or EBR, BRAM, RAM4K), 8 DSP (or MAC16), 4 SPRAM; count one of these, or write what the device has: `device: {name: iCE40UP5K, LUT: 5280, URAM: ..}`"#,
    );
    refused(
        &format!("{TWO}\ndevice: {{name: mine, LUT: 5280}}"),
        "cost: {LUT: 41}",
        r#"
error: `device` of the task set has no `DSP`
 --> bad.yaml:3:10
  |
3 | device: {name: mine, LUT: 5280}
  |          ^^^^^^^^^^ lacks it
  |
  = help: say how much of it there is: `DSP: ..`"#,
    );
    refused(
        &format!("{TWO}\ndevice: {{name: mine, LUT: -5280, DSP: 1}}"),
        "cost: {LUT: 41}",
        r#"
error: `LUT` of `device` of the task set: `-5280` is negative
 --> bad.yaml:3:27
  |
3 | device: {name: mine, LUT: -5280, DSP: 1}
  |                           ^^^^^ must be 0 or greater"#,
    );
    refused(
        &format!("{TWO}\ndevice: [iCE40UP5K]"),
        "cost: {LUT: 41}",
        r#"
error: `device` of the task set is a list, not the name of a device
 --> bad.yaml:3:9
  |
3 | device: [iCE40UP5K]
  |         ^^^^^^^^^^ the name of a device is due here"#,
    );
    refused(
        &format!("{TWO}\ndevice:"),
        "cost: {LUT: 41}",
        r#"
error: `device` of the task set is empty
 --> bad.yaml:3:1
  |
3 | device:
  | ^^^^^^ a text is due here
  |
  = help: quote a word that YAML takes for no value, such as "null" or "~""#,
    );
}

#[test]
fn the_fill_is_a_part_of_the_device() {
    refused(
        &format!("{TWO}\ndevice: iCE40UP5K\nfill: 150 %"),
        "cost: {LUT: 41}",
        r#"
error: `fill` of the task set must be above 0 and at most 100 %
 --> bad.yaml:4:7
  |
4 | fill: 150 %
  |       ^^^^^ this is 150 %
  |
  = help: write for example `90 %`, or `0.9`"#,
    );
    refused(
        &format!("{TWO}\ndevice: iCE40UP5K\nfill: 90"),
        "cost: {LUT: 41}",
        r#"
error: `fill` of the task set must be above 0 and at most 100 %
 --> bad.yaml:4:7
  |
4 | fill: 90
  |       ^^ this is 9000 %
  |
  = help: write for example `90 %`, or `0.9`"#,
    );
    refused(
        &format!("{TWO}\ndevice: iCE40UP5K\nfill: {{LUT: 0}}"),
        "cost: {LUT: 41}",
        r#"
error: `LUT` of `fill` of the task set must be above 0 and at most 100 %
 --> bad.yaml:4:13
  |
4 | fill: {LUT: 0}
  |             ^ nothing could be built
  |
  = help: write for example `90 %`, or `0.9`"#,
    );
    refused(
        &format!("{TWO}\ndevice: iCE40UP5K\nfill: {{LUTS: 9 %}}"),
        "cost: {LUT: 41}",
        r#"
error: `fill` of the task set names an unknown resource `LUTS`
 --> bad.yaml:4:8
  |
4 | fill: {LUTS: 9 %}
  |        ^^^^ did you mean `LUT`?
  |
  = help: the resources of the set are `LUT`, `DSP`"#,
    );
    refused(
        &format!("{TWO}\ndevice: iCE40UP5K\nfill: most"),
        "cost: {LUT: 41}",
        r#"
error: `fill` of the task set: `most` is not a decimal number
 --> bad.yaml:4:7
  |
4 | fill: most
  |       ^^^^ a part in percent is due here
  |
  = help: write for example `90 %`, or `0.9`"#,
    );
}

#[test]
fn a_base_above_the_device_leaves_no_design() {
    refused(
        &format!("{TWO}\ndevice: iCE40UP5K\nbase: {{LUT: 5281}}"),
        "cost: {LUT: 41}",
        r#"
error: `base` of the task set takes 5281 LUT, and iCE40UP5K has 5280
 --> bad.yaml:4:13
  |
3 | device: iCE40UP5K
  |         --------- the limit
4 | base: {LUT: 5281}
  |             ^^^^ no design fits
  |
  = help: take a larger device, or leave `device` out"#,
    );
    refused(
        &format!("{TWO}\nbase: {{LUT: 5000}}\ndevice: {{LUT: 5280, DSP: 8}}\nfill: {{LUT: 90 %}}"),
        "cost: {LUT: 41}",
        r#"
error: `base` of the task set takes 5000 LUT, and the device has 4752 (90 % of 5280)
 --> bad.yaml:3:13
  |
3 | base: {LUT: 5000}
  |             ^^^^ no design fits
4 | device: {LUT: 5280, DSP: 8}
  |         ------------------ the limit
  |
  = help: take a larger device, or leave `device` out"#,
    );
}

#[test]
fn an_unknown_device_names_the_nearest_one_and_how_to_write_it() {
    let shown = |device: &str| {
        let text =
            format!("name: bad\n{TWO}\ndevice: {device}\ntasks: [{{name: fir, wcet: 1, period: 2}}]\n");
        read_str("bad.yaml", &text)
            .map_or_else(|error| error.to_string(), |reading| panic!("accepted: {reading:?}"))
    };
    let near = shown("iCE40UP5");
    assert!(
        near.starts_with(
            "error: `device` of the task set is `iCE40UP5`, which is unknown\n --> bad.yaml:3:9\n"
        ),
        "{near}"
    );
    assert!(near.contains("^^^^^^^^ did you mean `iCE40UP5K`?\n"), "{near}");
    let help =
        "help: write what it has: `device: {name: iCE40UP5, LUT: .., DSP: ..}`; known are iCE40LP384, ";
    assert!(near.contains(help) && near.ends_with("GW1N-9"), "{near}");
    assert!(shown("Spartan").contains("^^^^^^^ no known device has this name\n"));
}
