//! Keys with several values, and their combinations.

use isx_exact::quantity::Scaled;
use std::ops::Range;

/// A key with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// A key of the recipe.
    pub key: String,
    /// Its values, in order; numbers without needless zeros.
    pub values: Vec<String>,
    /// Where each stands in the specification.
    pub places: Vec<Range<usize>>,
}

/// The type of a column of numbers: integers, or decimals with so many places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Digits after the point.
    pub places: u32,
}

impl Numbers {
    /// Whole numbers.
    pub const WHOLE: Self = Self { places: 0 };

    /// A number in units of the last place.
    pub fn digits(self, text: &str) -> Option<i64> {
        let Scaled { digits, places } = Scaled::parse(text).ok()?;
        let factor = 10i128.checked_pow(self.places.checked_sub(places)?)?;
        // A decimal column has 18 digits.
        i64::try_from(digits.checked_mul(factor)?).ok().filter(|digits| digits.unsigned_abs() < 10u64.pow(18))
    }
}

impl Axis {
    /// The type of its values, if all are decimals of up to 18 digits.
    pub fn numbers(&self) -> Option<Numbers> {
        let places = self.values.iter().map(|value| Some(Scaled::parse(value).ok()?.places));
        let numbers = Numbers { places: places.collect::<Option<Vec<u32>>>()?.into_iter().max()? };
        self.values.iter().all(|value| numbers.digits(value).is_some()).then_some(numbers)
    }
}

/// The number of combinations of values, at least 1.
pub fn combinations(axes: &[Axis]) -> u64 {
    axes.iter().map(|axis| axis.values.len() as u64).product()
}

/// The numbers of the values in a combination; the last axis varies fastest.
pub fn positions(axes: &[Axis], mut combination: u64) -> Vec<usize> {
    let mut positions = vec![0; axes.len()];
    for (position, axis) in positions.iter_mut().zip(axes).rev() {
        let count = axis.values.len() as u64;
        *position = (combination % count) as usize;
        combination /= count;
    }
    positions
}

/// The values in a combination.
pub fn values(axes: &[Axis], combination: u64) -> Vec<&str> {
    let positions = positions(axes, combination);
    axes.iter().zip(positions).map(|(axis, at)| axis.values[at].as_str()).collect()
}

/// The combination of these values, each `KEY=VALUE`; what is not named has its first value.
pub fn combination(axes: &[Axis], named: &[String]) -> Result<u64, String> {
    let mut chosen = vec![0; axes.len()];
    for text in named {
        let (key, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is not KEY=VALUE"))?;
        let at = axes.iter().position(|axis| axis.key == key);
        let at = at.ok_or_else(|| match axes {
            [] => format!("`{key}` is not paired: the specification has no `paired`"),
            axes => format!("`{key}` is not paired: {} is", listed(axes.iter().map(|axis| &axis.key))),
        })?;
        let number = axes[at].values.iter().position(|other| other == value);
        chosen[at] = number
            .ok_or_else(|| format!("`{key}` has no value `{value}`: {}", listed(axes[at].values.iter())))?;
    }
    let steps = axes.iter().zip(chosen);
    Ok(steps.fold(0, |number, (axis, at)| number * axis.values.len() as u64 + at as u64))
}

fn listed<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
