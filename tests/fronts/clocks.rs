//! Slots that hide nothing, and the clocks of a soft core. What clocks designs have is judged by `tests/random`.

use crate::common::designs::{options, whole};
use isx::explore::{check, explore};
use isx::quantity::Rational;
use isx::schedulability::SmallestWithin;
use isx::taskset::{Block, Task, TaskSet};

fn area(units: u64) -> Rational {
    Rational::from_integer(units.into())
}

/// A bound that is valid without slots may fail with them: the two cheap choices use one slot.
#[test]
fn blocks_of_one_slot_do_not_hide_the_smallest_schedulable_area() {
    let block = |name: &str| Block::new(name, 10).in_slot("s");
    let one = Task::new("one", 100, 100).with_choice_using("a", [0], 0, 50);
    let other = Task::new("other", 100, 100).with_choice_using("b", [1], 0, 50).with_choice("c", 1000, 50);
    let set = TaskSet::with_blocks("slots", [block("x"), block("y")], [one, other]).unwrap();
    let verdict = check(&set, &area(5), &options()).unwrap();
    assert_eq!(verdict.smallest, SmallestWithin::At(area(1010)));
    assert_eq!(check(&set, &area(1010), &options()).unwrap().smallest, SmallestWithin::At(area(1010)));
}

#[test]
fn the_soft_core_lowers_its_clock_where_that_pays_and_only_there() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tasksets/neorv32-extensions.yaml");
    let reading = isx::taskset::read_file(file.as_ref()).unwrap();
    assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
    let front = explore(&reading.task_set, &options()).unwrap().front;
    let clock = |point: isx::front::Point| {
        whole(front.formulation().clock_of(&point.choices().unwrap()).unwrap()) / 1_000_000
    };
    let clocks: Vec<u64> = front.iter().map(clock).collect();
    assert!(clocks.contains(&128) && clocks.contains(&123), "{clocks:?}");
    assert!(!clocks.is_sorted_by(|a, b| a >= b), "back to the faster clock along the front: {clocks:?}");
}
