//! Reads front JSON: every figure exact, one point at a time. [`Written`](crate::written::Written) reads every format.
//!
//! A document may have been edited by hand. A document that contradicts itself is refused, with the point or field:
//! points out of order, a design of utilization above 1 that is marked schedulable, a smallest schedulable area that
//! differs from its design or from the verdicts. Errors that a document alone cannot show (a missing point, a wrong
//! `status`) are not detected here.

pub use super::read_point::{Choices, ExactPoint, TaskChoices};

use super::margins::MarginWords;
use super::read_point::{CostedPoint, Costs, exactly};
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
    /// Unit of the areas; may be empty, and is in a front of several resources.
    pub area_unit: String,
    /// The resources, if the front has several; what is built in any case is the cost of `base`.
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
    /// The design of that area, if the document contains it; with several resources, the first of `minimal`.
    pub min_schedulable: Option<ExactPoint<Choices>>,
    /// With several resources, the designs of the minimal schedulable costs.
    pub minimal: Vec<ExactPoint<Choices>>,
    /// Why the smallest schedulable area is not known, if it is not; with several resources, why there may be other
    /// minimal costs.
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
/// only. A front of several resources is refused unless `kinds` has it.
///
/// # Errors
///
/// [`PlotError`]: the input cannot be read, is not JSON or not a front, or contradicts itself.
pub(crate) fn read(
    reader: &mut dyn Read,
    told: usize,
    kinds: Kinds,
    visit: Visit,
) -> Result<Head, PlotError> {
    read_fields(reader, told, kinds, visit)?.finish()
}

/// Which fronts a reader accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kinds {
    /// Those of one area.
    OneArea,
    /// Those of several resources too.
    All,
}

/// Reads a document, which may lack fields.
pub(super) fn read_fields(
    reader: &mut dyn Read,
    told: usize,
    kinds: Kinds,
    visit: Visit,
) -> Result<Fields, PlotError> {
    let mut json = serde_json::Deserializer::from_reader(BufReader::with_capacity(1 << 18, reader));
    let mut document = Document { visit, told, kinds, read: Fields::default() };
    let parsed = (&mut document).deserialize(&mut json).and_then(|()| json.end());
    let mut read = document.read;
    match read.schema.as_deref() {
        Some(SCHEMA_OF_RESOURCES) if kinds == Kinds::OneArea => return Err(PlotError::Resources),
        None | Some(SCHEMA | SCHEMA_OF_RESOURCES) => {}
        Some(found) => return Err(PlotError::Schema { found: crate::text::cut(found, 60) }),
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
    objectives: Option<Vec<String>>,
    device: Option<String>,
    limits: Option<Costs>,
    minimal: Option<Vec<Costs>>,
    minimal_designs: Option<Vec<CostedPoint<Choices>>>,
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
    fn is_of_resources(&self) -> bool {
        self.schema.as_deref() == Some(SCHEMA_OF_RESOURCES)
    }

    /// The names of the resources and the indices of the objectives among them.
    fn objectives(&self) -> Result<(&[String], Vec<usize>), String> {
        let before = |name| format!("the field `{name}` must stand before every design");
        let resources = self.resources.as_deref().ok_or_else(|| before("resources"))?;
        let objectives = self.objectives.as_deref().ok_or_else(|| before("objectives"))?;
        let position = |name: &String| resources.iter().position(|other| other == name);
        let at: Option<Vec<usize>> = objectives.iter().map(position).collect();
        let unique = |names: &[String]| (1..names.len()).all(|at| !names[..at].contains(&names[at]));
        match at.filter(|at| !at.is_empty() && unique(resources) && unique(objectives)) {
            Some(at) => Ok((resources, at)),
            None => Err("`objectives` must be some of `resources`, each once".into()),
        }
    }

    /// The resources with their limits.
    fn read_resources(&mut self, base: &[Rational]) -> Result<Resources, PlotError> {
        let (names, objectives) = self.objectives().map_err(PlotError::Field)?;
        let mut resources = Resources::new(names).with_base(base.iter().cloned());
        resources.objectives = objectives;
        for (name, limit) in self.limits.take().unwrap_or_default().0 {
            let Some(at) = resources.position(&name) else {
                return Err(PlotError::Field("`limits` names something that is no resource".into()));
            };
            resources.limits[at] = Some(limit);
        }
        resources.device = self.device.take();
        Ok(resources)
    }

    /// The rest of a front of several resources.
    fn finish_resources(mut self) -> Result<Head, PlotError> {
        let missing = PlotError::Missing;
        let base = self.base.take().ok_or(missing("base"))?;
        if !self.has_points {
            return Err(missing("points"));
        }
        let resources = self.read_resources(&base.cost)?;
        let wrong = |why: &str| PlotError::Field(why.into());
        let costs = self.minimal.take().ok_or(missing("min_schedulable"))?;
        let designs = self.minimal_designs.take().unwrap_or_default();
        let designs = designs.into_iter().map(|design| design.in_order(&resources.names));
        let minimal = designs.collect::<Result<Vec<_>, _>>().map_err(PlotError::Field)?;
        let costs = costs.into_iter().map(|cost| cost.in_order(&resources.names));
        let costs = costs.collect::<Result<Vec<_>, _>>().map_err(PlotError::Field)?;
        if !minimal.iter().map(|design| &design.cost).eq(&costs) {
            return Err(wrong("`min_schedulable` has other costs than `min_schedulable_designs`"));
        }
        if minimal.iter().any(|design| design.schedulable != Some(true) || design.is_impossible()) {
            return Err(wrong("`min_schedulable_designs` has a design that is not schedulable"));
        }
        let head = self.common(base)?;
        let min_schedulable = minimal.first().cloned();
        Ok(Head { resources: Some(resources), min_schedulable, minimal, ..head })
    }

    /// The fields that every front has.
    fn common(self, base: ExactPoint<IgnoredAny>) -> Result<Head, PlotError> {
        let missing = PlotError::Missing;
        if base.is_impossible() {
            let why = "`base` is marked schedulable, and its utilization is above 1";
            return Err(PlotError::Field(why.into()));
        }
        let unknown = || PlotError::Field("`scheduler` is none of edf, rm, dm and fixed".into());
        let scheduler = |name: String| Scheduler::named(&name).ok_or_else(unknown);
        Ok(Head {
            taskset: self.taskset.ok_or(missing("taskset"))?,
            scheduler: self.scheduler.map(scheduler).transpose()?,
            what_if: self.what_if.unwrap_or_default(),
            engine: self.engine,
            base,
            min_schedulable_unknown: self.smallest_unknown.flatten(),
            status: self.status,
            complete: self.complete.ok_or(missing("complete"))?,
            points: self.points.count,
            ..Head::default()
        })
    }

    pub fn finish(mut self) -> Result<Head, PlotError> {
        if self.is_of_resources() {
            return self.finish_resources();
        }
        let missing = PlotError::Missing;
        let smallest_design = self.smallest_design.take().flatten();
        let wrong = |why: String| Err(PlotError::Field(why));
        self.schema.take().ok_or(missing("schema"))?;
        if self.engine.as_ref().is_some_and(|engine| engine.arithmetic.ends_with(INEXACT)) {
            return wrong(
                "floats chose its points, so some may be missing; explore the task set again".into(),
            );
        }
        let smallest = self.smallest.take().ok_or(missing("min_schedulable_area"))?;
        let no_area = || PlotError::Field("`min_schedulable_area` is no area".into());
        let area = |text: String| exactly(&text).ok_or_else(no_area);
        let min_schedulable_area = smallest.map(area).transpose()?;
        if !self.has_points {
            return Err(missing("points"));
        }
        if self.points.count == 0 {
            return Err(PlotError::NotAFront { index: 0, why: "there is no point" });
        }
        let base = self.base.take().ok_or(missing("base"))?;
        if base.is_impossible() {
            return wrong("`base` is marked schedulable, and its utilization is above 1".into());
        }
        let min_schedulable_unknown = match (&min_schedulable_area, self.smallest_unknown.take()) {
            (Some(area), _) => {
                self.points.agree_with(area, smallest_design.as_ref())?;
                None
            }
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
        let margins = self.margins.take().unwrap_or_default().into_iter().map(|words| words.read(exactly));
        let margins = margins.collect::<Option<Vec<AtMargin>>>().ok_or_else(no_margins)?;
        let area_unit = self.area_unit.take().ok_or(missing("area_unit"))?;
        let head = self.common(base)?;
        let min_schedulable = smallest_design;
        Ok(Head {
            area_unit,
            min_schedulable_area,
            min_schedulable,
            min_schedulable_unknown,
            margins,
            ..head
        })
    }
}

struct Document<'a> {
    visit: Visit<'a>,
    told: usize,
    kinds: Kinds,
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
                        Some(SCHEMA_OF_RESOURCES) => self.kinds == Kinds::All,
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
                "resources" => once(&mut read.resources, "resources", &mut map)?,
                "objectives" => once(&mut read.objectives, "objectives", &mut map)?,
                "device" => once(&mut read.device, "device", &mut map)?,
                "limits" => once(&mut read.limits, "limits", &mut map)?,
                "min_schedulable_designs" => {
                    once(&mut read.minimal_designs, "min_schedulable_designs", &mut map)?;
                }
                "base" if read.is_of_resources() => {
                    let mut base = None;
                    once::<CostedPoint<IgnoredAny>, _>(&mut base, "base", &mut map)?;
                    let (names, _) = read.objectives().map_err(A::Error::custom)?;
                    let base = base.map(|base| base.in_order(names)).transpose().map_err(A::Error::custom)?;
                    read.base = base;
                }
                "min_schedulable" if read.is_of_resources() => {
                    once(&mut read.minimal, "min_schedulable", &mut map)?;
                }
                "base" => once(&mut read.base, "base", &mut map)?,
                "points" if read.has_points => return Err(twice("points")),
                "points" => {
                    read.has_points = true;
                    let costs = if read.is_of_resources() {
                        let (names, objectives) = read.objectives().map_err(A::Error::custom)?;
                        Some((names.to_vec(), objectives))
                    } else {
                        None
                    };
                    let (visit, told, seen) = (&mut *self.visit, self.told, &mut read.points);
                    map.next_value_seed(Points { visit, told, costs, seen })?;
                }
                "min_schedulable_area" => once(&mut read.smallest, "min_schedulable_area", &mut map)?,
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
    /// With several resources, their names and which of them are the objectives.
    costs: Option<(Vec<String>, Vec<usize>)>,
    seen: &'a mut Seen,
}

impl Points<'_> {
    /// The next point of a front of several resources.
    fn next_costed<'de, C: Deserialize<'de>, A: SeqAccess<'de>>(
        &self,
        names: &[String],
        list: &mut A,
    ) -> Result<Option<ExactPoint<C>>, A::Error> {
        let point = list.next_element::<CostedPoint<C>>()?;
        point.map(|point| point.in_order(names)).transpose().map_err(A::Error::custom)
    }
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
            let next = match &self.costs {
                None if index < self.told => list.next_element::<ExactPoint<Choices>>()?,
                None => list.next_element::<ExactPoint<IgnoredAny>>()?.map(ExactPoint::untold),
                Some((names, _)) if index < self.told => self.next_costed::<Choices, _>(names, &mut list)?,
                Some((names, _)) => {
                    self.next_costed::<IgnoredAny, _>(names, &mut list)?.map(ExactPoint::untold)
                }
            };
            let Some(point) = next else { return Ok(()) };
            let added = match &self.costs {
                None => self.seen.add(&point),
                Some((_, objectives)) => self.seen.add_costed(&point, objectives),
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
            let head = read(&mut document(&explored).as_slice(), usize::MAX, Kinds::All, &mut |_, point| {
                points.push(point)
            })
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
        read(&mut document(&shared()).as_slice(), 0, Kinds::OneArea, &mut |_, point| {
            blocks.push(point.blocks)
        })
        .unwrap();
        assert!(blocks.iter().all(Option::is_some) && blocks.iter().flatten().any(|built| !built.is_empty()));
        read(&mut document(&demo()).as_slice(), 0, Kinds::All, &mut |_, point| {
            assert_eq!(point.blocks, None)
        })
        .unwrap();
    }

    #[test]
    fn what_is_no_front_is_refused() {
        let text = String::from_utf8(document(&demo())).unwrap();
        let refused = |text: String| {
            read(&mut text.as_bytes(), 0, Kinds::OneArea, &mut |_, _| ()).unwrap_err().to_string()
        };
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
