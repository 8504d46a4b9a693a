//! A set on a number of cores: as a problem in plain numbers, and a design of it in the set's terms.

use super::amounts::{Amounts, Limited};
use super::on_core::of_core;
use super::options::PartitionOptions;
use crate::error::ExploreError;
use isx_design::partition::Partition;
use isx_design::schedulability::{Effort, Outcome, margin, schedulable};
use isx_exact::quantity::{Rational, format_decimal, gcd, shortened};
use isx_partition::{Block, Choice, Design, Problem, Reason};
use isx_taskset::formulate::{BEYOND_BUDGET, Formulation, TimedTask, formulate};
use isx_taskset::{Cores, TaskSet};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Instant;

/// All areas together are less.
const MOST_AREA: u64 = 1 << 50;

pub fn refused(task_set: &TaskSet, why: &str) -> ExploreError {
    ExploreError::Partition { taskset: task_set.name.clone(), why: why.to_owned() }
}

/// The formulation of a set whose tasks can be divided among cores.
pub fn formulated(task_set: &TaskSet) -> Result<Formulation, ExploreError> {
    task_set.validate()?;
    crate::refuse_area(task_set, true)?;
    if !task_set.modes.is_empty() {
        return Err(refused(
            task_set,
            "it has several modes, and a division among cores is computed for one",
        ));
    }
    if task_set.users_of_locks().iter().any(|(_, tasks)| tasks.len() > 1) {
        return Err(refused(
            task_set,
            "what a task waits for a lock that is held on another core is not computed",
        ));
    }
    Ok(formulate(task_set, None)?)
}

/// A number of cores.
pub struct Chip<'a> {
    pub task_set: &'a TaskSet,
    pub formulation: &'a Formulation,
    pub cores: Cow<'a, Cores>,
    pub count: u32,
    pub options: &'a PartitionOptions<'a>,
    pub until: Option<Instant>,
}

impl<'a> Chip<'a> {
    pub fn new(
        task_set: &'a TaskSet,
        formulation: &'a Formulation,
        count: u32,
        options: &'a PartitionOptions<'a>,
        until: Option<Instant>,
    ) -> Self {
        let cores = task_set.cores.as_ref().map_or_else(|| Cow::Owned(Cores::default()), Cow::Borrowed);
        Self { task_set, formulation, cores, count, options, until }
    }

    pub fn tell(&self, scenario: &Formulation, bound: i64, best: Option<i64>) {
        let best = best.map(|best| self.area(scenario, best));
        (self.options.searching)(self.count, &self.area(scenario, bound), best.as_ref());
    }

    /// Why the search ends now, if it does.
    pub fn stopped(&self) -> Option<&'static str> {
        if !(self.options.go_on)() {
            Some("it was interrupted")
        } else {
            self.until.filter(|until| Instant::now() >= *until).map(|_| "the time given was over")
        }
    }

    /// The area of a design whose choices and blocks have this many units.
    pub fn area(&self, scenario: &Formulation, units: i64) -> Rational {
        Rational::from(BigInt::from(units)) * &scenario.costs.units[0]
            + self.task_set.area_of_cores(self.count)
    }

    fn amounts(&self) -> Option<Amounts<'_>> {
        Some(Amounts { priced: self.task_set.priced.as_ref()?, count: self.count })
    }

    pub fn problem(
        &self,
        scenario: &Formulation,
        rounded_up: bool,
    ) -> Result<(Problem, Scale), ExploreError> {
        let refused = |why: &str| refused(self.task_set, why);
        let scale = Scale::of(scenario).ok_or_else(|| refused("more than 64 of its blocks are used"))?;
        let areas = scenario.sharing.elements.iter().map(|element| element.weight);
        let areas = areas.map(|weight| weight.saturating_mul(self.count.into()));
        let own = scenario.tasks.iter().enumerate().flat_map(|(at, task)| {
            (0..task.choices.len() as u32).map(move |choice| scenario.costs.weight(at, choice))
        });
        let own = own.filter(|&area| area != BEYOND_BUDGET);
        if areas.chain(own).fold(0u64, u64::saturating_add) >= MOST_AREA {
            return Err(refused("its areas have too many digits: round them"));
        }
        let mut groups: HashMap<&str, u32> = HashMap::new();
        let mut blocks = Vec::with_capacity(scale.blocks.len());
        for &number in &scale.blocks {
            let block = &self.task_set.blocks[number as usize];
            let element = &scenario.sharing.elements[number as usize];
            let slot = block.slot.as_deref().map(|slot| {
                let next = groups.len() as u32;
                *groups.entry(slot).or_insert(next)
            });
            let on_chip = self.cores.chip_blocks.contains(&number);
            blocks.push(Block { area: element.weight as i64, on_chip, slot });
        }
        let tasks = scenario.tasks.iter().enumerate().map(|(at, task)| {
            let software = (!task.forced).then_some(None);
            let choices = (0..task.choices.len() as u32).map(Some);
            let choice = |choice: Option<u32>| -> Option<Choice> {
                let area = choice.map_or(0, |choice| scenario.costs.weight(at, choice));
                let size = task.wcet_with(choice) * (&scenario.hyperperiod / &task.period);
                let uses = choice.map_or(&[][..], |choice| scenario.sharing.uses_of(at, choice));
                let bit = |block: &u32| scale.blocks.iter().position(|other| other == block);
                let blocks = uses.iter().filter_map(bit).fold(0u64, |mask, bit| mask | 1 << bit);
                // A choice that the clock forbids is larger than a core.
                let is_allowed = area != BEYOND_BUDGET;
                let size = if is_allowed { scale.size(&size, rounded_up) } else { 2 * MOST_CAPACITY };
                Some(Choice { area: if is_allowed { area as i64 } else { 0 }, size, blocks })
            };
            software.into_iter().chain(choices).filter_map(choice).collect()
        });
        let tasks: Vec<Vec<Choice>> = tasks.collect();
        // Each size, rounded down and at least 1, may be one above the exact one.
        let more = if scale.is_exact || rounded_up { 0 } else { tasks.len() as i64 };
        let pins = (0..scenario.tasks.len()).map(|task| self.cores.pin(task)).collect();
        let (capacity, cores) = (scale.capacity + more, self.count as usize);
        let software: Vec<bool> = scenario.tasks.iter().map(|task| !task.forced).collect();
        let limits =
            self.amounts().map_or(Some(Vec::new()), |amounts| amounts.limits(&software, &scale.blocks));
        let limits =
            limits.ok_or_else(|| refused("what it takes of a resource has too many digits: round it"))?;
        let apart = self.cores.apart.clone();
        Ok((Problem { tasks, blocks, capacity, cores, pins, apart, limits }, scale))
    }

    /// The design in the set's terms, if every core passes the exact test.
    pub fn design(
        &self,
        scenario: &Formulation,
        design: &Design,
        effort: &RefCell<Effort>,
    ) -> Option<Partition> {
        let choice = |(task, &pick): (&TimedTask, &usize)| match task.forced {
            true => Some(pick as u32),
            false => pick.checked_sub(1).map(|choice| choice as u32),
        };
        let choices: Vec<Option<u32>> = scenario.tasks.iter().zip(&design.picks).map(choice).collect();
        let mut partition = Partition {
            area: self.area(scenario, design.area),
            cost: Vec::new(),
            assignment: design.cores.clone(),
            choices: choices.clone(),
            blocks: Vec::new(),
            chip_blocks: Vec::new(),
            utilizations: Vec::new(),
            areas: Vec::new(),
            clock: None,
            margin: None,
        };
        let mut chip: Vec<u32> = Vec::new();
        let mut least: Option<Rational> = None;
        let mut is_margin_known = true;
        for core in 0..self.count {
            let tasks: Vec<usize> = (0..choices.len()).filter(|&task| design.cores[task] == core).collect();
            let own: Vec<Option<u32>> = tasks.iter().map(|&task| choices[task]).collect();
            let alone = of_core(scenario, &tasks, &|_| true);
            let effort = &mut effort.borrow_mut();
            let mut built = alone.sharing.used(&own)?;
            let is_chip = |block: &u32| self.cores.chip_blocks.contains(block);
            chip.extend(built.iter().filter(|block| is_chip(block)));
            built.retain(|block| !is_chip(block));
            let weight = |block: &u32| scenario.sharing.elements[*block as usize].weight;
            let hardware =
                tasks.iter().zip(&own).filter_map(|(&task, own)| Some(scenario.costs.weight(task, (*own)?)));
            let units: u64 = hardware.chain(built.iter().map(weight)).sum();
            partition.areas.push(Rational::from(BigInt::from(units)) * &scenario.costs.units[0]);
            partition.blocks.push(built);
            if tasks.is_empty() {
                partition.utilizations.push(Rational::zero());
                continue;
            }
            if schedulable(&alone, &own, effort) != Outcome::Passes {
                return None;
            }
            partition.utilizations.push(alone.utilization(&own));
            match margin(&alone, &own, effort) {
                Ok(margin) => least = [least, Some(margin.factor)].into_iter().flatten().min(),
                Err(_) => is_margin_known = false,
            }
        }
        chip.sort_unstable();
        chip.dedup();
        if let Some(amounts) = self.amounts() {
            partition.cost = amounts.cost(&choices, partition.blocks.iter().flatten().chain(&chip));
        }
        partition.chip_blocks = chip;
        partition.margin = least.filter(|_| is_margin_known).map(|factor| factor - Rational::one());
        Some(partition)
    }

    /// Why there is no design, in words.
    pub fn reason(&self, scenario: &Formulation, reason: Reason) -> String {
        let name = |task: usize| shortened(&self.task_set.tasks[task].name);
        let least = |(at, task): (usize, &TimedTask)| -> Rational {
            let choices =
                (0..task.choices.len() as u32).map(Some).chain([None].into_iter().filter(|_| !task.forced));
            let allowed =
                choices.filter(|choice| choice.is_none_or(|choice| !scenario.costs.is_beyond(at, choice)));
            let least = allowed.map(|choice| task.wcet_with(choice)).min().cloned().unwrap_or_default();
            Rational::new(least, task.period.clone())
        };
        let cores = match self.count {
            1 => "one core".to_owned(),
            count => format!("{count} cores"),
        };
        match reason {
            Reason::Pinned(task) => {
                let core = self.cores.pin(task).unwrap_or_default();
                format!("task `{}` must run on core {core}, and the {cores} are numbered from 0", name(task))
            }
            Reason::TaskTooLarge(task) => format!(
                "task `{}` alone needs {} of a core with its fastest choice",
                name(task),
                amount(&least((task, &scenario.tasks[task])))
            ),
            Reason::TooLarge => {
                let all: Rational = scenario.tasks.iter().enumerate().map(least).sum();
                let over = &all - Rational::from(BigInt::from(self.count));
                format!(
                    "with their fastest choices the tasks need as much time as {} cores have: {} of a core would have to be saved",
                    amount(&all),
                    amount(&over)
                )
            }
            Reason::Packing => {
                format!("the tasks cannot be divided among {cores}, not even with their fastest choices")
            }
            Reason::EveryDesign => format!("no design and no division among {cores} meets every deadline"),
            Reason::Limit(at, least) => {
                let of = |amounts: Amounts| {
                    let limited = amounts.limited();
                    let Limited { resource, unit } = limited.get(at)?;
                    let least = amounts.of_cores(*resource) + unit * BigInt::from(least);
                    let resources = &amounts.priced.resources;
                    let most = resources.limits[*resource].as_ref()?;
                    let name = shortened(&resources.names[*resource]);
                    Some(format!(
                        "every design that meets all deadlines takes at least {} {name}, and {} are allowed",
                        format_decimal(&least),
                        format_decimal(most)
                    ))
                };
                self.amounts().and_then(of).unwrap_or_default()
            }
            Reason::Limits => "no design that meets all deadlines is within all limits at once".to_owned(),
        }
    }
}

/// A utilization in words: `0.649`, or `about 0.649394` where it has more digits.
fn amount(value: &Rational) -> String {
    let exact = format_decimal(value);
    if exact.contains('/') || exact.len() > 10 {
        format!("about {}", isx_exact::quantity::format_rounded(value, 6))
    } else {
        exact
    }
}

/// The capacity of a core to which larger ones are rounded.
const MOST_CAPACITY: i64 = 1 << 52;

/// How demands become sizes.
pub struct Scale {
    /// The blocks that choices use: bit k of a mask is the k-th.
    pub blocks: Vec<u32>,
    /// What sizes are divided by.
    unit: BigInt,
    hyperperiod: BigInt,
    pub capacity: i64,
    pub is_exact: bool,
}

impl Scale {
    /// `None` if there are too many blocks for a mask.
    pub fn of(scenario: &Formulation) -> Option<Self> {
        let mut blocks: Vec<u32> = scenario.sharing.uses.iter().flatten().flatten().copied().collect();
        blocks.sort_unstable();
        blocks.dedup();
        let hyperperiod = scenario.hyperperiod.clone();
        let mut unit = hyperperiod.clone();
        for task in &scenario.tasks {
            let frequency = &hyperperiod / &task.period;
            for wcet in [&task.wcet].into_iter().chain(task.choices.iter().map(|choice| &choice.wcet)) {
                unit = gcd(&unit, &(wcet * &frequency));
            }
        }
        let capacity = (&hyperperiod / &unit).to_i64().filter(|&capacity| capacity <= MOST_CAPACITY);
        let is_exact = capacity.is_some();
        let capacity = capacity.unwrap_or(MOST_CAPACITY);
        (blocks.len() <= 64).then_some(Self { blocks, unit, hyperperiod, capacity, is_exact })
    }

    pub fn size(&self, demand: &BigInt, rounded_up: bool) -> i64 {
        let size = if self.is_exact {
            demand / &self.unit
        } else {
            let more = if rounded_up { &self.hyperperiod - BigInt::one() } else { BigInt::zero() };
            (demand * BigInt::from(MOST_CAPACITY) + more) / &self.hyperperiod
        };
        // Sizes far above a core's capacity all mean that the core cannot hold the task.
        size.to_i64().unwrap_or(i64::MAX).clamp(1, 2 * MOST_CAPACITY)
    }
}
