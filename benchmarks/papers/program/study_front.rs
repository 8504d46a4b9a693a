//! Fronts of the case study's tables, and their comparison with the exact one.

use isx_solve::Solution;
use isx_taskset::formulate::Formulation;
use num_bigint::BigInt;

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
