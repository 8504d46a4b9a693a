//! Instances with several resources: tasks with choices that cost LUTs, DSPs and BRAMs.
//!
//! The recipe is that of the throw-away programs with which the design was tried, number by number, so that the number of points of
//! an instance can be compared: 30 tasks of 8 choices with seed 1 have 1,193,010 points within 20800, 90, 50.

use crate::compare::Difference;
use isx_problems::mckp::NO_ITEM;
use isx_problems::resources::{Goal, Item, Problem};
use isx_resources::Answer;
use num_traits::ToPrimitive;
use std::fmt;

/// An instance.
#[derive(Clone, Debug)]
pub struct Recipe {
    pub tasks: usize,
    /// Per task, beside software.
    pub choices: usize,
    /// LUTs, DSPs, BRAMs; more or fewer are the same with resources that no choice costs, or without the last.
    pub limits: Vec<u64>,
    pub seed: u32,
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tasks, choices, limits, seed } = self;
        write!(f, "{tasks} tasks of {choices} choices within {limits:?}, seed {seed}")
    }
}

/// Points summed at a time.
const TOGETHER: usize = 1 << 14;

/// The first point whose items do not have its costs and value, or that does not come after the one before it.
pub fn difference(problem: &Problem, answer: &Answer) -> Option<Difference> {
    let differs = |point: usize, what, found: String, wanted: String| {
        Some(Difference { point: Some(point), what, found, wanted })
    };
    let Some(picks) = &answer.picks else { return differs(0, "items", "none".into(), "all".into()) };
    let costs = |point: usize| -> Vec<u64> { answer.costs.iter().map(|column| column[point]).collect() };
    let count = answer.values.len();
    for first in (0..count).step_by(TOGETHER) {
        let points = first..count.min(first + TOGETHER);
        let mut columns = vec![0; points.len() * problem.classes.len()];
        picks.write(points.clone(), &mut columns);
        let mut sums = vec![(vec![0u64; problem.limits.len()], 0i128); points.len()];
        for (class, column) in problem.classes.iter().zip(columns.chunks_exact(points.len())) {
            for ((cost, value), number) in sums.iter_mut().zip(column) {
                let Some(item) = class.iter().find(|item| item.number == *number) else {
                    return differs(first, "item", number.to_string(), "one of its class".into());
                };
                cost.iter_mut().zip(&item.cost).for_each(|(sum, cost)| *sum += cost);
                *value += item.value.to_i128().unwrap_or(i128::MAX);
            }
        }
        for (point, (cost, value)) in points.zip(sums) {
            let found = costs(point);
            if found != cost {
                return differs(point, "costs", format!("{found:?}"), format!("{cost:?}"));
            }
            let of_point = answer.values.get_i128(point);
            if of_point != Some(value) {
                return differs(point, "value", format!("{of_point:?}"), value.to_string());
            }
            if point > 0 && costs(point - 1) >= cost {
                return differs(
                    point,
                    "costs",
                    format!("{cost:?}"),
                    format!("more than {:?}", costs(point - 1)),
                );
            }
        }
    }
    None
}

/// The problem of a recipe.
pub fn problem(recipe: &Recipe) -> Problem {
    let mut random = Mersenne::new(recipe.seed);
    let resources = recipe.limits.len();
    let software = || Item { value: 0.into(), cost: vec![0; resources], uses: Vec::new(), number: NO_ITEM };
    let mut classes = Vec::with_capacity(recipe.tasks);
    for _ in 0..recipe.tasks {
        let wcet = f64::from(random.within(2000, 100_000));
        let mut class = vec![software()];
        for number in 0..recipe.choices as u32 {
            let luts = random.within(30, 1500);
            let dsps = if random.within(0, 9) < 3 { random.within(1, 4) } else { 0 };
            let brams = if random.within(0, 9) < 2 { random.within(1, 3) } else { 0 };
            let area = f64::from(luts) / 500.0 + 0.5 * f64::from(dsps) + 0.3 * f64::from(brams);
            let saved = 1.0 - (-area * (0.5 + f64::from(random.within(0, 100)) / 100.0)).exp();
            let mut cost: Vec<u64> = [luts, dsps, brams].map(u64::from).to_vec();
            cost.resize(resources, 0);
            let value = ((wcet * 0.9 * saved) as i64).into();
            class.push(Item { value, cost, uses: Vec::new(), number });
        }
        classes.push(class);
    }
    Problem {
        classes,
        elements: Vec::new(),
        limits: recipe.limits.clone(),
        objectives: resources,
        goal: Goal::Front,
    }
}

/// The Mersenne twister (M. Matsumoto, T. Nishimura, ACM TOMACS 8(1), 1998), as C++ has it.
pub struct Mersenne {
    state: [u32; Self::WORDS],
    at: usize,
}

impl Mersenne {
    const WORDS: usize = 624;
    const APART: usize = 397;

    /// Its state after this seed.
    pub fn new(seed: u32) -> Self {
        let mut state = [seed; Self::WORDS];
        for at in 1..Self::WORDS {
            let last = state[at - 1];
            state[at] = (last ^ last >> 30).wrapping_mul(1_812_433_253).wrapping_add(at as u32);
        }
        Self { state, at: Self::WORDS }
    }

    fn next(&mut self) -> u32 {
        if self.at == Self::WORDS {
            self.twist();
        }
        let mut number = self.state[self.at];
        self.at += 1;
        number ^= number >> 11;
        number ^= number << 7 & 0x9d2c_5680;
        number ^= number << 15 & 0xefc6_0000;
        number ^ number >> 18
    }

    fn twist(&mut self) {
        for at in 0..Self::WORDS {
            let both = self.state[at] & 1 << 31 | self.state[(at + 1) % Self::WORDS] & !(1 << 31);
            let odd = if both & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[at] = self.state[(at + Self::APART) % Self::WORDS] ^ both >> 1 ^ odd;
        }
        self.at = 0;
    }

    /// A number from low to high.
    pub fn within(&mut self, low: u32, high: u32) -> u32 {
        low + self.next() % (high - low + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_engine::{Context, Request};
    use isx_machine::Machine;
    use isx_resources::{ENGINES, Wanted};

    #[test]
    fn the_twister_is_that_of_cpp() {
        // The standard's test: the 10,000th number with the seed 5489.
        let mut random = Mersenne::new(5489);
        let last = (0..10_000).map(|_| random.next()).last();
        assert_eq!(last, Some(4_123_659_995));
    }

    #[test]
    fn instances_have_the_points_that_the_first_programs_counted() {
        for (tasks, choices, limits, points) in [(6, 4, [3000, 6, 5], 85), (5, 3, [1500, 3, 2], 10)] {
            let problem = problem(&Recipe { tasks, choices, limits: limits.to_vec(), seed: 1 });
            let machine = Machine::default();
            let context = Context::new(&machine);
            let request = Request { problem: &problem, wanted: Wanted::Picks, context: &context };
            let mut answer = ENGINES.judge().unwrap().solve(request).unwrap();
            assert_eq!(answer.values.len(), points, "{tasks} tasks");
            assert_eq!(difference(&problem, &answer), None);
            answer.costs[1][points - 2] += 1;
            let wrong = difference(&problem, &answer).unwrap();
            assert_eq!((wrong.point, wrong.what), (Some(points - 2), "costs"));
        }
    }
}
