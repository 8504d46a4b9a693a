//! Generated task sets.

use crate::errors;
use isx::quantity::{Rational, parse_decimal};
use isx::sampling::{DecimalRange, IntRange};
use isx::taskset::Scheduler;
use isx::taskset::generate::generate as generate_text;
use isx::taskset::recipe::{GeneratedResources, SharedBlocks, TaskSetRecipe, default_utilization};
use pyo3::prelude::*;
use std::fmt::Display;
use std::str::FromStr;

/// The fields of a recipe that are not the usual ones, as the flags of the command write them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Recipe {
    name: Option<String>,
    tasks: Option<String>,
    utilization: Option<String>,
    max_task_utilization: Option<String>,
    clock_mhz: Option<u64>,
    periods: Option<String>,
    choices: Option<String>,
    area: Option<String>,
    area_unit: Option<String>,
    resources: Option<String>,
    savings: Option<String>,
    deadlines: Option<String>,
    scheduler: Option<String>,
    blocks: Option<u64>,
    uses: Option<String>,
    block_area: Option<String>,
    fmax: Option<String>,
    seed: Option<u64>,
}

/// The YAML of a generated task set.
#[pyfunction]
pub fn generate(py: Python<'_>, recipe: Recipe) -> PyResult<String> {
    let recipe = made(recipe)?;
    py.detach(|| generate_text(&recipe)).map_err(errors::input)
}

fn made(given: Recipe) -> PyResult<TaskSetRecipe> {
    let usual = TaskSetRecipe::default();
    let tasks = read("tasks", given.tasks)?.unwrap_or(usual.tasks);
    let limit = decimal("max_task_utilization", given.max_task_utilization)?;
    let limit = limit.unwrap_or(usual.max_task_utilization);
    let utilization = decimal("utilization", given.utilization)?;
    let utilization = utilization.unwrap_or_else(|| default_utilization(tasks.count(), &limit));
    if given.resources.is_some() && (given.area.is_some() || given.area_unit.is_some()) {
        return Err(errors::input("resources stand in place of area and area_unit: give either"));
    }
    let resources: GeneratedResources = read("resources", given.resources)?.unwrap_or_default();
    let area = read("area", given.area)?.unwrap_or(usual.area);
    let area = resources.all.first().map_or(area, |(_, range)| *range);
    let scheduler = match given.scheduler {
        None => usual.scheduler,
        Some(name) => {
            Scheduler::named(&name).ok_or_else(|| wrong("scheduler", &name, "write edf, rm, dm or fixed"))?
        }
    };
    let uses: Option<IntRange> = read("uses", given.uses)?;
    let block_area: Option<DecimalRange> = read("block_area", given.block_area)?;
    let fmax: Option<DecimalRange> = read("fmax", given.fmax)?;
    if given.blocks.is_none() && (uses.is_some() || block_area.is_some() || fmax.is_some()) {
        return Err(errors::input("uses, block_area and fmax are about blocks, of which there are none"));
    }
    Ok(TaskSetRecipe {
        name: given.name.unwrap_or(usual.name),
        description: String::new(),
        tasks,
        utilization,
        max_task_utilization: limit,
        clock_mhz: given.clock_mhz.unwrap_or(usual.clock_mhz),
        periods: read("periods", given.periods)?.unwrap_or(usual.periods),
        choices: read("choices", given.choices)?.unwrap_or(usual.choices),
        area,
        area_unit: given.area_unit.unwrap_or(usual.area_unit),
        resources,
        savings: read("savings", given.savings)?.unwrap_or(usual.savings),
        deadlines: read("deadlines", given.deadlines)?.unwrap_or(usual.deadlines),
        scheduler,
        blocks: given.blocks.map(|count| SharedBlocks {
            count,
            uses: uses.unwrap_or_else(|| SharedBlocks::default_uses(count)),
            area: block_area.unwrap_or(area),
            fmax,
        }),
        seed: given.seed.unwrap_or(usual.seed),
    })
}

fn wrong(field: &str, text: &str, problem: impl Display) -> PyErr {
    errors::input(format!("{field} {text:?}: {problem}"))
}

fn read<T: FromStr<Err: Display>>(field: &str, text: Option<String>) -> PyResult<Option<T>> {
    text.map(|text| text.parse().map_err(|error| wrong(field, &text, error))).transpose()
}

fn decimal(field: &str, text: Option<String>) -> PyResult<Option<Rational>> {
    text.map(|text| parse_decimal(&text).map_err(|error| wrong(field, &text, error))).transpose()
}
