//! Random 0-1 knapsack problems, and checks of their answers.

use crate::random::Random;
use isx::engine::knapsack::cuda::Found;
use isx::engine::knapsack::{Answer, ENGINES, Wanted};
use isx::engine::{Context, Request};
use isx::machine::Machine;
use isx::problem::knapsack::{Item, Knapsack};
use isx::reduce::knapsack::{Goal, Options, Reduced, reduce};

pub fn reduced(problem: &Knapsack, goal: Goal, dominance: bool) -> Reduced {
    reduce(problem, Options { goal, dominance })
}

pub fn reference(problem: &Reduced, wanted: Wanted) -> Answer {
    let machine = Machine::default();
    let request = Request { problem, wanted, context: &Context::new(&machine) };
    let judge = ENGINES.judge().expect("a family has a judge");
    judge.engine.plan(request).and_then(|plan| plan.run()).expect("small tables fit")
}

/// The items are distinct, and have the claimed weight and profit.
pub fn assert_worth(items: &[Item], capacity: u64, chosen: &[u32], claimed: (u64, i128), what: &str) {
    assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]), "{what}: items twice or out of order");
    let of = chosen.iter().map(|&item| items[item as usize]);
    let sums = (of.clone().map(|item| item.weight).sum::<u64>(), of.map(|item| item.profit).sum::<i128>());
    assert_eq!(sums, claimed, "{what}: weight and profit of the items");
    assert!(claimed.0 <= capacity, "{what}: over the capacity");
}

/// The items of the first point.
pub fn items_of(found: &Found) -> Vec<u32> {
    let mut chosen = Vec::new();
    found.picks.as_ref().expect("items were wanted").write(0, &mut chosen);
    chosen
}

/// The items of the first point have its weight and profit, which are returned.
pub fn assert_first(problem: &Reduced, found: &Found, what: &str) -> (i128, u64) {
    let claimed = (found.weights[0], found.profits[0]);
    assert_worth(&problem.items, problem.capacity, &items_of(found), claimed, what);
    (found.profits[0], found.weights[0])
}

pub fn profit_at(answer: &Answer, point: usize) -> i128 {
    answer.profits.get_i128(point).expect("the tests' profits fit 128 bits")
}

pub fn small_instance(random: &mut Random) -> Knapsack {
    let items = random.within(1, 12);
    let heaviest = random.pick(&[1u64, 4, 60, 60, 5000]);
    let largest = random.pick(&[1i128, 20, 1000, 60_000]);
    let strongly = random.one_in(3);
    let item = |random: &mut Random| {
        let weight = random.within(1, heaviest);
        let profit = if strongly { i128::from(weight) * 3 + 2 } else { random.within(1, largest) };
        Item { profit, weight }
    };
    let items: Vec<Item> = (0..items).map(|_| item(random)).collect();
    let weight: u64 = items.iter().map(|item| item.weight).sum();
    Knapsack { items, capacity: random.within(0, weight) }
}

/// Items of every size, profits close to weights so that rows are dense.
pub fn mixed_instance(random: &mut Random) -> Knapsack {
    let capacity: u64 = random.pick(&[9_000, 70_000, 300_000]);
    let spread = random.pick(&[0i128, 3, 200]);
    let item = |random: &mut Random| {
        let heaviest = random.pick(&[40u64, 2048, 2049, 5000, capacity / 8, capacity / 2, capacity]);
        let weight = random.within(heaviest / 3 + 1, heaviest);
        Item { profit: i128::from(weight) + random.within(0, spread) + 1, weight }
    };
    let count = random.within(5, 40);
    let items = (0..count).map(|_| item(random)).collect();
    Knapsack { items, capacity: capacity - random.within(0, 100u64) }
}
