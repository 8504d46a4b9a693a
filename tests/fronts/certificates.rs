//! Certificates of knapsacks prove the results of brute force; what other tests of certificates share. Those of task sets
//! are judged by `tests/random`.

use crate::common::designs::{Shared, cases, tasks_with_short_deadlines};
use crate::common::{Random, random_instance};
use isx::certificate::{Proved, Statement, best_of_knapsack, best_of_mckp, front_of_mckp};
use isx::engine::mckp::Wanted;
use isx::exploration::Exploration;
use isx::front::DesignFront;
use isx::machine::Machine;
use isx::problem::knapsack::{Item as Thing, Knapsack};
use isx::problem::mckp::{Choice, Claim, Item, Mckp};
use isx::problem::value::Values;
use isx::solve;
use num_bigint::BigInt;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Memory for lists, more than any test here needs.
const MUCH: u64 = 1 << 30;

/// Plain sets, sets with blocks and slots, with clocks, with short deadlines.
pub fn set(seed: u64) -> (Shared, Random) {
    let mut random = Random(seed ^ 0xce27);
    let mut tasks = match seed % 4 {
        3 => tasks_with_short_deadlines(&mut random),
        _ => random_instance(&mut random).tasks,
    };
    tasks.truncate(4);
    let mut set = match seed % 4 {
        2 => Shared::with_clocks(tasks, &mut random),
        _ => Shared::new(tasks, &mut random),
    };
    if seed.is_multiple_of(4) {
        set.blocks.clear();
        set.uses.iter_mut().flatten().for_each(Vec::clear);
    }
    if seed % 4 == 2 && random.one_in(2) {
        set.fill_to_one(&mut random);
    }
    (set, random)
}

/// The proved points, as areas and demands in units, and the proved claims about their deadlines.
fn front(proved: &Proved) -> (Vec<(u64, BigInt)>, Vec<Option<bool>>) {
    let Statement::Front { points, schedulable, .. } = &proved.statement else { panic!("no front") };
    (
        points.iter().map(|point| (point.sums.amounts[0], point.sums.cost.clone())).collect(),
        schedulable.clone(),
    )
}

/// Counts of certificates that are refused, and of those that prove what is true.
#[derive(Default)]
pub struct Tally([AtomicU64; 2]);

impl Tally {
    pub fn add(&self, (refused, same): (u64, u64)) {
        self.0[0].fetch_add(refused, Ordering::Relaxed);
        self.0[1].fetch_add(same, Ordering::Relaxed);
    }

    pub fn total(self) -> (u64, u64) {
        let [refused, same] = self.0.map(AtomicU64::into_inner);
        (refused, same)
    }
}

/// What a certificate of a problem begins with, up to the claim.
pub fn head(problem: &[u8]) -> Vec<u8> {
    let length = match problem.len() {
        short @ ..128 => vec![short as u8],
        long => vec![long as u8 | 128, (long >> 7) as u8],
    };
    [b"isx certificate 2\n", &length[..], problem].concat()
}

/// A certificate about `from`, put to another problem.
pub fn moved(certificate: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    [&head(to), &certificate[head(from).len()..]].concat()
}

/// Changes a certificate of a problem a hundred times; how many of the mutants are refused, and how many `proves` accepts.
pub fn mutants(
    problem: &[u8],
    bytes: &[u8],
    random: &mut Random,
    proves: &dyn Fn(&[u8]) -> bool,
) -> (u64, u64) {
    let start = "isx certificate 2\n".len() + 2 + problem.len();
    let (mut refused, mut same) = (0, 0);
    for _ in 0..100 {
        let mut mutant = bytes.to_vec();
        for _ in 0..random.within(1, 3u32) {
            mutate(&mut mutant, start, random);
        }
        *(if proves(&mutant) { &mut same } else { &mut refused }) += 1;
    }
    (refused, same)
}

fn mutate(bytes: &mut Vec<u8>, start: usize, random: &mut Random) {
    let at = random.within(start.min(bytes.len() - 1), bytes.len() - 1);
    match random.within(0, 4u32) {
        0 => bytes[at] = random.within(0, 255u8),
        1 => bytes[at] ^= 1 << random.within(0, 6u32),
        2 => bytes[at] = bytes[at].wrapping_add(if random.one_in(2) { 1 } else { 255 }),
        3 => drop(bytes.remove(at)),
        _ => bytes.insert(at, random.within(0, 3)),
    }
}

/// The same front with other claimed points.
pub fn claiming(explored: &Exploration, choices: Vec<Vec<Option<u32>>>) -> DesignFront {
    let formulation = explored.front.formulation();
    let areas = choices.iter().map(|choices| formulation.weight(choices).unwrap()).collect();
    let saved = |choices: &Vec<Option<u32>>| {
        let demand = (formulation.utilization(choices) * &formulation.hyperperiod).to_integer();
        &formulation.base_demand - demand
    };
    let values = Values::Big(choices.iter().map(saved).collect());
    let classes = formulation.tasks.len();
    let claim = Claim::new(areas, values, classes, true).with_configurations(0, Arc::new(choices));
    DesignFront::new(
        explored.task_set().clone(),
        formulation.clone(),
        claim,
        explored.front.account().clone(),
    )
}

/// A small problem with ties, items of no weight, items beyond the capacity and positive and negative values.
fn mckp(random: &mut Random) -> Mckp<i128> {
    let scale = random.pick(&[1i128, 1, 1 << 40, 1 << 90]);
    let item = |random: &mut Random| Item {
        value: random.within(-3, 12i128) * scale,
        weight: random.within(0, 9u64),
    };
    let class = |random: &mut Random| (0..random.within(1, 4u32)).map(|_| item(random)).collect();
    let classes = (0..random.within(1, 5u32)).map(|_| class(random)).collect();
    let choice = if random.one_in(2) { Choice::Optional } else { Choice::ExactlyOne };
    Mckp { classes, capacity: random.within(0, 25), choice }
}

/// Weight and value of every selection.
fn selections(problem: &Mckp<i128>) -> Vec<(u64, i128)> {
    let mut sums = vec![(0, 0)];
    for class in &problem.classes {
        let none = (problem.choice == Choice::Optional).then_some((0, 0));
        let items: Vec<_> = class.iter().map(|item| (item.weight, item.value)).chain(none).collect();
        sums =
            sums.iter().flat_map(|sum| items.iter().map(|item| (sum.0 + item.0, sum.1 + item.1))).collect();
    }
    sums
}

#[test]
fn best_selections_and_fronts_of_knapsacks_are_proved() {
    let cases = cases(3_000);
    (0..cases).into_par_iter().for_each(|seed| {
        let mut random = Random(seed ^ 0x5ac);
        let problem = mckp(&mut random);
        let mut sums = selections(&problem);
        sums.retain(|sum| sum.0 <= problem.capacity);
        sums.sort_by_key(|&(weight, value)| (-value, weight));
        let machine = Machine::default().with_threads(1);
        let how = solve::Options { wanted: Wanted::AllPicks, machine: machine.clone(), ..Default::default() };
        let solved = solve::solve(&problem, &how).ok().map(|solution| solution.claim);
        let mut out = Vec::new();
        let proved = best_of_mckp(&problem, solved.as_ref(), MUCH, &mut out).unwrap();
        match (proved.statement, sums.first()) {
            (Statement::NothingFits, None) => {}
            (Statement::Best { sums: found, is_lightest: true }, Some(&(weight, value))) => {
                assert_eq!((found.amounts[0], -found.cost), (weight, value.into()), "seed {seed}");
            }
            other => panic!("seed {seed}: {other:?}"),
        }
        if let Some(claim) = &solved {
            let proved = front_of_mckp(&problem, claim, MUCH, &mut Vec::new())
                .unwrap_or_else(|error| panic!("seed {seed}: {error} {problem:?} {claim:?}"));
            assert_eq!(front(&proved).0.len(), claim.len(), "seed {seed}");
        }
        let thing = |item: &Item<i128>| Thing { profit: item.value.abs(), weight: item.weight };
        let items: Vec<Thing> = problem.classes.iter().flatten().take(9).map(thing).collect();
        let knapsack = Knapsack { items, capacity: problem.capacity };
        let wanted = isx::engine::knapsack::Wanted::Best;
        let how = solve::knapsack::Options { machine, wanted, ..Default::default() };
        let solved = solve::knapsack::solve(&knapsack, &how).unwrap().claim;
        let proved = best_of_knapsack(&knapsack, &solved, MUCH, &mut Vec::new())
            .unwrap_or_else(|error| panic!("seed {seed}: {error} {knapsack:?} {solved:?}"));
        let Statement::Best { sums: found, .. } = proved.statement else { panic!("seed {seed}") };
        let best = (0u32..1 << knapsack.items.len()).filter_map(|taken| {
            let taken = knapsack.items.iter().enumerate().filter(|(at, _)| taken >> at & 1 == 1);
            let (profit, weight) = taken
                .fold((0, 0), |(profit, weight), (_, item)| (profit + item.profit, weight + item.weight));
            (weight <= knapsack.capacity).then_some(profit)
        });
        assert_eq!(-found.cost, best.max().unwrap().into(), "seed {seed}");
    });
}
