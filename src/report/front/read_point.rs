//! A point of a written front, and the numbers in it, read exactly.

use isx_exact::quantity::{Rational, approx};
use isx_taskset::formulate::critical_mode;
use num_bigint::BigInt;
use num_traits::{One, Zero};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// The longest number that is read: parsing takes time quadratic in its length.
const LONGEST_NUMBER: usize = 4000;

/// Every task with the choice it takes, in the order of the document; `None` is software. Points may share the names.
pub type TaskChoices = Vec<(Arc<str>, Option<Arc<str>>)>;

/// The choices of a point, or none where they are not needed.
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

/// A point of a written front.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExactPoint {
    /// Area; 0 in a front of several resources.
    pub area: Rational,
    /// The cost in each resource, in the order of [`Head::resources`](super::read_json::Head::resources); empty in a
    /// front of one area.
    pub cost: Vec<Rational>,
    /// Utilization.
    pub utilization: Rational,
    /// Its margin, on a front of area against margin.
    pub margin: Option<Rational>,
    /// The verdict on this design.
    pub schedulable: Option<bool>,
    /// Whether any design of no more area is schedulable; absent in documents of earlier versions.
    pub schedulable_within: Option<bool>,
    /// The choice of every task.
    pub choices: Choices,
    /// The blocks that are built, if the set has any.
    pub blocks: Option<Vec<String>>,
    /// The variant of the processor, if the set has any.
    pub variant: Option<String>,
    /// The clock in hertz, if the set has blocks that lower it.
    pub clock_hz: Option<String>,
    /// The utilization in each mode, if the document has them.
    pub modes: Vec<(String, Rational)>,
}

impl ExactPoint {
    /// Whether it is marked schedulable although it overloads the processor.
    pub fn is_impossible(&self) -> bool {
        self.schedulable == Some(true) && self.utilization > Rational::one()
    }

    /// The mode of the largest utilization, the first of several.
    pub fn critical_mode(&self) -> Option<usize> {
        let in_modes: Vec<Rational> = self.modes.iter().map(|(_, utilization)| utilization.clone()).collect();
        (!in_modes.is_empty()).then(|| critical_mode(&in_modes))
    }

    /// Whether its modes are these, and its utilization is the largest in any of them.
    pub fn agrees_with(&self, modes: &[String]) -> Result<(), &'static str> {
        let Some(critical) = self.critical_mode() else { return Ok(()) };
        if !self.modes.iter().map(|(name, _)| name).eq(modes) {
            return Err("`mode_utilization` does not name each of `modes` once, in their order");
        }
        match self.modes[critical].1 == self.utilization {
            true => Ok(()),
            false => Err("`utilization` is not the largest of `mode_utilization`"),
        }
    }
}

impl<'de> Deserialize<'de> for ExactPoint {
    /// A point with an area, and its choices.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        PointReader { resources: None, has_choices: true }.deserialize(deserializer)
    }
}

/// Reads a point, with or without its choices.
#[derive(Clone, Copy)]
pub struct PointReader<'a> {
    /// The resources that its cost names; `None` if it has an area.
    pub resources: Option<&'a [String]>,
    pub has_choices: bool,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Field {
    Area,
    Cost,
    Utilization,
    Margin,
    Schedulable,
    SchedulableWithin,
    Choices,
    Blocks,
    Variant,
    ClockHz,
    ModeUtilization,
    #[serde(other)]
    Other,
}

impl<'de> DeserializeSeed<'de> for PointReader<'_> {
    type Value = ExactPoint;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<ExactPoint, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for PointReader<'_> {
    type Value = ExactPoint;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a design")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ExactPoint, A::Error> {
        let (mut area, mut cost) = (None::<Exact>, None::<Costs>);
        let (mut utilization, mut margin) = (None::<Ratio>, None::<Ratio>);
        let (mut schedulable, mut choices) = (None, None);
        let (mut within, mut blocks, mut variant, mut clock_hz) = (None, None, None, None);
        let mut modes = None::<InOrder<Ratio>>;
        while let Some(field) = map.next_key()? {
            match field {
                Field::Area if self.resources.is_none() => once(&mut area, "area", &mut map)?,
                Field::Cost if self.resources.is_some() => once(&mut cost, "cost", &mut map)?,
                Field::Utilization => once(&mut utilization, "utilization", &mut map)?,
                Field::Margin => once(&mut margin, "margin", &mut map)?,
                Field::Schedulable => once(&mut schedulable, "schedulable", &mut map)?,
                Field::SchedulableWithin => once(&mut within, "schedulable_within", &mut map)?,
                Field::Choices if self.has_choices => once(&mut choices, "choices", &mut map)?,
                Field::Choices => {
                    once::<IgnoredAny, _>(&mut None, "choices", &mut map)?;
                    choices = Some(Choices::default());
                }
                Field::Blocks => once(&mut blocks, "blocks", &mut map)?,
                Field::Variant => once(&mut variant, "variant", &mut map)?,
                Field::ClockHz => once(&mut clock_hz, "clock_hz", &mut map)?,
                Field::ModeUtilization => once(&mut modes, "mode_utilization", &mut map)?,
                Field::Area | Field::Cost | Field::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let missing = A::Error::missing_field;
        let (area, cost) = match self.resources {
            None => (area.ok_or_else(|| missing("area"))?.0, Vec::new()),
            Some(names) => {
                let cost = cost.ok_or_else(|| missing("cost"))?;
                (Rational::zero(), cost.in_order(names).map_err(A::Error::custom)?)
            }
        };
        Ok(ExactPoint {
            area,
            cost,
            utilization: utilization.ok_or_else(|| missing("utilization"))?.0,
            margin: margin.map(|Ratio(margin)| margin),
            schedulable: schedulable.ok_or_else(|| missing("schedulable"))?,
            schedulable_within: within.flatten(),
            choices: choices.ok_or_else(|| missing("choices"))?,
            blocks: blocks.flatten(),
            variant: variant.flatten(),
            clock_hz: clock_hz.flatten(),
            modes: modes
                .unwrap_or_default()
                .0
                .into_iter()
                .map(|(name, Ratio(ratio))| (name, ratio))
                .collect(),
        })
    }
}

/// Reads a field once. JSON permits duplicate names in an object, but of two lists of points neither is the front.
pub fn once<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    field: &mut Option<T>,
    name: &str,
    map: &mut A,
) -> Result<(), A::Error> {
    if field.is_some() {
        return Err(twice(name));
    }
    *field = Some(map.next_value()?);
    Ok(())
}

pub fn twice<E: Error>(name: &str) -> E {
    E::custom(format!("the field `{name}` stands twice"))
}

/// Values by name, in the order of the document.
#[derive(Clone, Debug, PartialEq)]
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

/// Amounts of resources by name, which may be negative.
pub type Costs = InOrder<Amount>;

/// An amount, exactly.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Amount(pub Rational);

impl TryFrom<String> for Amount {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        signed(&text).map(Self).ok_or_else(|| not_exact(&text))
    }
}

impl Costs {
    /// The amounts in the order of these resources.
    pub fn in_order(mut self, resources: &[String]) -> Result<Vec<Rational>, String> {
        let named = self.0.iter().map(|(name, _)| name);
        if !named.eq(resources) {
            self.0.sort_by_key(|(name, _)| resources.iter().position(|resource| resource == name));
        }
        if self.0.len() == resources.len() && self.0.iter().map(|(name, _)| name).eq(resources) {
            return Ok(self.0.into_iter().map(|(_, Amount(amount))| amount).collect());
        }
        let names: Vec<String> = resources.iter().map(|name| crate::text::cut(name, 40)).collect();
        Err(format!("`cost` must name each of {} once", names.join(", ")))
    }
}

fn not_exact(text: &str) -> String {
    format!("`{}` is no exact number", crate::text::cut(text, 60))
}

/// An area, exactly.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Exact(Rational);

impl TryFrom<String> for Exact {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        exactly(&text).map(Self).ok_or_else(|| not_exact(&text))
    }
}

/// A utilization, exactly.
#[derive(Deserialize)]
#[serde(try_from = "WrittenRatio")]
struct Ratio(Rational);

#[derive(Deserialize)]
struct WrittenRatio {
    num: String,
    den: String,
    #[serde(default)]
    approx: Option<f64>,
}

impl TryFrom<WrittenRatio> for Ratio {
    type Error = String;
    fn try_from(told: WrittenRatio) -> Result<Self, String> {
        let ratio = quotient(&told.num, &told.den).ok_or("`num` and `den` are no fraction")?;
        let nearest = approx(&ratio);
        // Other programs may round differently.
        if told.approx.is_some_and(|told| (told - nearest).abs() > 1e-9 * nearest) {
            return Err(format!("`approx` is not {nearest}, as `num` and `den` are"));
        }
        Ok(Self(ratio))
    }
}

pub fn quotient(num: &str, den: &str) -> Option<Rational> {
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
pub fn exactly(text: &str) -> Option<Rational> {
    if let Some((numerator, denominator)) = text.split_once('/') {
        return quotient(numerator, denominator);
    }
    let (before, after) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole(&format!("{before}{after}"))?;
    let places = u32::try_from(after.len()).ok()?;
    Some(Rational::new(digits, if places == 0 { BigInt::one() } else { BigInt::from(10).pow(places) }))
}

/// As [`exactly`], for an amount, which may be negative.
pub fn signed(text: &str) -> Option<Rational> {
    match text.strip_prefix('-') {
        Some(digits) => exactly(digits).map(|amount| -amount),
        None => exactly(text),
    }
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
