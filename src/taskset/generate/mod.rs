//! Random task sets: a recipe with a seed gives a task-set file, byte-identical on every machine.
//!
//! Utilizations follow UUniFast-Discard (Bini and Buttazzo 2005; Davis and Burns, "Priority Assignment for Global
//! Fixed Priority Pre-emptive Scheduling in Multiprocessor Real-Time Systems", RTSS 2009): all vectors of n
//! utilizations with the wanted sum and no component above the limit are equally likely. They are drawn on a grid of
//! 10^-9 as gaps between uniform cuts, which is UUniFast's distribution without its powers. If the sum exceeds half
//! of the maximum for n tasks, the slack to the limit is drawn instead: by symmetry the same distribution, with fewer
//! discarded vectors.
//!
//! A WCET is the utilization times the period, rounded to a whole clock cycle and at least [`MIN_WCET`] cycles, so a
//! task's utilization is off by at most [`MIN_WCET`] cycles per period; the resulting sum is written, exactly, in the
//! header of the file.
//!
//! Worked instance: 2 tasks, sum 1.5, limit 1. Half of 2 is 1 < 1.5, so slacks with sum 0.5 are drawn, say 0.2 and
//! 0.3: utilizations 0.8 and 0.7. With periods of 10 ms and 20 ms at 100 MHz the WCETs are 800,000 and 1,400,000.

mod blocks;
mod drawn;
mod error;
pub mod recipe;
mod resources;
mod yaml;

use crate::model::Scheduler;
use blocks::DrawnBlocks;
use drawn::{GeneratedChoice, GeneratedTask};
use error::{RecipeError, field, require};
use isx_exact::quantity::{Rational, format_decimal};
use isx_exact::sampling::{DecimalRange, MAX_PLACES, Sampler};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use recipe::{Deadlines, MAX_CHOICES, MAX_PERIOD_US, Periods, SavingsModel, TaskNames, TaskSetRecipe};
use std::collections::HashSet;

/// The minimum WCET in cycles: with two cycles a choice can save one.
pub const MIN_WCET: u64 = 2;

/// The grid of the utilizations drawn: 10^-9.
const GRID: u64 = 1_000_000_000;

/// The number of vectors drawn before UUniFast-Discard gives up.
const ATTEMPTS: u32 = 100_000;

/// Generates the text of a task-set file from the recipe.
///
/// # Errors
///
/// If a field of the recipe is out of range, or no utilization vector is found in 100,000 attempts.
///
/// ```
/// use isx_taskset::{generate::generate, recipe::TaskSetRecipe};
/// let recipe = TaskSetRecipe { seed: 42, ..TaskSetRecipe::default() };
/// assert_eq!(generate(&recipe).unwrap(), generate(&recipe).unwrap());
/// ```
pub fn generate(recipe: &TaskSetRecipe) -> Result<String, RecipeError> {
    check(recipe)?;
    let mut sampler = Sampler::new(recipe.seed);
    let utilizations = draw_utilizations(recipe, &mut sampler)?;
    let mut tasks: Vec<GeneratedTask> = utilizations
        .into_iter()
        .enumerate()
        .map(|(index, utilization)| draw_task(recipe, index, utilization, &mut sampler))
        .collect();
    let mut blocks = draw_blocks(recipe, &mut tasks, &mut sampler);
    draw_priorities(recipe, &mut tasks, &mut sampler);
    draw_other_resources(recipe, &mut tasks, &mut blocks, &mut sampler);
    Ok(yaml::write_yaml(recipe, &blocks, &tasks))
}

fn check(recipe: &TaskSetRecipe) -> Result<(), RecipeError> {
    let tasks = recipe.tasks.count();
    require((1..=MAX_CHOICES).contains(&tasks), "tasks", tasks, "there must be 1 to 40000 tasks")?;
    check_names(recipe)?;
    let clock = recipe.clock_mhz;
    require((1..=100_000).contains(&clock), "clock-mhz", clock, "the clock must run at 1 to 100000 MHz")?;
    let choices = recipe.choices;
    let choices_fit = choices.low <= choices.high && choices.high.saturating_mul(tasks) <= MAX_CHOICES;
    require(choices_fit, "choices", choices, "all tasks together may have up to 40000 choices")?;
    check_periods(&recipe.periods)?;
    if recipe.resources.is_empty() {
        check_range("area", recipe.area)?;
    }
    recipe.resources.check(tasks.saturating_mul(choices.high))?;
    recipe.resources.all.iter().try_for_each(|(_, range)| check_range("resources", *range))?;
    if let Some(blocks) = &recipe.blocks {
        blocks.check(tasks.saturating_mul(recipe.choices.high))?;
        check_range("block-area", blocks.area)?;
        if let Some(fmax) = blocks.fmax {
            check_range("fmax", fmax)?;
            blocks.check_fmax(fmax, clock)?;
        }
    }
    let savings = recipe.savings;
    check_range("savings", savings.fraction)?;
    let must = "a choice must save less than the whole WCET: stay below 1";
    require(savings.fraction.high < savings.fraction.unit(), "savings", savings, must)?;
    let (ratio, is_constrained) = match recipe.deadlines {
        Deadlines::Implicit => return Ok(()),
        Deadlines::Constrained(ratio) => (ratio, true),
        Deadlines::Arbitrary(ratio) => (ratio, false),
    };
    let must = "a constrained deadline is at most the period: stay below 1";
    require(!is_constrained || ratio.high <= ratio.unit(), "deadlines", recipe.deadlines, must)?;
    let fits = ratio.high <= 1000 * ratio.unit();
    require(fits, "deadlines", recipe.deadlines, "a deadline is at most 1000 periods")?;
    check_range("deadlines", ratio)
}

fn check_range(flag: &'static str, range: DecimalRange) -> Result<(), RecipeError> {
    let fits = range.low <= range.high && range.places <= MAX_PLACES && range.high < 1_000_000_000_000_000;
    require(fits, flag, range, "the low end must be at most the high end, with at most nine decimals")
}

/// Names are written without quotes, in the file and in the flags.
fn check_names(recipe: &TaskSetRecipe) -> Result<(), RecipeError> {
    let check = |flag: &'static str, name: &str| {
        let plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
            && !["yes", "no", "on", "off", "true", "false", "null", "y", "n"]
                .contains(&name.to_ascii_lowercase().as_str());
        let must = "write a letter, then letters, digits, `-`, `_` and `.`; no word for true or false";
        require(plain, flag, name, must)
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

fn check_periods(periods: &Periods) -> Result<(), RecipeError> {
    let allowed = |us: &u64| (1..=MAX_PERIOD_US).contains(us);
    let (fits, must) = match periods {
        Periods::OneOf(list) => {
            (!list.is_empty() && list.iter().all(allowed), "give one period or more, each from 1us to 3600s")
        }
        Periods::LogUniform { low_us, high_us, step_us } => (
            [low_us, high_us, step_us].into_iter().all(allowed)
                && low_us.div_ceil(*step_us) <= high_us / step_us,
            "the range must hold a multiple of its step, within 1us to 3600s",
        ),
    };
    require(fits, "periods", periods, must)
}

/// UUniFast-Discard on the grid: utilizations in units of 10^-9.
fn draw_utilizations(recipe: &TaskSetRecipe, sampler: &mut Sampler) -> Result<Vec<u64>, RecipeError> {
    let sum = &recipe.utilization;
    let total = on_grid("utilization", sum, 1_000_000, "from 0 to 1000000, in nine decimals at most")?;
    let limit = &recipe.max_task_utilization;
    let limit = on_grid("max-task-utilization", limit, 1_000, "from 0 to 1000, in nine decimals at most")?;
    let count = recipe.tasks.count();
    let must = "the utilization must be above 0 for every task, 10^-9 at least";
    require(total >= count, "utilization", format_decimal(sum), must)?;
    let most = u128::from(limit) * u128::from(count);
    let must = "the utilization must not pass the largest utilization of one task times the number of tasks";
    require(u128::from(total) <= most, "utilization", format_decimal(sum), must)?;
    let slack = most - u128::from(total);
    if slack < u128::from(count) {
        return Ok(spread_evenly(total, count));
    }
    let mirrored = slack < u128::from(total);
    let drawn = if mirrored { slack as u64 } else { total };
    for _ in 0..ATTEMPTS {
        // Both sums are at least `count`, so a composition exists.
        let parts = sampler.composition(drawn, count as usize).unwrap_or_default();
        // Mirrored shares must leave a utilization above 0; plain shares must not exceed the limit.
        if parts.iter().all(|&part| if mirrored { part < limit } else { part <= limit }) {
            return Ok(parts.into_iter().map(|part| if mirrored { limit - part } else { part }).collect());
        }
    }
    Err(RecipeError::Discarded {
        tasks: count as usize,
        utilization: format_decimal(&recipe.utilization),
        limit: format_decimal(&recipe.max_task_utilization),
        attempts: ATTEMPTS,
    })
}

/// The value in units of 10^-9, if it is a whole number of them and at most `most`.
fn on_grid(flag: &'static str, value: &Rational, most: u64, must: &'static str) -> Result<u64, RecipeError> {
    let scaled = value * BigInt::from(GRID);
    match scaled.to_integer().to_u64() {
        Some(units) if scaled.is_integer() && units <= most * GRID => Ok(units),
        _ => Err(field(flag, format_decimal(value), must)),
    }
}

/// All tasks are within one grid unit of the limit, so no freedom is left to draw.
fn spread_evenly(total: u64, count: u64) -> Vec<u64> {
    (0..count).map(|index| total / count + u64::from(index < total % count)).collect()
}

fn draw_task(recipe: &TaskSetRecipe, index: usize, utilization: u64, sampler: &mut Sampler) -> GeneratedTask {
    let period_us = match &recipe.periods {
        Periods::OneOf(list) => sampler.pick(list).copied().unwrap_or(1),
        Periods::LogUniform { low_us, high_us, step_us } => {
            sampler.log_uniform(low_us.div_ceil(*step_us), high_us / step_us) * step_us
        }
    };
    let deadline_us = match recipe.deadlines {
        Deadlines::Implicit => None,
        Deadlines::Constrained(ratio) | Deadlines::Arbitrary(ratio) => {
            let ratio_units = sampler.uniform(ratio.low, ratio.high);
            Some(scale_down(period_us, ratio_units, ratio.unit()).max(1))
        }
    };
    let wcet = scale(period_us * recipe.clock_mhz, utilization, GRID).max(MIN_WCET);
    let count = sampler.within(recipe.choices);
    let fraction = recipe.savings.fraction;
    let peak = match recipe.savings.model {
        SavingsModel::Uncorrelated => 0,
        SavingsModel::Correlated => sampler.uniform(fraction.low, fraction.high),
    };
    let choices = draw_choices(recipe, wcet, count, peak, sampler);
    let name = recipe.tasks.name(index);
    GeneratedTask { name, wcet, period_us, deadline_us, priority: None, peak, choices }
}

fn draw_choices(
    recipe: &TaskSetRecipe,
    wcet: u64,
    count: u64,
    peak: u64,
    sampler: &mut Sampler,
) -> Vec<GeneratedChoice> {
    let (area, fraction) = (recipe.area, recipe.savings.fraction);
    let mut choices: Vec<GeneratedChoice> = (0..count)
        .map(|_| {
            let area_units = sampler.uniform(area.low, area.high);
            let least = scale(wcet, fraction.low, fraction.unit());
            let saved = match recipe.savings.model {
                // Drawn in cycles rather than in hundredths, so that two choices rarely save the same.
                SavingsModel::Uncorrelated => {
                    sampler.uniform(least, scale(wcet, fraction.high, fraction.unit()))
                }
                SavingsModel::Correlated => saved_at(recipe, wcet, peak, area_units - area.low),
            };
            let (uses, others) = (Vec::new(), Vec::new());
            GeneratedChoice { area: area_units, saved: saved.clamp(1, wcet - 1), uses, others }
        })
        .collect();
    choices.sort();
    choices
}

/// The correlated saving of a choice that lies `at` units into the range of areas.
fn saved_at(recipe: &TaskSetRecipe, wcet: u64, peak: u64, at: u64) -> u64 {
    let fraction = recipe.savings.fraction;
    let [least, most] = [fraction.low, peak].map(|part| scale(wcet, part, fraction.unit()));
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
                choice.saved = saved_at(recipe, task.wcet, task.peak, at).clamp(1, task.wcet - 1);
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
    let [at, width] = [at, width].map(BigInt::from);
    let grown = BigInt::from(most) * &at * (BigInt::from(2) * &width - &at) / (&width * &width);
    grown.to_u64().unwrap_or(most)
}

/// `value * numerator / denominator` rounded to the nearest integer, halves up.
fn scale(value: u64, numerator: u64, denominator: u64) -> u64 {
    let denominator = u128::from(denominator);
    ((u128::from(value) * u128::from(numerator) + denominator / 2) / denominator) as u64
}

/// `value * numerator / denominator`, rounded down.
fn scale_down(value: u64, numerator: u64, denominator: u64) -> u64 {
    (u128::from(value) * u128::from(numerator) / u128::from(denominator)) as u64
}
