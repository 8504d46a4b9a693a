//! The report of a front that was written before: the document's content, and with its task set the additional data.

use super::details::details;
use super::error::ReportError;
use super::packed::Row;
use super::sheet::{
    BlockSheet, ChoiceSheet, DesignSheet, Limit, OriginSheet, ResourceSheet, SCHEMA, SCHEMA_OF_RESOURCES,
    Sheet, TaskSheet,
};
use super::thinned::{Thinned, most_designs};
use crate::front::margins::MarginWords;
use crate::front::read_json::{Choices, ExactPoint, Head};
use crate::written::{Points, Written};
use isx_design::exploration::Exploration;
use isx_design::front::Design;
use isx_design::schedulability::{AtMargin, Smallest, SmallestSchedulable};
use isx_exact::quantity::{Rational, format_decimal};
use isx_taskset::formulate::{Formulation, formulate};
use isx_taskset::{Scheduler, TaskSet};
use num_traits::One;
use std::collections::HashMap;

type Point = ExactPoint<Choices>;

/// The content of the page, and its designs.
pub fn sheet_and_designs(
    document: Written,
    task_set: Option<&TaskSet>,
    again: Option<&Exploration>,
) -> Result<(Sheet, Thinned<Row>), ReportError> {
    let formulated = match task_set {
        Some(set) if set.processor_area != Rational::default() => {
            return Err(ReportError::Variants { taskset: set.name.clone() });
        }
        Some(set) => Some((set, formulate(set, None)?)),
        None => None,
    };
    let known = formulated.as_ref().map(|(set, formulation)| (*set, formulation));
    let mut reading = Reading::new(known, again);
    let head = document.read_any(&Points::All { told: usize::MAX }, &mut |index, point| {
        if reading.problem.is_none() {
            reading.problem = reading.offer(index, &point).err();
        }
    })?;
    reading.finish(head)
}

/// The state of reading.
struct Reading<'a> {
    known: Option<(&'a TaskSet, &'a Formulation)>,
    /// The task set's front, explored again.
    again: Option<&'a Exploration>,
    /// The first difference between the document and that front.
    differs: Option<String>,
    names: Names,
    designs: Option<Thinned<Row>>,
    has_fitting: bool,
    has_schedulable: bool,
    problem: Option<ReportError>,
}

/// Names in order of appearance, and their indices.
#[derive(Default)]
struct Names {
    tasks: Vec<TaskSheet>,
    /// The choices of each task.
    choices: Vec<HashMap<String, u32>>,
    blocks: HashMap<String, usize>,
    clocks: HashMap<String, usize>,
    in_order: (Vec<String>, Vec<String>),
}

impl Names {
    fn of_set(set: &TaskSet) -> Self {
        let mut names = Self::default();
        for task in &set.tasks {
            names.tasks.push(TaskSheet { name: task.name.clone(), ..TaskSheet::default() });
            names
                .choices
                .push((0..).zip(&task.choices).map(|(at, choice)| (choice.name.clone(), at)).collect());
        }
        names.blocks = set.blocks.iter().enumerate().map(|(at, block)| (block.name.clone(), at)).collect();
        names
    }

    fn of_point(point: &Point) -> Self {
        let task = |name: &str| TaskSheet { name: name.to_owned(), ..TaskSheet::default() };
        let tasks: Vec<TaskSheet> = point.choices.0.iter().map(|(name, _)| task(name)).collect();
        Self { choices: vec![HashMap::new(); tasks.len()], tasks, ..Self::default() }
    }

    /// The index of a choice; a new one if the names come from the document.
    fn choice(&mut self, task: usize, name: &str, is_open: bool) -> Option<u32> {
        if let Some(&at) = self.choices[task].get(name) {
            return Some(at);
        }
        if !is_open {
            return None;
        }
        let at = u32::try_from(self.choices[task].len()).ok()?;
        self.choices[task].insert(name.to_owned(), at);
        self.tasks[task].choices.push(ChoiceSheet { name: name.to_owned(), ..ChoiceSheet::default() });
        Some(at)
    }

    fn block(&mut self, name: &str, is_open: bool) -> Option<usize> {
        numbered(&mut self.blocks, is_open.then_some(&mut self.in_order.0), name)
    }

    fn clock(&mut self, hertz: &str) -> Option<usize> {
        numbered(&mut self.clocks, Some(&mut self.in_order.1), hertz)
    }
}

/// The index of a name; a new one if new names are allowed.
fn numbered(known: &mut HashMap<String, usize>, new: Option<&mut Vec<String>>, name: &str) -> Option<usize> {
    if let Some(&at) = known.get(name) {
        return Some(at);
    }
    let new = new?;
    new.push(name.to_owned());
    known.insert(name.to_owned(), new.len() - 1);
    Some(new.len() - 1)
}

impl<'a> Reading<'a> {
    fn new(known: Option<(&'a TaskSet, &'a Formulation)>, again: Option<&'a Exploration>) -> Self {
        let names = known.map(|(set, _)| Names::of_set(set)).unwrap_or_default();
        Self {
            known,
            again,
            differs: None,
            names,
            designs: None,
            has_fitting: false,
            has_schedulable: false,
            problem: None,
        }
    }

    fn offer(&mut self, index: usize, point: &Point) -> Result<(), ReportError> {
        if index == 0 && self.known.is_none() {
            self.names = Names::of_point(point);
        }
        let row = self.row(point, &format!("point {index}"))?;
        if self.differs.is_none() {
            self.differs = self.again.and_then(|again| difference(again, index, &row));
        }
        let (tasks, blocks) = (self.names.tasks.len(), self.known.map_or(0, |(set, _)| set.blocks.len()));
        let fits = row.utilization <= Rational::one();
        let is_schedulable = row.schedulable == Some(true);
        // With several resources the points are not in order of utilization, and none is a limit.
        let is_limit = point.cost.is_empty()
            && ((fits && !self.has_fitting) || (is_schedulable && !self.has_schedulable));
        self.has_fitting |= fits;
        self.has_schedulable |= is_schedulable;
        let designs = self.designs.get_or_insert_with(|| Thinned::new(most_designs(tasks, blocks)));
        designs.offer(row, is_limit);
        Ok(())
    }

    /// Converts the design to indices; `place` is its location in the document.
    fn row(&mut self, point: &Point, place: &str) -> Result<Row, ReportError> {
        let is_open = self.known.is_none();
        if point.choices.0.len() != self.names.tasks.len() {
            return Err(self.wrong(format!(
                "{place} has {} tasks, not {}",
                point.choices.0.len(),
                self.names.tasks.len()
            )));
        }
        let mut choices = Vec::with_capacity(self.names.tasks.len());
        for (at, (task, choice)) in point.choices.0.iter().enumerate() {
            if **task != *self.names.tasks[at].name {
                return Err(self.wrong(format!(
                    "{place} has a task `{task}` in the place of `{}`",
                    self.names.tasks[at].name
                )));
            }
            let taken = match choice {
                None => None,
                Some(name) => {
                    let taken = self.names.choice(at, name, is_open);
                    Some(taken.ok_or_else(|| {
                        self.wrong(format!("{place} has `{task}` take `{name}`, which is no choice of it"))
                    })?)
                }
            };
            choices.push(taken);
        }
        let mut blocks = Vec::new();
        for name in point.blocks.iter().flatten() {
            let Some(block) = self.names.block(name, is_open) else {
                return Err(self.wrong(format!("{place} builds `{name}`, which is no block of it")));
            };
            blocks.push(block);
        }
        blocks.sort_unstable();
        blocks.dedup();
        let clock = point.clock_hz.as_ref().and_then(|hertz| self.names.clock(hertz)).unwrap_or(0);
        let (area, cost, utilization) = (point.area.clone(), point.cost.clone(), point.utilization.clone());
        let ExactPoint { schedulable, schedulable_within, .. } = *point;
        Ok(Row { area, cost, utilization, schedulable, schedulable_within, clock, blocks, choices })
    }

    /// The error for a document that contradicts itself or its task set.
    fn wrong(&self, why: String) -> ReportError {
        match self.known {
            Some((set, _)) => ReportError::OtherTaskSet { taskset: set.name.clone(), why },
            None => ReportError::Choices(why),
        }
    }

    fn finish(mut self, head: Head) -> Result<(Sheet, Thinned<Row>), ReportError> {
        if let Some(problem) = self.problem.take() {
            return Err(problem);
        }
        let smallest = match &head.min_schedulable {
            Some(point) if head.resources.is_none() => {
                Some(self.row(point, "the smallest schedulable design")?)
            }
            _ => None,
        };
        let minimal = head.minimal.iter().map(|point| self.row(point, "a minimal schedulable design"));
        let minimal = minimal.collect::<Result<Vec<Row>, _>>()?;
        let Some(mut designs) = self.designs.take() else {
            return Err(ReportError::Choices("there is no point".into()));
        };
        let differs =
            self.again.and_then(|again| self.differs.take().or_else(|| difference_at_end(again, &head)));
        let focus = designs.first_limit();
        let mut sheet = self.sheet(head, smallest.as_ref(), &minimal);
        if let Some((set, formulation)) = self.known {
            self.check(set, formulation, &sheet, smallest.as_ref().into_iter().chain(&minimal), &designs)?;
            differs.map_or(Ok(()), |why| Err(self.wrong(why)))?;
            let clock = |row: &mut Row| row.clock = formulation.clock_number(&row.choices);
            designs.kept_mut().for_each(clock);
            if let (Some(told), Some(mut row)) = (&mut sheet.smallest, smallest) {
                clock(&mut row);
                told.clock = row.clock;
            }
            sheet.fill(set, formulation);
            sheet.details = details(set, formulation, &designs, sheet.smallest.as_ref(), focus)?;
        }
        Ok((sheet, designs))
    }

    fn sheet(&self, head: Head, smallest: Option<&Row>, minimal: &[Row]) -> Sheet {
        let limit = match head.scheduler {
            Some(Scheduler::Edf) | None => Limit::Unknown,
            Some(_) => Limit::Necessary,
        };
        let of = match (self.known, self.again) {
            (None, _) => "front",
            (Some(_), Some(_)) => "front and task set",
            (Some(_), None) => "front and sums",
        };
        let named = |name: &String| BlockSheet { name: name.clone(), ..BlockSheet::default() };
        let base = DesignSheet {
            area: "0".into(),
            cost: head.base.cost.iter().map(format_decimal).collect(),
            num: head.base.utilization.numer().to_string(),
            den: head.base.utilization.denom().to_string(),
            schedulable: head.base.schedulable,
            schedulable_within: head.base.schedulable_within,
            choices: vec![None; self.names.tasks.len()],
            ..DesignSheet::default()
        };
        let minimal: Vec<DesignSheet> = minimal.iter().map(DesignSheet::from).collect();
        let resources = head.resources.as_ref().map(|resources| ResourceSheet::of(resources, minimal));
        Sheet {
            schema: if resources.is_some() { SCHEMA_OF_RESOURCES } else { SCHEMA },
            resources,
            title: head.taskset.clone(),
            taskset: head.taskset,
            area_unit: head.area_unit,
            scheduler: head.scheduler.map(|scheduler| scheduler.name().to_owned()),
            limit,
            what_if: head.what_if,
            status: head.status,
            complete: head.complete,
            engine: head.engine,
            base,
            smallest_area: head.min_schedulable_area.as_ref().map(format_decimal),
            smallest: smallest.map(DesignSheet::from),
            smallest_unknown: head.min_schedulable_unknown,
            margins: head.margins.iter().map(MarginWords::from).collect(),
            tasks: self.names.tasks.clone(),
            blocks: self.names.in_order.0.iter().map(named).collect(),
            clocks: self.names.in_order.1.clone(),
            origin: OriginSheet { of, ..OriginSheet::default() },
            ..Sheet::default()
        }
    }

    /// Checks that the designs of the page have the figures that the task set gives them.
    fn check<'r>(
        &self,
        set: &TaskSet,
        formulation: &Formulation,
        sheet: &Sheet,
        smallest: impl Iterator<Item = &'r Row>,
        designs: &Thinned<Row>,
    ) -> Result<(), ReportError> {
        let differ = |what: &str, front: &str, own: &str| {
            Err(self.wrong(format!("{what} is `{front}` in the front and `{own}` in the task set")))
        };
        if sheet.taskset != set.name {
            return differ("the name", &sheet.taskset, &set.name);
        }
        if sheet.what_if != set.what_if {
            let told =
                |changes: &[String]| if changes.is_empty() { "nothing".into() } else { changes.join(", ") };
            return differ("what was changed", &told(&sheet.what_if), &told(&set.what_if));
        }
        let names = set.resources.as_ref().map(|resources| resources.names.join(", "));
        let told = sheet.resources.as_ref().map(|resources| resources.names.join(", "));
        if told != names {
            let one = || "one area".to_owned();
            return differ("what is counted", &told.unwrap_or_else(one), &names.unwrap_or_else(one));
        }
        if names.is_none() && sheet.area_unit != set.area_unit {
            return differ("the area unit", &sheet.area_unit, &set.area_unit);
        }
        if let Some(scheduler) = sheet.scheduler.as_deref().filter(|name| *name != set.scheduler.name()) {
            return differ("the scheduler", scheduler, set.scheduler.name());
        }
        let software = formulation.utilization(&vec![None; set.tasks.len()]);
        if (software.numer().to_string(), software.denom().to_string())
            != (sheet.base.num.clone(), sheet.base.den.clone())
        {
            let front = format!("{}/{}", sheet.base.num, sheet.base.den);
            return differ("the utilization in software", &front, &software.to_string());
        }
        let points = designs.kept().map(|(index, row)| (format!("of point {index}"), row));
        let smallest = smallest.map(|row| ("of the smallest schedulable design".to_owned(), row));
        for (place, row) in points.chain(smallest) {
            let utilization = formulation.utilization(&row.choices);
            let area = match names {
                None => formulation.area(&row.choices),
                Some(_) if formulation.cost(&row.choices).as_ref() == Some(&row.cost) => {
                    Some(row.area.clone())
                }
                Some(_) => {
                    let words =
                        |cost: &[Rational]| cost.iter().map(format_decimal).collect::<Vec<_>>().join(", ");
                    let own = formulation.cost(&row.choices).map_or("none".into(), |cost| words(&cost));
                    return differ(&format!("the cost {place}"), &words(&row.cost), &own);
                }
            };
            if area.as_ref() != Some(&row.area) {
                let own = area.map_or("none".into(), |area| format_decimal(&area));
                return differ(&format!("the area {place}"), &format_decimal(&row.area), &own);
            }
            if utilization != row.utilization {
                let (front, own) = (row.utilization.to_string(), utilization.to_string());
                return differ(&format!("the utilization {place}"), &front, &own);
            }
        }
        Ok(())
    }
}

/// How a point differs from that of the set's own front; designs with equal figures may have different choices.
fn difference(again: &Exploration, index: usize, row: &Row) -> Option<String> {
    let Some(own) = again.design(index) else {
        return Some(format!(
            "it has a point {index}, and the set's own front has {} points",
            again.front.len()
        ));
    };
    let has_resources = again.task_set().resources.is_some();
    let figures = |cost: &[Rational], utilization: &Rational| {
        let words: Vec<String> = cost.iter().map(format_decimal).collect();
        let what = if has_resources { "cost" } else { "area" };
        format!("{what} {} and utilization {utilization}", words.join(", "))
    };
    let cost = if has_resources { &row.cost[..] } else { std::slice::from_ref(&row.area) };
    if (&own.cost[..], &own.utilization) != (cost, &row.utilization) {
        let (here, own) = (figures(cost, &row.utilization), figures(&own.cost, &own.utilization));
        return Some(format!(
            "point {index} has {here}, in the set's own front {own}: a point is missing or was changed"
        ));
    }
    let unlike = |here: Option<bool>, own: Option<bool>| here.is_some() && own.is_some() && here != own;
    let same_choices =
        || again.front.get(index).and_then(|point| point.choices()).as_ref() == Some(&row.choices);
    let Design { schedulable, schedulable_within, .. } = own;
    let is_unlike = unlike(row.schedulable_within, schedulable_within)
        || (unlike(row.schedulable, schedulable) && same_choices());
    is_unlike.then(|| format!("the verdicts on point {index} are not those of the set"))
}

/// What is missing from a front at its end, or whether its smallest schedulable area differs from that of the set.
fn difference_at_end(again: &Exploration, head: &Head) -> Option<String> {
    let (here, own) = (head.points, again.front.len());
    if head.complete && here < own {
        return Some(format!("it ends with point {}, and the set's own front has {own} points", here - 1));
    }
    let is_open = |at: &AtMargin| match at.smallest {
        Smallest::At(_) => false,
        Smallest::None => !head.complete,
        Smallest::Unknown(_) => true,
    };
    let decided = |(here, own): &(&AtMargin, &AtMargin)| {
        !is_open(here) && !matches!(own.smallest, Smallest::Unknown(_))
    };
    let mut margins = head.margins.iter().zip(&again.margins).filter(decided);
    if margins.any(|(here, own)| here != own) {
        return Some("its smallest schedulable areas with a margin are not those of the set".into());
    }
    let told = |area: Option<&Rational>| area.map_or_else(|| "none".into(), format_decimal);
    if again.task_set().resources.is_some() {
        let is_decided = head.min_schedulable_unknown.is_none()
            && !matches!(again.verdicts.smallest, SmallestSchedulable::Unknown(_));
        let own = again.verdicts.minimal.iter().map(|chosen| &chosen.design.cost);
        let differs = is_decided && !own.eq(head.minimal.iter().map(|design| &design.cost));
        return differs.then(|| "the minimal schedulable costs are not those of the set".into());
    }
    let own = match &again.verdicts.smallest {
        SmallestSchedulable::At(chosen) => Some(chosen.design.area()),
        SmallestSchedulable::None => None,
        SmallestSchedulable::Unknown(_) => return None,
    };
    let here = head.min_schedulable_area.as_ref();
    // A front that was cut says nothing about larger areas.
    let is_open = head.min_schedulable_unknown.is_some() || (here.is_none() && !head.complete);
    (!is_open && here != own).then(|| {
        format!("the smallest schedulable area is `{}`, that of the set `{}`", told(here), told(own))
    })
}
