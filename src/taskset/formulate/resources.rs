//! What designs cost in several resources, and the problem of their front.

use super::{BEYOND_BUDGET, Formulation, TimedChoice, TimedTask};
use isx_exact::quantity::Rational;
use isx_problems::mckp::NO_ITEM;
use isx_problems::resources::{Element, Goal, Item, Problem};
use num_bigint::BigInt;

impl Formulation {
    /// The amounts of a design in every dimension of [`Formulation::costs`], each used block counted once: the only
    /// place that adds costs. `None` if the set has one area, a choice does not exist, or two blocks share a slot.
    #[must_use]
    pub fn amounts(&self, choices: &[Option<u32>]) -> Option<Vec<u64>> {
        let costs = self.costs.as_ref()?;
        let used = self.sharing.used(choices)?;
        let mut sums = vec![0u64; costs.resources.len()];
        let mut add = |amounts: &[u64]| sums.iter_mut().zip(amounts).for_each(|(sum, amount)| *sum += amount);
        for (amounts, choice) in costs.amounts.iter().zip(choices) {
            add(amounts.get(choice.map_or(0, |choice| choice as usize + 1))?);
        }
        for (at, [built, unbuilt]) in (0u32..).zip(&costs.blocks) {
            add(if used.binary_search(&at).is_ok() { built } else { unbuilt });
        }
        Some(sums)
    }

    /// The exact cost of a design in every resource, in the order of [`Resources::names`](crate::Resources::names); `None` as for
    /// [`Formulation::amounts`].
    #[must_use]
    pub fn cost(&self, choices: &[Option<u32>]) -> Option<Vec<Rational>> {
        Some(self.costs.as_ref()?.in_resources(&self.amounts(choices)?))
    }

    /// Lower bounds on the amounts of designs whose own clock is `number`, from their slowest block, one per dimension of
    /// [`Formulation::costs`].
    #[must_use]
    pub fn least_amounts_at(&self, number: usize) -> Option<Vec<u64>> {
        let costs = self.costs.as_ref()?;
        let blocks = costs.blocks.iter().zip(&self.clocks.of_blocks);
        let slowest = blocks.filter(|&(_, &of_block)| number > 0 && of_block == number);
        let least =
            |dimension: usize| slowest.clone().filter_map(|([built, _], _)| built.get(dimension)).min();
        Some((0..costs.resources.len()).map(|dimension| least(dimension).copied().unwrap_or(0)).collect())
    }

    /// The problem of a set with several resources: the value of a choice is the demand it saves in a hyperperiod, at
    /// the clock of this scenario, see [`Formulation::at_clock`]. `None` if the set has one area, or no design is within
    /// the limits.
    #[must_use]
    pub fn resource_problem(&self, goal: Goal) -> Option<Problem> {
        let costs = self.costs.as_ref()?;
        let limits = costs.limits.clone()?;
        let class = |(task, (timed, amounts)): (usize, (&TimedTask, &Vec<Vec<u64>>))| {
            let frequency = &self.hyperperiod / &timed.period;
            let software = std::iter::once((NO_ITEM, None)).filter(|_| !timed.forced);
            let choices = (0u32..).zip(&timed.choices).filter(|(_, choice)| choice.area != BEYOND_BUDGET);
            let items = software.chain(choices.map(|(number, choice)| (number, Some(choice))));
            let item = |(number, choice): (u32, Option<&TimedChoice>)| {
                let at = choice.map_or(0, |_| number as usize + 1);
                let mut uses = choice.map_or(Vec::new(), |_| self.sharing.uses_of(task, number).to_vec());
                uses.sort_unstable();
                Item {
                    value: choice.map_or(BigInt::ZERO, |choice| (&timed.wcet - &choice.wcet) * &frequency),
                    cost: amounts[at].clone(),
                    uses,
                    number,
                }
            };
            items.map(item).collect()
        };
        let elements = costs.blocks.iter().enumerate().map(|(at, [built, unbuilt])| Element {
            built: built.clone(),
            unbuilt: unbuilt.clone(),
            group: self.sharing.elements.get(at).and_then(|element| element.group),
        });
        Some(Problem {
            classes: self.tasks.iter().zip(&costs.amounts).enumerate().map(class).collect(),
            elements: elements.collect(),
            limits,
            objectives: costs.objectives,
            goal,
        })
    }
}
