//! Reads front JSON: every figure exact, one point at a time. [`Written`](crate::written::Written) reads every format.
//!
//! A document may have been edited by hand. A document that contradicts itself is refused, with the point or field:
//! points out of order, a design of utilization above 1 that is marked schedulable, a smallest schedulable area that
//! differs from its design or from the verdicts. Errors that a document alone cannot show (a missing point, a wrong
//! `status`) are not detected here, nor is the order of points with a cost in several resources.

pub use super::read_point::{Choices, ExactPoint, TaskChoices};

use super::margins::MarginWords;
use super::read_point::{exactly, signed_amounts};
use crate::front::json::{SCHEMA, SCHEMA_OF_RESOURCES};
use crate::front::seen::Seen;
use crate::front::unreadable::PlotError;
use isx_design::schedulability::AtMargin;
use isx_exact::quantity::Rational;
use isx_taskset::{Resources, Scheduler};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{BufReader, Read};

/// The suffix of the arithmetic of a front whose points were chosen in floats, as earlier versions of isx could
/// write.
const INEXACT: &str = "(inexact)";

/// The fields of a front's document besides its points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// Name of the task set.
    pub taskset: String,
    /// Unit of the areas; may be empty.
    pub area_unit: String,
    /// The resources with their limits, if the document counts several.
    pub resources: Option<Resources>,
    /// The scheduler, if the document names one.
    pub scheduler: Option<Scheduler>,
    /// Changes to the task set for a what-if question, in words.
    pub what_if: Vec<String>,
    /// How the front was computed, if the document says.
    pub engine: Option<EngineWords>,
    /// The design all in software.
    pub base: ExactPoint<IgnoredAny>,
    /// The smallest schedulable area, if it is known and exists.
    pub min_schedulable_area: Option<Rational>,
    /// The design of that area, if the document contains it.
    pub min_schedulable: Option<ExactPoint<Choices>>,
    /// Why the smallest schedulable area is not known, if it is not.
    pub min_schedulable_unknown: Option<String>,
    /// The smallest schedulable areas with a margin; empty in documents of earlier versions.
    pub margins: Vec<AtMargin>,
    /// How the front was verified, as the document says: proved or checked.
    pub status: Option<String>,
    /// Whether no larger area lowers the utilization further.
    pub complete: bool,
    /// Number of points.
    pub points: usize,
}

/// How a front was computed, as its document says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
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

/// Receives the points of a written front, each with its index.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(usize, ExactPoint<Choices>);

/// Reads a document and passes each point with its index to `visit`. Choices are read for the first `told` points
/// only.
///
/// # Errors
///
/// [`PlotError`]: the input cannot be read, is not JSON or not a front, or contradicts itself.
pub(crate) fn read(reader: &mut dyn Read, told: usize, visit: Visit) -> Result<Head, PlotError> {
    read_fields(reader, told, false, visit)?.finish()
}

/// As [`read`], also for a front of several resources.
pub(crate) fn read_any(reader: &mut dyn Read, visit: Visit) -> Result<Head, PlotError> {
    read_fields(reader, usize::MAX, true, visit)?.finish()
}

/// Reads a document, which may lack fields; a front of several resources only if it is `any`.
pub(super) fn read_fields(
    reader: &mut dyn Read,
    told: usize,
    any: bool,
    visit: Visit,
) -> Result<Fields, PlotError> {
    let mut json = serde_json::Deserializer::from_reader(BufReader::with_capacity(1 << 18, reader));
    let mut document = Document { visit, told, any, read: Fields::default() };
    let parsed = (&mut document).deserialize(&mut json).and_then(|()| json.end());
    let mut read = document.read;
    if read.schema.as_deref() == Some(SCHEMA_OF_RESOURCES) && !any {
        return Err(PlotError::Resources);
    }
    let others = |schema: &&String| *schema != SCHEMA && *schema != SCHEMA_OF_RESOURCES;
    if let Some(found) = read.schema.as_ref().filter(others) {
        return Err(PlotError::Schema { found: crate::text::cut(found, 60) });
    }
    if let Some((index, why)) = read.points.wrong.take() {
        return Err(PlotError::NotAFront { index, why });
    }
    parsed?;
    Ok(read)
}

/// What has been read so far: kept outside the parser, so that its errors can be distinguished from our own.
#[derive(Default)]
pub(super) struct Fields {
    schema: Option<String>,
    taskset: Option<String>,
    area_unit: Option<String>,
    resources: Option<Vec<String>>,
    device: Option<String>,
    limits: Option<serde_json::Map<String, serde_json::Value>>,
    scheduler: Option<String>,
    what_if: Option<Vec<String>>,
    engine: Option<EngineWords>,
    base: Option<ExactPoint<IgnoredAny>>,
    pub has_points: bool,
    pub points: Seen,
    /// The outer option: whether the field exists.
    pub smallest: Option<Option<String>>,
    smallest_design: Option<Option<ExactPoint<Choices>>>,
    pub smallest_unknown: Option<Option<String>>,
    margins: Option<Vec<MarginWords>>,
    status: Option<String>,
    complete: Option<bool>,
}

impl Fields {
    pub fn finish(self) -> Result<Head, PlotError> {
        let missing = PlotError::Missing;
        let wrong = |why: String| Err(PlotError::Field(why));
        let resources = self.resources()?;
        let smallest_design = self.smallest_design.flatten();
        self.schema.ok_or(missing("schema"))?;
        if self.engine.as_ref().is_some_and(|engine| engine.arithmetic.ends_with(INEXACT)) {
            return wrong(
                "floats chose its points, so some may be missing; explore the task set again".into(),
            );
        }
        let smallest = match resources {
            None => self.smallest.ok_or(missing("min_schedulable_area"))?,
            Some(_) => None,
        };
        let no_area = || PlotError::Field("`min_schedulable_area` is no area".into());
        let area = |text: String| exactly(&text).ok_or_else(no_area);
        let min_schedulable_area = smallest.map(area).transpose()?;
        if !self.has_points {
            return Err(missing("points"));
        }
        if self.points.count == 0 {
            return Err(PlotError::NotAFront { index: 0, why: "there is no point" });
        }
        let base = self.base.ok_or(missing("base"))?;
        if base.is_impossible() {
            return wrong("`base` is marked schedulable, and its utilization is above 1".into());
        }
        let min_schedulable_unknown = match (&min_schedulable_area, self.smallest_unknown) {
            (Some(area), _) => {
                self.points.agree_with(area, smallest_design.as_ref())?;
                None
            }
            (None, unknown) if resources.is_some() => unknown.flatten(),
            (None, _) if smallest_design.is_some() => {
                return wrong("`min_schedulable_area` is null, and `min_schedulable` names a design".into());
            }
            (None, Some(Some(why))) => Some(why),
            (None, told) => match self.points.enough {
                Some((index, _)) if told.is_some() => {
                    return wrong(format!(
                        "`min_schedulable_area` is null, and point {index} is schedulable"
                    ));
                }
                // The minimal schema says only that there is no such area; the last verdict then gives the reason.
                None if told.is_some() || self.points.ends_short => None,
                _ => Some("the document does not say why".into()),
            },
        };
        let no_margins = || PlotError::Field("`margins` has something other than decimals".into());
        let margins = self.margins.unwrap_or_default().into_iter().map(|words| words.read(exactly));
        let margins = margins.collect::<Option<Vec<AtMargin>>>().ok_or_else(no_margins)?;
        let unknown = || PlotError::Field("`scheduler` is none of edf, rm, dm and fixed".into());
        let scheduler = |name: String| Scheduler::named(&name).ok_or_else(unknown);
        let scheduler = self.scheduler.map(scheduler).transpose()?;
        Ok(Head {
            taskset: self.taskset.ok_or(missing("taskset"))?,
            area_unit: match resources {
                None => self.area_unit.ok_or(missing("area_unit"))?,
                Some(_) => String::new(),
            },
            resources,
            scheduler,
            what_if: self.what_if.unwrap_or_default(),
            engine: self.engine,
            base,
            min_schedulable_area,
            min_schedulable: smallest_design,
            min_schedulable_unknown,
            margins,
            status: self.status,
            complete: self.complete.ok_or(missing("complete"))?,
            points: self.points.count,
        })
    }
}

impl Fields {
    /// The resources of a front that counts several.
    fn resources(&self) -> Result<Option<Resources>, PlotError> {
        if self.schema.as_deref() != Some(SCHEMA_OF_RESOURCES) {
            return Ok(None);
        }
        let names = self.resources.as_ref().ok_or(PlotError::Missing("resources"))?;
        let mut resources = Resources::new(names.iter().map(String::as_str));
        resources.device.clone_from(&self.device);
        let limits = signed_amounts(&self.limits.clone().unwrap_or_default());
        let limits = limits.map_err(|why| PlotError::Field(format!("`limits`: {why}")))?;
        for (name, limit) in limits {
            if let Some(at) = resources.position(&name) {
                resources.limits[at] = Some(limit);
            }
        }
        Ok(Some(resources))
    }
}

struct Document<'a> {
    visit: Visit<'a>,
    told: usize,
    /// Whether a front of several resources is read too.
    any: bool,
    read: Fields,
}

impl<'de> DeserializeSeed<'de> for &mut Document<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Document<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let read = &mut self.read;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "schema" => {
                    once(&mut read.schema, "schema", &mut map)?;
                    let is_known = match read.schema.as_deref() {
                        Some(SCHEMA_OF_RESOURCES) => self.any,
                        schema => schema == Some(SCHEMA),
                    };
                    if !is_known {
                        // Other errors in the document would only mislead.
                        return Err(A::Error::custom("another schema"));
                    }
                }
                "taskset" => once(&mut read.taskset, "taskset", &mut map)?,
                "area_unit" => once(&mut read.area_unit, "area_unit", &mut map)?,
                "scheduler" => once(&mut read.scheduler, "scheduler", &mut map)?,
                "what_if" => once(&mut read.what_if, "what_if", &mut map)?,
                "engine" => once(&mut read.engine, "engine", &mut map)?,
                "base" => once(&mut read.base, "base", &mut map)?,
                "points" if read.has_points => return Err(twice("points")),
                "points" => {
                    read.has_points = true;
                    let (visit, told, seen) = (&mut *self.visit, self.told, &mut read.points);
                    let of_costs = read.schema.as_deref() == Some(SCHEMA_OF_RESOURCES);
                    map.next_value_seed(Points { visit, told, of_costs, seen })?;
                }
                "min_schedulable_area" => once(&mut read.smallest, "min_schedulable_area", &mut map)?,
                "resources" => once(&mut read.resources, "resources", &mut map)?,
                "device" => once(&mut read.device, "device", &mut map)?,
                "limits" => once(&mut read.limits, "limits", &mut map)?,
                "min_schedulable" if read.schema.as_deref() == Some(SCHEMA_OF_RESOURCES) => {
                    map.next_value::<IgnoredAny>()?;
                }
                "min_schedulable_designs" => {
                    let designs: Vec<ExactPoint<Choices>> = map.next_value()?;
                    read.smallest_design = Some(designs.into_iter().next());
                }
                "min_schedulable" => once(&mut read.smallest_design, "min_schedulable", &mut map)?,
                "min_schedulable_unknown" => {
                    once(&mut read.smallest_unknown, "min_schedulable_unknown", &mut map)?;
                }
                "margins" => once(&mut read.margins, "margins", &mut map)?,
                "status" => once(&mut read.status, "status", &mut map)?,
                "complete" => once(&mut read.complete, "complete", &mut map)?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// Reads a field once. JSON permits duplicate names in an object, but of two lists of points neither is the front.
fn once<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
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

fn twice<E: Error>(name: &str) -> E {
    E::custom(format!("the field `{name}` stands twice"))
}

/// The list of points.
struct Points<'a> {
    visit: Visit<'a>,
    told: usize,
    /// Whether points have a cost in place of an area.
    of_costs: bool,
    seen: &'a mut Seen,
}

impl<'de> DeserializeSeed<'de> for Points<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Points<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a list of points")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        loop {
            let index = self.seen.count;
            let next = if index < self.told {
                list.next_element::<ExactPoint<Choices>>()?
            } else {
                list.next_element::<ExactPoint<IgnoredAny>>()?.map(ExactPoint::untold)
            };
            let Some(point) = next else { return Ok(()) };
            let added = match point.cost.is_some() == self.of_costs {
                true => self.seen.add(&point),
                false => Err("`area` or `cost` stands where the schema has the other"),
            };
            if let Err(why) = added {
                self.seen.wrong = Some((index, why));
                return Err(A::Error::custom(why));
            }
            (self.visit)(index, point);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{demo, shared, unlike_fronts};
    use isx_design::exploration::Exploration;
    use isx_machine::cpu::Workers;
    use std::sync::Arc;

    fn document(explored: &Exploration) -> Vec<u8> {
        let mut bytes = Vec::new();
        crate::front::json::write(explored, &Workers::new(1), &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_is_read_is_what_was_written_exactly() {
        for explored in unlike_fronts() {
            let mut points = Vec::new();
            let head =
                read(&mut document(&explored).as_slice(), usize::MAX, &mut |_, point| points.push(point))
                    .unwrap();
            assert_eq!(head.taskset, explored.task_set().name);
            assert_eq!(head.base.utilization, explored.base().utilization);
            assert_eq!((head.points, points.len()), (explored.front.len(), explored.front.len()));
            for ((point, design), read) in explored.designs().zip(&points) {
                assert_eq!((&read.area, &read.utilization), (design.area(), &design.utilization));
                assert_eq!(read.schedulable, design.schedulable);
                assert_eq!(read.schedulable_within, design.schedulable_within);
                let named = point.chosen();
                let shared = |name: &String| Arc::from(name.as_str());
                let named = named.map(|(task, choice)| (shared(&task.name), choice.map(|c| shared(&c.name))));
                assert_eq!(read.choices.0, named.collect::<TaskChoices>());
            }
        }
    }

    #[test]
    fn blocks_are_read_where_there_are_any() {
        let mut blocks = Vec::new();
        read(&mut document(&shared()).as_slice(), 0, &mut |_, point| blocks.push(point.blocks)).unwrap();
        assert!(blocks.iter().all(Option::is_some) && blocks.iter().flatten().any(|built| !built.is_empty()));
        read(&mut document(&demo()).as_slice(), 0, &mut |_, point| assert_eq!(point.blocks, None)).unwrap();
    }

    #[test]
    fn what_is_no_front_is_refused() {
        let text = String::from_utf8(document(&demo())).unwrap();
        let refused = |text: String| read(&mut text.as_bytes(), 0, &mut |_, _| ()).unwrap_err().to_string();
        assert!(refused(text.replace("isx.front/1", "isx.front/9")).contains("isx.front/9"));
        let of_resources = refused(text.replace("isx.front/1", "isx.front/2"));
        assert!(
            of_resources.starts_with("a front of several resources, and this is done for fronts of one area")
        );
        assert!(refused(text.replace("\"den\":\"", "\"den\":\"x")).contains("no fraction"));
        assert!(refused(text.replace("\"area\":\"", "\"area\":\"-")).contains("no exact number"));
        assert!(refused(text.replace("\"complete\"", "\"finished\"")).contains("complete"));
        assert!(refused("name: a".into()).contains("not a JSON document"));
        // Found by fuzzing: with two lists of points the steps of both were kept, in any order.
        let points = &text[text.find("\"points\"").unwrap()..text.rfind("\"min_schedulable_area\"").unwrap()];
        let twice = text.replace("\"complete\"", &format!("{points}\"complete\""));
        assert!(refused(twice).contains("the field `points` stands twice"));
    }
}
