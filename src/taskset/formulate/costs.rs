//! The costs of designs in several resources, in whole units.
//!
//! The resources of a problem are ordered with the objectives first. A cost may be negative: of every task the least
//! component of its choices (software costs 0) is moved to the offset, and of every block the negative part, so that
//! all amounts of the problem are non-negative. A design costs
//!
//! ```text
//! cost_r = offset_r + unit_r * (sum of its amounts of r)
//! ```
//!
//! Worked instance: a base of 1000 LUT and a task whose multiplier takes 4 DSP and frees 30 LUT. The least LUT cost of
//! the task is -30, so the offset is 970: in units of 30, software takes 1 and the multiplier 0.

use super::error::{AREA_LIMIT, FormulateError};
use super::shared::Shared;
use super::timed::common_unit;
use crate::model::TaskSet;
use isx_exact::quantity::{Rational, format_decimal};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// What the choices and blocks of a task set cost in several resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Costs {
    /// The resource of each dimension of the problem, as an index into [`Resources::names`](crate::Resources::names); the objectives come first.
    pub resources: Vec<usize>,
    /// The number of objectives.
    pub objectives: usize,
    /// One unit of each dimension, in the resource's own unit.
    pub units: Vec<Rational>,
    /// What a design with no amounts costs in each dimension.
    pub offset: Vec<Rational>,
    /// The greatest amount in each dimension; `None` if no design is within the limits.
    pub limits: Option<Vec<u64>>,
    /// For each task the amounts of software, then those of every choice.
    pub(super) amounts: Vec<Vec<Vec<u64>>>,
    /// For each block its amounts if built, and if not.
    pub(super) blocks: Vec<[Vec<u64>; 2]>,
}

/// One dimension before conversion to integers: a number per choice (software first) and per block (built, unbuilt).
struct Column {
    tasks: Vec<Vec<Rational>>,
    blocks: Vec<[Rational; 2]>,
    /// What each variant of the processor costs more than the cheapest in this dimension.
    variants: Vec<Rational>,
    offset: Rational,
}

impl Column {
    fn of(
        taskset: &TaskSet,
        used: &[bool],
        resource: usize,
        base: &Rational,
        variant: Option<Shared>,
    ) -> Self {
        let at = |cost: &[Rational]| cost.get(resource).cloned().unwrap_or_default();
        let mut offset = base.clone();
        let mut variants: Vec<Rational> =
            variant.iter().flat_map(|shared| &shared.set.variants).map(|variant| at(&variant.cost)).collect();
        let least = variants.iter().min().cloned().unwrap_or_default();
        variants.iter_mut().for_each(|cost| *cost -= &least);
        offset += least;
        let mut tasks = Vec::with_capacity(taskset.tasks.len());
        for task in &taskset.tasks {
            let mut costs = vec![Rational::default()];
            costs.extend(task.choices.iter().map(|choice| at(&choice.cost)));
            let least = costs.iter().min().cloned().unwrap_or_default();
            costs.iter_mut().for_each(|cost| *cost -= &least);
            offset += least;
            tasks.push(costs);
        }
        let mut blocks = Vec::with_capacity(taskset.blocks.len());
        for (block, &used) in taskset.blocks.iter().zip(used) {
            let cost = if used { at(&block.cost) } else { Rational::default() };
            let freed = (-&cost).max(Rational::default());
            offset -= &freed;
            blocks.push([cost + &freed, freed]);
        }
        Self { tasks, blocks, variants, offset }
    }

    fn unit(&self) -> Rational {
        common_unit(self.tasks.iter().flatten().chain(self.blocks.iter().flatten()).chain(&self.variants))
    }

    /// The greatest sum of amounts, as a multiple of `unit`.
    fn greatest(&self, unit: &Rational) -> BigInt {
        let tasks = self.tasks.iter().filter_map(|costs| costs.iter().max());
        let blocks = self.blocks.iter().filter_map(|costs| costs.iter().max());
        (tasks.chain(blocks).chain(self.variants.iter().max()).sum::<Rational>() / unit).to_integer()
    }
}

impl Costs {
    /// The costs of a set with resources; `used` says for every block whether a choice uses it.
    pub(super) fn of(
        taskset: &TaskSet,
        used: &[bool],
        variant: Option<Shared>,
    ) -> Result<Self, FormulateError> {
        let resources = &taskset.resources;
        let others = (0..resources.names.len()).filter(|at| !resources.objectives.contains(at));
        let order: Vec<usize> = resources.objectives.iter().copied().chain(others).collect();
        let mut costs = Self {
            objectives: resources.objectives.len(),
            units: Vec::with_capacity(order.len()),
            offset: Vec::with_capacity(order.len()),
            limits: Some(Vec::with_capacity(order.len())),
            amounts: taskset.tasks.iter().map(|task| vec![Vec::new(); task.choices.len() + 1]).collect(),
            blocks: vec![[Vec::new(), Vec::new()]; taskset.blocks.len()],
            resources: order,
        };
        for &resource in &costs.resources {
            let base = resources.base.get(resource).cloned().unwrap_or_default();
            let column = Column::of(taskset, used, resource, &base, variant);
            let unit = column.unit();
            let greatest = column.greatest(&unit).to_u64().filter(|&sum| sum <= AREA_LIMIT);
            let out_of_range = || FormulateError::CostRange {
                taskset: taskset.name.clone(),
                resource: resources.names.get(resource).cloned().unwrap_or_default(),
                unit: format_decimal(&unit),
            };
            let greatest = greatest.ok_or_else(out_of_range)?;
            let in_units = |cost: &Rational| (cost / &unit).to_integer().to_u64().unwrap_or(AREA_LIMIT);
            for (amounts, tasks) in costs.amounts.iter_mut().zip(&column.tasks) {
                amounts.iter_mut().zip(tasks).for_each(|(amounts, cost)| amounts.push(in_units(cost)));
            }
            for (amounts, block) in costs.blocks.iter_mut().zip(&column.blocks) {
                amounts.iter_mut().zip(block).for_each(|(amounts, cost)| amounts.push(in_units(cost)));
            }
            // What this variant costs more is an amount of the first task, whatever its choice.
            let more = variant.and_then(|shared| column.variants.get(shared.number)).map_or(0, in_units);
            for amount in costs.amounts.iter_mut().take(1).flatten().filter_map(|amounts| amounts.last_mut())
            {
                *amount += more;
            }
            let limit = match resources.limits.get(resource).and_then(Option::as_ref) {
                None => Some(greatest),
                Some(limit) => {
                    let room = ((limit - &column.offset) / &unit).floor().to_integer();
                    // More room than any design needs is no limit.
                    (room.sign() != num_bigint::Sign::Minus)
                        .then(|| room.to_u64().map_or(greatest, |room| room.min(greatest)))
                }
            };
            costs.limits = costs.limits.zip(limit).map(|(mut limits, limit)| {
                limits.push(limit);
                limits
            });
            costs.units.push(unit);
            costs.offset.push(column.offset);
        }
        Ok(costs)
    }

    /// The amounts of a task's choice in every dimension, or those of software; empty if there is no such choice.
    pub fn of_choice(&self, task: usize, choice: Option<u32>) -> &[u64] {
        let at = choice.map_or(0, |choice| choice as usize + 1);
        self.amounts.get(task).and_then(|choices| choices.get(at)).map_or(&[], Vec::as_slice)
    }

    /// The amounts of a block in every dimension if it is built, and if not; empty if there is no such block.
    pub fn of_block(&self, block: usize) -> [&[u64]; 2] {
        self.blocks.get(block).map_or([&[], &[]], |amounts| amounts.each_ref().map(Vec::as_slice))
    }

    /// Converts amounts, one per dimension, to costs, one per resource in the order of [`Resources::names`](crate::Resources::names).
    pub fn in_resources(&self, amounts: &[u64]) -> Vec<Rational> {
        let mut costs = vec![Rational::default(); self.resources.len()];
        for ((&resource, amount), (unit, offset)) in
            self.resources.iter().zip(amounts).zip(self.units.iter().zip(&self.offset))
        {
            costs[resource] = offset + Rational::from(BigInt::from(*amount)) * unit;
        }
        costs
    }
}
