//! Random task sets: a recipe with a seed in, a task-set file out, the same bytes on every machine.
//!
//! Utilizations follow UUniFast-Discard (Bini and Buttazzo 2005; Davis and Burns, "Priority Assignment for Global
//! Fixed Priority Pre-emptive Scheduling in Multiprocessor Real-Time Systems", RTSS 2009): every vector of n
//! utilizations with the wanted sum and no component above the limit is alike. They are drawn on a grid of 10^-9 as
//! gaps between uniform cuts, which is UUniFast's distribution without its powers; and when the sum is above half of
//! what n tasks may have, the slack to the limit is drawn instead, which is the same set mirrored and discards less.
//!
//! A WCET is the utilization times the period, rounded to a whole cycle of the clock and at least
//! [`MIN_WCET`] cycles, so a task's utilization is off by at most [`MIN_WCET`] cycles a period; the sum that comes
//! out is written, exactly, at the head of the file.
//!
//! Worked instance: 2 tasks, sum 1.5, limit 1. Half of 2 is 1 < 1.5, so slacks with sum 0.5 are drawn, say 0.2 and
//! 0.3: utilizations 0.8 and 0.7. With periods of 10 ms and 20 ms at 100 MHz the WCETs are 800,000 and 1,400,000.

mod blocks;
pub mod recipe;

use crate::model::Scheduler;
use blocks::{DrawnBlocks, name_list};
use isx_exact::quantity::{Rational, format_decimal, format_rounded};
use isx_exact::sampling::{DecimalRange, MAX_PLACES, Sampler};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use recipe::{
    Deadlines, MAX_CHOICES, MAX_PERIOD_US, Periods, RecipeError, SavingsModel, TaskNames, TaskSetRecipe,
    field, microseconds,
};
use std::collections::HashSet;
use std::fmt::Write as _;

/// The least WCET in cycles: of two cycles a choice can save one.
pub const MIN_WCET: u64 = 2;

/// The grid of the utilizations drawn: 10^-9.
const GRID: u64 = 1_000_000_000;

/// How many vectors are drawn before UUniFast-Discard gives up.
const ATTEMPTS: u32 = 100_000;

/// The most digits of a denominator that are written out at the head of a file.
const WRITTEN_DIGITS: usize = 40;

struct GeneratedTask {
    name: String,
    wcet: u64,
    period_us: u64,
    deadline_us: Option<u64>,
    /// 1 is the highest.
    priority: Option<u64>,
    /// By rising area.
    choices: Vec<GeneratedChoice>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct GeneratedChoice {
    /// In units of the last decimal.
    area: u64,
    /// In cycles.
    saved: u64,
    /// The blocks, counted from 0.
    uses: Vec<u64>,
}

/// Follows the recipe and returns the text of a task-set file.
///
/// # Errors
///
/// When a field of the recipe is out of range, or when no utilization vector is found in 100,000 attempts.
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
    let blocks = draw_blocks(recipe, &mut tasks, &mut sampler);
    draw_priorities(recipe, &mut tasks, &mut sampler);
    Ok(write_yaml(recipe, &blocks, &tasks))
}

fn check(recipe: &TaskSetRecipe) -> Result<(), RecipeError> {
    let tasks = recipe.tasks.count();
    if !(1..=MAX_CHOICES).contains(&tasks) {
        return Err(field("tasks", tasks, "there must be 1 to 40000 tasks"));
    }
    check_names(recipe)?;
    if !(1..=100_000).contains(&recipe.clock_mhz) {
        return Err(field("clock-mhz", recipe.clock_mhz, "the clock must run at 1 to 100000 MHz"));
    }
    if recipe.choices.low > recipe.choices.high || recipe.choices.high.saturating_mul(tasks) > MAX_CHOICES {
        return Err(field("choices", recipe.choices, "all tasks together may have up to 40000 choices"));
    }
    check_periods(&recipe.periods)?;
    check_range("area", recipe.area)?;
    if let Some(blocks) = &recipe.blocks {
        blocks.check(recipe)?;
        check_range("block-area", blocks.area)?;
        if let Some(fmax) = blocks.fmax {
            check_range("fmax", fmax)?;
            blocks.check_fmax(fmax, recipe.clock_mhz)?;
        }
    }
    let fraction = recipe.savings.fraction;
    check_range("savings", fraction)?;
    if fraction.high >= fraction.unit() {
        return Err(field(
            "savings",
            recipe.savings,
            "a choice must save less than the whole WCET: stay below 1",
        ));
    }
    match recipe.deadlines {
        Deadlines::Implicit => Ok(()),
        Deadlines::Constrained(ratio) if ratio.high > ratio.unit() => Err(field(
            "deadlines",
            recipe.deadlines,
            "a constrained deadline is at most the period: stay below 1",
        )),
        Deadlines::Constrained(ratio) | Deadlines::Arbitrary(ratio) if ratio.high > 1000 * ratio.unit() => {
            Err(field("deadlines", recipe.deadlines, "a deadline is at most 1000 periods"))
        }
        Deadlines::Constrained(ratio) | Deadlines::Arbitrary(ratio) => check_range("deadlines", ratio),
    }
}

fn check_range(flag: &'static str, range: DecimalRange) -> Result<(), RecipeError> {
    if range.low > range.high || range.places > MAX_PLACES || range.high >= 1_000_000_000_000_000 {
        return Err(field(
            flag,
            range,
            "the low end must be at most the high end, with at most nine decimals",
        ));
    }
    Ok(())
}

/// Names are written without quotes, in the file and in the flags.
fn check_names(recipe: &TaskSetRecipe) -> Result<(), RecipeError> {
    let plain = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
            && !["yes", "no", "on", "off", "true", "false", "null", "y", "n"]
                .contains(&name.to_ascii_lowercase().as_str())
    };
    const MUST: &str = "write a letter, then letters, digits, `-`, `_` and `.`; no word for true or false";
    if !plain(&recipe.name) {
        return Err(field("name", &recipe.name, MUST));
    }
    if !plain(&recipe.area_unit) {
        return Err(field("area-unit", &recipe.area_unit, MUST));
    }
    if recipe.description.chars().any(char::is_control) {
        return Err(field(
            "description",
            "with control characters",
            "it must be one paragraph of plain text",
        ));
    }
    if let TaskNames::Given(names) = &recipe.tasks {
        if let Some(name) = names.iter().find(|name| !plain(name)) {
            return Err(field("tasks", name, MUST));
        }
        let mut seen = HashSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(field("tasks", name, "a task's name may be given once only"));
        }
    }
    Ok(())
}

fn check_periods(periods: &Periods) -> Result<(), RecipeError> {
    let allowed = 1..=MAX_PERIOD_US;
    match periods {
        Periods::OneOf(list) if list.is_empty() || !list.iter().all(|us| allowed.contains(us)) => {
            Err(field("periods", periods, "give one period or more, each from 1us to 3600s"))
        }
        Periods::LogUniform { low_us, high_us, step_us }
            if !(allowed.contains(low_us) && allowed.contains(high_us) && allowed.contains(step_us))
                || low_us.div_ceil(*step_us) > high_us / step_us =>
        {
            Err(field("periods", periods, "the range must hold a multiple of its step, within 1us to 3600s"))
        }
        _ => Ok(()),
    }
}

/// UUniFast-Discard on the grid: utilizations in units of 10^-9.
fn draw_utilizations(recipe: &TaskSetRecipe, sampler: &mut Sampler) -> Result<Vec<u64>, RecipeError> {
    let total = on_grid(
        "utilization",
        &recipe.utilization,
        1_000_000,
        "from 0 to 1000000, in nine decimals at most",
    )?;
    let limit = on_grid(
        "max-task-utilization",
        &recipe.max_task_utilization,
        1_000,
        "from 0 to 1000, in nine decimals at most",
    )?;
    let count = recipe.tasks.count();
    if total < count {
        let must = "the utilization must be above 0 for every task, 10^-9 at least";
        return Err(field("utilization", format_decimal(&recipe.utilization), must));
    }
    let most = u128::from(limit) * u128::from(count);
    if u128::from(total) > most {
        let must =
            "the utilization must not pass the largest utilization of one task times the number of tasks";
        return Err(field("utilization", format_decimal(&recipe.utilization), must));
    }
    let slack = most - u128::from(total);
    if slack < u128::from(count) {
        return Ok(spread_evenly(total, count));
    }
    let mirrored = slack < u128::from(total);
    let drawn = if mirrored { slack as u64 } else { total };
    for _ in 0..ATTEMPTS {
        // Both sums are at least `count`, so a composition exists.
        let parts = sampler.composition(drawn, count as usize).unwrap_or_default();
        // The mirrored part must leave a utilization above 0; the plain one must not pass the limit.
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

/// Less than one unit of the grid a task away from every task at the limit: nothing is left to draw.
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
    let choices = draw_choices(recipe, wcet, sampler);
    let name = recipe.tasks.name(index);
    GeneratedTask { name, wcet, period_us, deadline_us, priority: None, choices }
}

fn draw_choices(recipe: &TaskSetRecipe, wcet: u64, sampler: &mut Sampler) -> Vec<GeneratedChoice> {
    let (area, fraction) = (recipe.area, recipe.savings.fraction);
    let count = sampler.within(recipe.choices);
    let peak = match recipe.savings.model {
        SavingsModel::Uncorrelated => 0,
        SavingsModel::Correlated => sampler.uniform(fraction.low, fraction.high),
    };
    let mut choices: Vec<GeneratedChoice> = (0..count)
        .map(|_| {
            let area_units = sampler.uniform(area.low, area.high);
            let saved = match recipe.savings.model {
                SavingsModel::Uncorrelated => {
                    // Drawn in cycles rather than in hundredths: two choices rarely save the same.
                    let least = scale(wcet, fraction.low, fraction.unit());
                    sampler.uniform(least, scale(wcet, fraction.high, fraction.unit()))
                }
                SavingsModel::Correlated => {
                    let least = scale(wcet, fraction.low, fraction.unit());
                    let most = scale(wcet, peak, fraction.unit());
                    least + diminishing(most - least, area_units - area.low, area.high - area.low)
                }
            };
            GeneratedChoice { area: area_units, saved: saved.clamp(1, wcet - 1), uses: Vec::new() }
        })
        .collect();
    choices.sort();
    choices
}

/// Draws what the choices share: returns the blocks, none where the recipe has none. Their clocks come last, so that the
/// rest is that of the recipe without them.
fn draw_blocks(recipe: &TaskSetRecipe, tasks: &mut [GeneratedTask], sampler: &mut Sampler) -> DrawnBlocks {
    let Some(blocks) = &recipe.blocks else { return DrawnBlocks::default() };
    let areas = blocks.draw_areas(sampler);
    for choice in tasks.iter_mut().flat_map(|task| &mut task.choices) {
        choice.uses = blocks.draw_uses(sampler);
    }
    DrawnBlocks { areas, fmax: blocks.draw_fmax(sampler) }
}

/// Gives every task its own priority where the scheduler goes by them. It is drawn after everything else, so that the
/// same recipe under another scheduler gives the same tasks, choices and blocks.
fn draw_priorities(recipe: &TaskSetRecipe, tasks: &mut [GeneratedTask], sampler: &mut Sampler) {
    if recipe.scheduler != Scheduler::FixedPriority {
        return;
    }
    let mut priorities: Vec<u64> = (1..=tasks.len() as u64).collect();
    // Fisher and Yates: every order is alike.
    for last in (1..priorities.len()).rev() {
        priorities.swap(last, sampler.uniform(0, last as u64) as usize);
    }
    for (task, priority) in tasks.iter_mut().zip(priorities) {
        task.priority = Some(priority);
    }
}

/// `most * x (2 - x)` for x = at / width, rounded down: 0 at 0, `most` at 1, the slope falling from 2 to 0.
fn diminishing(most: u64, at: u64, width: u64) -> u64 {
    if width == 0 {
        return most;
    }
    let [at, width] = [at, width].map(BigInt::from);
    let grown = BigInt::from(most) * &at * (BigInt::from(2) * &width - &at) / (&width * &width);
    grown.to_u64().unwrap_or(most)
}

/// `value * numerator / denominator` to the nearest integer, halves up.
fn scale(value: u64, numerator: u64, denominator: u64) -> u64 {
    let denominator = u128::from(denominator);
    ((u128::from(value) * u128::from(numerator) + denominator / 2) / denominator) as u64
}

/// `value * numerator / denominator`, rounded down.
fn scale_down(value: u64, numerator: u64, denominator: u64) -> u64 {
    (u128::from(value) * u128::from(numerator) / u128::from(denominator)) as u64
}

fn write_yaml(recipe: &TaskSetRecipe, drawn: &DrawnBlocks, tasks: &[GeneratedTask]) -> String {
    let mut text = String::from("# Generated. The same recipe gives the same numbers on every machine:\n");
    // Writing to a String cannot fail.
    let _ = writeln!(text, "#   isx generate taskset {recipe}");
    let _ = writeln!(
        text,
        "# Software-only utilization after rounding WCETs to cycles: {}",
        achieved(recipe, tasks)
    );
    // A reference to a file that need not be there would be an error in every editor that follows it.
    text.push_str("# The schema of this file, for editors: isx schema > taskset.schema.json\n");
    let _ = writeln!(text, "name: {}", recipe.name);
    text.push_str("description: >-\n");
    // A report shows this without the comment.
    let note = "Generated; areas, WCETs, periods and choices are illustrative. The recipe is in the first lines of its YAML file.";
    text.push_str(&folded(&format!("{} {note}", recipe.description)));
    let _ = writeln!(text, "clock: {} MHz", recipe.clock_mhz);
    let _ = writeln!(text, "area_unit: {}", recipe.area_unit);
    let _ = writeln!(text, "source: generated by isx, seed {}", recipe.seed);
    if recipe.scheduler != Scheduler::Edf {
        let _ = writeln!(text, "scheduler: {}", recipe.scheduler.name());
    }
    if let Some(blocks) = &recipe.blocks {
        blocks.write(&mut text, drawn);
    }
    text.push_str("tasks:\n");
    for task in tasks {
        write_task(&mut text, recipe, task);
    }
    text
}

fn write_task(text: &mut String, recipe: &TaskSetRecipe, task: &GeneratedTask) {
    let _ = writeln!(text, "  - name: {}", task.name);
    let _ = writeln!(text, "    wcet: {}", task.wcet);
    let _ = writeln!(text, "    period: {}", microseconds(task.period_us, " "));
    if let Some(deadline) = task.deadline_us {
        let _ = writeln!(text, "    deadline: {}", microseconds(deadline, " "));
    }
    if let Some(priority) = task.priority {
        let _ = writeln!(text, "    priority: {priority}");
    }
    let _ = writeln!(text, "    source: generated");
    if task.choices.is_empty() {
        return;
    }
    text.push_str("    choices:\n");
    for (number, choice) in task.choices.iter().enumerate() {
        let _ = writeln!(text, "      - name: ci-{}", number + 1);
        if !choice.uses.is_empty() {
            let _ = writeln!(text, "        uses: {}", name_list(&choice.uses));
        }
        let _ = writeln!(text, "        area: {}", recipe.area.text(choice.area));
        let _ = writeln!(text, "        saves: {}", choice.saved);
    }
}

/// The sum of wcet / period, as a fraction where it is short enough to be read, and rounded.
fn achieved(recipe: &TaskSetRecipe, tasks: &[GeneratedTask]) -> String {
    let sum = tasks.iter().fold(Rational::zero(), |sum, task| {
        sum + Rational::new(task.wcet.into(), (task.period_us * recipe.clock_mhz).into())
    });
    let rounded = format_rounded(&sum, 12);
    let fraction = format!("{}/{}", sum.numer(), sum.denom());
    if fraction.len() > 2 * WRITTEN_DIGITS {
        format!("about {rounded}")
    } else {
        format!("{fraction}, about {rounded}")
    }
}

/// The words of a text in lines of a folded YAML block, which reads back as the words with single spaces.
fn folded(text: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 110 {
            let _ = writeln!(lines, "  {line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(lines, "  {line}");
    lines
}
