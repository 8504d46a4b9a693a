//! Chooses plans that cover every task once, with the least sum of their costs.

use crate::budget::{Budget, Stopped};
use std::collections::HashMap;

/// Covers remembered with the least cost they were reached at.
const MOST_REMEMBERED: usize = 2_000_000;

/// A set of tasks on a core: what it costs at the prices, at least, and its area.
#[derive(Clone, Copy)]
pub(crate) struct Priced {
    pub tasks: u128,
    pub cost: i64,
    pub area: i64,
}

/// The costs that are of use.
pub(crate) struct Room<'a> {
    /// The cost of a core without a plan.
    pub empty: i64,
    /// The greatest cost of all cores together that a design below an area has.
    pub most: &'a dyn Fn(i64) -> i64,
    /// Only less area than this is of use.
    pub cutoff: i64,
}

/// The choice of at most `cores` plans that cover all tasks once and have the least area, if their costs are within the
/// room: their area, and the indices of the plans.
pub(crate) fn cover(
    plans: &[Priced],
    all: u128,
    cores: usize,
    room: &Room,
    budget: &Budget,
) -> Result<Option<(i64, Vec<usize>)>, Stopped> {
    // The next task to cover is the one that the fewest plans hold.
    let held = |task: usize| plans.iter().filter(|plan| plan.tasks >> task & 1 == 1).count();
    let tasks = (0..u128::BITS as usize).filter(|task| all >> task & 1 == 1);
    let mut order: Vec<(usize, usize)> = tasks.map(|task| (held(task), task)).collect();
    budget.spend((plans.len() * order.len()) as u64)?;
    order.sort_unstable();
    let mut by_first: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
    for (at, plan) in plans.iter().enumerate() {
        if let Some(first) = order.iter().position(|&(_, task)| plan.tasks >> task & 1 == 1) {
            by_first[first].push(at);
        }
    }
    for own in &mut by_first {
        own.sort_unstable_by_key(|&at| (plans[at].cost, plans[at].tasks));
    }
    let mut search = Search {
        order: order.into_iter().map(|(_, task)| task).collect(),
        by_first,
        by_tasks: plans.iter().enumerate().map(|(at, plan)| (plan.tasks, at)).collect(),
        plans,
        all,
        reached: HashMap::new(),
        chosen: Vec::new(),
        best: None,
        room,
        cutoff: room.cutoff,
        most: (room.most)(room.cutoff),
        budget,
    };
    search.decide(0, 0, cores, (0, 0))?;
    Ok(search.best)
}

struct Search<'a> {
    plans: &'a [Priced],
    order: Vec<usize>,
    /// The plans by the first task in order that they cover, the cheapest first.
    by_first: Vec<Vec<usize>>,
    /// The last core takes all tasks left: the plan is looked up.
    by_tasks: HashMap<u128, usize>,
    all: u128,
    /// A cost and an area with which tasks were covered before.
    reached: HashMap<(u128, usize), (i64, i64)>,
    chosen: Vec<usize>,
    best: Option<(i64, Vec<usize>)>,
    room: &'a Room<'a>,
    cutoff: i64,
    /// The greatest cost that is still of use.
    most: i64,
    budget: &'a Budget<'a>,
}

impl Search<'_> {
    fn keep(&mut self, area: i64) {
        if area < self.cutoff {
            (self.cutoff, self.most) = (area, (self.room.most)(area));
            self.best = Some((area, self.chosen.clone()));
        }
    }

    /// Decides for the next task not covered; `sums` are the cost and the area up to now.
    fn decide(&mut self, from: usize, covered: u128, cores: usize, sums: (i64, i64)) -> Result<(), Stopped> {
        let (cost, area) = sums;
        let next = (from..self.order.len()).find(|&at| covered >> self.order[at] & 1 == 0);
        let Some(next) = next else {
            if cost + cores as i64 * self.room.empty <= self.most {
                self.keep(area);
            }
            return Ok(());
        };
        if cores == 0 {
            return Ok(());
        }
        if cores == 1 {
            self.budget.spend(10)?;
            if let Some(&at) = self.by_tasks.get(&(self.all & !covered))
                && cost + self.plans[at].cost <= self.most
            {
                self.chosen.push(at);
                self.keep(area + self.plans[at].area);
                self.chosen.pop();
            }
            return Ok(());
        }
        if from > 0 {
            let known = self.reached.get(&(covered, cores));
            if known.is_some_and(|known| known.0 <= cost && known.1 <= area) {
                return Ok(());
            }
            if self.reached.len() < MOST_REMEMBERED {
                self.reached.insert((covered, cores), sums);
            }
        }
        for place in 0..self.by_first[next].len() {
            let at = self.by_first[next][place];
            let plan = self.plans[at];
            if cost + plan.cost > self.most {
                break;
            }
            self.budget.spend(3)?;
            if plan.tasks & covered == 0 {
                self.chosen.push(at);
                self.decide(next + 1, covered | plan.tasks, cores - 1, (cost + plan.cost, area + plan.area))?;
                self.chosen.pop();
            }
        }
        Ok(())
    }
}
