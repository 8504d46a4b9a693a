//! 0-1 knapsack problems with several objectives, drawn as in R. Patel, E. B. Khalil, D. Bergman, *Heuristic
//! Multiobjective Discrete Optimization using Restricted Decision Diagrams* (arXiv 2403.02482): weights and values from 1
//! to 1000, and a capacity of half of all weight, rounded up.

use crate::resources::Mersenne;
use isx_problems::mckp::NO_ITEM;
use isx_problems::resources::{Goal, Item, Problem};
use std::fmt;

/// An instance.
#[derive(Clone, Debug)]
pub struct Recipe {
    pub items: usize,
    /// Values of every item, at least 2.
    pub objectives: usize,
    pub seed: u32,
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { items, objectives, seed } = self;
        write!(f, "{items} items with {objectives} objectives, seed {seed}")
    }
}

/// An item of the knapsack.
#[derive(Clone, Debug)]
pub struct Packed {
    pub weight: u64,
    pub values: Vec<u64>,
}

/// The items of a recipe.
pub fn items(recipe: &Recipe) -> Vec<Packed> {
    let mut random = Mersenne::new(recipe.seed);
    let mut number = || u64::from(random.within(1, 1000));
    let item = |_| Packed { values: (0..recipe.objectives).map(|_| number()).collect(), weight: number() };
    (0..recipe.items).map(item).collect()
}

/// Half of all weight, rounded up.
pub fn capacity(items: &[Packed]) -> u64 {
    items.iter().map(|item| item.weight).sum::<u64>().div_ceil(2)
}

/// The front of all objectives: the first is the value, of the others what is left behind costs, and the weight is a
/// resource with a limit only.
pub fn problem(items: &[Packed]) -> Problem {
    let others = items.first().map_or(0, |item| item.values.len().saturating_sub(1));
    let class = |item: &Packed| {
        let left = [&item.values[1..], &[0]].concat();
        let taken = [vec![0; others], vec![item.weight]].concat();
        vec![
            Item { value: 0.into(), cost: left, uses: Vec::new(), number: NO_ITEM },
            Item { value: item.values[0].into(), cost: taken, uses: Vec::new(), number: 0 },
        ]
    };
    let all = |at: usize| items.iter().map(|item| item.values[at]).sum();
    let limits = (1..=others).map(all).chain([capacity(items)]).collect();
    Problem {
        classes: items.iter().map(class).collect(),
        elements: Vec::new(),
        limits,
        objectives: others,
        goal: Goal::Front,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::difference;
    use isx_engine::{Context, Request};
    use isx_machine::Machine;
    use isx_problems::value::Values;
    use isx_resources::{ENGINES, Wanted};

    /// The values of the undominated selections, by looking at all of them.
    fn brute_force(items: &[Packed]) -> Vec<Vec<u64>> {
        let capacity = capacity(items);
        let mut found: Vec<Vec<u64>> = Vec::new();
        for chosen in 0..1u32 << items.len() {
            let taken =
                || items.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, item)| item);
            if taken().map(|item| item.weight).sum::<u64>() > capacity {
                continue;
            }
            let sum = |at: usize| taken().map(|item| item.values[at]).sum();
            let values: Vec<u64> = (0..items[0].values.len()).map(sum).collect();
            let no_worse = |a: &[u64], b: &[u64]| a.iter().zip(b).all(|(a, b)| a >= b);
            if !found.iter().any(|other| no_worse(other, &values)) {
                found.retain(|other| !no_worse(&values, other));
                found.push(values);
            }
        }
        found.sort();
        found
    }

    #[test]
    fn fronts_are_those_of_all_selections() {
        let mut points = 0;
        for (count, objectives, seeds) in [(9, 2, 1..6), (12, 3, 1..6), (13, 5, 1..4), (11, 7, 1..4)] {
            for seed in seeds {
                let items = items(&Recipe { items: count, objectives, seed });
                let problem = problem(&items);
                let machine = Machine::default();
                let context = Context::new(&machine);
                let request = Request { problem: &problem, wanted: Wanted::Picks, context: &context };
                let answer = ENGINES.named("list").unwrap().solve(request).unwrap();
                assert_eq!(difference(&problem, &answer), None);
                let values: &Values = &answer.values;
                let mut front: Vec<Vec<u64>> = (0..values.len())
                    .map(|point| {
                        let first = u64::try_from(values.get_i128(point).unwrap()).unwrap();
                        let others =
                            (0..objectives - 1).map(|at| problem.limits[at] - answer.costs[at][point]);
                        [first].into_iter().chain(others).collect()
                    })
                    .collect();
                front.sort();
                assert_eq!(front, brute_force(&items), "{count} items, {objectives} objectives, seed {seed}");
                points += front.len();
            }
        }
        assert!(points > 300, "only {points} points");
    }
}
