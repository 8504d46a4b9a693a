//! What designs cost in several resources, and the problem of their front.

use super::{Formulation, TimedTask};
use isx_exact::order;
use isx_exact::quantity::Rational;
use isx_problems::mckp::NO_ITEM;
use isx_problems::resources::{Element, Goal, Item, Problem};
use num_bigint::BigInt;

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
    /// the clock of this scenario, see [`Formulation::at_clock`]; in a set with modes every choice has its demand in each
    /// mode as a load. `None` if no design is within the limits.
    pub fn resource_problem(&self, goal: Goal) -> Option<Problem> {
        let costs = &self.costs;
        let limits = costs.limits.clone()?;
        let demand = |task: &TimedTask, choice: Option<u32>| {
            task.wcet_with(choice) * (&self.hyperperiod / &task.period)
        };
        let class = |(task, timed): (usize, &TimedTask)| {
            let software = std::iter::once(None).filter(|_| !timed.forced);
            let choices = (0..timed.choices.len() as u32).filter(|&number| !costs.is_beyond(task, number));
            let of_software = demand(timed, None);
            let item = |choice: Option<u32>| {
                let mut uses =
                    choice.map_or(Vec::new(), |number| self.sharing.uses_of(task, number).to_vec());
                order::sort(&mut uses);
                let is_one = self.modes.is_empty();
                Item {
                    value: if is_one { &of_software - demand(timed, choice) } else { BigInt::ZERO },
                    cost: costs.of_choice(task, choice).to_vec(),
                    loads: self.modes.iter().map(|mode| demand(&mode.tasks[task], choice)).collect(),
                    uses,
                    number: choice.unwrap_or(NO_ITEM),
                }
            };
            software.chain(choices.map(Some)).map(item).collect()
        };
        let elements = (0..costs.blocks()).map(|at| {
            let [built, unbuilt] = costs.of_block(at).map(<[u64]>::to_vec);
            Element { built, unbuilt, group: self.sharing.elements.get(at).and_then(|element| element.group) }
        });
        Some(Problem {
            classes: self.tasks.iter().enumerate().map(class).collect(),
            elements: elements.collect(),
            limits,
            objectives: costs.objectives,
            modes: self.modes.len(),
            goal,
        })
    }
}
