//! Tasks in whole units of time.

use isx_exact::quantity::{self, Rational};
use num_bigint::BigInt;
use num_traits::One;

/// A choice with integer time and area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedChoice {
    /// e_ik, in [`Formulation::time_unit`](super::Formulation::time_unit)s.
    pub wcet: BigInt,
    /// c_ik, in [`Formulation::area_unit`](super::Formulation::area_unit)s; [`BEYOND_BUDGET`](super::BEYOND_BUDGET) if
    /// it exceeds the budget.
    pub area: u64,
}

/// A task with integer times, in [`Formulation::time_unit`](super::Formulation::time_unit)s.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedTask {
    /// E_i.
    pub wcet: BigInt,
    /// P_i.
    pub period: BigInt,
    /// D_i.
    pub deadline: BigInt,
    /// The choices in file order.
    pub choices: Vec<TimedChoice>,
    /// Whether every design must take the first choice.
    pub forced: bool,
}

impl TimedTask {
    /// The task with its WCETs multiplied by `factor`; the unit of time makes them whole numbers.
    pub(super) fn slowed(&self, factor: &Rational) -> Self {
        let slowed = |wcet: &BigInt| wcet * factor.numer() / factor.denom();
        let mut task = self.clone();
        task.wcet = slowed(&task.wcet);
        task.choices.iter_mut().for_each(|choice| choice.wcet = slowed(&choice.wcet));
        task
    }

    /// The execution time with choice `choice`, or in software.
    ///
    /// # Panics
    ///
    /// If the choice does not exist.
    #[must_use]
    pub fn wcet_with(&self, choice: Option<u32>) -> &BigInt {
        choice.map_or(&self.wcet, |choice| &self.choices[choice as usize].wcet)
    }
}

/// The largest rational that divides every one of `values` into an integer; 1 if all are zero.
pub(super) fn common_unit<'a>(values: impl Iterator<Item = &'a Rational>) -> Rational {
    let (mut numerator, mut denominator) = (BigInt::ZERO, BigInt::one());
    for value in values {
        numerator = quantity::gcd(&numerator, value.numer());
        denominator = quantity::lcm(&denominator, value.denom());
    }
    if numerator == BigInt::ZERO { Rational::one() } else { Rational::new(numerator, denominator) }
}
