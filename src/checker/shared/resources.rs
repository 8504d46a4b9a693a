//! The resources of a problem; an area is the only one of a task set, a weight that of a knapsack problem.
//!
//! A design has an amount of every resource: the sum of its options' own amounts, plus one of two amounts of every
//! block, which is built or not. All amounts are non-negative whole numbers: what frees a resource is given by adding a
//! constant to all options of a class, or to both amounts of a block, which [`Column::offset`] takes back.

use super::failure::Wrong;
use super::limits::words;
use super::read::Numbers;
use num_bigint::{BigInt, BigUint};

/// The maximum number of resources of a problem.
pub const MOST_RESOURCES: usize = 64;

/// Bytes of a resource, without the digits of its numbers.
const RESOURCE: u64 = 512;
/// Bytes of an amount, including derived data.
const AMOUNT: u64 = 64;

/// The resources of a problem: first the objectives, whose amounts a front compares, then those that only have limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resources {
    /// The resources in the order of all amounts.
    pub columns: Vec<Column>,
    /// The number of objectives, at least 1.
    pub objectives: usize,
    /// Whether there are limits that a design may keep; if not, there is no design.
    pub is_possible: bool,
}

/// A resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its place in the task set's own order.
    pub number: usize,
    /// One unit of its amounts: numerator and denominator.
    pub unit: (BigUint, BigUint),
    /// What a design without amounts costs: numerator and denominator.
    pub offset: (BigInt, BigUint),
    /// The largest queried amount.
    pub limit: u64,
}

impl Column {
    /// What an amount costs, in the resource's own unit: numerator and denominator.
    pub fn cost(&self, amount: u64) -> (BigInt, BigUint) {
        let (unit, offset) = (&self.unit, &self.offset);
        let own = BigInt::from(&unit.0 * &offset.1 * amount);
        (own + &offset.0 * BigInt::from(unit.1.clone()), &unit.1 * &offset.1)
    }
}

impl Resources {
    /// One resource in units of 1.
    pub(crate) fn one(limit: u64) -> Self {
        let one = || BigUint::from(1u32);
        let column = Column { number: 0, unit: (one(), one()), offset: (BigInt::ZERO, one()), limit };
        Self { columns: vec![column], objectives: 1, is_possible: true }
    }

    /// Reads them. Fails if they are invalid.
    pub(crate) fn read(numbers: &mut Numbers) -> Result<Self, Wrong> {
        let count = numbers.within(MOST_RESOURCES, "the number of resources")?;
        let objectives = numbers.within(count, "the number of objectives")?;
        if objectives == 0 {
            return Err(Wrong::Problem("it has no objective".into()));
        }
        let mut columns: Vec<Column> = Vec::new();
        for _ in 0..count {
            let number = numbers.within(count - 1, "a resource")?;
            if columns.iter().any(|column| column.number == number) {
                return Err(Wrong::Problem(format!("resource {number} comes twice")));
            }
            let mut unit = || numbers.positive("the unit of a resource");
            let unit = (unit()?, unit()?);
            let offset = (numbers.signed("an offset")?, numbers.positive("an offset")?);
            let digits = [&unit.0, &unit.1, offset.0.magnitude(), &offset.1].map(words).iter().sum::<u64>();
            numbers.meter.hold(RESOURCE + 16 * digits)?;
            columns.push(Column { number, unit, offset, limit: 0 });
        }
        let is_possible = numbers.flag("whether there are limits")?;
        if is_possible {
            for column in &mut columns {
                column.limit = numbers.small("a limit")?;
            }
        }
        Ok(Self { columns, objectives, is_possible })
    }
}

/// Reads `count` amounts.
pub(crate) fn read_amounts(
    numbers: &mut Numbers,
    count: usize,
    what: &'static str,
) -> Result<Vec<u64>, Wrong> {
    numbers.meter.hold(AMOUNT * count as u64)?;
    numbers.meter.work(32 * count as u64)?;
    let mut amounts = Vec::with_capacity(count);
    for _ in 0..count {
        amounts.push(numbers.small(what)?);
    }
    Ok(amounts)
}
