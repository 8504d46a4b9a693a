//! A device that is not known is reported with the nearest one and all names.

#![allow(clippy::panic, reason = "the helper of the test below fails by panicking")]

use isx::taskset::read_str;

#[test]
fn an_unknown_device_names_the_nearest_one_and_how_to_write_it() {
    let shown = |device: &str| {
        let text = format!(
            "name: bad\nresources: [LUT, DSP]\ndevice: {device}\ntasks: [{{name: fir, wcet: 1, period: 2}}]\n"
        );
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
    let help = "help: write what it has: `device: {name: iCE40UP5, LUT: .., DSP: ..}`; the nearest of 29 known are iCE40UP5K, ";
    assert!(near.contains(help) && near.ends_with("iCE40UP3K, iCE40LP1K, iCE40LP4K"), "{near}");
    assert!(shown("Spartan").contains("^^^^^^^ no known device has this name\n"));
}
