//! Random task sets: a recipe with a seed gives a task-set file, byte-identical on every machine.
//!
//! Utilizations are drawn on a grid of 10^-9, as `utilizations.rs` says.
//!
//! A WCET is the utilization times the period, rounded to a whole clock cycle and at least [`MIN_WCET`] cycles, so a
//! task's utilization is off by at most [`MIN_WCET`] cycles per period; the resulting sum is written, exactly, in the
//! header of the file.
//!
//! Worked instance: utilizations of 0.8 and 0.7 with periods of 10 ms and 20 ms at 100 MHz give WCETs of 800,000 and
//! 1,400,000.

mod blocks;
mod catalog;
mod drawn;
mod error;
mod keys;
mod model;
mod periods;
pub mod recipe;
mod resources;
mod sums;
mod utilizations;
mod yaml;

pub use keys::{KEYS, KeyProblem, recipe_of};
pub use recipe::{NamedRecipe, RECIPES};
pub use sums::{Sums, in_units};

use crate::diagnostics::is_plain;
use crate::model::{MAX_MODES, Scheduler, TaskSet};
use blocks::DrawnBlocks;
use drawn::{GeneratedChoice, GeneratedTask, GeneratedTiming, quotient, scale};
use error::{RecipeError, require};
use isx_exact::quantity::format_decimal;
use isx_exact::sampling::{DecimalRange, MAX_PLACES, Sampler};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use recipe::{Deadlines, MAX_CHOICES, SavingsModel, TaskNames, TaskSetRecipe, Utilizations};
use std::collections::HashSet;
use utilizations::{GRID, Wanted};

/// The minimum WCET in cycles: with two cycles a choice can save one.
pub const MIN_WCET: u64 = 2;

/// Generates the text of a task-set file from the recipe. Fails if a field of the recipe is out of range, or its
/// distribution of utilizations finds none in 100,000 attempts.
///
/// ```
/// use isx_taskset::{generate::generate, recipe::TaskSetRecipe};
/// let recipe = TaskSetRecipe { seed: 42, ..TaskSetRecipe::default() };
/// assert_eq!(generate(&recipe).unwrap(), generate(&recipe).unwrap());
/// ```
pub fn generate(recipe: &TaskSetRecipe) -> Result<String, RecipeError> {
    let (tasks, blocks) = draw(recipe, &check(recipe)?)?;
    Ok(yaml::write_yaml(recipe, &blocks, &tasks))
}

/// As [`generate`], straight into the model: the task set that is read from the text, without writing and reading it.
/// Fails as [`generate`].
///
/// ```
/// use isx_taskset::{generate::{generate, generate_set}, read_str, recipe::TaskSetRecipe};
/// let recipe = TaskSetRecipe { seed: 42, ..TaskSetRecipe::default() };
/// let read = read_str("generated.yaml", &generate(&recipe).unwrap()).unwrap().task_set;
/// assert_eq!(generate_set(&recipe).unwrap(), read);
/// ```
pub fn generate_set(recipe: &TaskSetRecipe) -> Result<TaskSet, RecipeError> {
    let (tasks, blocks) = draw(recipe, &check(recipe)?)?;
    Ok(model::task_set(recipe, blocks, tasks))
}

/// A recipe that was checked, for sets of many seeds.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The recipe; its seed is ignored.
    recipe: TaskSetRecipe,
    wanted: Wanted,
}

impl Checked {
    /// Checks a recipe.
    /// Fails if a field is out of range.
    pub fn new(recipe: TaskSetRecipe) -> Result<Self, RecipeError> {
        let wanted = check(&recipe)?;
        Ok(Self { recipe, wanted })
    }

    /// The recipe with this seed.
    pub fn recipe(&self, seed: u64) -> TaskSetRecipe {
        TaskSetRecipe { seed, ..self.recipe.clone() }
    }

    /// What the set of a seed adds up to, if designs are sums over its tasks and utilization decides; otherwise `false`.
    /// Fails if no utilizations are drawn in 100,000 attempts.
    pub fn sums(&self, seed: u64, sums: &mut Sums) -> Result<bool, RecipeError> {
        if !sums::are_enough(&self.recipe) {
            return Ok(false);
        }
        let Self { recipe, wanted } = self;
        let sampler = &mut Sampler::new(seed);
        sums.begin(recipe.area);
        for utilization in draw_utilizations(recipe, wanted, sampler)? {
            let (timing, _) = draw_task(recipe, utilization, sampler, &mut sums.choices);
            sums.end_task(timing);
        }
        Ok(sums.add_up(recipe.clock_mhz))
    }
}

/// Draws the random figures of a set.
fn draw(recipe: &TaskSetRecipe, wanted: &Wanted) -> Result<(Vec<GeneratedTask>, DrawnBlocks), RecipeError> {
    let mut sampler = Sampler::new(recipe.seed);
    let mut tasks = draw_tasks(recipe, wanted, &mut sampler)?;
    let mut blocks = draw_blocks(recipe, &mut tasks, &mut sampler);
    draw_priorities(recipe, &mut tasks, &mut sampler);
    draw_other_resources(recipe, &mut tasks, &mut blocks, &mut sampler);
    recipe.kernel.draw(&mut tasks, &mut sampler);
    for _ in 1..recipe.modes {
        let utilizations = recipe.utilizations.draw(wanted, &mut sampler)?;
        for (task, utilization) in tasks.iter_mut().zip(utilizations) {
            task.others.push(draw_timing(recipe, utilization, &mut sampler));
        }
    }
    Ok((tasks, blocks))
}

/// Draws the tasks with their choices.
fn draw_tasks(
    recipe: &TaskSetRecipe,
    wanted: &Wanted,
    sampler: &mut Sampler,
) -> Result<Vec<GeneratedTask>, RecipeError> {
    let utilizations = draw_utilizations(recipe, wanted, sampler)?;
    let mut drawn = Vec::new();
    let choice = |&(area, saved): &(u64, u64)| {
        let (uses, others) = (Vec::new(), Vec::new());
        GeneratedChoice { area, saved, uses, others }
    };
    let task = |utilization| {
        drawn.clear();
        let (timing, peak) = draw_task(recipe, utilization, sampler, &mut drawn);
        let (others, choices) = (Vec::new(), drawn.iter().map(choice).collect());
        GeneratedTask { timing, others, priority: None, kernel: [0; 3], peak, choices }
    };
    Ok(utilizations.into_iter().map(task).collect())
}

fn draw_utilizations(
    recipe: &TaskSetRecipe,
    wanted: &Wanted,
    sampler: &mut Sampler,
) -> Result<Vec<u64>, RecipeError> {
    let utilizations = recipe.utilizations.draw(wanted, sampler)?;
    check_count(recipe, utilizations.len() as u64)?;
    Ok(utilizations)
}

/// Checks a recipe, and returns what its utilizations must add up to.
fn check(recipe: &TaskSetRecipe) -> Result<Wanted, RecipeError> {
    let tasks = recipe.tasks.count();
    require((1..=MAX_CHOICES).contains(&tasks), "tasks", tasks, "there must be 1 to 40000 tasks")?;
    check_names(recipe)?;
    let clock = recipe.clock_mhz;
    require((1..=100_000).contains(&clock), "clock-mhz", clock, "the clock must run at 1 to 100000 MHz")?;
    // A named distribution draws at least one task; how many is known later.
    check_count(recipe, if let Utilizations::Named(_) = recipe.utilizations { 1 } else { tasks })?;
    recipe.periods.check()?;
    if recipe.resources.is_empty() {
        check_range("area", recipe.area)?;
    }
    if let Some(catalog) = &recipe.catalog {
        let must = "a catalog has areas: leave the resources out";
        require(recipe.resources.is_empty(), "catalog", &catalog.name, must)?;
    }
    recipe.resources.all.iter().try_for_each(|(_, range)| check_range("resources", *range))?;
    if let Some(blocks) = &recipe.blocks {
        check_range("block-area", blocks.area)?;
        if let Some(fmax) = blocks.fmax {
            check_range("fmax", fmax)?;
            blocks.check_fmax(fmax, clock)?;
        }
    }
    require(
        recipe.kernel.switch <= 1_000_000_000,
        "switch",
        recipe.kernel.switch,
        "a switch takes up to 10^9 cycles",
    )?;
    for (flag, range) in recipe.kernel.ranges() {
        let Some(range) = range else { continue };
        check_range(flag, range)?;
        let must = "no part is longer than the whole: the range ends at 1 or below";
        require(range.high <= range.unit(), flag, range, must)?;
    }
    if let Some((_, area)) = &recipe.cores {
        require(!area.is_negative(), "core-area", format_decimal(area), "an area is at least 0")?;
    }
    let most = MAX_MODES as u64;
    require((1..=most).contains(&recipe.modes), "modes", recipe.modes, "a set has 1 to 16 modes")?;
    let is_delayed = recipe.kernel.ranges().iter().any(|(_, range)| range.is_some());
    let must = "sets with modes are drawn without jitter, blocking and parts that cannot be interrupted";
    require(recipe.modes == 1 || !is_delayed, "modes", recipe.modes, must)?;
    let must = "with a named distribution of utilizations there would be other tasks in every mode";
    let is_named = matches!(recipe.utilizations, Utilizations::Named(_));
    require(recipe.modes == 1 || !is_named, "modes", recipe.modes, must)?;
    let must = "tasks are divided among cores in one mode";
    require(recipe.modes == 1 || recipe.cores.is_none(), "modes", recipe.modes, must)?;
    let savings = recipe.savings;
    check_range("savings", savings.fraction)?;
    let must = "a choice must save less than the whole WCET: stay below 1";
    require(savings.fraction.high < savings.fraction.unit(), "savings", savings, must)?;
    check_deadlines(recipe.deadlines)?;
    recipe.utilizations.wanted(tasks, &recipe.utilization, &recipe.max_task_utilization)
}

fn check_deadlines(deadlines: Deadlines) -> Result<(), RecipeError> {
    let (ratio, is_constrained) = match deadlines {
        Deadlines::Implicit => return Ok(()),
        Deadlines::Constrained(ratio) => (ratio, true),
        Deadlines::Arbitrary(ratio) | Deadlines::Slack(ratio) => (ratio, false),
    };
    let must = "a constrained deadline is at most the period: stay below 1";
    require(!is_constrained || ratio.high <= ratio.unit(), "deadlines", deadlines, must)?;
    let fits = ratio.high <= 1000 * ratio.unit();
    require(fits, "deadlines", deadlines, "a deadline is at most 1000 periods")?;
    check_range("deadlines", ratio)
}

/// Checks what depends on the number of tasks.
fn check_count(recipe: &TaskSetRecipe, tasks: u64) -> Result<(), RecipeError> {
    let choices = recipe.choices;
    let choices_fit = choices.low <= choices.high && choices.high.saturating_mul(tasks) <= MAX_CHOICES;
    require(choices_fit, "choices", choices, "all tasks together may have up to 40000 choices")?;
    recipe.resources.check(tasks.saturating_mul(choices.high))?;
    recipe.blocks.as_ref().map_or(Ok(()), |blocks| blocks.check(tasks.saturating_mul(choices.high)))
}

fn check_range(flag: &'static str, range: DecimalRange) -> Result<(), RecipeError> {
    let fits = range.low <= range.high && range.places <= MAX_PLACES && range.high < 1_000_000_000_000_000;
    require(fits, flag, range, "the low end must be at most the high end, with at most nine decimals")
}

/// Names are written without quotes, in the file and in the flags.
fn check_names(recipe: &TaskSetRecipe) -> Result<(), RecipeError> {
    let check = |flag: &'static str, name: &str| {
        let must = "write a letter, then letters, digits, `-`, `_` and `.`; no word for true or false";
        require(is_plain(name), flag, name, must)
    };
    check("name", &recipe.name)?;
    check("area-unit", &recipe.area_unit)?;
    let is_plain = !recipe.description.chars().any(char::is_control);
    let must = "it must be one paragraph of plain text";
    require(is_plain, "description", "with control characters", must)?;
    if let TaskNames::Given(names) = &recipe.tasks {
        names.iter().try_for_each(|name| check("tasks", name))?;
        let mut seen = HashSet::new();
        for name in names {
            require(seen.insert(name), "tasks", name, "a task's name may be given once only")?;
        }
    }
    Ok(())
}

fn draw_timing(recipe: &TaskSetRecipe, utilization: u64, sampler: &mut Sampler) -> GeneratedTiming {
    let period_us = recipe.periods.draw(sampler);
    let wcet = scale(period_us * recipe.clock_mhz, utilization, GRID).max(MIN_WCET);
    let deadline_us = match recipe.deadlines {
        Deadlines::Implicit => None,
        Deadlines::Constrained(ratio) | Deadlines::Arbitrary(ratio) => {
            let ratio_units = sampler.uniform(ratio.low, ratio.high);
            Some(scale_down(period_us, ratio_units, ratio.unit()).max(1))
        }
        Deadlines::Slack(ratio) => {
            let [units, unit] = [sampler.uniform(ratio.low, ratio.high), ratio.unit()].map(i128::from);
            let [wcet, clock] = [wcet, recipe.clock_mhz].map(i128::from);
            let cycles = wcet * unit + units * (i128::from(period_us) * clock - wcet);
            Some(u64::try_from((cycles + unit * clock - 1) / (unit * clock)).map_or(1, |us| us.max(1)))
        }
    };
    GeneratedTiming { wcet, period_us, deadline_us }
}

/// Draws a task: its timing and its largest correlated saving, and its choices, as (area, cycles saved) by increasing area, to
/// the end of `choices`.
fn draw_task(
    recipe: &TaskSetRecipe,
    utilization: u64,
    sampler: &mut Sampler,
    choices: &mut Vec<(u64, u64)>,
) -> (GeneratedTiming, u64) {
    let timing = draw_timing(recipe, utilization, sampler);
    let count = sampler.within(recipe.choices);
    let (area, fraction, wcet) = (recipe.area, recipe.savings.fraction, timing.wcet);
    let peak = match recipe.savings.model {
        SavingsModel::Uncorrelated => 0,
        SavingsModel::Correlated => sampler.uniform(fraction.low, fraction.high),
    };
    let first = choices.len();
    let part = |part| scale(wcet, part, fraction.unit());
    // Drawn in cycles rather than in hundredths, so that two choices rarely save the same.
    let (least, most) = (part(fraction.low), part(fraction.high));
    match &recipe.catalog {
        Some(catalog) => catalog.draw(count, wcet, sampler, choices),
        None => choices.extend((0..count).map(|_| {
            let area_units = sampler.uniform(area.low, area.high);
            let saved = match recipe.savings.model {
                SavingsModel::Uncorrelated => sampler.uniform(least, most),
                SavingsModel::Correlated => saved_at(recipe, wcet, peak, area_units - area.low),
            };
            (area_units, saved.clamp(1, wcet - 1))
        })),
    }
    choices[first..].sort_unstable();
    (timing, peak)
}

/// The correlated saving of a choice that lies `at` units into the range of areas.
fn saved_at(recipe: &TaskSetRecipe, wcet: u64, peak: u64, at: u64) -> u64 {
    let fraction = recipe.savings.fraction;
    let (least, most) = (scale(wcet, fraction.low, fraction.unit()), scale(wcet, peak, fraction.unit()));
    least + diminishing(most - least, at, recipe.area.high - recipe.area.low)
}

/// Draws the amounts of all resources but the first. With correlated savings, more of them saves more.
fn draw_other_resources(
    recipe: &TaskSetRecipe,
    tasks: &mut [GeneratedTask],
    blocks: &mut DrawnBlocks,
    sampler: &mut Sampler,
) {
    if recipe.resources.all.len() < 2 {
        return;
    }
    blocks.others = blocks.areas.iter().map(|_| recipe.resources.draw_others(sampler)).collect();
    let width = recipe.area.high - recipe.area.low;
    for task in tasks {
        for choice in &mut task.choices {
            choice.others = recipe.resources.draw_others(sampler);
            if recipe.savings.model == SavingsModel::Correlated {
                let reach = recipe.resources.reach(&choice.others, width);
                let at = (choice.area - recipe.area.low + reach).min(width);
                let wcet = task.timing.wcet;
                choice.saved = saved_at(recipe, wcet, task.peak, at).clamp(1, wcet - 1);
            }
        }
    }
}

/// Draws what the choices share and returns the blocks (none if the recipe has none). Clocks are drawn last, so that
/// everything else equals the recipe without clocks.
fn draw_blocks(recipe: &TaskSetRecipe, tasks: &mut [GeneratedTask], sampler: &mut Sampler) -> DrawnBlocks {
    let Some(blocks) = &recipe.blocks else { return DrawnBlocks::default() };
    let areas = blocks.draw(blocks.area, sampler);
    for choice in tasks.iter_mut().flat_map(|task| &mut task.choices) {
        choice.uses = blocks.draw_uses(sampler);
    }
    DrawnBlocks {
        areas,
        others: Vec::new(),
        fmax: blocks.fmax.map_or_else(Vec::new, |fmax| blocks.draw(fmax, sampler)),
    }
}

/// Gives every task its own priority if the scheduler uses priorities. They are drawn after everything else, so that
/// the same recipe with another scheduler gives the same tasks, choices and blocks.
fn draw_priorities(recipe: &TaskSetRecipe, tasks: &mut [GeneratedTask], sampler: &mut Sampler) {
    if recipe.scheduler != Scheduler::FixedPriority {
        return;
    }
    let mut priorities: Vec<u64> = (1..=tasks.len() as u64).collect();
    // Fisher-Yates shuffle: all orders are equally likely.
    for last in (1..priorities.len()).rev() {
        priorities.swap(last, sampler.uniform(0, last as u64) as usize);
    }
    for (task, priority) in tasks.iter_mut().zip(priorities) {
        task.priority = Some(priority);
    }
}

/// `most * x (2 - x)` for x = at / width, rounded down: 0 at x = 0, `most` at x = 1, with slope falling from 2 to 0.
fn diminishing(most: u64, at: u64, width: u64) -> u64 {
    if width == 0 {
        return most;
    }
    let (wide_at, wide) = (u128::from(at), u128::from(width));
    let grown = u128::from(most).checked_mul(wide_at).and_then(|grown| grown.checked_mul(2 * wide - wide_at));
    if let (Some(grown), Some(square)) = (grown, wide.checked_mul(wide)) {
        return quotient(grown, square);
    }
    let [at, width] = [at, width].map(BigInt::from);
    let grown = BigInt::from(most) * &at * (BigInt::from(2) * &width - &at) / (&width * &width);
    grown.to_u64().unwrap_or(most)
}

/// `value * numerator / denominator`, rounded down.
fn scale_down(value: u64, numerator: u64, denominator: u64) -> u64 {
    quotient(u128::from(value) * u128::from(numerator), denominator.into())
}
