//! Exact quantities: decimals, fractions, times and clock rates.
//!
//! Every number of an input file reaches isx as text and becomes an exact rational here. Nothing is
//! rounded: `33.3 ms` is 333/10000 s, and `15/61 s` is what it says.
//!
//! One function takes a written decimal apart ([`Written`]); whatever reads numbers, in YAML, in a knapsack file or
//! on the command line, goes through it and adds its own limits.

mod decimal;
mod error;
mod print;
mod units;

pub use decimal::{MAX_DIGITS, MAX_EXPONENT, Scaled, Written, parse_decimal};
pub use error::QuantityError;
pub use print::{approx, format_decimal, format_rounded};
pub use units::{TimeUnit, parse_rate, parse_time};

/// An exact rational number in lowest terms.
pub type Rational = num_rational::BigRational;
