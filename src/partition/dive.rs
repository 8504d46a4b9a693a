//! A first design from the plans of a relaxation: the plan it uses most is built and the rest relaxed again, down to two
//! cores. For these every plan known is tried with all other tasks on the last core. Then the tasks of every two cores
//! are divided anew in that way, until no pair gains.

use crate::budget::Stopped;
use crate::core_design::core_design;
use crate::plans::{Bounded, PlanSearch};
use crate::pricing::Plan;
use crate::problem::Settled;
use crate::profit::Prices;
use std::collections::HashMap;

/// Plans that are tried for two cores.
const MOST_TRIED: usize = 100;

impl PlanSearch<'_> {
    /// A design below the cutoff and near the best, if one is found: its area, and the tasks of each core.
    pub fn dive(&mut self, node: &Bounded, cutoff: i64) -> Result<Option<(i64, Vec<u128>)>, Stopped> {
        let (mut rest, mut plans, mut first) = (self.all, Vec::new(), node.first);
        for cores in (2..self.settled.cores).rev() {
            let Some(plan) = first else { return Ok(None) };
            rest &= !plan.tasks;
            plans.push(plan);
            if cores > 2 {
                first = self.relaxed(node, rest, cores, cutoff, |_, node| Ok(node.first))?;
            }
        }
        let Some(two) = self.divided(node, rest, cutoff)? else { return Ok(None) };
        plans.extend(two);
        let mut is_better = true;
        while std::mem::take(&mut is_better) {
            for a in 0..plans.len() {
                for b in 0..a {
                    let area = plans[a].area + plans[b].area;
                    if let Some(two) = self.divided(node, plans[a].tasks | plans[b].tasks, area)? {
                        [plans[a], plans[b]] = two;
                        is_better = true;
                    }
                }
            }
        }
        let area = plans.iter().map(|plan| plan.area).sum();
        Ok((area < cutoff).then(|| (area, plans.iter().map(|plan| plan.tasks).collect())))
    }

    /// Two plans for these tasks with less area than `cutoff`.
    fn divided(&mut self, node: &Bounded, tasks: u128, cutoff: i64) -> Result<Option<[Plan; 2]>, Stopped> {
        self.relaxed(node, tasks, 2, cutoff, |search, node| {
            let (mut cutoff, mut best) = (cutoff, None);
            let mut tried: Vec<(i64, Plan)> =
                search.pool.iter().map(|plan| (-plan.profit(&node.prices), *plan)).collect();
            tried.sort_unstable();
            for (_, plan) in tried.into_iter().take(MOST_TRIED) {
                let others = tasks & !plan.tasks;
                // What the others cost at least.
                let least = Plan { tasks: others, blocks: 0, area: 0 }.profit(&node.prices) - node.largest;
                if node.prices.scaled(cutoff - plan.area) <= least {
                    continue;
                }
                let listed: Vec<usize> =
                    (0..search.settled.options.len()).filter(|task| others >> task & 1 == 1).collect();
                let design = core_design(search.settled, &listed, cutoff - plan.area, search.budget)?;
                if let Some((area, options)) = design {
                    let blocks = options.iter().fold(0, |mask, opt| mask | opt.blocks);
                    cutoff = plan.area + area;
                    best = Some([plan, Plan { tasks: others, blocks, area }]);
                }
            }
            Ok(best)
        })
    }

    /// Asks about the relaxation of some of the tasks on fewer cores.
    fn relaxed<T>(
        &mut self,
        node: &Bounded,
        tasks: u128,
        cores: usize,
        cutoff: i64,
        ask: impl Fn(&PlanSearch, &Bounded) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        let mut settled = Settled { cores, ..self.settled.clone() };
        let mut prices = Prices { worth: node.prices.worth.clone(), ..Prices::new(node.prices.shift) };
        for (task, (options, worth)) in settled.options.iter_mut().zip(&mut prices.worth).enumerate() {
            if tasks >> task & 1 == 0 {
                (*options, *worth) = (Vec::new(), 0);
            }
        }
        let pool = self.pool.iter().filter(|plan| plan.tasks & !tasks == 0).copied().collect();
        let (rules, tested) = (self.rules.clone(), HashMap::new());
        let mut rest = PlanSearch { settled: &settled, rules, tested, all: tasks, pool, ..*self };
        let node = rest.priced(prices, cutoff)?;
        let answer = ask(&rest, &node)?;
        self.pool.extend(rest.pool);
        Ok(answer)
    }
}
