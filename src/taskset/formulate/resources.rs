//! What designs cost in several resources, and the problem of their front.

use super::error::AREA_LIMIT;
use super::{Formulation, TimedChoice, TimedTask};
use isx_exact::order;
use isx_exact::quantity::{Rational, gcd};
use isx_problems::mckp::NO_ITEM;
use isx_problems::resources::{Element, Goal, Item, Problem};
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

impl Formulation {
    /// The amounts of a design, given as one choice (or none) per task, in every dimension of [`Formulation::costs`], each
    /// used block counted once: the only place that adds costs. `None` if a choice does not exist, two blocks share a slot,
    /// or a sum exceeds 2^64.
    pub fn amounts(&self, choices: &[Option<u32>]) -> Option<Vec<u64>> {
        let used = self.sharing.used(choices)?;
        let mut sums = self.costs.more.clone();
        #[allow(
            clippy::needless_range_loop,
            reason = "an iterator over pairs is not inlined, and this is done for every point"
        )]
        let mut add = |amounts: &[u64]| {
            for at in 0..sums.len() {
                sums[at] = sums[at].checked_add(*amounts.get(at)?)?;
            }
            Some(())
        };
        for (task, choice) in choices.iter().enumerate() {
            add(self.costs.of_choice(task, *choice))?;
        }
        for at in 0..self.costs.blocks() {
            let [built, unbuilt] = self.costs.of_block(at);
            add(if used.binary_search(&(at as u32)).is_ok() { built } else { unbuilt })?;
        }
        Some(sums)
    }

    /// The exact cost of a design in every resource, in the order of [`Resources::names`](crate::Resources::names); `None` as for
    /// [`Formulation::amounts`].
    pub fn cost(&self, choices: &[Option<u32>]) -> Option<Vec<Rational>> {
        Some(self.costs.in_resources(&self.amounts(choices)?))
    }

    /// The amount of a design in the first dimension, its weight in [`Formulation::problem`]; `None` as for
    /// [`Formulation::amounts`].
    pub fn weight(&self, choices: &[Option<u32>]) -> Option<u64> {
        self.amounts(choices)?.first().copied()
    }

    /// The exact cost of a design in the first dimension: the area of a set that counts one. `None` as for
    /// [`Formulation::amounts`].
    pub fn area(&self, choices: &[Option<u32>]) -> Option<Rational> {
        Some(self.in_area_unit(self.weight(choices)?))
    }

    /// Converts an amount of the first dimension to the unit of its resource.
    pub fn in_area_unit(&self, weight: u64) -> Rational {
        self.costs.in_resource(0, weight)
    }

    /// Lower bounds on the amounts of designs whose own clock is `number`, from their slowest block, one per dimension of
    /// [`Formulation::costs`].
    pub fn least_amounts_at(&self, number: usize) -> Vec<u64> {
        let slowest = |block: &usize| number > 0 && self.clocks.of_blocks.get(*block) == Some(&number);
        let blocks = (0..self.costs.blocks()).filter(slowest).map(|block| self.costs.of_block(block)[0]);
        let least = |dimension: usize| blocks.clone().map(|built| built[dimension]).min().unwrap_or(0);
        (0..self.costs.resources.len()).map(least).collect()
    }

    /// The problem of a set with several resources: the value of a choice is the demand it saves in a hyperperiod, at
    /// the clock of this scenario, see [`Formulation::at_clock`]; in a set with modes, see [`Formulation::mode_problem`],
    /// that of the last. `None` if no design is within the limits.
    pub fn resource_problem(&self, goal: Goal) -> Option<Problem> {
        let costs = &self.costs;
        let limits = costs.limits.clone()?;
        let last = self.modes.last().map_or(&self.tasks, |mode| &mode.tasks);
        let class = |(task, timed): (usize, &TimedTask)| {
            let frequency = &self.hyperperiod / &timed.period;
            let software = std::iter::once((NO_ITEM, None)).filter(|_| !timed.forced);
            let choices = (0u32..).zip(&timed.choices).filter(|(number, _)| !costs.is_beyond(task, *number));
            let items = software.chain(choices.map(|(number, choice)| (number, Some(choice))));
            let item = |(number, choice): (u32, Option<&TimedChoice>)| {
                let mut uses = choice.map_or(Vec::new(), |_| self.sharing.uses_of(task, number).to_vec());
                order::sort(&mut uses);
                Item {
                    value: choice.map_or(BigInt::ZERO, |choice| (&timed.wcet - &choice.wcet) * &frequency),
                    cost: costs.of_choice(task, choice.map(|_| number)).to_vec(),
                    uses,
                    number,
                }
            };
            items.map(item).collect()
        };
        let elements = (0..costs.blocks()).map(|at| {
            let [built, unbuilt] = costs.of_block(at).map(<[u64]>::to_vec);
            Element { built, unbuilt, group: self.sharing.elements.get(at).and_then(|element| element.group) }
        });
        Some(Problem {
            classes: last.iter().enumerate().map(class).collect(),
            elements: elements.collect(),
            limits,
            objectives: costs.objectives,
            goal,
        })
    }

    /// The problem of a set with several resources and modes in which the demand in every mode but the last is an amount
    /// too. Of its points those that no other beats in costs and largest demand are the front. If `most` is given, no demand is
    /// larger: the goal is every minimal cost, and demands are behind the costs. Otherwise they are behind the objectives, or
    /// alone if no cost is asked about. `Ok(None)` as for [`Formulation::resource_problem`].
    /// Fails with [`WideDemand`]: the demands of a mode are too large to be amounts.
    pub fn mode_problem(
        &self,
        most: Option<&BigInt>,
        with_costs: bool,
    ) -> Result<Option<ModeProblem>, WideDemand> {
        let problem = self.resource_problem(Goal::Front);
        let Some((mut problem, (last, others))) = problem.zip(self.modes.split_last()) else {
            return Ok(None);
        };
        if most.is_some_and(|most| most.sign() == Sign::Minus) {
            return Ok(None);
        }
        let of_last = &last.base_demand * (&self.hyperperiod / &last.hyperperiod);
        let first = match most {
            Some(_) => problem.limits.len(),
            None if with_costs => problem.objectives,
            None => 0,
        };
        let mut units = Vec::with_capacity(others.len());
        for (number, mode) in others.iter().enumerate() {
            let demand = |task: usize, item: &Item| {
                let timed = &mode.tasks[task];
                let choice = (item.number != NO_ITEM).then_some(item.number);
                timed.wcet_with(choice) * (&self.hyperperiod / &timed.period)
            };
            let classes = problem.classes.iter().enumerate();
            let demands: Vec<Vec<BigInt>> =
                classes.map(|(task, items)| items.iter().map(|item| demand(task, item)).collect()).collect();
            let unit =
                demands.iter().flatten().fold(BigInt::ZERO, |unit, demand| gcd(&unit, demand)).max(1.into());
            let reach = demands.iter().filter_map(|demands| demands.iter().max()).sum::<BigInt>() / &unit;
            let limit = most.map_or_else(|| reach.clone(), |most| (most / &unit).min(reach.clone()));
            let too_wide = || WideDemand { mode: number, bits: limit.bits() };
            let limit = limit.to_u64().filter(|&limit| limit <= AREA_LIMIT).ok_or_else(too_wide)?;
            for (items, demands) in problem.classes.iter_mut().zip(demands) {
                for (item, demand) in items.iter_mut().zip(demands) {
                    // What is beyond the limit is in no selection, however far.
                    let demand = (demand / &unit).to_u64().map_or(limit + 1, |demand| demand.min(limit + 1));
                    item.cost.insert(first + number, demand);
                }
            }
            for element in &mut problem.elements {
                element.built.insert(first + number, 0);
                element.unbuilt.insert(first + number, 0);
            }
            problem.limits.insert(first + number, limit);
            units.push(unit);
        }
        match most {
            Some(most) => problem.goal = Goal::AtLeast(&of_last - most),
            None if with_costs => problem.objectives += units.len(),
            None => problem.objectives = units.len(),
        }
        Ok(Some(ModeProblem { problem, first, units, of_last }))
    }
}

/// A mode whose demands, in their common unit, are too large to be amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WideDemand {
    /// The mode.
    pub mode: usize,
    /// The bits of their sum.
    pub bits: u64,
}

/// A problem in which the demands of modes are amounts.
pub struct ModeProblem {
    /// The problem.
    pub problem: Problem,
    /// The first of these amounts.
    pub first: usize,
    /// One unit of each of them.
    pub units: Vec<BigInt>,
    /// The demand of software in the last mode, from which values are saved.
    pub of_last: BigInt,
}
