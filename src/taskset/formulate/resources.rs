//! What designs cost in several resources, and the problem of their front.

use super::{Formulation, TimedTask};
use isx_exact::order;
use isx_exact::quantity::Rational;
use isx_problems::mckp::NO_ITEM;
use isx_problems::resources::{Element, Goal, Item, Problem};
use num_bigint::BigInt;

/// The maximum number of ways to fill the slots that are enumerated.
const MOST_WAYS: usize = 256;

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

    /// The amount of a design in the first dimension, its weight in [`Formulation::mckp`]; `None` as for
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

    /// The least demand in a hyperperiod of any design at any clock, whatever it costs; `None` if there is no design. As
    /// [`Formulation::least_demand_at`], it may be less than that.
    pub fn least_demand(&self) -> Option<BigInt> {
        (0..self.clocks.count()).filter_map(|clock| self.least_demand_at(clock)).min()
    }

    /// The least demand in a hyperperiod of designs whose blocks all allow clock `number`, at that clock and whatever they
    /// cost; with several modes, or more than 256 ways to fill the slots, possibly less than that of any design. `None` if
    /// there is no design.
    pub fn least_demand_at(&self, number: usize) -> Option<BigInt> {
        let blocks = self.sharing.elements.iter().enumerate();
        let mut slotted: Vec<(u32, usize)> =
            blocks.filter_map(|(at, block)| Some((block.group?, at))).collect();
        order::sort(&mut slotted);
        let mut slots: Vec<&[(u32, usize)]> = slotted.chunk_by(|a, b| a.0 == b.0).collect();
        let ways = slots
            .iter()
            .try_fold(1usize, |ways, slot| ways.checked_mul(slot.len()).filter(|&ways| ways <= MOST_WAYS));
        if ways.is_none() {
            slots.clear();
        }
        let of_way = |mut way: usize| {
            let mut excluded = vec![false; self.sharing.elements.len()];
            for slot in &slots {
                slot.iter().for_each(|&(_, block)| excluded[block] = true);
                excluded[slot[way % slot.len()].1] = false;
                way /= slot.len();
            }
            let is_left = |task: usize, choice: u32| {
                self.clocks.of_choice(&self.sharing, task, choice) <= number
                    && !self.sharing.uses_of(task, choice).iter().any(|&block| excluded[block as usize])
            };
            let least = |(at, task): (usize, &TimedTask)| {
                let left = (0u32..).zip(&task.choices).filter(|&(choice, _)| is_left(at, choice));
                let software = Some(&task.wcet).filter(|_| !task.forced);
                let wcet = software.into_iter().chain(left.map(|(_, choice)| &choice.wcet)).min()?;
                Some(wcet * (&self.hyperperiod / &task.period))
            };
            let of_mode =
                |mode: &Self| -> Option<BigInt> { mode.tasks_at(number).iter().enumerate().map(least).sum() };
            if self.modes.is_empty() { of_mode(self) } else { self.modes.iter().map(of_mode).max()? }
        };
        (0..ways.unwrap_or(1)).filter_map(of_way).min()
    }

    /// The problem of the designs within the limits: the value of a choice is the demand it saves in a hyperperiod, at
    /// the clock of this scenario, see [`Formulation::at_clock`]; in a set with modes every choice has its demand in each
    /// mode as a load. `None` if no design is within the limits.
    pub fn resource_problem(&self, goal: Goal) -> Option<Problem> {
        let costs = &self.costs;
        let limits = costs.limits.clone()?;
        let class = |(task, timed): (usize, &TimedTask)| {
            let software = std::iter::once(None).filter(|_| !timed.forced);
            let choices = (0..timed.choices.len() as u32).filter(|&number| !costs.is_beyond(task, number));
            let jobs = |task: &TimedTask| &self.hyperperiod / &task.period;
            let (own, of_modes) = (jobs(timed), self.modes.iter().map(|mode| jobs(&mode.tasks[task])));
            let of_modes: Vec<BigInt> = of_modes.collect();
            let item = |choice: Option<u32>| {
                let mut uses =
                    choice.map_or(Vec::new(), |number| self.sharing.uses_of(task, number).to_vec());
                order::sort(&mut uses);
                let saved = || (&timed.wcet - timed.wcet_with(choice)) * &own;
                let modes = self.modes.iter().zip(&of_modes);
                Item {
                    value: if self.modes.is_empty() { saved() } else { BigInt::ZERO },
                    cost: costs.of_choice(task, choice).to_vec(),
                    loads: modes.map(|(mode, jobs)| mode.tasks[task].wcet_with(choice) * jobs).collect(),
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
