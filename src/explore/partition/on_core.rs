//! Some of the tasks on one core, decided exactly.

use isx_design::schedulability::{Effort, SmallestArea, smallest_area};
use isx_partition::{CoreTest, LeastOnCore, Problem};
use isx_problems::set_union::{Element, Sharing};
use isx_taskset::formulate::{BEYOND_BUDGET, Clocks, Formulation, Policy, TimedTask};
use num_bigint::BigInt;
use num_traits::One;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

/// A core with some of the tasks, in which the chip's blocks cost nothing, and a choice is out of reach if one of the
/// blocks it uses is not `allowed`.
pub fn of_core(scenario: &Formulation, tasks: &[usize], allowed: &dyn Fn(u32) -> bool) -> Formulation {
    let mut costs = scenario.costs.among(tasks);
    for (own, &at) in tasks.iter().enumerate() {
        let choices = 0..scenario.tasks[at].choices.len() as u32;
        let is_allowed =
            |&number: &u32| scenario.sharing.uses_of(at, number).iter().all(|&block| allowed(block));
        let beyond = choices.filter(|number| !is_allowed(number));
        beyond.for_each(|number| costs.set_choice(own, number, BEYOND_BUDGET));
    }
    let uses = match scenario.sharing.is_empty() {
        true => Vec::new(),
        false => tasks.iter().map(|&at| scenario.sharing.uses[at].clone()).collect(),
    };
    let policy = match &scenario.policy {
        Policy::Edf => Policy::Edf,
        Policy::FixedPriority(order) => Policy::FixedPriority(order.among(tasks)),
    };
    let tasks_of: Vec<TimedTask> = tasks.iter().map(|&at| scenario.tasks[at].clone()).collect();
    let demand = |task: &TimedTask| &task.wcet * (&scenario.hyperperiod / &task.period);
    Formulation {
        modes: Vec::new(),
        base_demand: tasks_of.iter().map(demand).sum(),
        tasks: tasks_of,
        time_unit: scenario.time_unit.clone(),
        variant: scenario.variant,
        variants: scenario.variants,
        hyperperiod: scenario.hyperperiod.clone(),
        sharing: Sharing { elements: scenario.sharing.elements.clone(), uses },
        policy,
        clocks: Clocks::default(),
        costs,
    }
}

/// The least area of a core and the choices of its tasks; `None` if it cannot hold them.
pub type OnCore = Option<(i64, Vec<usize>)>;

/// The exact search on one core, as the engines of `isx-partition` ask for it.
pub struct Test<'a> {
    pub scenario: Cow<'a, Formulation>,
    /// The blocks of masks.
    pub blocks: &'a [u32],
    pub effort: &'a RefCell<Effort>,
    /// For tasks and the chip's blocks that are built: the least area and its choices.
    pub known: RefCell<HashMap<(Vec<usize>, u64), OnCore>>,
}

impl CoreTest for Test<'_> {
    fn least(&self, tasks: &[usize], chip: u64, built: u64) -> LeastOnCore {
        let key = (tasks.to_vec(), built);
        if let Some(known) = self.known.borrow().get(&key) {
            return known.as_ref().map_or(LeastOnCore::Nothing, |(area, _)| LeastOnCore::Area(*area));
        }
        let place = |block: u32| self.blocks.iter().position(|other| *other == block);
        let of_chip = |block: u32| place(block).is_some_and(|bit| chip >> bit & 1 == 1);
        let is_built = |block: u32| place(block).is_some_and(|bit| built >> bit & 1 == 1);
        let mut alone = of_core(&self.scenario, tasks, &|block| !of_chip(block) || is_built(block));
        for (number, element) in (0u32..).zip(&mut alone.sharing.elements) {
            if of_chip(number) {
                *element = Element { weight: 0, group: None };
                alone.costs.set_block(number as usize, 0);
            }
        }
        let capacity = alone.capacity();
        let found = match smallest_area(&alone, capacity, None, &mut self.effort.borrow_mut()) {
            SmallestArea { best: Some(choices), undecided: None } => {
                let pick = |(task, choice): (&TimedTask, &Option<u32>)| match task.forced {
                    true => choice.unwrap_or_default() as usize,
                    false => choice.map_or(0, |choice| choice as usize + 1),
                };
                let picks = alone.tasks.iter().zip(&choices).map(pick).collect();
                alone.weight(&choices).map(|area| (area as i64, picks))
            }
            SmallestArea { undecided: None, .. } => None,
            SmallestArea { .. } => return LeastOnCore::Undecided,
        };
        let least = found.as_ref().map_or(LeastOnCore::Nothing, |(area, _)| LeastOnCore::Area(*area));
        self.known.borrow_mut().insert(key, found);
        least
    }

    fn picks(&self, tasks: &[usize], chip: u64, built: u64) -> Option<Vec<usize>> {
        self.least(tasks, chip, built);
        self.known.borrow().get(&(tasks.to_vec(), built)).cloned().flatten().map(|(_, picks)| picks)
    }

    fn with_areas(&self, problem: &Problem) -> Box<dyn CoreTest + '_> {
        let mut scenario = self.scenario.clone().into_owned();
        for (at, (task, own)) in scenario.tasks.iter_mut().zip(&problem.tasks).enumerate() {
            let mut own =
                own.iter().map(|choice| (choice.size <= problem.capacity).then_some(choice.area as u64));
            if !task.forced && own.next().flatten().is_none() {
                task.wcet = &task.deadline + BigInt::one();
            }
            for (choice, area) in (0u32..).zip(own) {
                scenario.costs.set_choice(at, choice, area.unwrap_or(BEYOND_BUDGET));
            }
        }
        for (&block, own) in self.blocks.iter().zip(&problem.blocks) {
            scenario.sharing.elements[block as usize].weight = own.area as u64;
            scenario.costs.set_block(block as usize, own.area as u64);
        }
        let own = problem.tasks.iter().flatten().map(|choice| choice.area);
        let all: i64 = own.chain(problem.blocks.iter().map(|block| block.area)).sum();
        scenario.costs.limits.iter_mut().flatten().for_each(|limit| *limit = all as u64);
        let scenario = Cow::Owned(scenario);
        Box::new(Test { scenario, blocks: self.blocks, effort: self.effort, known: RefCell::default() })
    }
}
