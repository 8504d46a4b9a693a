//! The README's picture is what isx draws, and the book's library example is a program that runs.

use isx::explore::Options;
use isx::report::front::Front;
use isx::report::plot::PlotData;
use isx::report::svg;
use std::path::Path;

#[test]
fn the_picture_is_the_one_that_explore_draws() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tasksets");
    let task_set = isx::taskset::read_file(&folder.join("micro-inverter.yaml")).unwrap().task_set;
    let front = isx::explore(&task_set, &Options::default()).unwrap();
    let data = PlotData::new(&Front::of(&front)).unwrap();
    let drawn = svg::draw_any(&data, &svg::Options::default()).unwrap();
    let shown = std::fs::read_to_string(folder.join("micro-inverter.svg")).unwrap();
    assert!(drawn == shown, "write it again: isx explore tasksets/micro-inverter.yaml, then copy front.svg");
}

#[test]
fn the_example_of_the_library_is_a_program_that_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let chapter = std::fs::read_to_string(root.join("docs/installing.md")).unwrap();
    let shown = chapter.split("```rust\n").nth(1).unwrap().split("```").next().unwrap();
    let program = std::fs::read_to_string(root.join("tests/external/src/main.rs")).unwrap();
    let mut lines = program.lines().map(str::trim);
    let mut seen = 0;
    for line in shown.lines().map(str::trim).filter(|line| !line.is_empty()) {
        assert!(
            lines.any(|other| other == line),
            "tests/external does not have this line, or not here: {line}"
        );
        seen += 1;
    }
    assert!(seen >= 8, "the book shows {seen} lines");
}
