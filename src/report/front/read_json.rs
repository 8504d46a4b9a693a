//! Reads front JSON: every figure exact, one point at a time. [`Written`](crate::written::Written) reads every format.
//!
//! A document may have been edited by hand. A document that contradicts itself is refused, with the point or field:
//! points out of order, a design of utilization above 1 that is marked schedulable, a smallest schedulable area that
//! differs from its design or from the verdicts. Errors that a document alone cannot show (a missing point, a wrong
//! `status`) are not detected here.

pub use super::read_point::{Choices, ExactPoint, TaskChoices};

use super::margins::MarginWords;
use super::modes::ModeAreaWords;
use super::read_point::{Costs, PointReader, exactly, once, twice};
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
    /// Whether it is a front of area against margin.
    pub by_margin: bool,
    /// Why designs of larger margins are not known, on such a front.
    pub larger_margins_unknown: Option<String>,
    /// The clock in hertz, if the lowest clock of every point is its utilization, or 1/margin, times that.
    pub clock: Option<Rational>,
    /// The scheduler, if the document names one.
    pub scheduler: Option<Scheduler>,
    /// Changes to the task set for a what-if question, in words.
    pub what_if: Vec<String>,
    /// How the front was computed, if the document says.
    pub engine: Option<EngineWords>,
    /// The design all in software.
    pub base: ExactPoint,
    /// The smallest schedulable area, if it is known and exists.
    pub min_schedulable_area: Option<Rational>,
    /// The design of that area, if the document contains it; with several resources, the first of `minimal`.
    pub min_schedulable: Option<ExactPoint>,
    /// With several resources, the designs of the minimal schedulable costs.
    pub minimal: Vec<ExactPoint>,
    /// Why the smallest schedulable area is not known, if it is not; with several resources, why there may be other
    /// minimal costs.
    pub min_schedulable_unknown: Option<String>,
    /// The smallest schedulable areas with a margin; empty in documents of earlier versions.
    pub margins: Vec<AtMargin>,
    /// The modes; empty if there is one, or the points do not say their utilization in each.
    pub modes: Vec<String>,
    /// The smallest schedulable areas of some of the modes.
    pub mode_areas: Vec<ModeAreaWords>,
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
pub type Visit<'a> = &'a mut dyn FnMut(usize, ExactPoint);

/// Reads a document and passes each point with its index to `visit`. Choices are read for the first `told` points
/// only.
/// Fails with [`PlotError`]: the input cannot be read, is not JSON or not a front, or contradicts itself.
pub fn read(reader: &mut dyn Read, told: usize, visit: Visit) -> Result<Head, PlotError> {
    read_fields(reader, told, visit)?.finish()
}

/// The resources of the front, which stand before its points; `None` if there is one area, or no front.
pub fn resources(reader: &mut dyn Read) -> Option<Resources> {
    let mut json = serde_json::Deserializer::from_reader(BufReader::new(reader));
    let visit: Visit = &mut |_, _| ();
    let mut document = Document { visit, told: 0, until_points: true, read: Fields::default() };
    // What is wrong with the document is reported when all of it is read.
    let _ = (&mut document).deserialize(&mut json);
    document.read.resources()
}

/// Reads a document, which may lack fields.
pub fn read_fields(reader: &mut dyn Read, told: usize, visit: Visit) -> Result<Fields, PlotError> {
    let mut json = serde_json::Deserializer::from_reader(BufReader::with_capacity(1 << 18, reader));
    let mut document = Document { visit, told, until_points: false, read: Fields::default() };
    let parsed = (&mut document).deserialize(&mut json).and_then(|()| json.end());
    let mut read = document.read;
    match read.schema.as_deref() {
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
pub struct Fields {
    schema: Option<String>,
    taskset: Option<String>,
    area_unit: Option<String>,
    resources: Option<Vec<String>>,
    objectives: Option<Vec<String>>,
    device: Option<String>,
    limits: Option<Costs>,
    minimal: Option<Vec<Costs>>,
    minimal_designs: Option<Vec<serde_json::Value>>,
    scheduler: Option<String>,
    clock: Option<String>,
    what_if: Option<Vec<String>>,
    engine: Option<EngineWords>,
    base: Option<ExactPoint>,
    pub has_points: bool,
    pub points: Seen,
    /// The outer option: whether the field exists.
    pub smallest: Option<Option<String>>,
    smallest_design: Option<Option<ExactPoint>>,
    pub smallest_unknown: Option<Option<String>>,
    margins: Option<Vec<MarginWords>>,
    larger_margins_unknown: Option<String>,
    mode_areas: Option<Vec<ModeAreaWords>>,
    status: Option<String>,
    complete: Option<bool>,
}

impl Fields {
    /// The resources, if there are several and nothing is wrong with them.
    pub fn resources(&mut self) -> Option<Resources> {
        let count = self.resources.as_ref().filter(|_| self.is_of_resources())?.len();
        self.read_resources(&vec![Rational::default(); count]).ok()
    }

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

    /// Points follow, which name these resources if there are several.
    pub fn expect_points(&mut self) -> Result<Option<Vec<String>>, String> {
        self.has_points = true;
        if !self.is_of_resources() {
            return Ok(None);
        }
        let (names, objectives) = self.objectives()?;
        let names = names.to_vec();
        self.points.objectives = objectives;
        Ok(Some(names))
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
            resources.limits[at] = Some(limit.0);
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
        let reader = PointReader { resources: Some(&resources.names), has_choices: true };
        let designs = self.minimal_designs.take().unwrap_or_default().into_iter();
        let minimal = designs.map(|design| reader.deserialize(design)).collect::<Result<Vec<_>, _>>()?;
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
    fn common(self, base: ExactPoint) -> Result<Head, PlotError> {
        let missing = PlotError::Missing;
        if base.is_impossible() {
            let why = "`base` is marked schedulable, and its utilization is above 1";
            return Err(PlotError::Field(why.into()));
        }
        let mut modes = self.points.modes.unwrap_or_default();
        base.agrees_with(&modes).map_err(|why| PlotError::Field(format!("`base`: {why}")))?;
        let mode_areas = self.mode_areas.unwrap_or_default();
        if !mode_areas.iter().all(|of_modes| of_modes.is_of(&modes)) {
            return Err(PlotError::Field(
                "`mode_areas` has another mode, or something other than decimals".into(),
            ));
        }
        if !self.points.are_in_modes {
            modes.clear();
        }
        let no_clock = || PlotError::Field("`clock_hz` is no number of hertz".into());
        let unknown = || PlotError::Field("`scheduler` is none of edf, rm, dm and fixed".into());
        let scheduler = |name: String| Scheduler::named(&name).ok_or_else(unknown);
        Ok(Head {
            taskset: self.taskset.ok_or(missing("taskset"))?,
            scheduler: self.scheduler.map(scheduler).transpose()?,
            what_if: self.what_if.unwrap_or_default(),
            engine: self.engine,
            by_margin: self.points.by_margin,
            larger_margins_unknown: self.larger_margins_unknown,
            clock: self.clock.map(|text| exactly(&text).ok_or_else(no_clock)).transpose()?,
            base,
            modes,
            mode_areas,
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
    until_points: bool,
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
                    if !matches!(read.schema.as_deref(), Some(SCHEMA | SCHEMA_OF_RESOURCES)) {
                        // Other errors in the document would only mislead.
                        return Err(A::Error::custom("another schema"));
                    }
                }
                "taskset" => once(&mut read.taskset, "taskset", &mut map)?,
                "area_unit" => once(&mut read.area_unit, "area_unit", &mut map)?,
                "scheduler" => once(&mut read.scheduler, "scheduler", &mut map)?,
                "front" if read.has_points => {
                    return Err(A::Error::custom("the field `front` must stand before every point"));
                }
                "front" => match map.next_value::<String>()?.as_str() {
                    "margin" => read.points.by_margin = true,
                    _ => return Err(A::Error::custom("`front` is not margin")),
                },
                "clock_hz" => once(&mut read.clock, "clock_hz", &mut map)?,
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
                    let (names, _) = read.objectives().map_err(A::Error::custom)?;
                    let reader = PointReader { resources: Some(names), has_choices: false };
                    let base = map.next_value_seed(reader)?;
                    if read.base.replace(base).is_some() {
                        return Err(twice("base"));
                    }
                }
                "min_schedulable" if read.is_of_resources() => {
                    once(&mut read.minimal, "min_schedulable", &mut map)?;
                }
                "base" => once(&mut read.base, "base", &mut map)?,
                "points" if read.has_points => return Err(twice("points")),
                "points" => {
                    let resources = read.expect_points().map_err(A::Error::custom)?;
                    if self.until_points {
                        return Err(A::Error::custom("nothing further is read"));
                    }
                    let (visit, told, seen) = (&mut *self.visit, self.told, &mut read.points);
                    map.next_value_seed(Points { visit, told, resources: resources.as_deref(), seen })?;
                }
                "min_schedulable_area" => once(&mut read.smallest, "min_schedulable_area", &mut map)?,
                "min_schedulable" => once(&mut read.smallest_design, "min_schedulable", &mut map)?,
                "min_schedulable_unknown" => {
                    once(&mut read.smallest_unknown, "min_schedulable_unknown", &mut map)?;
                }
                "margins" => once(&mut read.margins, "margins", &mut map)?,
                "larger_margins_unknown" => {
                    once(&mut read.larger_margins_unknown, "larger_margins_unknown", &mut map)?;
                }
                "modes" => once(&mut read.points.modes, "modes", &mut map)?,
                "mode_areas" => once(&mut read.mode_areas, "mode_areas", &mut map)?,
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

/// The list of points.
struct Points<'a> {
    visit: Visit<'a>,
    told: usize,
    /// The names of the resources, if there are several.
    resources: Option<&'a [String]>,
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
            let reader = PointReader { resources: self.resources, has_choices: index < self.told };
            let next = list.next_element_seed(reader)?;
            let Some(point) = next else { return Ok(()) };
            if let Err(why) = self.seen.add(&point) {
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
        assert!(
            refused(text.replace("isx.front/1", "isx.front/2")).contains("the field `resources` must stand")
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
