//! Exact quantities: decimals, fractions, times and clock rates.
//!
//! Every number of an input file reaches isx as text and becomes an exact rational here. Nothing is
//! rounded: `33.3 ms` is 333/10000 s, and `15/61 s` is what it says.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// An exact rational number in lowest terms.
pub type Rational = BigRational;

/// The largest power of ten that a decimal exponent may name, either way.
pub const MAX_EXPONENT: i64 = 18;

/// The most digits a decimal may be written with.
pub const MAX_DIGITS: usize = 40;

/// Why a text is not the quantity that was wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// The text is empty.
    #[error("a number is missing")]
    Empty,
    /// The text is no decimal number.
    #[error("`{0}` is not a decimal number")]
    NotANumber(String),
    /// Infinity or not-a-number.
    #[error("`{0}` is not finite")]
    NotFinite(String),
    /// The number is below zero, or a zero with a minus sign.
    #[error("`{0}` is negative")]
    Negative(String),
    /// YAML readers disagree about the text: octal, hexadecimal, grouped or sexagesimal digits, words for truth values.
    #[error("`{text}` is ambiguous: {why}")]
    Ambiguous {
        /// The text as written.
        text: String,
        /// What it could be taken for.
        why: &'static str,
    },
    /// The exponent passes [`MAX_EXPONENT`].
    #[error("the exponent of `{0}` is outside -{MAX_EXPONENT}..+{MAX_EXPONENT}")]
    Exponent(String),
    /// More than [`MAX_DIGITS`] digits.
    #[error("`{0}` has more than {MAX_DIGITS} digits")]
    TooLong(String),
    /// A fraction with denominator zero.
    #[error("`{0}` divides by zero")]
    ZeroDenominator(String),
    /// A unit that the quantity does not have.
    #[error("`{unit}` is not a unit of {of}; use {known}")]
    Unit {
        /// The unit as written.
        unit: String,
        /// The kind of quantity, "time" for example.
        of: &'static str,
        /// The units there are.
        known: &'static str,
    },
}

/// Reads a non-negative decimal such as `12`, `12.5` or `1.5e3`, exactly.
///
/// # Errors
///
/// When the text is no plain decimal number, is negative, has more than [`MAX_DIGITS`] digits or an
/// exponent outside ±[`MAX_EXPONENT`]; and when YAML readers would disagree about it (`010`, `0x10`,
/// `1_000`, `1:30`, `yes`).
///
/// ```
/// use isx::quantity::{parse_decimal, format_decimal};
/// assert_eq!(format_decimal(&parse_decimal("12.50").unwrap()), "12.5");
/// assert!(parse_decimal("010").is_err());
/// ```
pub fn parse_decimal(text: &str) -> Result<Rational, QuantityError> {
    let text = text.trim();
    reject_lookalikes(text)?;
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let not_a_number = || QuantityError::NotANumber(shorten(text));
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent, text)?),
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits_only = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !digits_only(whole) || !digits_only(fraction) {
        return Err(not_a_number());
    }
    if whole.len() > 1 && whole.starts_with('0') {
        return Err(QuantityError::Ambiguous {
            text: shorten(text),
            why: "a leading zero means octal to some YAML readers",
        });
    }
    if whole.len() + fraction.len() > MAX_DIGITS {
        return Err(QuantityError::TooLong(shorten(text)));
    }
    if negative {
        return Err(QuantityError::Negative(shorten(text)));
    }
    let digits: BigInt = format!("{whole}{fraction}").parse().map_err(|_| not_a_number())?;
    // At most 40 digits and an exponent of at most 18: the power below stays small.
    let shift = exponent - fraction.len() as i64;
    let power = BigInt::from(10).pow(shift.unsigned_abs() as u32);
    Ok(if shift >= 0 { Rational::from(digits * power) } else { Rational::new(digits, power) })
}

fn parse_exponent(exponent: &str, text: &str) -> Result<i64, QuantityError> {
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(QuantityError::NotANumber(shorten(text)));
    }
    // `parse` fails on an exponent too long for an i64, which is too large all the same.
    match exponent.parse::<i64>() {
        Ok(e) if e.abs() <= MAX_EXPONENT => Ok(e),
        _ => Err(QuantityError::Exponent(shorten(text))),
    }
}

/// Refuses what some YAML reader takes for another number, or for no number at all.
fn reject_lookalikes(text: &str) -> Result<(), QuantityError> {
    if text.is_empty() {
        return Err(QuantityError::Empty);
    }
    let ambiguous = |why| Err(QuantityError::Ambiguous { text: shorten(text), why });
    let lower = text.to_ascii_lowercase();
    let unsigned = lower.trim_start_matches(['+', '-']);
    match unsigned.trim_start_matches('.') {
        "nan" | "inf" | "infinity" => return Err(QuantityError::NotFinite(shorten(text))),
        "yes" | "no" | "on" | "off" | "true" | "false" | "y" | "n" => {
            return ambiguous("it is a truth value to some YAML readers");
        }
        _ => {}
    }
    if unsigned.starts_with("0x") || unsigned.starts_with("0o") || unsigned.starts_with("0b") {
        return ambiguous("write it as a decimal number");
    }
    if unsigned.contains('_') && unsigned.bytes().any(|b| b.is_ascii_digit()) {
        return ambiguous("write the digits without `_`");
    }
    if unsigned.contains(':') {
        return ambiguous("it is a sexagesimal number to some YAML readers");
    }
    Ok(())
}

/// The text cut to a length fit for a message, control characters escaped.
fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().count() > 40 {
        short.push('…');
    }
    short
}

/// The unit that a time was written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    /// No unit: processor cycles, or whatever unit the whole file is in.
    None,
    /// A multiple of a second; the value was converted to seconds.
    Seconds,
}

/// Reads a time such as `10 ms`, `12.5us`, `61000` or `15/61 s`: the value (in seconds where it has a
/// unit) and whether it has one.
///
/// # Errors
///
/// As [`parse_decimal`], and for an unknown unit.
///
/// ```
/// use isx::quantity::{Rational, TimeUnit, parse_time};
/// let (value, unit) = parse_time("12.5 us").unwrap();
/// assert_eq!((value, unit), (Rational::new(125.into(), 10_000_000.into()), TimeUnit::Seconds));
/// ```
pub fn parse_time(text: &str) -> Result<(Rational, TimeUnit), QuantityError> {
    let (number, unit) = split_unit(text);
    let scale = match unit {
        "" => return Ok((parse_fraction(number)?, TimeUnit::None)),
        "s" => 0,
        "ms" => 3,
        "us" | "µs" | "μs" => 6,
        "ns" => 9,
        "ps" => 12,
        _ => {
            // `1:30` or `0x10` is a malformed number rather than a number with an odd unit.
            reject_lookalikes(text.trim())?;
            return Err(QuantityError::Unit {
                unit: shorten(unit),
                of: "time",
                known: "s, ms, us, ns or ps",
            });
        }
    };
    Ok((parse_fraction(number)? / Rational::from(BigInt::from(10).pow(scale)), TimeUnit::Seconds))
}

/// Reads a clock rate such as `100 MHz`, in hertz.
///
/// # Errors
///
/// As [`parse_decimal`], and when the unit is missing or unknown.
pub fn parse_rate(text: &str) -> Result<Rational, QuantityError> {
    let (number, unit) = split_unit(text);
    let scale = match unit.to_ascii_lowercase().as_str() {
        "hz" => 0,
        "khz" => 3,
        "mhz" if !unit.starts_with('m') => 6,
        "ghz" => 9,
        _ => {
            reject_lookalikes(text.trim())?;
            return Err(QuantityError::Unit {
                unit: shorten(unit),
                of: "clock rate",
                known: "Hz, kHz, MHz or GHz",
            });
        }
    };
    Ok(parse_fraction(number)? * Rational::from(BigInt::from(10).pow(scale)))
}

/// A decimal, or two of them with a slash between.
fn parse_fraction(text: &str) -> Result<Rational, QuantityError> {
    match text.split_once('/') {
        None => parse_decimal(text),
        Some((numerator, denominator)) => {
            let denominator = parse_decimal(denominator)?;
            if denominator.is_zero() {
                return Err(QuantityError::ZeroDenominator(shorten(text)));
            }
            Ok(parse_decimal(numerator)? / denominator)
        }
    }
}

/// Splits `12.5 us` into `12.5` and `us`; an exponent's `e` belongs to the number.
fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let is_exponent = |at: usize| {
        matches!(text.as_bytes()[at], b'e' | b'E')
            && text[at + 1..].trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit())
    };
    let unit_at = text
        .char_indices()
        .find(|&(at, c)| c.is_alphabetic() && !(at > 0 && is_exponent(at)))
        .map_or(text.len(), |(at, _)| at);
    // A text such as `.nan` or `yes` has no digits before the letters: it is all number, and a wrong one.
    if !text[..unit_at].bytes().any(|b| b.is_ascii_digit()) {
        return (text, "");
    }
    (text[..unit_at].trim_end(), &text[unit_at..])
}

/// The exact decimal text of a number whose denominator divides a power of ten, else `num/den`.
///
/// ```
/// use isx::quantity::{Rational, format_decimal};
/// assert_eq!(format_decimal(&Rational::new(25.into(), 8.into())), "3.125");
/// assert_eq!(format_decimal(&Rational::new(1.into(), 3.into())), "1/3");
/// ```
#[must_use]
pub fn format_decimal(value: &Rational) -> String {
    let Some(places) = decimal_places(value.denom()) else {
        return format!("{}/{}", value.numer(), value.denom());
    };
    let scaled = value * Rational::from(BigInt::from(10).pow(places));
    place_point(scaled.numer(), places as usize)
}

/// How many decimals a fraction with this denominator needs, if finitely many do.
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
/// use isx::quantity::{Rational, format_rounded};
/// assert_eq!(format_rounded(&Rational::new(2.into(), 3.into()), 4), "0.6667");
/// ```
#[must_use]
pub fn format_rounded(value: &Rational, places: u32) -> String {
    let scaled = value * Rational::from(BigInt::from(10).pow(places));
    place_point(&scaled.round().to_integer(), places as usize)
}

/// The nearest `f64`, for drawing and for fields named `approx` only.
#[must_use]
pub fn approx(value: &Rational) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: i64, denominator: i64) -> Rational {
        Rational::new(numerator.into(), denominator.into())
    }

    #[test]
    fn decimals_are_exact() {
        assert_eq!(parse_decimal("0.1").unwrap(), ratio(1, 10));
        assert_eq!(parse_decimal("1.50e-3").unwrap(), ratio(15, 10_000));
        assert_eq!(
            parse_decimal("2e18").unwrap(),
            Rational::from(BigInt::from(2) * BigInt::from(10).pow(18))
        );
        assert_eq!(parse_decimal(".5").unwrap(), ratio(1, 2));
        assert_eq!(parse_decimal("0").unwrap(), Rational::zero());
    }

    #[test]
    fn lookalikes_are_refused_by_kind() {
        for text in ["010", "0x10", "1_000", "1:30", "yes", "0o7", "00"] {
            assert!(matches!(parse_decimal(text), Err(QuantityError::Ambiguous { .. })), "{text}");
            assert!(matches!(parse_time(text), Err(QuantityError::Ambiguous { .. })), "{text}");
        }
        for text in [".nan", ".inf", "-.inf", "NaN", "inf"] {
            assert!(matches!(parse_time(text), Err(QuantityError::NotFinite(_))), "{text}");
        }
        for text in ["-0", "-1", "-1e3"] {
            assert!(matches!(parse_time(text), Err(QuantityError::Negative(_))), "{text}");
        }
        for text in ["1e308", "1e-999999999", "1e99999999999999999999"] {
            assert!(matches!(parse_decimal(text), Err(QuantityError::Exponent(_))), "{text}");
        }
        for text in ["", " ", "abc", "1.2.3", "1e", "--1", "1 2", "e5", "."] {
            assert!(parse_decimal(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_know_their_units() {
        assert_eq!(parse_time("33.3 ms").unwrap(), (ratio(333, 10_000), TimeUnit::Seconds));
        assert_eq!(parse_time("15/61 s").unwrap(), (ratio(15, 61), TimeUnit::Seconds));
        assert_eq!(parse_time("1e3us").unwrap(), (ratio(1, 1000), TimeUnit::Seconds));
        assert_eq!(parse_time("61000").unwrap(), (ratio(61_000, 1), TimeUnit::None));
        assert!(matches!(parse_time("5 min"), Err(QuantityError::Unit { .. })));
        assert!(matches!(parse_time("1/0 s"), Err(QuantityError::ZeroDenominator(_))));
    }

    #[test]
    fn a_millihertz_is_not_a_megahertz() {
        assert_eq!(parse_rate("100 MHz").unwrap(), ratio(100_000_000, 1));
        assert_eq!(parse_rate("0.5kHz").unwrap(), ratio(500, 1));
        assert!(parse_rate("100 mHz").is_err());
        assert!(parse_rate("100").is_err());
    }

    #[test]
    fn printing_is_exact_or_says_fraction() {
        assert_eq!(format_decimal(&parse_decimal("1234567.891").unwrap()), "1234567.891");
        assert_eq!(format_decimal(&parse_decimal("0.001").unwrap()), "0.001");
        assert_eq!(format_decimal(&ratio(-5, 4)), "-1.25");
        assert_eq!(format_rounded(&ratio(1999, 2000), 3), "1.000");
        assert_eq!(format_rounded(&ratio(1, 3), 0), "0");
    }
}
