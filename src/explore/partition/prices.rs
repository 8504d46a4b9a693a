//! Prices of the tasks, which bound the area of every division from below.

use super::chip::Chip;
use super::options::PartitionOptions;
use crate::error::ExploreError;
use isx_design::partition::{Partition, Row};
use isx_partition::{Design, How, TaskPrices};
use isx_taskset::TaskSet;
use isx_taskset::formulate::{TimedTask, formulate};
use num_traits::ToPrimitive;

/// Prices of the tasks at a clock that bound the area from below, for the best design of a row, or show that there is none;
/// `decided` says of each block of the chip whether it is built, if that is decided.
/// Fails as [`partition`](super::partition).
pub fn prices(
    task_set: &TaskSet,
    row: &Row,
    clock: usize,
    decided: &[Option<bool>],
    options: &PartitionOptions,
) -> Result<Option<TaskPrices>, ExploreError> {
    let formulation = formulate(task_set, None)?;
    let chip = Chip::new(task_set, &formulation, row.cores, options, None);
    let scenario = formulation.at_clock(clock);
    let (problem, scale) = chip.problem(&scenario, false)?;
    let mask = |is_built: bool| {
        let bits = scale.blocks.iter().enumerate();
        let bits = bits.filter(|(_, block)| decided.get(**block as usize) == Some(&Some(is_built)));
        bits.fold(0u64, |mask, (bit, _)| mask | 1 << bit)
    };
    let design = |best: &Partition| {
        let units = (&best.area - chip.area(&scenario, 0)) / &scenario.costs.units[0];
        let tasks = best.choices.iter().zip(&formulation.tasks);
        let pick = |(choice, task): (&Option<u32>, &TimedTask)| {
            choice.map_or(0, |choice| choice as usize + usize::from(!task.forced))
        };
        let (picks, cores) = (tasks.map(pick).collect(), best.assignment.clone());
        Some(Design { area: units.to_integer().to_i64()?, picks, cores })
    };
    let design = row.best.as_ref().and_then(design);
    let how = How { engine: None, steps: options.steps, go_on: &|| true, told: &|_, _| {}, test: None };
    Ok(isx_partition::prices(&problem, design.as_ref(), (mask(true), mask(false)), &how))
}
