//! What the README shows is what isx makes.

use isx::explore::Options;
use isx::report::plot::PlotData;
use isx::report::svg;
use std::path::Path;

#[test]
fn the_picture_is_the_one_that_explore_draws() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tasksets");
    let task_set = isx::taskset::read_file(&folder.join("crypto-gateway.yaml")).unwrap().task_set;
    let front = isx::explore(&task_set, &Options::default()).unwrap();
    let data = PlotData::from_front(&front).unwrap();
    let drawn = svg::draw(&data, &svg::Options::default()).unwrap();
    let shown = std::fs::read_to_string(folder.join("crypto-gateway.svg")).unwrap();
    assert!(drawn == shown, "write it again: isx explore tasksets/crypto-gateway.yaml, then copy front.svg");
}
