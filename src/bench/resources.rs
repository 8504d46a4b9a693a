//! Instances with several resources: tasks with choices that cost LUTs, DSPs and BRAMs.
//!
//! The recipe is that of the throw-away programs with which the design was tried, number by number, so that the number of points of
//! an instance can be compared: 30 tasks of 8 choices with seed 1 have 1,193,010 points within 20800, 90, 50.

use isx_problems::mckp::NO_ITEM;
use isx_problems::resources::{Goal, Item, Problem};

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
struct Mersenne {
    state: [u32; Self::WORDS],
    at: usize,
}

impl Mersenne {
    const WORDS: usize = 624;
    const APART: usize = 397;

    fn new(seed: u32) -> Self {
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

    fn within(&mut self, low: u32, high: u32) -> u32 {
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
            let request = Request { problem: &problem, wanted: Wanted::Values, context: &context };
            let answer = ENGINES.named("reference").unwrap().solve(request).unwrap();
            assert_eq!(answer.values.len(), points, "{tasks} tasks");
        }
    }
}
