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
pub struct ExactPoint<C> {
    /// Area; 0 in a front of several resources.
    #[serde(deserialize_with = "number")]
    pub area: Rational,
    /// The cost in each resource, in the order of [`Head::resources`](super::read_json::Head::resources); empty in a
    /// front of one area.
    #[serde(skip)]
    pub cost: Vec<Rational>,
    /// Utilization.
    #[serde(deserialize_with = "ratio")]
    pub utilization: Rational,
    /// The verdict on this design.
    // Required even if null: a plain Option would treat a missing field as null.
    #[serde(deserialize_with = "Option::deserialize")]
    pub schedulable: Option<bool>,
    /// Whether any design of no more area is schedulable; absent in documents of earlier versions.
    #[serde(default)]
    pub schedulable_within: Option<bool>,
    /// The choice of every task.
    pub choices: C,
    /// The blocks that are built, if the set has any.
    #[serde(default)]
    pub blocks: Option<Vec<String>>,
    /// The variant of the processor, if the set has any.
    #[serde(default)]
    pub variant: Option<String>,
    /// The clock in hertz, if the set has blocks that lower it.
    #[serde(default)]
    pub clock_hz: Option<String>,
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

/// A point of a front of several resources as its document has it.
#[derive(Deserialize)]
pub(super) struct CostedPoint<C> {
    pub cost: Costs,
    #[serde(deserialize_with = "ratio")]
    utilization: Rational,
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

impl<C> CostedPoint<C> {
    /// The point with its costs in the order of these resources; the error names what is wrong with the costs.
    pub fn in_order(self, resources: &[String]) -> Result<ExactPoint<C>, String> {
        let Self { utilization, schedulable, schedulable_within, choices, .. } = self;
        let Self { blocks, variant, clock_hz, .. } = self;
        let (area, cost) = (Rational::zero(), self.cost.in_order(resources)?);
        Ok(ExactPoint {
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

/// Amounts of resources by name, in the order of the document; they may be negative.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Costs(pub Vec<(String, Rational)>);

impl Costs {
    /// The amounts in the order of these resources.
    pub fn in_order(mut self, resources: &[String]) -> Result<Vec<Rational>, String> {
        let named = self.0.iter().map(|(name, _)| name);
        if !named.eq(resources) {
            self.0.sort_by_key(|(name, _)| resources.iter().position(|resource| resource == name));
        }
        if self.0.len() == resources.len() && self.0.iter().map(|(name, _)| name).eq(resources) {
            return Ok(self.0.into_iter().map(|(_, amount)| amount).collect());
        }
        let names: Vec<String> = resources.iter().map(|name| crate::text::cut(name, 40)).collect();
        Err(format!("`cost` must name each of {} once", names.join(", ")))
    }
}

impl<'de> Deserialize<'de> for Costs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Amounts;
        impl<'de> Visitor<'de> for Amounts {
            type Value = Costs;
            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an amount of every resource, a decimal in a string")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut amounts: A) -> Result<Costs, A::Error> {
                let mut costs = Vec::new();
                while let Some((name, text)) = amounts.next_entry::<String, String>()? {
                    let amount = match text.strip_prefix('-') {
                        Some(digits) => exactly(digits).map(|amount| -amount),
                        None => exactly(&text),
                    };
                    let amount = amount.ok_or_else(|| not_exact(&text))?;
                    costs.push((name, amount));
                }
                Ok(Costs(costs))
            }
        }
        deserializer.deserialize_map(Amounts)
    }
}

fn not_exact<E: Error>(text: &str) -> E {
    E::custom(format!("`{}` is no exact number", crate::text::cut(text, 60)))
}

fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rational, D::Error> {
    let text = String::deserialize(deserializer)?;
    exactly(&text).ok_or_else(|| not_exact(&text))
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
