//! Numbers of the plain formats: separated by white space, `#` begins a comment; decimals of one kind are brought to whole
//! numbers by the smallest power of ten that suffices for all of them, so that nothing is rounded.

use isx_exact::quantity::{Rational, Scaled, format_decimal};
use isx_problems::text::{TextError, scaled};
use num_bigint::BigInt;

/// Bits of distances, weights and capacities, and of profits.
pub const NARROW: u32 = 62;
/// See [`NARROW`].
pub const WIDE: u32 = 120;

/// Numbers of one kind in whole units, and their decimals.
/// Fails if one needs more than so many bits.
pub fn whole(what: &'static str, numbers: &[Scaled], bits: u32) -> Result<(Vec<i128>, u32), TextError> {
    let places = numbers.iter().map(|number| number.places).max().unwrap_or(0);
    let of = |&number: &Scaled| scaled(number, places, bits).ok_or(TextError::Range { what, bits });
    Ok((numbers.iter().map(of).collect::<Result<_, _>>()?, places))
}

/// A whole number with so many decimals, as it would be written in the file.
pub fn unscaled(number: &BigInt, places: u32) -> String {
    format_decimal(&Rational::new(number.clone(), BigInt::from(10).pow(places)))
}
