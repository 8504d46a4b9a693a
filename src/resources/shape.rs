//! How the costs of a sum are stored: its amount of one resource, by which lists are sorted, and a key of the others.
//!
//! If the other resources have small limits, the key is a single number, the index of a table with a cell for every
//! vector within the limits. A border around the table stands for what is beyond them: adding an item's key to a sum's
//! never needs a comparison with a limit. Otherwise the key has an amount for each resource.
//!
//! Resources that are no objective and whose limit cuts nothing only decide between equal sums, if none after them is
//! limited: their amounts are stored behind the key.

use isx_problems::resources::{Goal, Item, Problem};

/// Most cells of a table.
const MOST_CELLS: u64 = 1 << 18;
/// No amount may exceed this, so that sums of two never overflow.
pub(crate) const MOST_AMOUNT: u64 = 1 << 62;

/// A resource other than the one that lists are sorted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub resource: usize,
    pub limit: u64,
    /// Cells of the table between two neighbors along this axis; 0 if there is no table.
    pub stride: u64,
    /// Cells along this axis, the border included.
    pub span: u64,
}

/// The layout of costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The resource that lists are sorted by, and its limit.
    pub first: usize,
    pub limit: u64,
    pub axes: Vec<Axis>,
    /// Cells of the table, if there is one.
    pub cells: Option<usize>,
    /// Resources that only decide between equal sums.
    pub ties: Vec<usize>,
    /// Number of resources.
    pub resources: usize,
}

/// The greatest amount of a resource that some selection costs, or more; saturates.
pub(crate) fn reach(problem: &Problem, resource: usize) -> u64 {
    let most = |items: &Vec<Item>| items.iter().map(|item| item.cost[resource]).max();
    let items = problem.classes.iter().filter_map(most);
    let elements = problem.elements.iter().map(|e| e.built[resource].max(e.unbuilt[resource]));
    items.chain(elements).fold(0, u64::saturating_add)
}

impl Shape {
    /// `None` if amounts are too large to be added.
    pub fn new(problem: &Problem) -> Option<Self> {
        let resources = problem.limits.len();
        let reach: Vec<u64> = (0..resources).map(|resource| reach(problem, resource)).collect();
        let limits: Vec<u64> =
            problem.limits.iter().zip(&reach).map(|(&limit, &reach)| limit.min(reach)).collect();
        if limits.iter().any(|&limit| limit > MOST_AMOUNT) {
            return None;
        }
        // The greatest value is asked for, whatever it costs: no resource is compared.
        let compared = if problem.goal == Goal::Greatest { 1 } else { problem.objectives };
        let cuts = |&resource: &usize| problem.limits[resource] < reach[resource];
        let from = (compared..resources).rev().find(cuts).map_or(compared, |last| last + 1);
        let ties: Vec<usize> = (from..resources).collect();
        if ties.iter().any(|&resource| reach[resource] > MOST_AMOUNT) {
            return None;
        }
        let first = (0..from).rev().max_by_key(|&resource| limits[resource])?;
        let largest = |resource: usize| {
            let item = |item: &Item| {
                let used = item.uses.iter().map(|&at| problem.elements[at as usize].built[resource]);
                used.fold(item.cost[resource], u64::saturating_add)
            };
            let fitting = |item: &&Item| item.cost[resource] <= limits[resource];
            let items = problem.classes.iter().flatten().filter(fitting).map(item);
            let unbuilt = problem.elements.iter().map(|element| element.unbuilt[resource]);
            items.chain(unbuilt).max().unwrap_or(0).min(limits[resource])
        };
        let axis = |resource: usize| {
            let limit = limits[resource];
            Axis { resource, limit, stride: 0, span: limit + largest(resource) + 1 }
        };
        let mut axes: Vec<Axis> = (0..from).filter(|&resource| resource != first).map(axis).collect();
        let cells = axes
            .iter()
            .try_fold(1u64, |cells, axis| cells.checked_mul(axis.span).filter(|&cells| cells <= MOST_CELLS));
        if let Some(mut stride) = cells {
            for axis in &mut axes {
                stride /= axis.span;
                axis.stride = stride;
            }
        }
        let cells = cells.map(|cells| cells as usize);
        Some(Self { first, limit: limits[first], axes, cells, ties, resources })
    }

    /// Numbers of a key by which sums are compared.
    pub fn compared(&self) -> usize {
        if self.cells.is_some() { 1 } else { self.axes.len() }
    }

    /// Numbers of a key, those for equal sums included.
    pub fn width(&self) -> usize {
        self.compared() + self.ties.len()
    }

    /// Whether the costs are within the limits.
    pub fn fits(&self, costs: &[u64]) -> bool {
        costs[self.first] <= self.limit && self.axes.iter().all(|axis| costs[axis.resource] <= axis.limit)
    }

    /// The key of some costs.
    pub fn key(&self, costs: &[u64]) -> Vec<u64> {
        let amounts = self.axes.iter().map(|axis| (costs[axis.resource], axis.stride));
        let mut key = match self.cells {
            Some(_) => vec![amounts.map(|(amount, stride)| amount * stride).sum()],
            None => amounts.map(|(amount, _)| amount).collect(),
        };
        key.extend(self.ties.iter().map(|&resource| costs[resource]));
        key
    }

    /// Writes the costs of a sum.
    pub fn costs(&self, first: u64, key: &[u64], costs: &mut [u64]) {
        costs[self.first] = first;
        if self.cells.is_some() {
            let mut left = key[0];
            for axis in &self.axes {
                costs[axis.resource] = left / axis.stride;
                left %= axis.stride;
            }
        } else {
            self.axes.iter().zip(key).for_each(|(axis, &amount)| costs[axis.resource] = amount);
        }
        let ties = &key[self.compared()..];
        self.ties.iter().zip(ties).for_each(|(&resource, &amount)| costs[resource] = amount);
    }
}
