//! Task sets with several resources, with all their designs: costs of any sign and of halves, blocks, slots, clocks, limits,
//! objectives in any order.

use crate::common::designs::{Design, Shared, cases, tasks_with_short_deadlines, written};
use crate::common::{Random, random_instance};
use isx::quantity::Rational;
use isx::schedulability::{Effort, Limits};
use isx::taskset::{Resources, TaskSet};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Costs in halves: of the base, of every choice of every task, and of every block.
#[derive(Clone, Debug)]
pub struct Costs {
    pub base: Vec<i64>,
    pub choices: Vec<Vec<Vec<i64>>>,
    pub blocks: Vec<Vec<i64>>,
    pub objectives: Vec<usize>,
    pub limits: Vec<Option<i64>>,
}

pub fn effort() -> Effort {
    Effort::new(Limits::default())
}

pub fn half(halves: i64) -> Rational {
    Rational::new(halves.into(), 2.into())
}

impl Costs {
    pub fn random(set: &Shared, random: &mut Random) -> Self {
        let count = random.within(1, 3usize);
        let least = random.pick(&[0i64, 0, -5]);
        let vector = |random: &mut Random| -> Vec<i64> {
            (0..count).map(|_| if random.one_in(3) { 0 } else { random.within(least, 9) }).collect()
        };
        let choices = set.tasks.iter().map(|task| task.choices.iter().map(|_| vector(random)).collect());
        let choices = choices.collect();
        let blocks = set.blocks.iter().map(|_| vector(random)).collect();
        let mut objectives: Vec<usize> = (0..count).filter(|_| !random.one_in(3)).collect();
        if objectives.is_empty() {
            objectives.push(random.within(0, count - 1));
        }
        if random.one_in(2) {
            objectives.reverse();
        }
        let limits = (0..count).map(|_| random.one_in(3).then(|| random.within(0, 16))).collect();
        Self { base: vector(random).into_iter().map(i64::abs).collect(), choices, blocks, objectives, limits }
    }

    fn names(&self) -> Vec<String> {
        (0..self.base.len()).map(|at| format!("r{at}")).collect()
    }

    pub fn applied(&self, mut set: TaskSet) -> TaskSet {
        let halves = |costs: &[i64]| costs.iter().map(|&cost| half(cost)).collect::<Vec<_>>();
        for (task, costs) in set.tasks.iter_mut().zip(&self.choices) {
            for (choice, costs) in task.choices.iter_mut().zip(costs) {
                choice.cost = halves(costs);
            }
        }
        for (block, costs) in set.blocks.iter_mut().zip(&self.blocks) {
            block.cost = halves(costs);
        }
        set.resources = Resources {
            objectives: self.objectives.clone(),
            limits: self.limits.iter().map(|limit| limit.map(half)).collect(),
            ..Resources::new(self.names()).with_base(halves(&self.base))
        };
        set.validate().unwrap();
        set
    }

    /// The cost of a design, in halves.
    pub fn of(&self, design: &Design) -> Vec<i64> {
        let mut sum = self.base.clone();
        let mut add = |costs: &[i64]| sum.iter_mut().zip(costs).for_each(|(sum, cost)| *sum += cost);
        for (costs, choice) in self.choices.iter().zip(&design.choices) {
            choice.iter().for_each(|&choice| add(&costs[choice as usize]));
        }
        design.built.iter().for_each(|&block| add(&self.blocks[block as usize]));
        sum
    }

    pub fn is_within(&self, cost: &[i64]) -> bool {
        cost.iter().zip(&self.limits).all(|(cost, limit)| limit.is_none_or(|limit| *cost <= limit))
    }

    pub fn objectives(&self, cost: &[i64]) -> Vec<i64> {
        self.objectives.iter().map(|&at| cost[at]).collect()
    }
}

/// A design of a variant of the processor with its cost in halves, and this cost in the objectives alone.
#[derive(Clone, Debug)]
pub struct Costed {
    pub design: Design,
    pub variant: usize,
    pub cost: Vec<i64>,
    pub key: Vec<i64>,
}

pub fn no_larger(one: &[i64], other: &[i64]) -> bool {
    one.iter().zip(other).all(|(one, other)| one <= other)
}

/// For each cost in the objectives the preferred design: of least demand, then of least other costs, then the first.
fn preferred<'a>(designs: impl Iterator<Item = &'a Costed>) -> Vec<Costed> {
    let mut best: BTreeMap<Vec<i64>, Costed> = BTreeMap::new();
    let rank = |costed: &Costed| (costed.design.demand, costed.cost.clone());
    for costed in designs {
        match best.get(&costed.key) {
            Some(known) if rank(known) <= rank(costed) => {}
            _ => drop(best.insert(costed.key.clone(), costed.clone())),
        }
    }
    best.into_values().collect()
}

/// The undominated designs.
pub fn undominated(designs: &[Costed]) -> Vec<Costed> {
    let best = preferred(designs.iter());
    let dominated = |one: &&Costed| {
        best.iter().any(|other| {
            no_larger(&other.key, &one.key)
                && other.design.demand <= one.design.demand
                && (other.key != one.key || other.design.demand < one.design.demand)
        })
    };
    best.iter().filter(|one| !dominated(one)).cloned().collect()
}

pub fn halves(cost: &[Rational]) -> Vec<i64> {
    let two = Rational::from_integer(2.into());
    cost.iter().map(|cost| i64::try_from((cost * &two).to_integer()).unwrap()).collect()
}

/// A set with one area as one with one resource of that name.
fn in_one_resource(mut set: TaskSet) -> TaskSet {
    set.resources = Resources::new(["area"]);
    set.validate().unwrap();
    set
}

#[test]
fn one_resource_gives_the_same_table_as_one_area() {
    let cases = cases(1_000);
    (0..cases).into_par_iter().for_each(|seed| {
        let mut random = Random(seed ^ 0x0a5e);
        let mut tasks = match seed % 2 {
            0 => random_instance(&mut random).tasks,
            _ => tasks_with_short_deadlines(&mut random),
        };
        tasks.truncate(4);
        let set = Shared::with_clocks(tasks, &mut random).task_set();
        let (area, resource) = (written(&set), written(&in_one_resource(set.clone())));
        assert_eq!(area.1, resource.1, "seed {seed}");
        let [area, resource]: [serde_json::Value; 2] =
            [area.0, resource.0].map(|document| serde_json::from_str(&document).unwrap());
        for field in ["schema", "resources", "points", "min_schedulable_area", "min_schedulable_designs"] {
            assert_eq!(area[field], resource[field], "seed {seed}: {field}");
        }
    });
}
