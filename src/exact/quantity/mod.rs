//! Exact quantities: decimals, fractions, times and clock rates.
//!
//! Every number of an input file reaches isx as text and becomes an exact rational here. Nothing is rounded: `33.3
//! ms` is 333/10000 s, and `15/61 s` is exactly that.
//!
//! One function splits a written decimal into its parts ([`Written`]); every reader of numbers, in YAML, in a
//! knapsack file or on the command line, uses it and adds its own limits.

mod decimal;
mod error;
mod print;
mod printable;
mod units;
mod whole;

pub use decimal::{Scaled, Written, parse_decimal, parse_signed_decimal};
pub use error::{MAX_DIGITS, MAX_EXPONENT, QuantityError};
pub use print::{approx, format_decimal, format_rounded};
pub use printable::{is_control, printable, reorders_text, shortened, without_mark};
pub use units::{TimeScale, TimeUnit, format_rate, parse_fraction, parse_rate, parse_time, rate_in_unit};
pub use whole::{difference, times};
pub use whole::{gcd, lcm};

use num_bigint::BigInt;

/// An exact rational number in lowest terms.
pub type Rational = num_rational::BigRational;

/// Types that are exact numbers: machine integers, big integers and fractions. Floats are not.
pub trait ToRational {
    /// The same number as a [`Rational`].
    fn to_rational(self) -> Rational;
}

macro_rules! integers_to_rational {
    ($($integer:ty),+) => {
        $(impl ToRational for $integer {
            fn to_rational(self) -> Rational {
                Rational::from(BigInt::from(self))
            }
        })+
    };
}

integers_to_rational!(i32, u32, i64, u64, i128, u128, BigInt);

impl ToRational for Rational {
    fn to_rational(self) -> Rational {
        self
    }
}

impl ToRational for &Rational {
    fn to_rational(self) -> Rational {
        self.clone()
    }
}
