//! Exact numbers as text, and as the nearest float for drawings only.

use super::Rational;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The exact decimal text of a number whose denominator divides a power of ten, else `num/den`.
///
/// ```
/// use isx_exact::quantity::{Rational, format_decimal};
/// assert_eq!(format_decimal(&Rational::new(25.into(), 8.into())), "3.125");
/// assert_eq!(format_decimal(&Rational::new(1.into(), 3.into())), "1/3");
/// ```
pub fn format_decimal(value: &Rational) -> String {
    if value.is_integer() {
        return value.numer().to_string();
    }
    let Some(places) = decimal_places(value.denom()) else {
        return format!("{}/{}", value.numer(), value.denom());
    };
    let scaled = value * Rational::from(BigInt::from(10).pow(places));
    place_point(scaled.numer(), places as usize)
}

/// How many decimals a fraction with this denominator needs, if the expansion is finite.
fn decimal_places(denominator: &BigInt) -> Option<u32> {
    let (mut rest, mut twos, mut fives) = (denominator.clone(), 0, 0);
    let (two, five) = (BigInt::from(2), BigInt::from(5));
    while (&rest % &two).is_zero() {
        rest /= &two;
        twos += 1;
    }
    while (&rest % &five).is_zero() {
        rest /= &five;
        fives += 1;
    }
    rest.is_one().then_some(twos.max(fives))
}

/// The decimal text of `digits / 10^places`.
fn place_point(digits: &BigInt, places: usize) -> String {
    let sign = if digits.is_negative() { "-" } else { "" };
    let text = format!("{:0>width$}", digits.abs().to_string(), width = places + 1);
    let (whole, fraction) = text.split_at(text.len() - places);
    if places == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// The number rounded to `places` decimals, half away from zero; exact arithmetic decides the last digit.
///
/// ```
/// use isx_exact::quantity::{Rational, format_rounded};
/// assert_eq!(format_rounded(&Rational::new(2.into(), 3.into()), 4), "0.6667");
/// ```
pub fn format_rounded(value: &Rational, places: u32) -> String {
    let scaled = value * Rational::from(BigInt::from(10).pow(places));
    place_point(&scaled.round().to_integer(), places as usize)
}

/// The nearest `f64`, for drawing and for fields named `approx` only.
pub fn approx(value: &Rational) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::super::parse_decimal;
    use super::*;

    #[test]
    fn printing_is_exact_or_says_fraction() {
        let ratio = |numerator: i64, denominator: i64| Rational::new(numerator.into(), denominator.into());
        assert_eq!(format_decimal(&parse_decimal("1234567.891").unwrap()), "1234567.891");
        assert_eq!(format_decimal(&parse_decimal("0.001").unwrap()), "0.001");
        assert_eq!(format_decimal(&ratio(-5, 4)), "-1.25");
        assert_eq!(format_rounded(&ratio(1999, 2000), 3), "1.000");
        assert_eq!(format_rounded(&ratio(1, 3), 0), "0");
    }
}
