//! Fronts of the case study's tables, and their comparison with the exact one.

use super::Difference;
use super::study::Study;
use isx_solve::Solution;
use isx_taskset::formulate::Formulation;
use num_bigint::BigInt;
use std::collections::BTreeSet;

/// A table's front, as its own arithmetic sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum StudyFront {
    /// Areas and utilizations; computed with this rounding.
    Floats {
        /// Areas, strictly rising.
        areas: Vec<u64>,
        /// Utilizations, strictly falling.
        utilizations: Vec<f64>,
        /// The distance from 1 to the next float.
        epsilon: f64,
    },
    /// Areas and demands over a hyperperiod, exactly.
    Exact {
        /// Areas, strictly rising.
        areas: Vec<u64>,
        /// Demands, strictly falling.
        demands: Vec<BigInt>,
    },
}

impl StudyFront {
    /// The front of a row of utilizations, one per area from 0 on.
    #[must_use]
    pub fn of_utilizations(row: &[f64], epsilon: f64) -> Self {
        let (mut areas, mut utilizations) = (Vec::new(), Vec::new());
        for (area, &utilization) in (0..).zip(row) {
            if utilizations.last().is_none_or(|&least| utilization < least) {
                areas.push(area);
                utilizations.push(utilization);
            }
        }
        Self::Floats { areas, utilizations, epsilon }
    }

    /// The front of a row of demands saved over a hyperperiod, one per area from 0 on; `base` is the software's
    /// demand.
    #[must_use]
    pub fn of_savings(row: &[i64], base: &BigInt) -> Self {
        let (mut areas, mut demands) = (Vec::new(), Vec::new());
        let mut most = None;
        for (area, &saved) in (0..).zip(row) {
            if most.is_none_or(|most| saved > most) {
                most = Some(saved);
                areas.push(area);
                demands.push(base - saved);
            }
        }
        Self::Exact { areas, demands }
    }
}

pub(super) fn exact_front(formulation: &Formulation, solution: &Solution) -> StudyFront {
    let claim = &solution.claim;
    StudyFront::Exact {
        areas: claim.weights.clone(),
        demands: (0..claim.len()).map(|point| &formulation.base_demand - claim.values.get(point)).collect(),
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
