//! The reader of front JSON that keeps every figure exact, a point at a time.
//!
//! [`plot`](super::plot) reads the same documents for drawing, as doubles.

use super::json::SCHEMA;
use super::unreadable::{self, PlotError};
use crate::quantity::Rational;
use num_bigint::BigInt;
use num_traits::{One, Zero};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use std::fmt;
use std::io::{BufReader, Read};
use std::marker::PhantomData;

/// The longest text of a number that is read: longer ones take time in proportion to the square.
const LONGEST_NUMBER: usize = 4000;

/// What a front's document says beside its points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// Name of the task set.
    pub taskset: String,
    /// Unit of the areas; may be empty.
    pub area_unit: String,
    /// The scheduler, where the document names one.
    pub scheduler: Option<String>,
    /// What was changed in the task set to see what would happen, in words.
    pub what_if: Vec<String>,
    /// How the front was computed, where the document tells.
    pub engine: Option<EngineWords>,
    /// The utilization of the design all in software.
    pub base: Rational,
    /// The verdict on the design all in software.
    pub base_schedulable: Option<bool>,
    /// Whether any design of no more area than that is schedulable.
    pub base_schedulable_within: Option<bool>,
    /// The smallest schedulable area, where it is known and there is one.
    pub min_schedulable_area: Option<Rational>,
    /// The design of that area, where the document tells it.
    pub min_schedulable: Option<ExactPoint<Map<String, Value>>>,
    /// Why the smallest schedulable area is not known, where that is so.
    pub min_schedulable_unknown: Option<String>,
    /// What vouches for the front: proved, checked or inexact, where the document tells.
    pub status: Option<String>,
    /// Whether no larger area lowers the utilization further.
    pub complete: bool,
    /// Number of points.
    pub points: usize,
}

/// How a front was computed, in the words of its document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct EngineWords {
    /// The engine and its hardware.
    #[serde(default)]
    pub ran_on: String,
    /// The integers it computed in.
    #[serde(default)]
    pub arithmetic: String,
    /// Why this engine.
    #[serde(default)]
    pub why: String,
}

/// A point of the document, whose choices are read as `C`; `IgnoredAny` skips them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ExactPoint<C> {
    /// Area.
    #[serde(deserialize_with = "number")]
    pub area: Rational,
    /// Utilization.
    #[serde(deserialize_with = "ratio")]
    pub utilization: Rational,
    /// The verdict on this design.
    #[serde(deserialize_with = "Option::deserialize")]
    pub schedulable: Option<bool>,
    /// Whether any design of no more area is schedulable; documents of earlier versions do not say.
    #[serde(default)]
    pub schedulable_within: Option<bool>,
    /// The choice of every task.
    pub choices: C,
    /// The blocks that are built, where the set has any.
    #[serde(default)]
    pub blocks: Option<Vec<String>>,
    /// The clock in hertz, where the set has blocks that lower it.
    #[serde(default)]
    pub clock_hz: Option<String>,
}

/// Reads a document, handing each point to `visit` with its number.
///
/// # Errors
///
/// [`PlotError`]: the input cannot be read, is no JSON or no front, or its points are not in order.
pub fn read<C: DeserializeOwned>(
    reader: impl Read,
    visit: &mut dyn FnMut(usize, ExactPoint<C>),
) -> Result<Head, PlotError> {
    let mut json = serde_json::Deserializer::from_reader(BufReader::with_capacity(1 << 18, reader));
    let mut document = Document { visit, read: Fields::default() };
    let parsed = (&mut document).deserialize(&mut json).and_then(|()| json.end());
    let read = document.read;
    if let Some(found) = read.schema.as_ref().filter(|schema| *schema != SCHEMA) {
        return Err(PlotError::Schema { found: super::text::cut(found, 60) });
    }
    parsed?;
    read.finish()
}

#[derive(Default)]
struct Fields {
    schema: Option<String>,
    taskset: Option<String>,
    area_unit: Option<String>,
    scheduler: Option<String>,
    what_if: Vec<String>,
    engine: Option<EngineWords>,
    base: Option<ExactPoint<IgnoredAny>>,
    points: Option<usize>,
    smallest: Option<Option<String>>,
    smallest_design: Option<ExactPoint<Map<String, Value>>>,
    smallest_unknown: Option<String>,
    status: Option<String>,
    complete: Option<bool>,
}

impl Fields {
    fn finish(self) -> Result<Head, PlotError> {
        let missing = PlotError::Missing;
        self.schema.ok_or(missing("schema"))?;
        let smallest = self.smallest.ok_or(missing("min_schedulable_area"))?;
        let smallest = smallest.map(|text| {
            exactly(&text).ok_or_else(|| PlotError::Field("`min_schedulable_area` is no area".into()))
        });
        let points = self.points.ok_or(missing("points"))?;
        if points == 0 {
            return Err(PlotError::NotAFront { index: 0, why: "there is no point" });
        }
        let base = self.base.ok_or(missing("base"))?;
        Ok(Head {
            taskset: self.taskset.ok_or(missing("taskset"))?,
            area_unit: self.area_unit.ok_or(missing("area_unit"))?,
            scheduler: self.scheduler,
            what_if: self.what_if,
            engine: self.engine,
            base: base.utilization,
            base_schedulable: base.schedulable,
            base_schedulable_within: base.schedulable_within,
            min_schedulable_area: smallest.transpose()?,
            min_schedulable: self.smallest_design,
            min_schedulable_unknown: self.smallest_unknown,
            status: self.status,
            complete: self.complete.ok_or(missing("complete"))?,
            points,
        })
    }
}

struct Document<'a, C> {
    visit: &'a mut dyn FnMut(usize, ExactPoint<C>),
    read: Fields,
}

impl<'de, C: DeserializeOwned> DeserializeSeed<'de> for &mut Document<'_, C> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, C: DeserializeOwned> Visitor<'de> for &mut Document<'_, C> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let read = &mut self.read;
        let mut seen = unreadable::Read::default();
        while let Some(key) = map.next_key::<String>()? {
            seen.once(&key)?;
            match key.as_str() {
                "schema" => {
                    read.schema = Some(map.next_value()?);
                    if read.schema.as_deref() != Some(SCHEMA) {
                        // The rest would only fail for reasons that mislead.
                        return Err(A::Error::custom("another schema"));
                    }
                }
                "taskset" => read.taskset = Some(map.next_value()?),
                "area_unit" => read.area_unit = Some(map.next_value()?),
                "scheduler" => read.scheduler = Some(map.next_value()?),
                "what_if" => read.what_if = map.next_value()?,
                "engine" => read.engine = Some(map.next_value()?),
                "base" => read.base = Some(map.next_value()?),
                "points" => {
                    read.points = Some(map.next_value_seed(Points { visit: self.visit, of: PhantomData })?);
                }
                "min_schedulable_area" => read.smallest = Some(map.next_value()?),
                "min_schedulable" => read.smallest_design = map.next_value()?,
                "min_schedulable_unknown" => read.smallest_unknown = map.next_value()?,
                "status" => read.status = Some(map.next_value()?),
                "complete" => read.complete = Some(map.next_value()?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// The list of points; their number is what it comes to.
struct Points<'a, C> {
    visit: &'a mut dyn FnMut(usize, ExactPoint<C>),
    of: PhantomData<C>,
}

impl<'de, C: DeserializeOwned> DeserializeSeed<'de> for Points<'_, C> {
    type Value = usize;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, C: DeserializeOwned> Visitor<'de> for Points<'_, C> {
    type Value = usize;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a list of points")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<usize, A::Error> {
        let mut count = 0;
        let mut before: Option<(Rational, Rational)> = None;
        while let Some(point) = list.next_element::<ExactPoint<C>>()? {
            let rises = |(area, utilization): &(Rational, Rational)| {
                point.area >= *area && point.utilization <= *utilization
            };
            if !before.as_ref().is_none_or(rises) {
                let why = "area does not rise, or utilization does not fall,";
                return Err(A::Error::custom(format!("{why} at point {count} (counted from 0)")));
            }
            before = Some((point.area.clone(), point.utilization.clone()));
            (self.visit)(count, point);
            count += 1;
        }
        Ok(count)
    }
}

fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rational, D::Error> {
    let text = String::deserialize(deserializer)?;
    exactly(&text)
        .ok_or_else(|| D::Error::custom(format!("`{}` is no exact number", super::text::cut(&text, 60))))
}

fn ratio<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rational, D::Error> {
    #[derive(Deserialize)]
    struct Ratio {
        num: String,
        den: String,
    }
    let Ratio { num, den } = Ratio::deserialize(deserializer)?;
    let quotient = whole(&num).zip(whole(&den)).filter(|(_, den)| !den.is_zero());
    let (num, den) = quotient.ok_or_else(|| D::Error::custom("`num` and `den` are no fraction"))?;
    Ok(Rational::new(num, den))
}

fn whole(digits: &str) -> Option<BigInt> {
    let plain =
        !digits.is_empty() && digits.len() <= LONGEST_NUMBER && digits.bytes().all(|b| b.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}

/// A number as isx prints it: a decimal, or a fraction of two whole numbers. Sums may have more digits than a number of a
/// task set, which [`parse_fraction`](crate::quantity::parse_fraction) keeps to.
fn exactly(text: &str) -> Option<Rational> {
    if let Some((numerator, denominator)) = text.split_once('/') {
        let denominator = whole(denominator).filter(|denominator| !denominator.is_zero())?;
        return Some(Rational::new(whole(numerator)?, denominator));
    }
    let (before, after) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole(&format!("{before}{after}"))?;
    let places = u32::try_from(after.len()).ok()?;
    Some(Rational::new(digits, if places == 0 { BigInt::one() } else { BigInt::from(10).pow(places) }))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{demo, shared, unlike_fronts};
    use super::*;
    use crate::exploration::Exploration;
    use crate::machine::cpu::Workers;
    use std::collections::BTreeMap;

    type Named = BTreeMap<String, Option<String>>;

    fn document(explored: &Exploration) -> Vec<u8> {
        let mut bytes = Vec::new();
        super::super::json::write(explored, &Workers::new(1), &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_is_read_is_what_was_written_exactly() {
        for explored in unlike_fronts() {
            let mut points = Vec::new();
            let head =
                read::<Named>(document(&explored).as_slice(), &mut |_, point| points.push(point)).unwrap();
            assert_eq!(head.taskset, explored.task_set().name);
            assert_eq!(head.base, explored.base().utilization);
            assert_eq!((head.points, points.len()), (explored.front.len(), explored.front.len()));
            for ((point, design), read) in explored.designs().zip(&points) {
                assert_eq!((&read.area, &read.utilization), (&design.area, &design.utilization));
                assert_eq!(read.schedulable, design.schedulable);
                assert_eq!(read.schedulable_within, design.schedulable_within);
                let named = point.chosen();
                let named = named.map(|(task, choice)| (task.name.clone(), choice.map(|c| c.name.clone())));
                assert_eq!(read.choices, named.collect::<Named>());
            }
        }
    }

    #[test]
    fn blocks_are_read_where_there_are_any() {
        let mut blocks = Vec::new();
        read::<IgnoredAny>(document(&shared()).as_slice(), &mut |_, point| blocks.push(point.blocks))
            .unwrap();
        assert!(blocks.iter().all(Option::is_some) && blocks.iter().flatten().any(|built| !built.is_empty()));
        read::<IgnoredAny>(document(&demo()).as_slice(), &mut |_, point| assert_eq!(point.blocks, None))
            .unwrap();
    }

    #[test]
    fn what_is_no_front_is_refused() {
        let text = String::from_utf8(document(&demo())).unwrap();
        let refused =
            |text: String| read::<IgnoredAny>(text.as_bytes(), &mut |_, _| ()).unwrap_err().to_string();
        assert!(refused(text.replace("isx.front/1", "isx.front/2")).contains("isx.front/2"));
        assert!(refused(text.replace("\"den\":\"", "\"den\":\"x")).contains("no fraction"));
        assert!(refused(text.replace("\"area\":\"", "\"area\":\"-")).contains("no exact number"));
        assert!(refused(text.replace("\"complete\"", "\"finished\"")).contains("complete"));
        assert!(refused("name: a".into()).contains("not a JSON document"));
        // Found by fuzzing: of two lists of points the steps of both were kept, in whatever order.
        let points = &text[text.find("\"points\"").unwrap()..text.rfind("\"min_schedulable_area\"").unwrap()];
        let twice = text.replace("\"complete\"", &format!("{points}\"complete\""));
        assert!(refused(twice).contains("the field `points` stands twice"));
    }

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
