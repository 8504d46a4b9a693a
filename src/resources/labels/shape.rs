//! How the amounts of a label are stored: the one that labels are sorted by, and a key of the others.
//!
//! If the other resources have small limits, the key is a single number, the index of a table with a cell for every
//! vector within the limits. A border around the table stands for what is beyond them: adding an option's key to a label's
//! never needs a comparison with a limit. Otherwise the key has an amount for each resource.
//!
//! Resources that are no objective and whose limit cuts nothing only decide between equal labels, if none after them is
//! limited.

use isx_problems::resources::{Goal, Problem};

/// Most cells of a table.
const MOST_CELLS: u64 = 1 << 18;

/// No amount may exceed this, so that sums of two never overflow.
const MOST_AMOUNT: u64 = 1 << 62;

/// A resource other than the one that labels are sorted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    pub resource: usize,
    pub limit: u64,
    /// Cells of the table between two neighbors along this axis; 0 if there is no table.
    pub stride: u64,
    /// Cells along this axis, the border included.
    pub span: u64,
}

/// The layout of amounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// The resource that labels are sorted by, and its limit.
    pub first: usize,
    pub limit: u64,
    /// The others that are compared.
    pub axes: Vec<Axis>,
    /// Cells of the table, if there is one.
    pub cells: Option<usize>,
    /// Resources that only decide between equal labels.
    pub ties: Vec<usize>,
    /// Number of resources.
    pub resources: usize,
}

impl Shape {
    /// `None` if amounts are too large to be added.
    pub fn new(problem: &Problem) -> Option<Self> {
        let resources = problem.limits.len();
        let reach: Vec<u64> = (0..resources).map(|resource| problem.reach(resource)).collect();
        let limits: Vec<u64> =
            problem.limits.iter().zip(&reach).map(|(&limit, &reach)| limit.min(reach)).collect();
        if limits.iter().any(|&limit| limit > MOST_AMOUNT) {
            return None;
        }
        // The greatest value is asked for, whatever it costs: no resource is compared. (With modes a label is also dropped
        // for a load that does not count in the end, so what decides between equal ones is not the least.)
        let is_free = problem.goal == Goal::Greatest && problem.modes == 0;
        let compared = if is_free { 1 } else { problem.objectives };
        let cuts = |&resource: &usize| problem.limits[resource] < reach[resource];
        let from = (compared..resources).rev().find(cuts).map_or(compared, |last| last + 1);
        let ties: Vec<usize> = (from..resources).collect();
        if ties.iter().any(|&resource| reach[resource] > MOST_AMOUNT) {
            return None;
        }
        let first = (0..from).rev().max_by_key(|&resource| limits[resource])?;
        // With an item elements may be paid for: those that open, and those that close.
        let largest = |resource: usize| {
            let items = problem.classes.iter().flatten().map(|item| item.cost[resource]);
            let items = items.filter(|&cost| cost <= limits[resource]).max().unwrap_or(0);
            let elements = problem.elements.iter().map(|e| e.built[resource].max(e.unbuilt[resource]));
            elements.fold(items, u64::saturating_add).min(limits[resource])
        };
        let axis = |resource: usize| {
            let limit = limits[resource];
            Axis { resource, limit, stride: 0, span: limit + largest(resource) + 1 }
        };
        let mut axes: Vec<Axis> = (0..from).filter(|&resource| resource != first).map(axis).collect();
        let cells = axes
            .iter()
            .try_fold(1u64, |cells, axis| cells.checked_mul(axis.span).filter(|&cells| cells <= MOST_CELLS))
            .filter(|_| !axes.is_empty() && problem.modes == 0);
        if let Some(mut stride) = cells {
            for axis in &mut axes {
                stride /= axis.span;
                axis.stride = stride;
            }
        }
        let cells = cells.map(|cells| cells as usize);
        Some(Self { first, limit: limits[first], axes, cells, ties, resources })
    }

    /// Numbers of a key.
    pub fn width(&self) -> usize {
        if self.cells.is_some() { 1 } else { self.axes.len() }
    }

    /// Whether amounts are within the limits.
    pub fn fits(&self, amounts: &[u64]) -> bool {
        amounts[self.first] <= self.limit && self.axes.iter().all(|axis| amounts[axis.resource] <= axis.limit)
    }

    /// The key of some amounts.
    pub fn key(&self, amounts: &[u64]) -> Vec<u64> {
        let axes = self.axes.iter();
        match self.cells {
            Some(_) => vec![axes.map(|axis| amounts[axis.resource] * axis.stride).sum()],
            None => axes.map(|axis| amounts[axis.resource]).collect(),
        }
    }

    /// Writes the amounts of a label in the resources that are compared.
    pub fn amounts(&self, first: u64, key: &[u64], amounts: &mut [u64]) {
        amounts[self.first] = first;
        let Some(&(mut left)) = key.first().filter(|_| self.cells.is_some()) else {
            self.axes.iter().zip(key).for_each(|(axis, &amount)| amounts[axis.resource] = amount);
            return;
        };
        for axis in &self.axes {
            amounts[axis.resource] = left / axis.stride;
            left %= axis.stride;
        }
    }
}
