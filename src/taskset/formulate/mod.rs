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
mod resources;
mod timed;
mod variants;

pub use clocks::Clocks;
pub use costs::{BEYOND_BUDGET, Costs};
pub use error::{FormulateError, MAX_CLOCKED_WCETS, MAX_CLOCKS};
pub use modes::critical_mode;
pub use timed::{TimedChoice, TimedKernel, TimedLock, TimedLocks, TimedTask};
pub use variants::{count_from_least, formulate, formulate_allowed, formulate_variants};

use crate::model::{PriorityOrder, TaskSet};
use isx_exact::quantity;
use isx_exact::quantity::{Rational, times};
use isx_problems::mckp::{Choice, Item, Mckp};
use isx_problems::set_union::{Element, Sharing};
use num_bigint::BigInt;
use num_traits::One;
use std::borrow::Cow;
use std::collections::HashMap;
use timed::{Shared, common_unit, durations};

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
    /// H, the least common multiple of the periods.
    pub hyperperiod: BigInt,
    /// sum_i E_i F_i, with context switches: the demand of the software-only design in a hyperperiod.
    pub base_demand: BigInt,
    /// The blocks that choices share: one element per block in file order, one group per slot. An unused block weighs
    /// nothing; if all blocks are unused there are no elements.
    pub sharing: Sharing,
    /// The scheduling policy.
    pub policy: Policy,
    /// The clocks of the designs.
    pub clocks: Clocks,
    /// What designs cost; unless [`Costs::is_line`], weights are 0. The problem is [`Formulation::resource_problem`].
    pub costs: Costs,
    /// The formulations of the modes, in file order; empty if the set has one mode. The utilization of a design is then its
    /// largest in any of them, and tests of deadlines are made in each.
    pub modes: Vec<Self>,
}

/// The scheduling policy, as the schedulability tests need it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Earliest deadline first.
    #[default]
    Edf,
    /// Fixed priorities.
    FixedPriority(PriorityOrder),
}

/// The unit in which all times of these sets are whole numbers, in all their modes and at all their clocks.
fn time_unit(sets: &[TaskSet]) -> Result<Rational, FormulateError> {
    let modes =
        sets.iter().flat_map(|set| (0..set.modes.len()).map(|mode| Cow::Owned(set.whole_in_mode(mode))));
    let alone = sets.iter().filter(|set| set.modes.is_empty()).map(Cow::Borrowed);
    let unit = |set: Cow<'_, TaskSet>| {
        let limits = clocks::Limits::of(&set, &used_blocks(&set), false)?;
        Ok(limits.time_unit(common_unit(durations(&set)), &set))
    };
    let units = modes.chain(alone).map(unit).collect::<Result<Vec<Rational>, FormulateError>>()?;
    Ok(common_unit(units.iter()))
}

/// As [`formulate`]; a variant of the processor has what it shares with the others.
fn formulate_in(
    taskset: &TaskSet,
    max_area: Option<&Rational>,
    variant: Option<Shared<'_>>,
) -> Result<Formulation, FormulateError> {
    let used = used_blocks(taskset);
    let costs = Costs::of(taskset, &used, max_area, variant)?;
    let is_limited = variant.is_some_and(|variant| variant.set.limits_clock());
    let limits = clocks::Limits::of(taskset, &used, is_limited)?;
    let time_unit = match variant {
        Some(variant) => variant.time_unit.clone(),
        None => limits.time_unit(common_unit(durations(taskset)), taskset),
    };
    let users = taskset.users_of_locks();
    let mut tasks = Vec::with_capacity(taskset.tasks.len());
    for (at, task) in taskset.tasks.iter().enumerate() {
        let timed = |choice: &crate::model::Choice| TimedChoice {
            wcet: times(&choice.wcets[0], &time_unit),
            locks: Vec::new(),
        };
        let mut timed = TimedTask {
            wcet: times(&task.wcets[0], &time_unit),
            period: times(task.period(), &time_unit),
            deadline: times(task.deadline(), &time_unit),
            choices: task.choices.iter().map(timed).collect(),
            forced: task.forced,
            is_part: task.is_part(),
            switches: Vec::new(),
            kernel: None,
            locks: TimedLocks::default(),
        };
        timed.add_kernel_costs(task, (taskset, at), &users, &|time| times(time, &time_unit));
        tasks.push(timed);
    }
    let elements = elements(taskset, &used, &costs);
    let hyperperiod = tasks.iter().fold(BigInt::one(), |lcm, task| quantity::lcm(&lcm, &task.period));
    let base_demand = base_demand(&tasks, &hyperperiod);
    let uses = match elements.is_empty() {
        true => Vec::new(),
        false => {
            taskset.tasks.iter().map(|task| task.choices.iter().map(|c| c.uses.clone()).collect()).collect()
        }
    };
    let sharing = Sharing { elements, uses };
    let policy = taskset.priority_order().map_or(Policy::Edf, Policy::FixedPriority);
    let clocks = limits.clocks(taskset, &tasks);
    Ok(Formulation {
        tasks,
        time_unit,
        variant: variant.map_or(0, |variant| variant.number),
        variants: variant.map_or(0, |variant| variant.count),
        hyperperiod,
        base_demand,
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

/// The blocks as elements.
fn elements(taskset: &TaskSet, used: &[bool], costs: &Costs) -> Vec<Element> {
    let mut slots: HashMap<&str, u32> = HashMap::new();
    let mut elements = Vec::with_capacity(taskset.blocks.len());
    if !used.contains(&true) {
        return elements;
    }
    for (at, (block, &used)) in taskset.blocks.iter().zip(used).enumerate() {
        let group = block.slot.as_deref().filter(|_| used).map(|slot| {
            let next = slots.len() as u32;
            *slots.entry(slot).or_insert(next)
        });
        elements.push(Element { weight: if costs.is_line() { costs.of_block(at)[0][0] } else { 0 }, group });
    }
    elements
}

impl Formulation {
    /// The largest area asked about, in units; of several resources the limit of the first.
    pub fn capacity(&self) -> u64 {
        let Costs { limits, more, .. } = &self.costs;
        limits.as_ref().map_or(0, |limits| limits[0].saturating_sub(more[0]))
    }

    /// The multiple-choice problem of one area without shared blocks, at the fastest clock: what a choice saves over a
    /// hyperperiod, for its area. A choice that needs a slower clock has a negative value, so that no point takes it.
    pub fn mckp(&self) -> Mckp<BigInt> {
        let class = |(at, task): (usize, &TimedTask)| {
            let frequency = &self.hyperperiod / &task.period;
            let item = |(number, choice): (u32, &TimedChoice)| {
                let value = match self.clocks.of_choice(&self.sharing, at, number) {
                    0 => (&task.wcet - &choice.wcet) * &frequency,
                    _ => -BigInt::one(),
                };
                Item { value, weight: self.costs.weight(at, number) }
            };
            (0..).zip(&task.choices).map(item).collect()
        };
        let classes = self.tasks.iter().enumerate().map(class).collect();
        Mckp { classes, capacity: self.capacity(), choice: Choice::Optional }
    }

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
    /// [`BEYOND_BUDGET`].
    pub fn at_clock(&self, number: usize) -> Cow<'_, Self> {
        if self.clocks.slower.is_empty() {
            return Cow::Borrowed(self);
        }
        let allowed = |task: usize, choice: u32| self.clocks.of_choice(&self.sharing, task, choice) <= number;
        let tasks = self.tasks_at(number).to_vec();
        let mut costs = self.costs.clone();
        for (at, task) in tasks.iter().enumerate() {
            let beyond = (0..task.choices.len() as u32).filter(|&choice| !allowed(at, choice));
            beyond.for_each(|choice| costs.set_choice(at, choice, BEYOND_BUDGET));
        }
        let scenario = self.with_tasks(tasks, &BigInt::one(), Clocks::default(), costs);
        Cow::Owned(scenario.with_modes(|mode| mode.at_clock(number).into_owned(), &self.modes))
    }

    /// The same with these tasks, in a unit of time so many times finer, and without modes.
    fn with_tasks(&self, tasks: Vec<TimedTask>, finer: &BigInt, clocks: Clocks, costs: Costs) -> Self {
        let hyperperiod = &self.hyperperiod * finer;
        Self {
            base_demand: base_demand(&tasks, &hyperperiod),
            tasks,
            time_unit: &self.time_unit / Rational::from(finer.clone()),
            variant: self.variant,
            variants: self.variants,
            hyperperiod,
            sharing: self.sharing.clone(),
            policy: self.policy.clone(),
            clocks,
            costs,
            modes: Vec::new(),
        }
    }

    /// The exact utilization of a design, given as one choice (or none) per task, at the clock it runs at: with several
    /// modes the largest. Panics if `choices` does not have one entry per task, or names a choice that does not exist.
    pub fn utilization(&self, choices: &[Option<u32>]) -> Rational {
        assert_eq!(choices.len(), self.tasks.len(), "one choice per task");
        if let Some(largest) = self.modes.iter().map(|mode| mode.utilization(choices)).max() {
            return largest;
        }
        let demand = |(task, &choice): (&TimedTask, &Option<u32>)| {
            task.wcet_with(choice) * (&self.hyperperiod / &task.period)
        };
        let tasks = self.tasks_of(choices).iter();
        Rational::new(tasks.zip(choices).map(demand).sum(), self.hyperperiod.clone())
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

    /// The blocks that a design builds, as ascending indices into [`TaskSet::blocks`], and behind these companions of blocks
    /// that exclude others ([`TaskSet::in_slots`]); `None` if two exclude each other.
    pub fn blocks(&self, choices: &[Option<u32>]) -> Option<Vec<u32>> {
        self.sharing.used(choices)
    }
}
