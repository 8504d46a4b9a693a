//! The thesis's case study: task sets, the tables that compute their fronts, and how wrong floats are.
//!
//! A float table is timed once its step function is everywhere as close to the exact one as its rounding allows. That
//! does not make it correct: [`Deviation`](super::deviation::Deviation) counts the spurious points, the missing
//! points and the wrong verdicts.

use super::study_contestant::StudyContestant;
use super::study_front::StudyFront;
use isx_bench::runner::{Outcome, Settings, Stopped, outcome, runs};
use isx_bench::{BenchError, Difference};
use isx_exact::quantity::{Rational, approx};
use isx_solve::{Options, Solution, solve_unchecked};
use isx_taskset::formulate::{Formulation, formulate};
use isx_taskset::{TaskSet, read_str};
use num_bigint::BigInt;
use std::collections::BTreeSet;

/// Task sets 1 to 5 of Table 6.1 of the thesis, with generated figures.
const THESIS_SETS: [&str; 5] = [
    include_str!("../../../tasksets/thesis-set-1.yaml"),
    include_str!("../../../tasksets/thesis-set-2.yaml"),
    include_str!("../../../tasksets/thesis-set-3.yaml"),
    include_str!("../../../tasksets/thesis-set-4.yaml"),
    include_str!("../../../tasksets/thesis-set-5.yaml"),
];

/// A task set with its exact front.
pub struct Study {
    /// Name of the task set.
    pub name: String,
    /// The task set in integers.
    pub formulation: Formulation,
    pub(super) exact: Solution,
}

impl Study {
    /// Task set 1 to 5 of Table 6.1, with generated figures; `None` beyond.
    /// Fails if the set cannot be read, converted to integers or solved.
    pub fn thesis(number: usize) -> Option<Result<Self, BenchError>> {
        let text = THESIS_SETS.get(number.checked_sub(1)?)?;
        let unread = |error: isx_taskset::ReadError| BenchError::Set(format!("thesis-set-{number}: {error}"));
        let reading = read_str("thesis", text).map_err(unread);
        Some(reading.and_then(|reading| Self::new(&reading.task_set, None)))
    }

    /// A task set with its exact front up to an area, computed by the planner's engine.
    /// Fails if choices share blocks, or the set cannot be converted to integers or solved.
    pub fn new(task_set: &TaskSet, max_area: Option<&Rational>) -> Result<Self, BenchError> {
        let formulation = formulate(task_set, max_area)
            .map_err(|error| BenchError::Set(format!("{}: {error}", task_set.name)))?;
        if !formulation.sharing.is_empty() {
            return Err(BenchError::Set(format!(
                "the thesis's tables know no shared blocks, and `{}` has some",
                task_set.name
            )));
        }
        let exact = solve_unchecked(&formulation.mckp(), &Options::default())
            .map_err(|cause| BenchError::NoJudge { instance: task_set.name.clone(), cause })?;
        Ok(Self { name: task_set.name.clone(), formulation, exact })
    }

    /// The error for a table of floats that does not fit the memory.
    pub fn no_floats(&self, cause: isx_machine::OverMemory) -> BenchError {
        BenchError::Memory { instance: self.name.clone(), table: "a table of floats", cause }
    }

    /// Points of the exact front.
    pub fn points(&self) -> usize {
        self.exact.claim.len()
    }

    /// The demand of a point of the exact front.
    pub(super) fn demand(&self, point: usize) -> BigInt {
        &self.formulation.base_demand - self.exact.claim.values.get(point)
    }

    /// The exact least demand within an area; the front begins at area 0.
    pub(super) fn demand_within(&self, area: u64) -> BigInt {
        self.demand(self.exact.claim.within(area).saturating_sub(1))
    }

    pub(super) fn utilization(&self, demand: &BigInt) -> f64 {
        approx(&Rational::new(demand.clone(), self.formulation.hyperperiod.clone()))
    }

    /// Measures a contestant: the first run is checked and serves as warm-up; every other run is checked too.
    /// Fails with [`BenchError::Wrong`] if a front is not as expected.
    pub fn measure(&self, contestant: &StudyContestant, settings: &Settings) -> Result<Outcome, BenchError> {
        let timed = runs(settings.repeat.max(1), &mut || {
            let answered = (contestant.run)(&self.formulation, settings).map_err(Stopped::Refused)?;
            self.check(&answered.front)?;
            Ok(answered.run)
        });
        outcome(contestant.name, &self.name, timed)
    }
}

impl Study {
    /// Compares a front with the exact one: it must be equal if it is exact, else everywhere within its rounding.
    pub(super) fn check(&self, front: &StudyFront) -> Result<(), Difference> {
        match front {
            StudyFront::Exact { areas, demands } => self.check_exact(areas, demands),
            StudyFront::Floats { areas, utilizations, epsilon } => {
                self.check_floats(areas, utilizations, *epsilon)
            }
        }
    }

    fn check_exact(&self, areas: &[u64], demands: &[BigInt]) -> Result<(), Difference> {
        let exact = &self.exact.claim;
        if areas.len() != exact.len() {
            let (found, wanted) = (areas.len().to_string(), exact.len().to_string());
            return Err(Difference { point: None, what: "points", found, wanted });
        }
        for (point, (area, demand)) in areas.iter().zip(demands).enumerate() {
            if *area != exact.weights[point] {
                return different(point, "weight", area, &exact.weights[point]);
            }
            let wanted = self.demand(point);
            if *demand != wanted {
                return different(point, "value", demand, &wanted);
            }
        }
        Ok(())
    }

    fn check_floats(&self, areas: &[u64], utilizations: &[f64], epsilon: f64) -> Result<(), Difference> {
        // Each of the m sums and m + m quotients rounds by half an epsilon of a value below the software's.
        let base = self.utilization(&self.formulation.base_demand);
        let tolerance = (2 * self.formulation.tasks.len() + 4) as f64 * epsilon * base.max(1.0);
        let corners: BTreeSet<u64> = areas.iter().chain(&self.exact.claim.weights).copied().collect();
        for area in corners {
            let wanted = self.utilization(&self.demand_within(area));
            let point = areas.partition_point(|&other| other <= area);
            let found = point.checked_sub(1).map_or(f64::INFINITY, |point| utilizations[point]);
            let close = (found - wanted).abs() <= tolerance;
            if !close {
                return different(point.saturating_sub(1), "utilization", &found, &wanted);
            }
        }
        Ok(())
    }
}

fn different(
    point: usize,
    what: &'static str,
    found: &impl ToString,
    wanted: &impl ToString,
) -> Result<(), Difference> {
    Err(Difference { point: Some(point), what, found: found.to_string(), wanted: wanted.to_string() })
}

#[cfg(test)]
mod tests;
