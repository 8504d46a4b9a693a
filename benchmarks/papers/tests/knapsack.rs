//! The textbook table swept in waves, compared with the judge.

#[path = "../../../tests/common/random.rs"]
mod random;

use isx_engine::Choice;
use isx_knapsack::{ENGINES, Wanted};
use isx_machine::Machine;
use isx_papers::knapsack::ENGINES as COMPARED;
use isx_problems::knapsack::{Claim, Item, Knapsack};
use isx_problems::value::Values;
use isx_solve::knapsack::{Options, solve};
use random::Random;

/// Items with few or many weights.
fn instance(random: &mut Random) -> Knapsack {
    let heaviest = random.pick(&[1u64, 9, 300]);
    let unit = random.pick(&[1i128, (1 << 20) + 1]);
    let item = |random: &mut Random| Item {
        profit: random.within(1i128, 50) * unit,
        weight: random.within(0, heaviest),
    };
    let items: Vec<Item> = (0..random.within(0, 40)).map(|_| item(random)).collect();
    let weight: u64 = items.iter().map(|item| item.weight).sum();
    Knapsack { items, capacity: random.within(0, weight + 1) }
}

#[test]
fn waves_find_what_the_judge_finds() {
    let cases = std::env::var("ISX_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(3000);
    let mut random = Random(17);
    let [waves, judge] = [COMPARED.named("wave"), ENGINES.judge()].map(|entry| Choice::Named(entry.unwrap()));
    for case in 0..cases {
        let problem = instance(&mut random);
        let wanted = random.pick(&[Wanted::Value, Wanted::Best, Wanted::AllValues]);
        let roomy = Machine::default().with_threads(random.within(1usize, 2));
        let answer = |engine, machine: &Machine| {
            let options =
                Options { engine, raw: true, wanted, machine: machine.clone(), ..Options::default() };
            solve(&problem, &options)
        };
        let points = |claim: &Claim| (claim.weights.clone(), claim.profits.clone());
        let wanted_points = points(&answer(judge, &roomy).unwrap().claim);
        let (weights, profits) = points(&answer(waves, &roomy).unwrap().claim);
        assert_eq!(weights, wanted_points.0, "case {case}: {problem:?} {wanted:?}");
        let profits_of = |values: &Values| (0..values.len()).map(|at| values.get(at)).collect::<Vec<_>>();
        assert_eq!(profits_of(&profits), profits_of(&wanted_points.1), "case {case}: {problem:?} {wanted:?}");
    }
}
