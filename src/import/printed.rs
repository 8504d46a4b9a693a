//! Figures as task sets write them. One whose text does not read as it is too long.

use super::figures::Time;
use isx_exact::quantity::{
    Rational, TimeUnit, format_decimal, parse_fraction, parse_rate, parse_signed_decimal, parse_time,
    rate_in_unit,
};
use isx_taskset::written::Mapping;
pub(super) use isx_text::scalar;
use num_bigint::BigInt;
use num_traits::Zero;

/// Adds `area: 41`, or `cost: {LUT: 41, DSP: 4}`.
pub(super) fn put_price(mapping: &mut Mapping, cost: &[(String, Rational)], is_area: bool) {
    if is_area {
        let area = cost.first().map_or_else(Rational::zero, |(_, area)| area.clone());
        return mapping.figure("area", decimal(&area));
    }
    let amount =
        |(name, amount): &(String, Rational)| Some(format!("{}: {}", scalar(name), decimal(amount)?));
    let amounts: Option<Vec<String>> = cost.iter().map(amount).collect();
    mapping.figure("cost", amounts.map(|amounts| format!("{{{}}}", amounts.join(", "))));
}

/// A value as a user wrote it, on one line: a mapping or a list is left to the reader of YAML, another text is quoted where
/// YAML would take it for something else.
pub(super) fn as_written(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '.' | '%' | '-' | '_');
    if text.starts_with(['{', '['])
        || text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(is_plain)
    {
        return text.to_owned();
    }
    scalar(text)
}

/// The number as a decimal; `None` if it has no finite decimal, or a too long one.
fn decimal(value: &Rational) -> Option<String> {
    Some(format_decimal(value)).filter(|text| parse_signed_decimal(text).as_ref() == Ok(value))
}

/// The number as a decimal, or as a fraction if that is impossible or too long; `None` if both are.
pub(super) fn number(value: &Rational) -> Option<String> {
    let fraction = || format!("{}/{}", value.numer(), value.denom());
    decimal(value).or_else(|| Some(fraction()).filter(|text| parse_fraction(text).as_ref() == Ok(value)))
}

fn power_of_ten(exponent: u32) -> Rational {
    Rational::from(BigInt::from(10).pow(exponent))
}

/// A time in the largest unit in which it is a whole number.
pub(super) fn time(time: &Time) -> Option<String> {
    let in_unit = |(unit, exponent): (&'static str, u32)| (unit, &time.value * power_of_ten(exponent));
    let units = [("s", 0), ("ms", 3), ("us", 6), ("ns", 9), ("ps", 12)];
    let text = match time.unit {
        TimeUnit::None => number(&time.value)?,
        TimeUnit::Seconds => {
            let whole = units.into_iter().map(in_unit).find(|(_, value)| value.is_integer());
            let (unit, value) = whole.unwrap_or_else(|| in_unit(units[1]));
            format!("{} {unit}", number(&value)?)
        }
    };
    Some(text).filter(|text| parse_time(text).is_ok_and(|read| read == (time.value.clone(), time.unit)))
}

/// A clock rate in the largest unit in which it is at least 1, exactly.
pub(super) fn rate(hertz: &Rational) -> Option<String> {
    let (value, unit) = rate_in_unit(hertz);
    Some(format!("{} {unit}", number(&value)?)).filter(|text| parse_rate(text).as_ref() == Ok(hertz))
}
