//! The mapping of points back to the original problem.

use crate::value::Values;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// How the points of a reduced problem are mapped to those of the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayBack {
    /// What is paid in advance of every original resource.
    pub(super) paid: Vec<u64>,
    /// What a unit of every original resource's reduced costs stands for.
    pub(super) units: Vec<u64>,
    /// The original resource of each that is left.
    pub(super) kept: Vec<usize>,
    /// What is added to values.
    pub(super) value: BigInt,
    /// What a unit of value stands for.
    pub(super) value_unit: BigInt,
}

impl WayBack {
    /// The mapping that changes nothing.
    pub(super) fn none(resources: usize) -> Self {
        Self {
            paid: vec![0; resources],
            units: vec![1; resources],
            kept: (0..resources).collect(),
            value: BigInt::zero(),
            value_unit: BigInt::one(),
        }
    }

    /// The costs of `points` points in the original resources, a column per resource.
    pub fn costs(&self, columns: Vec<Vec<u64>>, points: usize) -> Vec<Vec<u64>> {
        let mut costs: Vec<Vec<u64>> = self.paid.iter().map(|_| Vec::new()).collect();
        for (mut column, &resource) in columns.into_iter().zip(&self.kept) {
            let (unit, paid) = (self.units[resource], self.paid[resource]);
            column.iter_mut().for_each(|amount| *amount = *amount * unit + paid);
            costs[resource] = column;
        }
        let missing = (0..costs.len()).filter(|resource| !self.kept.contains(resource));
        missing.for_each(|resource| costs[resource] = vec![self.paid[resource]; points]);
        costs
    }

    /// The values in the original units.
    pub fn values(&self, values: Values) -> Values {
        if self.value.is_zero() && self.value_unit.is_one() {
            return values;
        }
        values.scaled(&self.value, &self.value_unit)
    }
}
