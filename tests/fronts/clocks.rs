//! Task sets whose blocks limit the clock, compared with brute force over all designs, each at the clock of its
//! slowest block: points, choices, blocks, clocks, verdicts.

use crate::common::designs::{
    Design, PlainBlock, Shared, cases, front_of, options, points, schedulable, smallest_found,
    tasks_with_short_deadlines, wanted, whole,
};
use crate::common::{Random, random_instance};
use isx::explore::{Options, check, explore};
use isx::quantity::Rational;
use isx::schedulability::{SmallestWithin, Verdict};
use isx::taskset::{Block, Task, TaskSet, read_str};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of events in cases that run in parallel.
#[derive(Default)]
struct Count(AtomicU64);

impl Count {
    fn if_true(&self, seen: bool) {
        self.0.fetch_add(u64::from(seen), Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

fn area(units: u64) -> Rational {
    Rational::from_integer(units.into())
}

/// A set of up to four tasks, occasionally six, or a set with tied designs of different clocks; half of the others
/// have a design of utilization exactly 1.
fn clocked(seed: u64) -> (Shared, Random) {
    let mut random = Random(seed);
    let mut tasks = random_instance(&mut random).tasks;
    let ties = seed % 8 == 1;
    tasks.truncate(if seed.is_multiple_of(16) { 6 } else { 4 });
    tasks.truncate(if ties { 1 } else { 6 });
    let mut set = Shared::with_clocks(tasks, &mut random);
    if ties {
        plant_ties(&mut set, &mut random);
    } else if random.one_in(2) {
        set.fill_to_one(&mut random);
    }
    (set, random)
}

/// Gives the first task pairs of choices: one whose block halves the clock, and one without that block of the same area
/// that takes twice the cycles.
fn plant_ties(set: &mut Shared, random: &mut Random) {
    let area = random.within(0, 3);
    set.blocks.push(PlainBlock { area, slot: None, fmax: Some(6) });
    let block = set.blocks.len() as u32 - 1;
    (set.tasks[0].choices, set.uses[0]) = (Vec::new(), Vec::new());
    for _ in 0..random.within(1, 2u32) {
        let (own, wcet) = (random.within(0, 4), random.within(1, 5));
        let mut pair = [((own, wcet), vec![block]), ((own + area, 2 * wcet), Vec::new())];
        if random.one_in(2) {
            pair.reverse();
        }
        for (choice, uses) in pair {
            set.tasks[0].choices.push(choice);
            set.uses[0].push(uses);
        }
    }
}

#[test]
fn points_choices_blocks_clocks_and_verdicts_are_those_of_brute_force() {
    let cases = cases(4_000);
    let [at_one, slowed, mixed, ties] = [(); 4].map(|()| Count::default());
    (0..cases).into_par_iter().for_each(|seed| {
        let (set, _) = clocked(seed);
        let designs = set.designs();
        let front = front_of(designs.clone());
        let explored = explore(&set.task_set(), &options()).unwrap();
        assert_eq!(points(&explored, set.full()), wanted(&front), "seed {seed}");
        let formulation = explored.front.formulation();
        let limited = set.blocks.iter().any(|block| block.fmax.is_some());
        for design in &front {
            let clock = formulation.clock_of(&design.choices).map(whole);
            assert_eq!(clock, design.clock.filter(|_| limited), "seed {seed}");
        }
        assert!(explored.front.is_complete(), "seed {seed}");
        let fits: Vec<Option<bool>> = front.iter().map(|d| Some(d.demand <= set.full())).collect();
        assert_eq!(explored.verdicts.points, fits, "seed {seed}");
        let slow = |design: &&Design| design.clock < set.clock;
        at_one.if_true(front.iter().filter(slow).any(|d| d.demand == set.full()));
        slowed.if_true(front.iter().any(|d| slow(&d)));
        mixed.if_true(front.windows(2).any(|pair| pair[0].clock < pair[1].clock));
        let tied = |d: &Design| {
            designs.iter().any(|o| (o.area, o.demand) == (d.area, d.demand) && o.clock != d.clock)
        };
        ties.if_true(front.iter().any(tied));
    });
    let [at_one, slowed, mixed, ties] = [at_one, slowed, mixed, ties].map(|count| count.get());
    println!(
        "{cases} sets: {slowed} with a slowed point, {at_one} with one of utilization 1, {mixed} where the clock rises \
         along the front, {ties} with a tie between clocks"
    );
    assert!(slowed > cases / 10 && at_one > cases / 50 && mixed > cases / 50 && ties > cases / 50);
}

#[test]
fn with_short_deadlines_every_verdict_is_brute_forces() {
    let cases = cases(3_000);
    let [passing, slow, beyond] = [(); 3].map(|()| Count::default());
    (0..cases).into_par_iter().for_each(|seed| {
        let mut random = Random(seed ^ 0xc10c);
        let set = Shared::with_clocks(tasks_with_short_deadlines(&mut random), &mut random);
        let designs = set.designs();
        let schedulable = schedulable(&designs);
        let least = schedulable.first();
        let task_set = set.task_set();
        let explored = explore(&task_set, &options()).unwrap();
        assert_eq!(smallest_found(&explored), least.map(|design| design.choices.clone()), "seed {seed}");
        for (design, (_, shown)) in front_of(designs.clone()).iter().zip(explored.designs()) {
            let within = least.is_some_and(|least| least.area <= design.area);
            assert_eq!(shown.schedulable, Some(design.schedulable), "seed {seed}");
            assert_eq!(shown.schedulable_within, Some(within), "seed {seed}");
        }
        let budget = random.within(0, 30u64);
        let verdict = check(&task_set, &area(budget), &options()).unwrap();
        let passes = least.is_some_and(|least| least.area <= budget);
        match &verdict.verdict {
            Verdict::Schedulable { choices } => {
                let shown = designs.iter().find(|design| design.choices == *choices).unwrap();
                assert!(passes && shown.schedulable && shown.area <= budget, "seed {seed}");
            }
            Verdict::NotSchedulable { .. } => assert!(!passes, "seed {seed}"),
            Verdict::Unknown { .. } => panic!("decidable"),
        }
        let smallest = least.map_or(SmallestWithin::None, |least| SmallestWithin::At(area(least.area)));
        assert_eq!(verdict.smallest, smallest, "seed {seed}");
        passing.if_true(passes);
        slow.if_true(least.is_some_and(|least| least.clock < set.clock));
        beyond.if_true(!passes && least.is_some());
    });
    let [passing, slow, beyond] = [passing, slow, beyond].map(|count| count.get());
    println!(
        "{cases} sets: {passing} pass, {slow} are smallest at a lower clock, {beyond} pass beyond the budget"
    );
    assert!(passing > cases / 10 && slow > cases / 100 && beyond > cases / 100);
}

#[test]
fn a_budget_cuts_the_front_and_the_smallest_area_beyond_it_is_found() {
    let cases = cases(2_000);
    let [cut, beyond] = [(); 2].map(|()| Count::default());
    (0..cases).into_par_iter().for_each(|seed| {
        let (set, mut random) = clocked(seed ^ 0xb0d6e7);
        let front = front_of(set.designs());
        let budget = random.within(0, 30u64);
        let explored =
            explore(&set.task_set(), &Options { max_area: Some(area(budget)), ..options() }).unwrap();
        let within: Vec<Design> = front.iter().filter(|design| design.area <= budget).cloned().collect();
        assert_eq!(points(&explored, set.full()), wanted(&within), "seed {seed}");
        assert_eq!(explored.front.is_complete(), within.len() == front.len(), "seed {seed}");
        let verdict = check(&set.task_set(), &area(budget), &options()).unwrap();
        let first = front.iter().find(|design| design.demand <= set.full());
        let smallest = first.map_or(SmallestWithin::None, |first| SmallestWithin::At(area(first.area)));
        assert_eq!(verdict.smallest, smallest, "seed {seed}");
        let passes = first.is_some_and(|first| first.area <= budget);
        assert_eq!(matches!(verdict.verdict, Verdict::Schedulable { .. }), passes, "seed {seed}");
        assert_eq!(verdict.least.choices, within.last().unwrap().choices, "seed {seed}");
        cut.if_true(within.len() < front.len());
        beyond.if_true(!passes && first.is_some());
    });
    let [cut, beyond] = [cut, beyond].map(|count| count.get());
    assert!(cut > cases / 10 && beyond > cases / 100, "{cut} {beyond} of {cases}");
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
        assert_eq!((&one.time_unit, &one.problem), (&other.time_unit, &other.problem));
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
