//! A point of a written front, and the numbers in it, read exactly.

use isx_exact::quantity::{Rational, approx};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;
use std::sync::Arc;

/// The longest number that is read: parsing takes time quadratic in its length.
const LONGEST_NUMBER: usize = 4000;

/// Every task with the choice it takes, in the order of the document; `None` is software. Points may share the names.
pub type TaskChoices = Vec<(Arc<str>, Option<Arc<str>>)>;

/// The choices of a point, if they are needed; `IgnoredAny` skips them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choices(pub TaskChoices);

impl<'de> Deserialize<'de> for Choices {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Tasks;
        impl<'de> Visitor<'de> for Tasks {
            type Value = Choices;
            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("the choice of every task, a name or null")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut tasks: A) -> Result<Choices, A::Error> {
                let mut choices = Vec::new();
                while let Some(task) = tasks.next_key::<String>()? {
                    let choice = match tasks.next_value()? {
                        serde_json::Value::Null => None,
                        serde_json::Value::String(name) => Some(name.into()),
                        _ => {
                            let task = crate::text::cut(&task, 60);
                            let why = format!("the choice of `{task}` is neither a name nor null");
                            return Err(A::Error::custom(why));
                        }
                    };
                    choices.push((task.into(), choice));
                }
                Ok(Choices(choices))
            }
        }
        deserializer.deserialize_map(Tasks)
    }
}

/// A point of the document, whose choices are read as `C`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "Told<C>", bound(deserialize = "C: Deserialize<'de>"))]
pub struct ExactPoint<C> {
    /// Area; 0 if the point has a cost in several resources.
    pub area: Rational,
    /// The cost in several resources, if the document counts them.
    pub cost: Option<Cost>,
    /// Utilization.
    pub utilization: Rational,
    /// The verdict on this design.
    pub schedulable: Option<bool>,
    /// Whether any design of no more area is schedulable; absent in documents of earlier versions.
    pub schedulable_within: Option<bool>,
    /// The choice of every task.
    pub choices: C,
    /// The blocks that are built, if the set has any.
    pub blocks: Option<Vec<String>>,
    /// The variant of the processor, if the set has any.
    pub variant: Option<String>,
    /// The clock in hertz, if the set has blocks that lower it.
    pub clock_hz: Option<String>,
}

/// The amount of every resource, in the order of the document.
pub type Cost = Vec<(String, Rational)>;

/// A point as the document has it.
#[derive(Deserialize)]
struct Told<C> {
    #[serde(default, deserialize_with = "area")]
    area: Option<Rational>,
    #[serde(default, deserialize_with = "cost")]
    cost: Option<Cost>,
    #[serde(deserialize_with = "ratio")]
    utilization: Rational,
    // Required even if null: a plain Option would treat a missing field as null.
    #[serde(deserialize_with = "Option::deserialize")]
    schedulable: Option<bool>,
    #[serde(default)]
    schedulable_within: Option<bool>,
    choices: C,
    #[serde(default)]
    blocks: Option<Vec<String>>,
    #[serde(default)]
    variant: Option<String>,
    #[serde(default)]
    clock_hz: Option<String>,
}

impl<C> TryFrom<Told<C>> for ExactPoint<C> {
    type Error = &'static str;

    fn try_from(told: Told<C>) -> Result<Self, &'static str> {
        let Told { utilization, schedulable, schedulable_within, .. } = told;
        let Told { area, cost, choices, blocks, variant, clock_hz, .. } = told;
        let area = match (area, &cost) {
            (Some(area), None) => area,
            (None, Some(_)) => Rational::zero(),
            (None, None) => return Err("missing field `area`"),
            (Some(_), Some(_)) => return Err("a point has both `area` and `cost`"),
        };
        Ok(Self {
            area,
            cost,
            utilization,
            schedulable,
            schedulable_within,
            choices,
            blocks,
            variant,
            clock_hz,
        })
    }
}

impl<C> ExactPoint<C> {
    /// Whether it is marked schedulable although it overloads the processor.
    pub(super) fn is_impossible(&self) -> bool {
        self.schedulable == Some(true) && self.utilization > Rational::one()
    }
}

impl ExactPoint<IgnoredAny> {
    /// The same point without its choices.
    pub(super) fn untold(self) -> ExactPoint<Choices> {
        let Self { schedulable, schedulable_within, .. } = self;
        let Self { area, cost, utilization, blocks, variant, clock_hz, .. } = self;
        let choices = Choices::default();
        ExactPoint {
            area,
            cost,
            utilization,
            schedulable,
            schedulable_within,
            choices,
            blocks,
            variant,
            clock_hz,
        }
    }
}

fn area<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Rational>, D::Error> {
    let text = String::deserialize(deserializer)?;
    exactly(&text).map(Some).ok_or_else(|| D::Error::custom(no_number(&text)))
}

fn cost<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Cost>, D::Error> {
    let told = serde_json::Map::deserialize(deserializer)?;
    signed_amounts(&told).map(Some).map_err(D::Error::custom)
}

/// Amounts of resources, which may be negative; or the text that is no number.
pub(super) fn signed_amounts(told: &serde_json::Map<String, serde_json::Value>) -> Result<Cost, String> {
    let amount = |(name, value): (&String, &serde_json::Value)| {
        let text = value.as_str().unwrap_or_default();
        let number = match text.strip_prefix('-') {
            Some(rest) => exactly(rest).map(|number| -number),
            None => exactly(text),
        };
        number.map(|number| (name.clone(), number)).ok_or_else(|| no_number(text))
    };
    told.iter().map(amount).collect()
}

fn no_number(text: &str) -> String {
    format!("`{}` is no exact number", crate::text::cut(text, 60))
}

fn ratio<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rational, D::Error> {
    #[derive(Deserialize)]
    struct Ratio {
        num: String,
        den: String,
        #[serde(default)]
        approx: Option<f64>,
    }
    let told = Ratio::deserialize(deserializer)?;
    let ratio = quotient(&told.num, &told.den);
    let ratio = ratio.ok_or_else(|| D::Error::custom("`num` and `den` are no fraction"))?;
    let nearest = approx(&ratio);
    // Other programs may round differently.
    if told.approx.is_some_and(|told| (told - nearest).abs() > 1e-9 * nearest) {
        return Err(D::Error::custom(format!("`approx` is not {nearest}, as `num` and `den` are")));
    }
    Ok(ratio)
}

pub(super) fn quotient(num: &str, den: &str) -> Option<Rational> {
    let den = whole(den).filter(|den| !den.is_zero())?;
    Some(Rational::new(whole(num)?, den))
}

fn whole(digits: &str) -> Option<BigInt> {
    let plain =
        !digits.is_empty() && digits.len() <= LONGEST_NUMBER && digits.bytes().all(|b| b.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}

/// Parses a number as isx prints it: a decimal, or a fraction of two integers. Sums may have more digits than the
/// numbers of a task set that [`parse_fraction`](isx_exact::quantity::parse_fraction) accepts.
pub(super) fn exactly(text: &str) -> Option<Rational> {
    if let Some((numerator, denominator)) = text.split_once('/') {
        return quotient(numerator, denominator);
    }
    let (before, after) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole(&format!("{before}{after}"))?;
    let places = u32::try_from(after.len()).ok()?;
    Some(Rational::new(digits, if places == 0 { BigInt::one() } else { BigInt::from(10).pow(places) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_exactly() {
        let told = |text: &str| exactly(text).map(|number| number.to_string());
        assert_eq!(told("12.50").as_deref(), Some("25/2"));
        assert_eq!(told("9007199254740993").as_deref(), Some("9007199254740993"));
        assert_eq!(told("2/6").as_deref(), Some("1/3"));
        for wrong in ["", ".", "1/0", "-1", "1e3", "1.2.3", "0x1", &"9".repeat(5000)] {
            assert_eq!(told(wrong), None, "{wrong}");
        }
    }
}
