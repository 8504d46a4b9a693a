//! Sums every design again from its choices: its area and its demand over a hyperperiod must be what the front
//! claims. This proves that each point can be had; that none is better or missing is another proof.

use crate::front::DesignFront;
use crate::problem::value::{Tier, Value};
use num_bigint::BigInt;

/// A point whose choices do not add up to what the engine claimed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("self-check failed: the choices of point {index} give {what} {summed}, the engine claimed {claimed}")]
pub struct Mismatch {
    /// Number of the point.
    pub index: usize,
    /// "area" or "demand".
    pub what: &'static str,
    /// Sum over the choices.
    pub summed: String,
    /// The engine's figure.
    pub claimed: String,
}

/// Checks every point of the front.
///
/// # Errors
///
/// The first [`Mismatch`].
pub fn recheck(front: &DesignFront) -> Result<(), Mismatch> {
    // Any sum of demands is at most the sum over tasks of the largest, which bounds the tier.
    let largest = |row: &Vec<BigInt>| row.iter().max().cloned().unwrap_or_default();
    let demands = demands(front);
    match Tier::narrowest(&demands.iter().map(largest).sum()) {
        Tier::I32 | Tier::I64 => recheck_in::<i64>(front, &demands),
        Tier::I128 => recheck_in::<i128>(front, &demands),
        Tier::Big => recheck_in::<BigInt>(front, &demands),
    }
}

/// For every task, the demand over a hyperperiod in software and with each choice.
fn demands(front: &DesignFront) -> Vec<Vec<BigInt>> {
    let formulation = front.formulation();
    let row = |task: &crate::formulate::TimedTask| {
        let frequency = &formulation.hyperperiod / &task.period;
        let wcets = std::iter::once(&task.wcet).chain(task.choices.iter().map(|choice| &choice.wcet));
        wcets.map(|wcet| wcet * &frequency).collect()
    };
    formulation.tasks.iter().map(row).collect()
}

fn recheck_in<V: Value>(front: &DesignFront, demands: &[Vec<BigInt>]) -> Result<(), Mismatch> {
    let narrow = |demand: &BigInt| V::from_big(demand).unwrap_or_else(V::zero);
    let demands: Vec<Vec<V>> = demands.iter().map(|row| row.iter().map(narrow).collect()).collect();
    let tasks = &front.formulation().tasks;
    let mut choices = vec![None; tasks.len()];
    let mut scratch = Vec::new();
    for index in 0..front.len() {
        front.write_choices(index, &mut choices, &mut scratch);
        let mut area = 0u64;
        let mut demand = V::zero();
        for ((task, row), choice) in tasks.iter().zip(&demands).zip(&choices) {
            area += choice.map_or(0, |choice: u32| task.choices[choice as usize].area);
            demand = demand.plus(&row[choice.map_or(0, |choice| choice as usize + 1)]);
        }
        let claimed = front.area_units(index);
        if area != claimed {
            let (summed, claimed) = (area.to_string(), claimed.to_string());
            return Err(Mismatch { index, what: "area", summed, claimed });
        }
        let claimed = front.demand(index);
        if demand.to_big() != claimed {
            let (summed, claimed) = (demand.to_string(), claimed.to_string());
            return Err(Mismatch { index, what: "demand", summed, claimed });
        }
    }
    Ok(())
}
