//! Words and figures as task sets write them.

use super::figures::Time;
use isx_exact::quantity::{
    Rational, TimeUnit, format_decimal, parse_fraction, parse_signed_decimal, rate_in_unit,
};
use isx_taskset::written::{Mapping, in_line};
use isx_text::scalar;
use num_bigint::BigInt;
use num_traits::Zero;
use std::collections::BTreeMap;

/// A part of a task set as it is written, and what its keys must be read as again.
#[derive(Clone, Default)]
pub(super) struct Part {
    pub written: Mapping,
    pub drafted: Vec<(&'static str, Drafted)>,
}

/// What a key must be read as.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Drafted {
    Words(Vec<String>),
    Figure(Rational),
    /// In the unit of the set's times once that is known.
    Time(Time),
    /// The amounts that are not 0, by resource.
    Cost(BTreeMap<String, Rational>),
}

impl Part {
    pub fn named(name: &str) -> Self {
        let mut part = Self::default();
        part.words("name", name);
        part
    }

    pub fn words(&mut self, key: &'static str, words: &str) {
        self.written.put(key, scalar(words));
        self.drafted.push((key, Drafted::Words(vec![words.to_owned()])));
    }

    pub fn list(&mut self, key: &'static str, words: &[String]) {
        self.written.put(key, in_line(words));
        self.drafted.push((key, Drafted::Words(words.to_vec())));
    }

    pub fn number(&mut self, key: &'static str, value: usize) {
        self.written.put(key, value);
        self.drafted.push((key, Drafted::Figure(Rational::from(BigInt::from(value)))));
    }

    pub fn time(&mut self, key: &'static str, value: &Time) {
        self.written.figure(key, time(value));
        self.drafted.push((key, Drafted::Time(value.clone())));
    }

    pub fn rate(&mut self, key: &'static str, hertz: &Rational) {
        self.written.figure(key, rate(hertz));
        self.drafted.push((key, Drafted::Figure(hertz.clone())));
    }

    /// Adds `area: 41`, or `cost: {LUT: 41, DSP: 4}`.
    pub fn price(&mut self, cost: Cost, is_area: bool) {
        if is_area {
            let area = cost.first().map_or_else(Rational::zero, |(_, area)| area.clone());
            self.written.figure("area", decimal(&area));
            return self.drafted.push(("area", Drafted::Figure(area)));
        }
        let amount =
            |(name, amount): &(String, Rational)| Some(format!("{}: {}", scalar(name), decimal(amount)?));
        let amounts: Option<Vec<String>> = cost.iter().map(amount).collect();
        self.written.figure("cost", amounts.map(|amounts| format!("{{{}}}", amounts.join(", "))));
        self.drafted.push(("cost", Drafted::Cost(cost.into_iter().collect())));
    }
}

/// The amounts that are not 0 of some resources, by name: of an area, or of those that have names.
pub(super) type Cost = Vec<(String, Rational)>;

/// The cost of this area.
pub(super) fn of_area(area: Rational) -> Cost {
    if area.is_zero() { Vec::new() } else { vec![("area".to_owned(), area)] }
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
    if time.unit == TimeUnit::None {
        return number(&time.value);
    }
    let whole = units.into_iter().map(in_unit).find(|(_, value)| value.is_integer());
    let (unit, value) = whole.unwrap_or_else(|| in_unit(units[1]));
    Some(format!("{} {unit}", number(&value)?))
}

/// A clock rate in the largest unit in which it is at least 1, exactly.
fn rate(hertz: &Rational) -> Option<String> {
    let (value, unit) = rate_in_unit(hertz);
    Some(format!("{} {unit}", number(&value)?))
}
