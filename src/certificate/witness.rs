//! Sums every design again from its choices: its area and its demand over a hyperperiod must be what the front
//! claims. This proves that each point can be had; that none is better or missing is another proof.

use crate::front::{DesignFront, Point};
use crate::problem::value::{Tier, Value};
use num_bigint::BigInt;
use rayon::prelude::*;
use std::cell::RefCell;

/// A point whose choices do not add up to what the engine claimed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("self-check failed: the choices of point {index} give {what} {summed}, the engine claimed {claimed}")]
pub struct Mismatch {
    /// Number of the point.
    pub index: usize,
    /// "area", "demand" or "choices".
    pub what: &'static str,
    /// Sum over the choices.
    pub summed: String,
    /// The engine's figure.
    pub claimed: String,
}

impl Mismatch {
    /// Of an answer that says nothing of its last point's choices.
    pub(crate) fn missing(points: usize) -> Self {
        let (summed, claimed) = ("nothing".into(), "choices".into());
        Self { index: points.saturating_sub(1), what: "choices", summed, claimed }
    }
}

/// Points that a thread sums at a time.
const AT_A_TIME: usize = 512;

/// Checks every point of the front whose choices are known, on the threads of the pool that this is called in.
///
/// # Errors
///
/// The first [`Mismatch`].
pub fn recheck(front: &DesignFront) -> Result<(), Mismatch> {
    // Any sum of demands is at most the sum over tasks of the largest, which bounds the tier.
    let largest = |row: &Vec<BigInt>| row.iter().max().cloned().unwrap_or_default();
    let demands = demands(front);
    match Tier::narrowest(&demands.iter().map(largest).sum()) {
        Tier::I32 | Tier::I64 | Tier::I128 => recheck_in::<i128>(front, &demands),
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

thread_local! {
    /// The choices of a point, and what reading them needs.
    static BUFFERS: RefCell<(Vec<Option<u32>>, Vec<usize>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

fn recheck_in<V: Value>(front: &DesignFront, demands: &[Vec<BigInt>]) -> Result<(), Mismatch> {
    // A demand that did not fit would be missed in the sum, where its point is found wrong.
    let narrow = |row: &Vec<BigInt>| row.iter().map(V::from_big).collect::<Option<Vec<V>>>();
    let demands: Vec<Vec<V>> = demands.iter().map(|row| narrow(row).unwrap_or_default()).collect();
    let points = front.claim().configured();
    points.into_par_iter().with_min_len(AT_A_TIME).try_for_each(|index| {
        let Some(point) = front.get(index) else { return Ok(()) };
        BUFFERS.with_borrow_mut(|(choices, scratch)| {
            choices.clear();
            choices.resize(front.task_set().tasks.len(), None);
            point.write_choices(choices, scratch);
            check_point(&point, &demands, choices)
        })
    })
}

fn check_point<V: Value>(point: &Point, demands: &[Vec<V>], choices: &[Option<u32>]) -> Result<(), Mismatch> {
    let wrong = |what, summed: Option<String>, claimed: String| {
        let summed = summed.unwrap_or_else(|| "nothing that can be summed".into());
        Err(Mismatch { index: point.index(), what, summed, claimed })
    };
    let area = point.formulation().area_units(choices);
    let claimed = point.area_units();
    if area != Some(claimed) {
        return wrong("area", area.map(|area| area.to_string()), claimed.to_string());
    }
    let demand = demands.iter().zip(choices).try_fold(V::zero(), |sum, (row, choice)| {
        Some(sum.plus(row.get(choice.map_or(0, |choice| choice as usize + 1))?))
    });
    if demand.is_none() || demand != point.demand_in::<V>() {
        return wrong("demand", demand.map(|demand| demand.to_string()), point.demand().to_string());
    }
    Ok(())
}
