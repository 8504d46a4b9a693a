//! Types of fields that several JSON documents share, for reading and writing: values by name, and exact numbers.

use super::Number;
use super::number::{parse, quotient};
use crate::text::cut;
use isx_exact::quantity::Rational;
use isx_taskset::TaskSet;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// Values by name, in the order of the document.
#[derive(Clone, Debug)]
pub struct InOrder<T>(pub Vec<(String, T)>);

impl<T> Default for InOrder<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for InOrder<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Values<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Values<T> {
            type Value = InOrder<T>;
            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("names with their values")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<InOrder<T>, A::Error> {
                let mut values = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    values.push(entry);
                }
                Ok(InOrder(values))
            }
        }
        deserializer.deserialize_map(Values(PhantomData))
    }
}

impl<T> FromIterator<(String, T)> for InOrder<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for InOrder<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A number as text, which may be negative.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Amount(pub Number);

impl From<&Rational> for Amount {
    fn from(number: &Rational) -> Self {
        Self(number.into())
    }
}

impl From<Amount> for String {
    fn from(Amount(number): Amount) -> Self {
        number.decimal()
    }
}

impl TryFrom<String> for Amount {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        parse(&text).map(Self).ok_or_else(|| format!("`{}` is no exact number", cut(&text, 60)))
    }
}

/// A utilization or margin.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(try_from = "RatioText", into = "RatioText")]
pub struct Ratio(pub Number);

impl From<&Rational> for Ratio {
    fn from(number: &Rational) -> Self {
        Self(number.into())
    }
}

#[derive(Deserialize, Serialize)]
struct RatioText {
    num: String,
    den: String,
    #[serde(default)]
    approx: Option<f64>,
}

impl TryFrom<RatioText> for Ratio {
    type Error = String;
    fn try_from(text: RatioText) -> Result<Self, String> {
        let ratio = quotient(&text.num, &text.den).ok_or("`num` and `den` are no fraction")?;
        let nearest = ratio.approx();
        // Other programs may round differently.
        if text.approx.is_some_and(|approx| (approx - nearest).abs() > 1e-9 * nearest) {
            return Err(format!("`approx` is not {nearest}, as `num` and `den` are"));
        }
        Ok(Self(ratio))
    }
}

impl From<Ratio> for RatioText {
    fn from(Ratio(number): Ratio) -> Self {
        let exact = number.exact();
        let [num, den] = [exact.numer(), exact.denom()].map(ToString::to_string);
        Self { num, den, approx: Some(number.approx()) }
    }
}

/// What a task takes: a choice, `None` for software, or one of each part.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Taken {
    /// Of a task without parts.
    Choice(Option<String>),
    /// By the name of the part.
    Parts(InOrder<Option<String>>),
}

/// What each task takes.
pub fn choices(set: &TaskSet, choices: &[Option<u32>]) -> InOrder<Taken> {
    let mut all: Vec<(String, Taken)> = Vec::new();
    for (at, (task, choice)) in set.tasks.iter().zip(choices).enumerate() {
        let taken = choice.and_then(|choice| task.choices.get(choice as usize));
        let taken = taken.map(|choice| choice.name.clone());
        match (&task.part, all.last_mut()) {
            (Some(part), Some((_, Taken::Parts(parts)))) => parts.0.push((part.clone(), taken)),
            _ if set.parts_of(at).is_empty() => all.push((task.name.clone(), Taken::Choice(taken))),
            _ => all.push((task.name.clone(), Taken::Parts(InOrder::default()))),
        }
    }
    InOrder(all)
}

/// Writes a number as an exact decimal.
pub fn decimal<S: Serializer>(number: &Rational, serializer: S) -> Result<S::Ok, S::Error> {
    Amount::from(number).serialize(serializer)
}

/// Writes a number that may be missing as an exact decimal or null.
pub fn decimal_or_null<S: Serializer>(number: &Option<Rational>, serializer: S) -> Result<S::Ok, S::Error> {
    number.as_ref().map(Amount::from).serialize(serializer)
}
