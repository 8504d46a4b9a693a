//! A task set as a multiple-choice knapsack problem in exact integers.
//!
//! Over the hyperperiod H = lcm(P_1, .., P_m), task i runs F_i = H / P_i times, its *frequency*, and a choice that
//! saves delta_ik = E_i - e_ik cycles per job saves g_ik = delta_ik F_i cycles of H. The utilization of a design is
//!
//! ```text
//! U = (sum_i E_i F_i - sum_i g_i,k(i)) / H
//! ```
//!
//! so the minimum utilization within an area is the maximum value within a capacity: one class per task, one item per
//! choice with value g_ik and weight c_ik, and at most one item per class. Blocks shared by choices are elements of a
//! set-union problem. Multiplying by F_i once per item instead of dividing by P_i once per cell is the
//! reciprocal-frequency trick of B. Suri's thesis (section 6.2), here without rounding since F_i is an integer.
//!
//! If blocks limit the clock, there is one such problem per clock, see the module `clocks`; if the processor has variants,
//! there is one formulation per variant, see [`formulate_variants`].

mod clocks;
mod costs;
mod error;
mod longer;
mod modes;
mod overruns;
mod policy;
mod resources;
mod shared;
mod timed;
mod variants;

pub use clocks::Clocks;
pub use costs::Costs;
pub use error::{FormulateError, MAX_CLOCKED_WCETS, MAX_CLOCKS};
pub use modes::critical_mode;
pub use policy::Policy;
pub use resources::{ModeProblem, WideDemand};
pub use timed::{TimedChoice, TimedKernel, TimedLock, TimedLocks, TimedTask};
pub use variants::{formulate, formulate_allowed, formulate_variants};

use crate::model::TaskSet;
use error::AREA_LIMIT;
use isx_exact::quantity;
use isx_exact::quantity::{Rational, times};
use isx_problems::mckp::{Choice, Item, Mckp};
use isx_problems::set_union::{Element, Sharing};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};
use shared::Shared;
use std::borrow::Cow;
use std::collections::HashMap;
use timed::{common_unit, durations};

/// A task set in exact integers, with the knapsack problem that has the same front.
///
/// A set whose processor has variants has one formulation per variant ([`formulate_variants`]), all in the same units:
/// a *scenario* is a variant and a clock, `formulations[variant].at_clock(clock)`. The front is the lower envelope of the
/// scenarios: their amounts compare as they are, and a value counts from the base demand of its scenario. A design is
/// (variant, choices): its cost, utilization, clock and tasks are those that `formulations[variant]` gives for the
/// choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formulation {
    /// The tasks in file order, with their WCETs at the set's own clock; for the WCETs of a design see
    /// [`Formulation::tasks_of`].
    pub tasks: Vec<TimedTask>,
    /// One integer unit of time, in the task set's unit.
    pub time_unit: Rational,
    /// The number of the variant of the processor; 0 if there is one processor.
    pub variant: usize,
    /// The number of variants; 0 if the set has one processor.
    pub variants: usize,
    /// One unit of weight, in the task set's area unit.
    pub area_unit: Rational,
    /// The area of a design without hardware for tasks, in the task set's area unit: that of the processor.
    pub area_offset: Rational,
    /// The units of area that the processor of every design takes in addition to the offset; 0 unless designs of several
    /// variants share an offset, see [`Formulation::from_offset`].
    pub area_more: u64,
    /// H, the least common multiple of the periods.
    pub hyperperiod: BigInt,
    /// sum_i E_i F_i, with context switches: the demand of the software-only design in a hyperperiod.
    pub base_demand: BigInt,
    /// One class per task, taking an item is optional; values g_ik (negative if a choice is slower than software).
    /// With several clocks it is the problem at the set's own clock, in which choices that need a slower clock have
    /// negative values.
    pub problem: Mckp<BigInt>,
    /// The blocks that choices share: one element per block in file order, one group per slot. An unused block weighs
    /// nothing; if all blocks are unused there are no elements.
    pub sharing: Sharing,
    /// The scheduling policy.
    pub policy: Policy,
    /// The clocks of the designs.
    pub clocks: Clocks,
    /// What designs cost, if the set has several resources: areas are then 0, and the problem is that of
    /// [`Formulation::resource_problem`].
    pub costs: Option<Costs>,
    /// The formulations of the modes, in file order; empty if the set has one mode. The utilization of a design is then its
    /// largest in any of them, and tests of deadlines are made in each.
    pub modes: Vec<Self>,
}

/// Stands for any area above the budget: no design takes such a choice, so its area need not be a whole number of
/// units.
pub const BEYOND_BUDGET: u64 = u64::MAX;

/// The unit in which all times of a set are whole numbers at all its clocks.
fn time_unit(taskset: &TaskSet) -> Result<Rational, FormulateError> {
    let limits = clocks::Limits::of(taskset, &used_blocks(taskset), false)?;
    Ok(limits.time_unit(common_unit(durations(taskset)), taskset))
}

/// As [`formulate`]; a variant of the processor has what it shares with the others.
fn formulate_in(
    taskset: &TaskSet,
    max_area: Option<&Rational>,
    variant: Option<Shared<'_>>,
) -> Result<Formulation, FormulateError> {
    let used = used_blocks(taskset);
    let costs = (!taskset.is_one_area()).then(|| Costs::of(taskset, &used, variant)).transpose()?;
    let is_limited = variant.is_some_and(|variant| variant.set.limits_clock());
    let limits = clocks::Limits::of(taskset, &used, is_limited)?;
    let time_unit = match variant {
        Some(variant) => variant.time_unit.clone(),
        None => limits.time_unit(common_unit(durations(taskset)), taskset),
    };
    let scale = AreaScale::of(taskset, &used, max_area, variant);
    if let Some(budget) = max_area.filter(|&budget| scale.offset > *budget && costs.is_none()) {
        let [area, budget] = [&scale.offset, budget].map(quantity::format_decimal);
        return Err(FormulateError::Processor { area, budget });
    }

    let mut tasks = Vec::with_capacity(taskset.tasks.len());
    for task in &taskset.tasks {
        let mut timed = Vec::with_capacity(task.choices.len());
        for choice in &task.choices {
            let area = scale.units(&choice.cost, taskset)?.unwrap_or(BEYOND_BUDGET);
            timed.push(TimedChoice { wcet: times(&choice.wcets[0], &time_unit), area, locks: Vec::new() });
        }
        let mut timed = TimedTask {
            wcet: times(&task.wcets[0], &time_unit),
            period: times(&task.period, &time_unit),
            deadline: times(&task.deadline, &time_unit),
            choices: timed,
            forced: task.forced,
            switches: Vec::new(),
            kernel: None,
            locks: TimedLocks::default(),
        };
        timed.add_kernel_costs(task, taskset, &|time| times(time, &time_unit));
        tasks.push(timed);
    }
    let elements = elements(taskset, &used, &scale)?;
    let within = |task: &TimedTask| {
        let areas = task.choices.iter().map(|choice| choice.area);
        areas.filter(|&area| area != BEYOND_BUDGET).max().unwrap_or(0)
    };
    let mut areas = tasks.iter().map(within).chain(elements.iter().map(|element| element.weight));
    let total_area = areas.try_fold(0u64, |sum, area| sum.checked_add(area).filter(|&sum| sum <= AREA_LIMIT));
    // What this variant costs more than the least is added to areas of designs.
    let fits = |total: &u64| times(&scale.more, &scale.unit) + total <= AREA_LIMIT.into();
    let total_area = total_area.filter(fits).ok_or_else(|| scale.out_of_range(taskset))?;
    let capacity = scale.budget().map_or(total_area, |budget| budget.min(total_area));
    let (area_unit, area_offset) = (scale.unit, scale.offset);

    let hyperperiod = tasks.iter().fold(BigInt::one(), |lcm, task| quantity::lcm(&lcm, &task.period));
    let base_demand = base_demand(&tasks, &hyperperiod);
    let uses = match elements.is_empty() {
        true => Vec::new(),
        false => {
            taskset.tasks.iter().map(|task| task.choices.iter().map(|c| c.uses.clone()).collect()).collect()
        }
    };
    let sharing = Sharing { elements, uses };
    let policy = Policy::of(taskset);
    let clocks = limits.clocks(taskset, &tasks);
    let problem = knapsack(&tasks, &hyperperiod, capacity, |task, choice| {
        clocks.of_choice(&sharing, task, choice) == 0
    });
    Ok(Formulation {
        tasks,
        time_unit,
        variant: variant.map_or(0, |variant| variant.number),
        variants: variant.map_or(0, |variant| variant.set.variants.len()),
        area_unit,
        area_offset,
        area_more: 0,
        hyperperiod,
        base_demand,
        problem,
        sharing,
        policy,
        clocks,
        costs,
        modes: Vec::new(),
    })
}

/// sum_i E_i F_i.
fn base_demand(tasks: &[TimedTask], hyperperiod: &BigInt) -> BigInt {
    tasks.iter().map(|task| &task.wcet * (hyperperiod / &task.period)).sum()
}

/// The problem of these tasks; a choice that is not `allowed` gets a negative value, so that no point takes it.
fn knapsack(
    tasks: &[TimedTask],
    hyperperiod: &BigInt,
    capacity: u64,
    allowed: impl Fn(usize, u32) -> bool,
) -> Mckp<BigInt> {
    let class = |(at, task): (usize, &TimedTask)| {
        let frequency = hyperperiod / &task.period;
        let item = |(number, choice): (u32, &TimedChoice)| {
            let saved = |choice: &TimedChoice| (&task.wcet - &choice.wcet) * &frequency;
            let value = if allowed(at, number) { saved(choice) } else { -BigInt::one() };
            Item { value, weight: choice.area }
        };
        (0..).zip(&task.choices).map(item).collect()
    };
    let classes = tasks.iter().enumerate().map(class).collect();
    Mckp { classes, capacity, choice: Choice::Optional }
}

/// For each block whether a choice uses it; unused blocks are in no design and their area and clock do not matter.
fn used_blocks(taskset: &TaskSet) -> Vec<bool> {
    let mut used = vec![false; taskset.blocks.len()];
    let choices = taskset.tasks.iter().flat_map(|task| &task.choices);
    for &block in choices.flat_map(|choice| &choice.uses) {
        if let Some(used) = used.get_mut(block as usize) {
            *used = true;
        }
    }
    used
}

/// The blocks as elements. A block larger than the budget weighs more than the budget, so no choice that uses it
/// fits.
fn elements(taskset: &TaskSet, used: &[bool], scale: &AreaScale) -> Result<Vec<Element>, FormulateError> {
    let mut slots: HashMap<&str, u32> = HashMap::new();
    let mut elements = Vec::with_capacity(taskset.blocks.len());
    if !used.contains(&true) {
        return Ok(elements);
    }
    for (block, &used) in taskset.blocks.iter().zip(used) {
        if !used {
            elements.push(Element { weight: 0, group: None });
            continue;
        }
        let beyond = || scale.budget().map_or(0, |budget| budget.saturating_add(1));
        let weight = scale.units(&block.cost, taskset)?.unwrap_or_else(beyond);
        let group = block.slot.as_deref().map(|slot| {
            let next = slots.len() as u32;
            *slots.entry(slot).or_insert(next)
        });
        elements.push(Element { weight, group });
    }
    Ok(elements)
}

impl Formulation {
    /// The number of the clock that a design runs at, see [`Clocks`]: the only place that computes it.
    pub fn clock_number(&self, choices: &[Option<u32>]) -> usize {
        self.clocks.number(&self.sharing, choices)
    }

    /// The clock that a design runs at, in hertz; `None` if no block of the set limits the clock.
    pub fn clock_of(&self, choices: &[Option<u32>]) -> Option<&Rational> {
        self.clocks.hertz(self.clock_number(choices))
    }

    /// All tasks with their WCETs at the clock of a design.
    pub fn tasks_of(&self, choices: &[Option<u32>]) -> &[TimedTask] {
        self.tasks_at(self.clock_number(choices))
    }

    /// All tasks with their WCETs at clock `number`, or at the slowest clock if it is out of range.
    pub fn tasks_at(&self, number: usize) -> &[TimedTask] {
        let slower = &self.clocks.slower;
        match number.min(slower.len()).checked_sub(1) {
            None => &self.tasks,
            Some(at) => &slower[at].tasks,
        }
    }

    /// The scenario of clock `number`: the designs whose blocks all allow this clock, each run at it even if it could
    /// run faster. The result is a formulation with a single clock. A choice that needs a slower clock has the weight
    /// [`BEYOND_BUDGET`] and a negative value in its problem.
    pub fn at_clock(&self, number: usize) -> Cow<'_, Self> {
        if self.clocks.slower.is_empty() {
            return Cow::Borrowed(self);
        }
        let allowed = |task: usize, choice: u32| self.clocks.of_choice(&self.sharing, task, choice) <= number;
        let mut tasks = self.tasks_at(number).to_vec();
        let problem = knapsack(&tasks, &self.hyperperiod, self.problem.capacity, allowed);
        for (at, task) in tasks.iter_mut().enumerate() {
            for (choice, timed) in (0..).zip(&mut task.choices) {
                if !allowed(at, choice) {
                    timed.area = BEYOND_BUDGET;
                }
            }
        }
        let base_demand = base_demand(&tasks, &self.hyperperiod);
        let Self { time_unit, area_unit, area_offset, hyperperiod, sharing, policy, costs, .. } = self;
        let scenario = Self {
            tasks,
            time_unit: time_unit.clone(),
            variant: self.variant,
            variants: self.variants,
            area_unit: area_unit.clone(),
            area_offset: area_offset.clone(),
            area_more: self.area_more,
            hyperperiod: hyperperiod.clone(),
            base_demand,
            problem,
            sharing: sharing.clone(),
            policy: policy.clone(),
            clocks: Clocks::default(),
            costs: costs.clone(),
            modes: Vec::new(),
        };
        Cow::Owned(scenario.with_modes(|mode| mode.at_clock(number).into_owned(), &self.modes))
    }

    /// A lower bound on the area of designs whose own clock is `number`, from their slowest block.
    pub fn least_area_at(&self, number: usize) -> u64 {
        let blocks = self.sharing.elements.iter().zip(&self.clocks.of_blocks);
        let slowest = blocks.filter(|&(_, &of_block)| number > 0 && of_block == number);
        slowest.map(|(element, _)| element.weight).min().unwrap_or(0)
    }

    /// The exact utilization of a design, given as one choice (or none) per task, at the clock it runs at: with several
    /// modes the largest. Panics if `choices` does not have one entry per task, or names a choice that does not exist.
    pub fn utilization(&self, choices: &[Option<u32>]) -> Rational {
        assert_eq!(choices.len(), self.tasks.len(), "one choice a task");
        if let Some(largest) = self.modes.iter().map(|mode| mode.utilization(choices)).max() {
            return largest;
        }
        let demand = |(task, &choice): (&TimedTask, &Option<u32>)| {
            task.wcet_with(choice) * (&self.hyperperiod / &task.period)
        };
        let tasks = self.tasks_of(choices).iter();
        Rational::new(tasks.zip(choices).map(demand).sum(), self.hyperperiod.clone())
    }

    /// The area of a design in [`Formulation::area_unit`]s above the offset, each used block counted once: the only place
    /// that adds areas. `None` if a choice does not exist, two blocks share a slot, or the sum exceeds 2^64. Panics if
    /// `choices` does not have one entry per task.
    pub fn area_units(&self, choices: &[Option<u32>]) -> Option<u64> {
        assert_eq!(choices.len(), self.tasks.len(), "one choice a task");
        let shared = if self.sharing.is_empty() { 0 } else { self.sharing.weight(choices)? };
        let mut pairs = self.tasks.iter().zip(choices);
        pairs.try_fold(shared.checked_add(self.area_more)?, |sum, (task, choice)| match choice {
            None => Some(sum),
            Some(choice) => sum.checked_add(task.choices.get(*choice as usize)?.area),
        })
    }

    /// For each task the choice it must take; `None` if the task is free.
    pub fn forced(&self) -> Vec<Option<u32>> {
        self.tasks.iter().map(|task| task.forced.then_some(0)).collect()
    }

    /// Whether tasks of equal priority count against each other, in some mode.
    pub fn has_ties(&self) -> bool {
        let ties = match &self.policy {
            Policy::Edf => false,
            Policy::FixedPriority(order) => order.has_ties(),
        };
        if self.modes.is_empty() { ties } else { self.modes.iter().any(Self::has_ties) }
    }

    /// Whether any task must take a choice.
    pub fn is_forced(&self) -> bool {
        self.tasks.iter().any(|task| task.forced)
    }

    /// The blocks that a design builds, as ascending indices into [`TaskSet::blocks`]; `None` if two share a slot.
    pub fn blocks(&self, choices: &[Option<u32>]) -> Option<Vec<u32>> {
        self.sharing.used(choices)
    }

    /// The exact area of a design, in the task set's area unit; `None` as for [`Formulation::area_units`]. As
    /// [`Formulation::area_units`].
    pub fn area(&self, choices: &[Option<u32>]) -> Option<Rational> {
        Some(self.in_area_unit(self.area_units(choices)?))
    }

    /// Converts units of area above the offset to the task set's area unit.
    pub fn in_area_unit(&self, units: u64) -> Rational {
        Rational::from(BigInt::from(units)) * &self.area_unit + &self.area_offset
    }

    /// The same formulation with areas counted from a smaller offset, for comparing variants of the processor: the
    /// processor takes the difference, a whole number of units. With several resources costs are counted from the same
    /// offsets already.
    #[must_use]
    pub fn from_offset(mut self, offset: &Rational) -> Self {
        let more = times(&(&self.area_offset - offset), &self.area_unit).to_u64().unwrap_or(0);
        self.area_offset = offset.clone();
        self.area_more += more;
        self
    }
}

/// The unit in which areas are counted, and the budget up to which they are counted.
struct AreaScale<'a> {
    /// Whether the set counts one area; else all areas are 0.
    is_area: bool,
    unit: Rational,
    /// The area of the processor.
    offset: Rational,
    /// What it is more than that of the least variant within the budget.
    more: Rational,
    max_area: Option<&'a Rational>,
}

impl<'a> AreaScale<'a> {
    /// The common unit of all areas within the budget; larger areas are in no design.
    fn of(taskset: &TaskSet, used: &[bool], max_area: Option<&'a Rational>, variant: Option<Shared>) -> Self {
        if !taskset.is_one_area() {
            let (unit, offset, more) = (Rational::one(), Rational::default(), Rational::default());
            return Self { is_area: false, unit, offset, more, max_area };
        }
        let is_within = |area: &&Rational| max_area.is_none_or(|max_area| *area <= max_area);
        let choices = taskset.tasks.iter().flat_map(|task| &task.choices).map(|choice| &choice.cost[0]);
        let blocks = taskset.blocks.iter().zip(used).filter(|(_, used)| **used);
        let within = choices.chain(blocks.map(|(block, _)| &block.cost[0])).filter(is_within);
        // The variants that a budget allows are a whole number of units apart.
        let variants = variant.map_or(&[][..], |shared| &shared.set.variants);
        let variants: Vec<&Rational> =
            variants.iter().map(|variant| &variant.cost[0]).filter(is_within).collect();
        let least = variants.iter().min().copied().cloned().unwrap_or_default();
        let apart: Vec<Rational> = variants.iter().map(|area| *area - &least).collect();
        let unit = common_unit(within.chain(&apart));
        let own = variant.filter(|_| !variants.is_empty());
        let own = own.and_then(|shared| shared.set.variants.get(shared.number));
        let more = own.map_or_else(Rational::default, |own| &own.cost[0] - &least);
        Self { is_area: true, unit, offset: taskset.resources.base[0].clone(), more, max_area }
    }

    /// An area in units; `None` if it exceeds the budget.
    fn units(&self, cost: &[Rational], taskset: &TaskSet) -> Result<Option<u64>, FormulateError> {
        let Some(area) = cost.first().filter(|_| self.is_area) else { return Ok(Some(0)) };
        if self.max_area.is_some_and(|max_area| area > max_area) {
            return Ok(None);
        }
        let units = times(area, &self.unit).to_u64().filter(|&units| units <= AREA_LIMIT);
        units.map(Some).ok_or_else(|| self.out_of_range(taskset))
    }

    /// The budget in whole units, rounded down, but no more than any sum of areas.
    fn budget(&self) -> Option<u64> {
        let budget = ((self.max_area? - &self.offset) / &self.unit).floor().to_integer();
        Some(budget.to_u64().map_or(AREA_LIMIT, |budget| budget.min(AREA_LIMIT)))
    }

    fn out_of_range(&self, taskset: &TaskSet) -> FormulateError {
        let unit = quantity::format_decimal(&self.unit);
        FormulateError::AreaRange { taskset: taskset.name.clone(), unit }
    }
}
