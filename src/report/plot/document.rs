//! The reader of front JSON: keeps what is drawn, skips the rest.

use super::super::json::SCHEMA;
use super::super::unreadable;
use super::{
    MAX_POINTS, PlotData, PlotError, PlotPoint, PlotSmallest, PointDetail, TOLD_POINTS, TaskChoices,
    parse_area,
};
use crate::taskset::Scheduler;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use std::fmt;
use std::io::{BufReader, Read};

/// How the arithmetic of a front that is not exact ends.
const INEXACT: &str = "(inexact)";

/// A point of the document: what is kept of its area, choices, blocks and clock depends on how many points there are.
#[derive(Deserialize)]
struct Point<Area, Choices, Blocks, Clock> {
    area: Area,
    utilization: Utilization,
    // Present even where it is null: a plain Option would take a missing field for null.
    #[serde(deserialize_with = "Option::deserialize")]
    schedulable: Option<bool>,
    #[serde(default)]
    choices: Choices,
    // Not there where the task set has none.
    #[serde(default)]
    blocks: Blocks,
    // Not there where no block limits the clock.
    #[serde(default)]
    clock_hz: Clock,
}

/// A point whose choices are told.
type Told = Point<AreaText, Choices, Vec<String>, Option<String>>;

/// A point of many.
type Plain = Point<Area, IgnoredAny, IgnoredAny, IgnoredAny>;

/// Every task with its choice, in the order of the document.
#[derive(Default)]
struct Choices(TaskChoices);

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
                while let Some((task, choice)) = tasks.next_entry::<String, Option<String>>()? {
                    choices.push((task.into(), choice.map(Into::into)));
                }
                Ok(Choices(choices))
            }
        }
        deserializer.deserialize_map(Tasks)
    }
}

/// An area with its text.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct AreaText(String, f64);

impl TryFrom<String> for AreaText {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let area = parse_area(&text).ok_or_else(|| format!("`{text}` is no area, a decimal in a string"))?;
        Ok(Self(text, area))
    }
}

#[derive(Clone, Copy, Deserialize)]
struct Utilization {
    approx: f64,
}

/// An exact decimal string, read as the nearest double without keeping the text.
#[derive(Clone, Copy)]
struct Area(f64);

impl<'de> Deserialize<'de> for Area {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Area;
            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an area, as a decimal in a string")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Area, E> {
                parse_area(text).map(Area).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

impl From<Plain> for PlotPoint {
    fn from(point: Plain) -> Self {
        Self { area: point.area.0, utilization: point.utilization.approx, schedulable: point.schedulable }
    }
}

impl Told {
    fn split(self) -> (PlotPoint, PointDetail) {
        let Self { area: AreaText(text, area), utilization, schedulable, choices, blocks, clock_hz } = self;
        let point = PlotPoint { area, utilization: utilization.approx, schedulable };
        let blocks = blocks.into_iter().map(Into::into).collect();
        let clock_hz = clock_hz.map(Into::into);
        (point, PointDetail { area: text, choices: choices.0, blocks, clock_hz })
    }
}

/// The points, as they are drawn, and what they say where they are few.
struct Points(Vec<PlotPoint>, Vec<PointDetail>);

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Points;
            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a list of points")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Points, A::Error> {
                let (mut points, mut details) = (Vec::new(), Vec::new());
                while points.len() < TOLD_POINTS {
                    let Some(told) = list.next_element::<Told>()? else { return Ok(Points(points, details)) };
                    let (point, detail) = told.split();
                    points.push(point);
                    details.push(detail);
                }
                while let Some(point) = list.next_element::<Plain>()? {
                    if points.len() == MAX_POINTS {
                        return Err(A::Error::custom(format!("more than {MAX_POINTS} points")));
                    }
                    details = Vec::new();
                    points.push(point.into());
                }
                Ok(Points(points, details))
            }
        }
        deserializer.deserialize_seq(List)
    }
}

/// What has been read so far: kept outside the parser, so that an error can be told from another schema.
#[derive(Default)]
struct Document {
    schema: Option<String>,
    taskset: Option<String>,
    area_unit: Option<String>,
    what_if: Vec<String>,
    scheduler: Option<String>,
    base: Option<Plain>,
    points: Option<Points>,
    /// The outer option: whether the field is there.
    smallest_area: Option<Option<String>>,
    smallest: Option<Option<Told>>,
    smallest_unknown: Option<Option<String>>,
    complete: Option<bool>,
    engine: Option<Engine>,
}

/// How the front was computed; only the arithmetic is looked at.
#[derive(Deserialize)]
struct Engine {
    #[serde(default)]
    arithmetic: String,
}

impl<'de> DeserializeSeed<'de> for &mut Document {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Document {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen = unreadable::Read::default();
        while let Some(key) = map.next_key::<String>()? {
            seen.once(&key)?;
            match key.as_str() {
                "schema" => {
                    self.schema = Some(map.next_value()?);
                    if self.schema.as_deref() != Some(SCHEMA) {
                        // The rest would only fail for reasons that mislead.
                        return Err(A::Error::custom("another schema"));
                    }
                }
                "taskset" => self.taskset = Some(map.next_value()?),
                "area_unit" => self.area_unit = Some(map.next_value()?),
                "what_if" => self.what_if = map.next_value()?,
                "scheduler" => self.scheduler = Some(map.next_value()?),
                "base" => self.base = Some(map.next_value()?),
                "points" => self.points = Some(map.next_value()?),
                "min_schedulable_area" => self.smallest_area = Some(map.next_value()?),
                "min_schedulable" => self.smallest = Some(map.next_value()?),
                "min_schedulable_unknown" => self.smallest_unknown = Some(map.next_value()?),
                "engine" => self.engine = Some(map.next_value()?),
                "complete" => self.complete = Some(map.next_value()?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// Reads the whole document.
pub(super) fn read(reader: impl Read) -> Result<PlotData, PlotError> {
    let mut document = Document::default();
    let mut json = serde_json::Deserializer::from_reader(BufReader::with_capacity(1 << 18, reader));
    let parsed = document.deserialize_from(&mut json);
    if let Some(found) = document.schema.take_if(|schema| schema != SCHEMA) {
        return Err(PlotError::Schema { found: super::super::text::cut(&found, 60) });
    }
    parsed?;
    document.finish()
}

impl Document {
    fn deserialize_from<R: Read>(
        &mut self,
        json: &mut serde_json::Deserializer<serde_json::de::IoRead<R>>,
    ) -> serde_json::Result<()> {
        DeserializeSeed::deserialize(self, &mut *json)?;
        json.end()
    }

    fn finish(self) -> Result<PlotData, PlotError> {
        let missing = PlotError::Missing;
        self.schema.ok_or(missing("schema"))?;
        let Points(points, details) = self.points.ok_or(missing("points"))?;
        let area_text = self.smallest_area.ok_or(missing("min_schedulable_area"))?;
        let min_schedulable = match area_text {
            Some(area_text) => {
                let area = parse_area(&area_text)
                    .ok_or_else(|| PlotError::Field("`min_schedulable_area` is no area".into()))?;
                let given = self.smallest.flatten().map(|point| {
                    let (point, detail) = point.split();
                    (point.utilization, detail)
                });
                let (utilization, built) = given.or_else(|| schedulable_at(&points, &details, area)).unzip();
                let PointDetail { choices, blocks, clock_hz, .. } = built.unwrap_or_default();
                PlotSmallest::At { area_text, area, utilization, choices, blocks, clock_hz }
            }
            // The schema's least says only that there is no such area; the last verdict then tells why.
            None => match self.smallest_unknown {
                Some(None) => PlotSmallest::Nowhere,
                Some(Some(_)) => PlotSmallest::Unknown,
                None if points.last().is_some_and(|last| last.schedulable == Some(false)) => {
                    PlotSmallest::Nowhere
                }
                None => PlotSmallest::Unknown,
            },
        };
        // EDF is not written.
        let scheduler = match self.scheduler {
            None => Scheduler::Edf,
            Some(name) => Scheduler::named(&name)
                .ok_or_else(|| PlotError::Field("`scheduler` is none of edf, rm, dm and fixed".into()))?,
        };
        Ok(PlotData {
            title: self.taskset.ok_or(missing("taskset"))?,
            area_unit: self.area_unit.ok_or(missing("area_unit"))?,
            what_if: self.what_if,
            scheduler,
            base: self.base.ok_or(missing("base"))?.into(),
            points,
            details,
            min_schedulable,
            complete: self.complete.ok_or(missing("complete"))?,
            exact: !self.engine.is_some_and(|engine| engine.arithmetic.ends_with(INEXACT)),
        })
    }
}

/// The schedulable point of that area, if the front has one: its utilization and what it says of itself.
fn schedulable_at(points: &[PlotPoint], details: &[PointDetail], area: f64) -> Option<(f64, PointDetail)> {
    let at = points.iter().position(|point| point.area == area && point.schedulable == Some(true))?;
    Some((points[at].utilization, details.get(at).cloned().unwrap_or_default()))
}

#[cfg(test)]
mod tests;
