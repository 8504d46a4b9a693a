//! The integers that the engines compute values in.

use isx_problems::resources::Problem;
use isx_problems::value::{Tier, Value};
use num_bigint::{BigInt, BigUint};

/// A machine integer for values and their sums.
pub(crate) trait Number: Value + Copy {
    /// Less than every sum.
    const LEAST: Self;
    /// More than every sum.
    const MOST: Self;
    /// The number in 128 bits.
    fn wide(self) -> i128;
}

impl Number for i64 {
    const LEAST: Self = i64::MIN;
    const MOST: Self = i64::MAX;
    fn wide(self) -> i128 {
        self.into()
    }
}

impl Number for i128 {
    const LEAST: Self = i128::MIN;
    const MOST: Self = i128::MAX;
    fn wide(self) -> i128 {
        self
    }
}

/// The sum over classes of the largest absolute value.
pub fn most_value(problem: &Problem) -> BigInt {
    let largest = |items: &Vec<isx_problems::resources::Item>| {
        items.iter().map(|item| item.value.magnitude()).max().cloned().unwrap_or_default()
    };
    problem.classes.iter().map(largest).sum::<BigUint>().into()
}

/// The narrowest tier that holds every sum of values.
pub(crate) fn tier(problem: &Problem) -> Tier {
    Tier::narrowest(&most_value(problem)).max(Tier::I64)
}
