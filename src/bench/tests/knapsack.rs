//! The textbook table swept in waves, compared with the judge.

#[path = "../../../tests/common/random.rs"]
mod random;

use isx_bench::knapsack::ENGINES as COMPARED;
use isx_engine::Choice;
use isx_knapsack::{ENGINES, Wanted};
use isx_machine::Machine;
use isx_problems::knapsack::{Claim, Item, Knapsack};
use isx_solve::knapsack::{Options, solve};
use random::Random;

/// Items with few or many weights; profits that sum to 32 or 64 bits.
fn instance(random: &mut Random) -> Knapsack {
    let heaviest = random.pick(&[1u64, 9, 300]);
    let unit = random.pick(&[1i128, 1, (1 << 40) + 1]);
    let item = |random: &mut Random| Item {
        profit: random.within(1i128, 50) * unit,
        weight: random.within(0, heaviest),
    };
    let items: Vec<Item> = (0..random.within(0, 40)).map(|_| item(random)).collect();
    let weight: u64 = items.iter().map(|item| item.weight).sum();
    Knapsack { items, capacity: random.within(0, weight + 1) }
}

#[test]
fn waves_find_what_the_judge_finds_with_choices_made_twice_too() {
    let cases = std::env::var("ISX_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(3000);
    let mut random = Random(17);
    let [waves, judge] = [COMPARED.named("wave"), ENGINES.judge()].map(|entry| Choice::Named(entry.unwrap()));
    let mut twice = 0;
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
        for machine in [roomy.clone(), roomy.with_max_memory(random.within(2000, 20_000))] {
            let Ok(solution) = answer(waves, &machine) else { continue };
            twice += usize::from(solution.account.how.contains("twice"));
            let (weights, profits) = points(&solution.claim);
            assert_eq!(weights, wanted_points.0, "case {case}: {problem:?} {wanted:?}");
            assert_eq!(profits.len(), wanted_points.1.len());
            for point in 0..profits.len() {
                assert_eq!(
                    profits.get(point),
                    wanted_points.1.get(point),
                    "case {case}: {problem:?} {wanted:?}"
                );
            }
        }
    }
    assert!(twice > 0, "no table was made twice");
}
