//! Task sets whose blocks limit the clock, which every task of a design then has.

use crate::common::designs::{Shared, options, points, whole};
use crate::common::{Random, random_instance};
use isx::explore::{check, explore};
use isx::quantity::Rational;
use isx::schedulability::SmallestWithin;
use isx::taskset::{Block, Task, TaskSet, read_str};

fn area(units: u64) -> Rational {
    Rational::from_integer(units.into())
}

#[test]
fn a_limit_that_no_design_meets_changes_nothing_but_what_is_told_of_the_clock() {
    for seed in 0..300 {
        let mut random = Random(seed ^ 0x11);
        let mut set = Shared::with_clocks(random_instance(&mut random).tasks, &mut random);
        set.blocks.iter_mut().for_each(|block| block.fmax = None);
        let plain = explore(&set.task_set(), &options()).unwrap();
        set.blocks.iter_mut().for_each(|block| block.fmax = Some(random.pick(&[12, 13, 1000])));
        let limited = explore(&set.task_set(), &options()).unwrap();
        assert_eq!(points(&limited, set.full()), points(&plain, set.full()));
        let (one, other) = (plain.front.formulation(), limited.front.formulation());
        assert_eq!((&one.time_unit, one.mckp()), (&other.time_unit, other.mckp()));
        let clock = (!set.blocks.is_empty()).then(|| area(12));
        assert_eq!(other.clock_of(&vec![None; set.tasks.len()]).cloned(), clock);
        assert_eq!(one.clock_of(&vec![None; set.tasks.len()]), None);
        assert_eq!(plain.front.account().why, limited.front.account().why);
    }
}

/// Two tasks; the fast choice of one lowers the clock for both.
const PAIR: &str = "
name: pair
clock: 100 Hz
blocks:
  - {name: fpu, area: 10, fmax: 80 Hz}
  - {name: mul, area: 4}
tasks:
  - {name: filter, wcet: 60, period: 1 s, choices: [{name: float, uses: [fpu], wcet: 20}, {name: fixed, uses: [mul], wcet: 40}]}
  - {name: log, wcet: 30, period: 1 s}
";

#[test]
fn a_slower_clock_is_taken_where_it_pays_and_every_task_pays_for_it() {
    let set = read_str("pair.yaml", PAIR).unwrap().task_set;
    let front = explore(&set, &options()).unwrap().front;
    let told: Vec<(u64, String, u64)> = front
        .iter()
        .map(|point| {
            let clock = front.formulation().clock_of(&point.choices().unwrap()).map(whole).unwrap();
            (whole(&point.area()), point.utilization().to_string(), clock)
        })
        .collect();
    // (20 + 30) * 100/80 = 62.5 cycles of 100 against 70.
    let wanted = [(0, "9/10", 100), (4, "7/10", 100), (10, "5/8", 80)];
    assert_eq!(told, wanted.map(|(area, utilization, clock)| (area, utilization.to_owned(), clock)));
    // With 30 cycles instead of 20 the design would need 75 of 100: it is worse than the multiplier's and omitted.
    let slower = read_str("pair.yaml", &PAIR.replace("wcet: 20", "wcet: 30")).unwrap().task_set;
    let front = explore(&slower, &options()).unwrap().front;
    assert_eq!(front.iter().map(|point| whole(&point.area())).collect::<Vec<_>>(), [0, 4]);
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
