//! A row per number of cores: the least area with which every deadline is met; and prices of the tasks, which bound the
//! area of every division from below.

use super::chip::{Chip, formulated, refused};
use super::on_core::Test;
use super::options::PartitionOptions;
use crate::error::ExploreError;
use isx_design::partition::{Partition, Partitions, Row, Status};
use isx_design::schedulability::{Effort, decided_by_utilization};
use isx_partition::{Answer, CoreTest, Design, How, TaskPrices, solve};
use isx_taskset::formulate::{Formulation, TimedTask, formulate};
use isx_taskset::{Joined, TaskSet};
use num_traits::ToPrimitive;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::time::Instant;

/// Distributes the tasks of a set, whose only processor is a core, among each number of cores.
/// Fails with [`ExploreError`]: the set has variants or modes, counts overruns or several resources, its areas are too large, or it has more blocks
/// than are supported.
pub fn partition(task_set: &TaskSet, options: &PartitionOptions) -> Result<Partitions, ExploreError> {
    let joined = joined(task_set)?;
    let formulation = formulated(&joined.task_set)?;
    let until = options.max_time.map(|time| Instant::now() + time);
    let mut rows = Vec::new();
    for count in options.cores.0..=options.cores.1 {
        let chip = Chip::new(&joined.task_set, &formulation, count, options, until);
        let mut row = chip.row()?;
        (options.report)(&row);
        row.best.iter_mut().for_each(|best| set_apart(best, &joined, task_set));
        rows.push(row);
    }
    Ok(Partitions { task_set: task_set.clone(), rows })
}

/// The set with the combinations of parts as choices: all of a task runs on one core.
pub(super) fn joined(task_set: &TaskSet) -> Result<Joined, ExploreError> {
    task_set.joined().ok_or_else(|| {
        let why = "the parts of a task have more than 1024 combinations that are of use: join some of them, or leave some out";
        refused(task_set, why)
    })
}

/// A design of the joined set as one of the set.
pub(super) fn set_apart(design: &mut Partition, joined: &Joined, task_set: &TaskSet) {
    let own = |block: &u32| (*block as usize) < task_set.blocks.len();
    design.blocks.iter_mut().chain([&mut design.chip_blocks]).for_each(|blocks| blocks.retain(own));
    design.choices = joined.apart(&design.choices);
    design.assignment = joined.of_rows(&design.assignment);
}

impl Chip<'_> {
    /// The best over all clocks: a design may run at any clock that its blocks allow.
    fn row(&self) -> Result<Row, ExploreError> {
        let mut row = Row { cores: self.count, status: Status::Proved, bound: None, best: None };
        let mut reasons: Vec<String> = Vec::new();
        let mut unknown = None;
        for number in 0..self.formulation.clocks.count() {
            let scenario = self.formulation.at_clock(number);
            let mut at = self.at_clock(&scenario)?;
            if let Some(best) = &mut at.best {
                best.clock = self.formulation.clocks.hertz(number).cloned();
            }
            match at.status {
                Status::Infeasible(reason) => {
                    reasons.push(reason);
                    continue;
                }
                Status::Unknown(reason) => unknown = Some(reason),
                Status::Proved => {}
            }
            row.bound = [row.bound, at.bound].into_iter().flatten().min();
            let is_less = |best: &Partition| row.best.as_ref().is_none_or(|other| best.area < other.area);
            if at.best.as_ref().is_some_and(is_less) {
                row.best = at.best;
            }
        }
        let is_met = row.best.as_ref().is_some_and(|best| Some(&best.area) == row.bound.as_ref());
        row.status = match (unknown, reasons.pop()) {
            (Some(reason), _) if !is_met => Status::Unknown(reason),
            (None, Some(reason)) if row.best.is_none() => {
                Status::Infeasible(if reasons.iter().all(|other| *other == reason) {
                    reason
                } else {
                    "no design meets every deadline at any of the clocks".to_owned()
                })
            }
            _ => Status::Proved,
        };
        Ok(row)
    }

    fn at_clock(&self, scenario: &Formulation) -> Result<Row, ExploreError> {
        let effort = RefCell::new(Effort::new(self.options.limits));
        let (problem, scale) = self.problem(scenario, false)?;
        let by_test = !decided_by_utilization(scenario);
        let known = RefCell::default();
        let test = Test { scenario: Cow::Borrowed(scenario), blocks: &scale.blocks, effort: &effort, known };
        let stopped = Cell::new(None);
        let go_on = || {
            stopped.set(stopped.get().or_else(|| self.stopped()));
            stopped.get().is_none()
        };
        let how = How {
            engine: self.options.engine,
            steps: self.options.steps,
            go_on: &go_on,
            report: &|bound, best| self.tell(scenario, bound, best),
            test: by_test.then_some(&test as &dyn CoreTest),
        };
        let answer = solve(&problem, &how);
        let mut best = answer.best.as_ref().and_then(|design| self.design(scenario, design, &effort));
        let mut is_proved = answer.status == isx_partition::Status::Proved && best.is_some();
        if !scale.is_exact && best.is_none() && !matches!(answer.status, isx_partition::Status::Infeasible(_))
        {
            let (above, _) = self.problem(scenario, true)?;
            let Answer { best: found, .. } = solve(&above, &how);
            best = found.as_ref().and_then(|design| self.design(scenario, design, &effort));
            is_proved = false;
        }
        let bound = self.area(scenario, answer.bound);
        is_proved |= best.as_ref().is_some_and(|best| best.area == bound);
        let status = match answer.status {
            isx_partition::Status::Infeasible(reason) => Status::Infeasible(self.reason(scenario, reason)),
            _ if is_proved => Status::Proved,
            _ => Status::Unknown(match stopped.get() {
                Some(reason) => reason.to_owned(),
                None if !scale.is_exact && best.is_none() => {
                    "the utilization of a core is too close to 1 for its hyperperiod".to_owned()
                }
                None => "the search reached its limit of work".to_owned(),
            }),
        };
        let bound = (!matches!(status, Status::Infeasible(_))).then_some(bound);
        Ok(Row { cores: self.count, status, bound, best })
    }
}

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
    let how = How { engine: None, steps: options.steps, go_on: &|| true, report: &|_, _| {}, test: None };
    Ok(isx_partition::prices(&problem, design.as_ref(), (mask(true), mask(false)), &how))
}
