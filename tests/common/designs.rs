//! What several tests ask of isx, and of its answers.

use isx::explore::{Options, explore};
use isx::machine::Machine;
use isx::machine::cpu::Workers;
use isx::quantity::Rational;
use isx::report::front::Front;
use isx::report::{csv, json};
use isx::taskset::{TaskSet, read_file};
use std::path::Path;

pub fn whole(value: &Rational) -> u64 {
    assert!(value.is_integer());
    u64::try_from(value.to_integer()).unwrap()
}

pub fn options() -> Options<'static> {
    Options { machine: Machine::default().with_threads(1), ..Options::default() }
}

pub fn cases(unless_set: u64) -> u64 {
    std::env::var("ISX_CASES").map_or(unless_set, |cases| cases.parse().unwrap())
}

/// A task set of the repository.
pub fn example(name: &str) -> TaskSet {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tasksets");
    read_file(&folder.join(name).with_extension("yaml")).unwrap().task_set
}

/// The front of a set as JSON and as CSV.
pub fn written(set: &TaskSet) -> (String, String) {
    let (explored, workers) = (explore(set, &options()).unwrap(), Workers::new(1));
    let (mut document, mut table) = (Vec::new(), Vec::new());
    let front = Front::of(&explored);
    json::write(&front, &workers, &mut document).unwrap();
    csv::write(&front, &workers, &mut table).unwrap();
    (String::from_utf8(document).unwrap(), String::from_utf8(table).unwrap())
}
