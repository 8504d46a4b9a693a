//! The plan of largest profit for one core, by dynamic programming over the tasks.
//!
//! For a set of blocks this is a multiple-choice knapsack problem with one more item per task, "not on this core". A state
//! is (size, profit); one with more size and no more profit is dropped, and so is one that cannot reach the best plan known
//! even by the linear relaxation of the tasks left. A task that is kept apart from a later one, or must join it, is part
//! of the state until then.

use crate::budget::{Budget, Stopped};
use crate::problem::Settled;
use crate::profit::{Bounds, Prices, block_sets};

/// The tasks of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Plan {
    /// A bit for each task.
    pub tasks: u128,
    /// The blocks.
    pub blocks: u64,
    /// The area with blocks.
    pub area: i64,
}

impl Plan {
    /// What it gains at the prices.
    pub fn profit(&self, prices: &Prices) -> i64 {
        let mut profit = -prices.scaled(self.area);
        let mut left = self.tasks;
        while left != 0 {
            profit += prices.worth[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        profit
    }
}

#[derive(Clone, Copy)]
struct State {
    size: i64,
    profit: i64,
    /// The tasks chosen that matter to later ones.
    open: u128,
    parent: u32,
    /// The option taken, and none if the task is not on the core.
    option: Option<u32>,
}

/// Which tasks may not share a core, and which must.
#[derive(Clone)]
pub(crate) struct Rules {
    /// For each task those it is kept apart from.
    pub apart: Vec<u128>,
    /// For each task those that must be on its core, itself too.
    pub group: Vec<u128>,
}

impl Rules {
    pub fn of(settled: &Settled) -> Self {
        let mask = |tasks: &Vec<u32>| tasks.iter().fold(0, |mask, &task| mask | 1u128 << task);
        let same = |(task, pin): (usize, &Option<u32>)| {
            let tasks = settled.pins.iter().enumerate();
            let same = tasks.filter(|(_, other)| pin.is_some() && *other == pin);
            same.fold(1 << task, |mask, (other, _)| mask | 1 << other)
        };
        Self {
            apart: settled.conflicts.iter().map(mask).collect(),
            group: settled.pins.iter().enumerate().map(same).collect(),
        }
    }

    /// Whether a task may be left out, and whether it may join, given the earlier tasks and which of them are chosen.
    pub fn may(&self, task: usize, earlier: u128, chosen: u128) -> (bool, bool) {
        let group = self.group[task] & earlier;
        (group & chosen == 0, group & !chosen == 0 && self.apart[task] & chosen == 0)
    }
}

/// The largest profit of a plan if it is above `known`, and plans that have it or nearly.
pub(crate) fn best_plans(
    settled: &Settled,
    prices: &Prices,
    rules: &Rules,
    known: i64,
    budget: &Budget,
) -> Result<(i64, Vec<Plan>), Stopped> {
    let mut best = known;
    let mut plans = Vec::new();
    for (blocks, most) in block_sets(settled, prices, known + 1, budget)? {
        if most <= best {
            break;
        }
        if let Some((profit, plan)) = best_with(settled, prices, rules, blocks, best, budget)? {
            best = best.max(profit);
            plans.push(plan);
        }
    }
    Ok((best, plans))
}

/// The plan of largest profit with these blocks, if that is above `known`.
fn best_with(
    settled: &Settled,
    prices: &Prices,
    rules: &Rules,
    blocks: u64,
    known: i64,
    budget: &Budget,
) -> Result<Option<(i64, Plan)>, Stopped> {
    let Some(block_area) = settled.area_of_blocks(blocks) else { return Ok(None) };
    let mut options = prices.options(settled, blocks, 0);
    for (options, group) in options.iter_mut().zip(&rules.group) {
        // A task that must join another may do so at a loss.
        options.retain(|option| option.1 > 0 || group.count_ones() > 1);
    }
    let mut order: Vec<usize> = (0..options.len()).collect();
    let rate = |task: usize| {
        let rates = options[task].iter().map(|&(size, profit)| profit as f64 / size as f64);
        rates.fold(0.0, f64::max)
    };
    let special = |task: usize| rules.apart[task] != 0 || rules.group[task].count_ones() > 1;
    order.sort_by(|&a, &b| special(b).cmp(&special(a)).then(rate(b).total_cmp(&rate(a))).then(a.cmp(&b)));
    let sorted: Vec<Vec<(i64, i64)>> = order.iter().map(|&task| options[task].clone()).collect();
    let bounds = Bounds::new(&sorted);
    budget.spend(40 * (order.len() * order.len()) as u64)?;
    let cost = prices.scaled(block_area);
    let mut floor = known + cost;
    let mut layers: Vec<Vec<State>> =
        vec![vec![State { size: 0, profit: 0, open: 0, parent: 0, option: None }]];
    let mut earlier = 0u128;
    for (decided, &task) in order.iter().enumerate() {
        let later: u128 = order[decided + 1..].iter().fold(0, |mask, task| mask | 1 << task);
        earlier |= 1 << task;
        // The tasks that later ones must know of.
        let open = (0..options.len())
            .filter(|&task| earlier >> task & 1 == 1 && (rules.apart[task] | rules.group[task]) & later != 0);
        let open = open.fold(0, |mask, task| mask | 1u128 << task);
        let last = &layers[decided];
        let mut next = Vec::with_capacity(last.len() * 2);
        for (parent, state) in (0u32..).zip(last) {
            let (may_stay, may_join) = rules.may(task, earlier & !(1 << task), state.open);
            if may_stay {
                next.push(State { open: state.open & open, parent, option: None, ..*state });
            }
            for (option, &(size, profit)) in (0u32..).zip(&sorted[decided]) {
                let (size, profit) = (state.size + size, state.profit + profit);
                if may_join && size <= settled.capacity {
                    let open = (state.open | 1 << task) & open;
                    next.push(State { size, profit, open, parent, option: Some(option) });
                }
            }
        }
        budget.spend(30 * next.len() as u64)?;
        if !order[decided + 1..].iter().any(|&task| special(task)) {
            let bound =
                |state: &&State| state.profit + bounds.most(decided + 1, settled.capacity - state.size);
            if let Some(most) = next.iter().max_by_key(bound) {
                floor = floor.max(filled(most, &sorted[decided + 1..], settled.capacity) - 1);
            }
        }
        next.retain(|state| state.profit + bounds.most(decided + 1, settled.capacity - state.size) > floor);
        next.sort_unstable_by_key(|state| {
            (state.open, state.size, -state.profit, state.parent, state.option)
        });
        let mut most: Option<(u128, i64)> = None;
        next.retain(|state| {
            let is_dominated =
                most.is_some_and(|(open, profit)| open == state.open && profit >= state.profit);
            if !is_dominated {
                most = Some((state.open, state.profit));
            }
            !is_dominated
        });
        layers.push(next);
    }
    let last = &layers[order.len()];
    let Some((mut at, end)) = last.iter().enumerate().max_by_key(|(_, state)| state.profit) else {
        return Ok(None);
    };
    let profit = end.profit - cost;
    let (mut tasks, mut worth) = (0u128, 0i64);
    for (decided, &task) in order.iter().enumerate().rev() {
        let state = &layers[decided + 1][at];
        if state.option.is_some() {
            tasks |= 1 << task;
            worth += prices.worth[task];
        }
        at = state.parent as usize;
    }
    Ok((profit > known).then(|| (profit, Plan { tasks, blocks, area: (worth - profit) >> prices.shift })))
}

/// The profit of a state to which every later task adds what still fits.
fn filled(state: &State, later: &[Vec<(i64, i64)>], capacity: i64) -> i64 {
    let (mut room, mut profit) = (capacity - state.size, state.profit);
    for options in later {
        let fitting = options.iter().filter(|option| option.0 <= room);
        if let Some(&(size, more)) = fitting.max_by_key(|option| option.1) {
            (room, profit) = (room - size, profit + more);
        }
    }
    profit
}
