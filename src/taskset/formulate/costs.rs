//! What designs cost, in whole units: of one area, or of several resources.
//!
//! The dimensions of a problem are its resources with the objectives first; an area is dimension 0 of one. A cost may be
//! negative: of every task the least component of its choices (software costs 0) is moved to the offset, and of every block
//! the negative part, so that all amounts of the problem are non-negative. A design costs
//!
//! ```text
//! cost_r = offset_r + unit_r * (sum of its amounts of r)
//! ```
//!
//! Worked instance: a base of 1000 LUT and a task whose multiplier takes 4 DSP and frees 30 LUT. The least LUT cost of
//! the task is -30, so the offset is 970: in units of 30, software takes 1 and the multiplier 0.

use super::error::{AREA_LIMIT, FormulateError};
use super::timed::{Shared, common_unit};
use crate::model::TaskSet;
use isx_exact::quantity::{Rational, format_decimal, times};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Stands for any amount above the budget: no design takes such a choice, so its cost need not be a whole number of
/// units.
pub const BEYOND_BUDGET: u64 = u64::MAX;

/// What the choices and blocks of a task set cost.
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
    /// The amounts that every design takes in addition; 0 unless designs of several variants share an offset, see
    /// [`Costs::count_from`].
    pub more: Vec<u64>,
    /// The greatest amount in each dimension; `None` if no design is within the limits.
    pub limits: Option<Vec<u64>>,
    /// Whether the engines for one weight can answer, see [`Costs::is_line`].
    is_line: bool,
    /// For each task the amounts of software in every dimension, then those of every choice.
    amounts: Vec<Vec<u64>>,
    /// For each block its amounts if built, and if not.
    blocks: Vec<[Vec<u64>; 2]>,
}

/// One dimension before conversion to integers: a number per choice (software first) and per block (built, unbuilt), `None`
/// beyond the area budget.
struct Column {
    tasks: Vec<Vec<Option<Rational>>>,
    blocks: Vec<[Option<Rational>; 2]>,
    /// What each variant of the processor costs more than the cheapest in this dimension.
    variants: Vec<Rational>,
    offset: Rational,
    /// What the variant costs more than the offset has, which is an amount of the first task, whatever its choice.
    more: Rational,
}

impl Column {
    /// `max_area` is the budget of a set with one area, whose offset `is_own` to the variant.
    fn of(
        taskset: &TaskSet,
        used: &[bool],
        resource: usize,
        (max_area, is_own): (Option<&Rational>, bool),
        variant: Option<Shared>,
    ) -> Self {
        let at = |cost: &[Rational]| cost.get(resource).cloned().unwrap_or_default();
        let is_within = |cost: &Rational| max_area.is_none_or(|most| cost <= most);
        let mut offset = at(&taskset.resources.base);
        let variants = variant.map_or(&[][..], |shared| &shared.set.variants);
        let own = variant.and_then(|shared| variants.get(shared.number)).map(|own| at(&own.cost));
        // The variants that a budget allows are a whole number of units apart.
        let mut variants: Vec<Rational> =
            variants.iter().map(|variant| at(&variant.cost)).filter(is_within).collect();
        let least = variants.iter().min().cloned().unwrap_or_default();
        variants.iter_mut().for_each(|cost| *cost -= &least);
        let own = own.unwrap_or_default();
        // A budget holds for areas from the variant's own offset.
        let from = if is_own { own.clone() } else { least };
        offset += &from;
        let mut tasks = Vec::with_capacity(taskset.tasks.len());
        for task in &taskset.tasks {
            let choices = task.choices.iter().map(|choice| Some(at(&choice.cost)).filter(is_within));
            let mut costs = vec![Some(Rational::default())];
            costs.extend(choices);
            let least = costs.iter().flatten().min().cloned().unwrap_or_default();
            costs.iter_mut().flatten().for_each(|cost| *cost -= &least);
            offset += least;
            tasks.push(costs);
        }
        let mut blocks = Vec::with_capacity(taskset.blocks.len());
        for (block, &used) in taskset.blocks.iter().zip(used) {
            let cost = if used { at(&block.cost) } else { Rational::default() };
            let freed = (-&cost).max(Rational::default());
            offset -= &freed;
            blocks.push([Some(cost).filter(is_within).map(|cost| cost + &freed), Some(freed)]);
        }
        Self { tasks, blocks, variants, offset, more: own - from }
    }

    fn unit(&self) -> Rational {
        let costs = self.tasks.iter().flatten().chain(self.blocks.iter().flatten()).flatten();
        common_unit(costs.chain(&self.variants))
    }
}

impl Costs {
    /// The costs of a set; `used` says for every block whether a choice uses it. A choice whose area is above `max_area`
    /// takes [`BEYOND_BUDGET`], and a block one more than the limit.
    pub(super) fn of(
        taskset: &TaskSet,
        used: &[bool],
        max_area: Option<&Rational>,
        variant: Option<Shared>,
    ) -> Result<Self, FormulateError> {
        let resources = &taskset.resources;
        let is_line = taskset.is_one_area();
        let max_area = max_area.filter(|_| is_line);
        let others = (0..resources.names.len()).filter(|at| !resources.objectives.contains(at));
        let order: Vec<usize> = resources.objectives.iter().copied().chain(others).collect();
        let count = order.len();
        let mut costs = Self {
            objectives: resources.objectives.len(),
            units: Vec::with_capacity(count),
            offset: Vec::with_capacity(count),
            more: vec![0; count],
            limits: Some(Vec::with_capacity(count)),
            is_line,
            amounts: taskset.tasks.iter().map(|task| vec![0; (task.choices.len() + 1) * count]).collect(),
            blocks: vec![[vec![0; count], vec![0; count]]; taskset.blocks.len()],
            resources: order,
        };
        for (dimension, &resource) in costs.resources.iter().enumerate() {
            let column = Column::of(taskset, used, resource, (max_area, is_line), variant);
            if let Some(budget) = max_area.filter(|&budget| column.offset > *budget) {
                let [area, budget] = [&column.offset, budget].map(format_decimal);
                return Err(FormulateError::Processor { area, budget });
            }
            let unit = column.unit();
            let out_of_range = || {
                let (taskset, unit) = (taskset.name.clone(), format_decimal(&unit));
                match is_line {
                    true => FormulateError::AreaRange { taskset, unit },
                    false => {
                        let resource = resources.names.get(resource).cloned().unwrap_or_default();
                        FormulateError::CostRange { taskset, resource, unit }
                    }
                }
            };
            let limit = resources.limits.get(resource).and_then(Option::as_ref);
            let limit = limit.into_iter().chain(max_area).min();
            let room = limit.map(|limit| ((limit - &column.offset) / &unit).floor().to_integer());
            // More room than any design needs is no limit; less than nothing leaves no design.
            let most = room
                .as_ref()
                .map_or(AREA_LIMIT, |room| room.to_u64().map_or(AREA_LIMIT, |room| room.min(AREA_LIMIT)));
            let in_units = |cost: &Rational| times(cost, &unit);
            let beyond = BigInt::from(most.saturating_add(1));
            let of_blocks = column.blocks.iter().map(|block| {
                block.each_ref().map(|cost| cost.as_ref().map_or_else(|| beyond.clone(), in_units))
            });
            let of_blocks: Vec<[BigInt; 2]> = of_blocks.collect();
            let of_tasks = column.tasks.iter().filter_map(|costs| costs.iter().flatten().max()).map(in_units);
            let total: BigInt =
                of_tasks.chain(of_blocks.iter().filter_map(|block| block.iter().max().cloned())).sum();
            let apart = column.variants.iter().max().map_or(BigInt::ZERO, in_units);
            let greatest = if is_line { total.clone() } else { &total + &apart };
            let greatest =
                greatest.to_u64().filter(|_| total + apart <= AREA_LIMIT.into()).ok_or_else(out_of_range)?;
            let in_range = |units: BigInt| units.to_u64().unwrap_or(AREA_LIMIT);
            for (amounts, tasks) in costs.amounts.iter_mut().zip(&column.tasks) {
                let amounts = amounts.iter_mut().skip(dimension).step_by(count).zip(tasks);
                amounts.for_each(|(amount, cost)| {
                    *amount = cost.as_ref().map_or(BEYOND_BUDGET, |cost| in_range(in_units(cost)));
                });
            }
            for (amounts, block) in costs.blocks.iter_mut().zip(of_blocks) {
                amounts
                    .iter_mut()
                    .zip(block)
                    .for_each(|(amounts, units)| amounts[dimension] = in_range(units));
            }
            let more = in_range(in_units(&column.more));
            for first in costs.amounts.iter_mut().take(1) {
                first
                    .iter_mut()
                    .skip(dimension)
                    .step_by(count)
                    .for_each(|amount| *amount = amount.saturating_add(more));
            }
            let is_possible = room.is_none_or(|room| room.sign() != num_bigint::Sign::Minus);
            costs.limits = costs.limits.filter(|_| is_possible).map(|mut limits| {
                limits.push(most.min(greatest));
                limits
            });
            costs.units.push(unit);
            costs.offset.push(column.offset);
        }
        Ok(costs)
    }

    /// Costs of one dimension in units of 1: those of the choices of every task, in addition to nothing in software. There is
    /// no block.
    pub fn line(choices: impl IntoIterator<Item = Vec<u64>>, limit: u64) -> Self {
        let amounts = choices.into_iter().map(|own| std::iter::once(0).chain(own).collect());
        Self {
            resources: vec![0],
            objectives: 1,
            units: vec![Rational::from(BigInt::from(1))],
            offset: vec![Rational::default()],
            more: vec![0],
            limits: Some(vec![limit]),
            is_line: true,
            amounts: amounts.collect(),
            blocks: Vec::new(),
        }
    }

    /// Whether there is one dimension in which software and what is not built take nothing: then designs are selections of
    /// one weight, and engines for those can answer.
    pub fn is_line(&self) -> bool {
        self.is_line
    }

    /// The amounts of a task's choice in every dimension, or those of software; empty if there is no such choice.
    pub fn of_choice(&self, task: usize, choice: Option<u32>) -> &[u64] {
        let (count, at) = (self.resources.len(), choice.map_or(0, |choice| choice as usize + 1));
        self.amounts.get(task).and_then(|own| own.get(at * count..(at + 1) * count)).unwrap_or_default()
    }

    /// The amount of a choice in the first dimension, [`BEYOND_BUDGET`] also if there is no such choice.
    pub fn weight(&self, task: usize, choice: u32) -> u64 {
        self.of_choice(task, Some(choice)).first().copied().unwrap_or(BEYOND_BUDGET)
    }

    /// Whether no design takes this choice.
    pub fn is_beyond(&self, task: usize, choice: u32) -> bool {
        self.weight(task, choice) == BEYOND_BUDGET
    }

    /// The amounts of a block in every dimension if it is built, and if not; empty if there is no such block.
    pub fn of_block(&self, block: usize) -> [&[u64]; 2] {
        self.blocks.get(block).map_or([&[], &[]], |amounts| amounts.each_ref().map(Vec::as_slice))
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Sets what a choice takes in every dimension; nothing if there is no such choice.
    pub fn set_choice(&mut self, task: usize, choice: u32, amount: u64) {
        let (count, at) = (self.resources.len(), choice as usize + 1);
        let own = self.amounts.get_mut(task).and_then(|own| own.get_mut(at * count..(at + 1) * count));
        own.into_iter().flatten().for_each(|own| *own = amount);
    }

    /// Sets what a block takes in every dimension if it is built; nothing if there is no such block.
    pub fn set_block(&mut self, block: usize, amount: u64) {
        self.blocks.get_mut(block).into_iter().for_each(|[built, _]| built.fill(amount));
    }

    /// The same for some of the tasks.
    #[must_use]
    pub fn among(&self, tasks: &[usize]) -> Self {
        let amounts = tasks.iter().map(|&task| self.amounts.get(task).cloned().unwrap_or_default());
        Self {
            amounts: amounts.collect(),
            resources: self.resources.clone(),
            units: self.units.clone(),
            offset: self.offset.clone(),
            more: self.more.clone(),
            limits: self.limits.clone(),
            blocks: self.blocks.clone(),
            ..*self
        }
    }

    /// Counts from a smaller offset, a whole number of units away, for comparing variants of the processor: every design
    /// takes the difference. With several resources variants count from the same offsets already.
    pub fn count_from(&mut self, offset: &[Rational]) {
        for (at, offset) in offset.iter().enumerate() {
            let more = times(&(&self.offset[at] - offset), &self.units[at]).to_u64().unwrap_or(0);
            self.more[at] += more;
            self.offset[at] = offset.clone();
            self.limits.iter_mut().for_each(|limits| limits[at] = limits[at].saturating_add(more));
        }
    }

    /// Converts an amount of a dimension to a cost of its resource.
    pub fn in_resource(&self, dimension: usize, amount: u64) -> Rational {
        &self.offset[dimension] + Rational::from(BigInt::from(amount)) * &self.units[dimension]
    }

    /// Converts amounts, one per dimension, to costs, one per resource in the order of [`Resources::names`](crate::Resources::names).
    pub fn in_resources(&self, amounts: &[u64]) -> Vec<Rational> {
        let mut costs = vec![Rational::default(); self.resources.len()];
        for (dimension, (&resource, &amount)) in self.resources.iter().zip(amounts).enumerate() {
            costs[resource] = self.in_resource(dimension, amount);
        }
        costs
    }
}
