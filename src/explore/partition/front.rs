//! The front of area against the largest utilization of a core.
//!
//! The least area comes first; then the least area with which no core is as full as the fullest was, and so on until
//! there is no design. A point is proved when the next area is known to be greater.

use super::chip::{Chip, formulated, refused};
use super::options::PartitionOptions;
use super::rows::{joined, set_apart};
use crate::error::ExploreError;
use isx_design::partition::{CoreFront, Open, Partition, Row, Status};
use isx_design::schedulability::{Effort, decided_by_utilization};
use isx_exact::quantity::Rational;
use isx_partition::{Design, How, Problem, solve};
use isx_taskset::TaskSet;
use isx_taskset::formulate::Formulation;
use num_bigint::BigInt;
use std::cell::RefCell;
use std::time::Instant;

/// The designs on the least of the numbers of cores that no other one beats in both area and largest utilization. The
/// steps are those of all points together.
/// Fails as [`super::partition`], and if utilization does not decide whether a core meets its deadlines.
pub fn front(task_set: &TaskSet, options: &PartitionOptions) -> Result<CoreFront, ExploreError> {
    let joined = joined(task_set)?;
    let formulation = formulated(&joined.task_set)?;
    let until = options.max_time.map(|time| Instant::now() + time);
    let chip = Chip::new(&joined.task_set, &formulation, options.cores.0, options, until);
    let mut front = CoreFront {
        task_set: task_set.clone(),
        cores: chip.count,
        points: Vec::new(),
        open: None,
        infeasible: None,
    };
    let clocks = formulation.clocks.count();
    for number in 0..clocks {
        let scenario = formulation.at_clock(number);
        if !decided_by_utilization(&scenario) {
            let why = "utilization alone does not decide its deadlines, and a front of cores is one of utilizations; ask for the least area instead";
            return Err(refused(task_set, why));
        }
        let mut found = chip.front_at(&scenario)?;
        for point in &mut found.points {
            point.clock = formulation.clocks.hertz(number).cloned();
        }
        front.points.append(&mut found.points);
        if found
            .open
            .as_ref()
            .is_some_and(|open| front.open.as_ref().is_none_or(|other| open.up_to > other.up_to))
        {
            front.open = found.open;
        }
        front.infeasible = found.infeasible;
    }
    if clocks > 1 {
        front.points.sort_by(|a, b| a.area.cmp(&b.area).then_with(|| a.largest().cmp(&b.largest())));
        let mut least: Option<Rational> = None;
        front.points.retain(|point| {
            let is_less = least.as_ref().is_none_or(|least| point.largest() < *least);
            if is_less {
                least = Some(point.largest());
            }
            is_less
        });
        if let Some(open) = &mut front.open {
            open.bound = None;
            front.points.retain(|point| point.largest() > open.up_to);
        }
    }
    if !front.points.is_empty() || front.open.is_some() {
        front.infeasible = None;
    }
    front.points.iter_mut().for_each(|point| set_apart(point, &joined, task_set));
    Ok(front)
}

fn fullest(problem: &Problem, design: &Design) -> i64 {
    let mut loads = vec![0i64; problem.cores];
    for ((choices, &pick), &core) in problem.tasks.iter().zip(&design.picks).zip(&design.cores) {
        loads[core as usize] += choices[pick].size;
    }
    loads.into_iter().max().unwrap_or(0)
}

/// The front at one clock.
struct AtClock {
    points: Vec<Partition>,
    open: Option<Open>,
    infeasible: Option<String>,
}

impl Chip<'_> {
    fn front_at(&self, scenario: &Formulation) -> Result<AtClock, ExploreError> {
        let effort = RefCell::new(Effort::new(self.options.limits));
        let (mut problem, scale) = self.problem(scenario, false)?;
        if !scale.is_exact {
            return Err(refused(self.task_set, "its hyperperiod is too long for a front of cores"));
        }
        let utilization = |load: i64| Rational::new(BigInt::from(load), BigInt::from(scale.capacity));
        let go_on = || self.stopped().is_none();
        let mut steps = self.options.steps;
        let mut found = AtClock { points: Vec::new(), open: None, infeasible: None };
        // The load asked for when the last area was first reached.
        let mut asked = problem.capacity;
        while problem.capacity > 0 {
            let report = |bound: i64, best: Option<i64>| self.tell(scenario, bound, best);
            let how = How { engine: self.options.engine, steps, go_on: &go_on, report: &report, test: None };
            let answer = solve(&problem, &how);
            steps -= answer.steps.min(steps);
            let design = answer.best.as_ref().filter(|_| answer.status == isx_partition::Status::Proved);
            let point = design.and_then(|best| Some((self.design(scenario, best, &effort)?, best)));
            if let Some((point, design)) = point {
                if found.points.last().is_some_and(|last| last.area == point.area) {
                    found.points.pop();
                } else {
                    asked = problem.capacity;
                }
                let row = Row {
                    cores: self.count,
                    status: Status::Proved,
                    bound: Some(point.area.clone()),
                    best: Some(point.clone()),
                };
                (self.options.report)(&row);
                found.points.push(point);
                problem.capacity = fullest(&problem, design) - 1;
                continue;
            }
            if let isx_partition::Status::Infeasible(reason) = answer.status {
                found.infeasible = Some(self.reason(scenario, reason));
                break;
            }
            let bound = self.area(scenario, answer.bound);
            let mut up_to = problem.capacity;
            // A design of the same area might be less full.
            if found.points.last().is_some_and(|last| last.area >= bound) {
                found.points.pop();
                up_to = asked;
            }
            let reason = self.stopped().unwrap_or("the search reached its limit of work");
            found.open =
                Some(Open { up_to: utilization(up_to), bound: Some(bound), reason: reason.to_owned() });
            break;
        }
        Ok(found)
    }
}
