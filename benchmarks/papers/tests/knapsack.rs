//! The textbook table swept in waves and Boyer's method, compared with the judge.

#[path = "../../../tests/common/random.rs"]
mod random;

use isx_engine::{Choice, Hardware};
use isx_knapsack::{ENGINES, Wanted};
use isx_machine::Machine;
use isx_papers::boyer::ENGINES as BOYER;
use isx_papers::knapsack::ENGINES as WAVES;
use isx_problems::knapsack::{Claim, Item, Knapsack};
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
fn the_papers_engines_find_what_the_judge_finds() {
    let cases = std::env::var("ISX_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(10_000);
    let mut random = Random(17);
    let mut compared = 0;
    for case in 0..cases {
        let problem = instance(&mut random);
        let wanted = random.pick(&[Wanted::Value, Wanted::Best, Wanted::AllValues]);
        let roomy = Machine::default().with_threads(random.within(1usize, 2));
        let answer = |entry, machine: &Machine| {
            let (engine, machine) = (Choice::Named(entry), machine.clone());
            solve(&problem, &Options { engine, raw: true, wanted, machine, ..Options::default() })
        };
        let points = |claim: Claim| -> Vec<_> {
            (0..claim.len()).map(|at| (claim.weights[at], claim.profits.get(at))).collect()
        };
        let expected = points(answer(ENGINES.judge().unwrap(), &roomy).unwrap().claim);
        for entry in WAVES.iter().chain(BOYER.iter()).filter(|entry| entry.hardware == Hardware::Cpu) {
            let found = match answer(entry, &roomy) {
                Ok(solution) => points(solution.claim),
                Err(error) => panic!("case {case}, {}: {error}: {problem:?}", entry.name),
            };
            assert_eq!(found, expected, "case {case}, {}: {problem:?} {wanted:?}", entry.name);
            compared += 1;
        }
    }
    assert_eq!(compared, 2 * cases);
}
