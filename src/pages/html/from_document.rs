//! The report of a front that was written before: the document's content, and with its task set the additional data.
//!
//! The variant of the processor, if it has any, stands among the choices as that of a first task, [`PROCESSOR`].

use super::details::details;
use super::error::{ReportError, refuse_overruns};
use super::packed::Row;
use super::sheet::{
    BlockSheet, ChoiceSheet, DesignSheet, Limit, OriginSheet, ResourceSheet, SCHEMA, SCHEMA_OF_RESOURCES,
    Sheet, TaskSheet, measure, ratio,
};
use super::thinned::{Thinned, most_designs};
use isx_design::exploration::Exploration;
use isx_design::front::Design;
use isx_design::schedulability::{AtMargin, Smallest, SmallestSchedulable};
use isx_exact::quantity::{Rational, format_decimal};
use isx_report::front::margins::MarginWords;
use isx_report::front::read_json::{ExactPoint as Point, Head};
use isx_report::text::joined;
use isx_report::written::{Points, Written};
use isx_taskset::formulate::{Formulation, formulate};
use isx_taskset::{Block, Scheduler, Task, TaskSet};
use num_traits::One;
use std::collections::HashMap;

/// Explores the task set of a document again, by margin if it is asked with `true`; nothing if that is not possible.
pub type Again<'a> = &'a mut dyn FnMut(bool) -> Option<Exploration>;

/// The content of the page, and its designs. Blocks stand in the order of `blocks`, then in that of their appearance.
pub fn sheet_and_designs(
    document: Written,
    task_set: Option<&TaskSet>,
    again: Option<Again>,
    blocks: &[Block],
) -> Result<(Sheet, Thinned<Row>), ReportError> {
    let formulated = match task_set {
        Some(set) if !set.variants.is_empty() => {
            return Err(ReportError::Variants { taskset: set.name.clone() });
        }
        Some(set) => {
            refuse_overruns(set)?;
            Some((set, formulate(set, None)?))
        }
        None => None,
    };
    let known = formulated.as_ref().map(|(set, formulation)| (*set, formulation));
    let mut reading = Reading::new(known, again);
    if known.is_none() {
        for block in blocks {
            reading.blocks.number(&block.name, true);
        }
    }
    let head = document.read(&Points::All { told: usize::MAX }, &mut |index, mut point| {
        name_variant(&mut point);
        if reading.problem.is_none() {
            reading.problem = reading.offer(index, &point).err();
        }
    })?;
    reading.finish(head)
}

/// The name under which the variants of the processor stand among the tasks.
const PROCESSOR: &str = "processor";

/// Puts the variant of the processor before the choices.
fn name_variant(point: &mut Point) {
    if let Some(variant) = point.variant.take() {
        point.choices.0.insert(0, (PROCESSOR.into(), Some(variant.into())));
    }
}

/// The state of reading.
struct Reading<'a, 'e> {
    known: Option<(&'a TaskSet, &'a Formulation)>,
    /// Explores the task set again, once it is known by what.
    explore: Option<Again<'e>>,
    /// Its front.
    again: Option<Exploration>,
    /// The first difference between the document and that front.
    differs: Option<String>,
    /// The names of the tasks, and the choices of each.
    tasks: Vec<(String, Names)>,
    blocks: Names,
    clocks: Names,
    designs: Option<Thinned<Row>>,
    has_fitting: bool,
    has_schedulable: bool,
    problem: Option<ReportError>,
}

/// Names and their indices, in order of appearance or as a task set has them.
#[derive(Default)]
struct Names {
    known: HashMap<String, usize>,
    /// The new ones.
    order: Vec<String>,
}

impl Names {
    fn of<'n>(names: impl Iterator<Item = &'n String>) -> Self {
        Self { known: names.cloned().zip(0..).collect(), order: Vec::new() }
    }

    /// The index of a name; a new one if new names are allowed.
    fn number(&mut self, name: &str, is_open: bool) -> Option<usize> {
        if let Some(&at) = self.known.get(name) {
            return Some(at);
        }
        if !is_open {
            return None;
        }
        let at = self.order.len();
        self.order.push(name.to_owned());
        self.known.insert(name.to_owned(), at);
        Some(at)
    }
}

impl<'a, 'e> Reading<'a, 'e> {
    fn new(known: Option<(&'a TaskSet, &'a Formulation)>, explore: Option<Again<'e>>) -> Self {
        let (mut tasks, mut blocks) = (Vec::new(), Names::default());
        if let Some((set, _)) = known {
            let choices = |task: &Task| Names::of(task.choices.iter().map(|choice| &choice.name));
            tasks = set.tasks.iter().map(|task| (task.name.clone(), choices(task))).collect();
            blocks = Names::of(set.blocks.iter().map(|block| &block.name));
        }
        Self {
            known,
            explore,
            again: None,
            differs: None,
            tasks,
            blocks,
            clocks: Names::default(),
            designs: None,
            has_fitting: false,
            has_schedulable: false,
            problem: None,
        }
    }

    fn offer(&mut self, index: usize, point: &Point) -> Result<(), ReportError> {
        if index == 0 && self.known.is_none() {
            let task = |name: &str| (name.to_owned(), Names::default());
            self.tasks = point.choices.0.iter().map(|(name, _)| task(name)).collect();
        }
        if let Some(explore) = self.explore.take() {
            self.again = explore(point.margin.is_some());
        }
        let row = self.row(point, &format!("point {index}"))?;
        if self.differs.is_none() {
            self.differs = self.again.as_ref().and_then(|again| difference(again, index, &row));
        }
        let (tasks, blocks) = (self.tasks.len(), self.known.map_or(0, |(set, _)| set.blocks.len()));
        // By margin, the points are not in order of utilization.
        let fits = row.utilization <= Rational::one() && row.margin.is_none();
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
        if point.choices.0.len() != self.tasks.len() {
            return Err(self.wrong(format!(
                "{place} has {} tasks, not {}",
                point.choices.0.len(),
                self.tasks.len()
            )));
        }
        let mut choices = Vec::with_capacity(self.tasks.len());
        for (at, (task, choice)) in point.choices.0.iter().enumerate() {
            if **task != *self.tasks[at].0 {
                return Err(
                    self.wrong(format!("{place} has a task `{task}` in the place of `{}`", self.tasks[at].0))
                );
            }
            let taken = match choice {
                None => None,
                Some(name) => {
                    let taken = self.tasks[at].1.number(name, is_open);
                    let taken = taken.and_then(|taken| u32::try_from(taken).ok());
                    Some(taken.ok_or_else(|| {
                        self.wrong(format!("{place} has `{task}` take `{name}`, which is no choice of it"))
                    })?)
                }
            };
            choices.push(taken);
        }
        let mut blocks = Vec::new();
        for name in point.blocks.iter().flatten() {
            let Some(block) = self.blocks.number(name, is_open) else {
                return Err(self.wrong(format!("{place} builds `{name}`, which is no block of it")));
            };
            blocks.push(block);
        }
        blocks.sort_unstable();
        blocks.dedup();
        let clock = point.clock_hz.as_ref().and_then(|hertz| self.clocks.number(hertz, true)).unwrap_or(0);
        let (area, cost, utilization) = (point.area.clone(), point.cost.clone(), point.utilization.clone());
        let margin = point.margin.clone();
        let Point { schedulable, schedulable_within, .. } = *point;
        let modes = point.modes.iter().map(|(_, utilization)| utilization.clone()).collect();
        Ok(Row {
            area,
            cost,
            utilization,
            margin,
            schedulable,
            schedulable_within,
            modes,
            clock,
            blocks,
            choices,
        })
    }

    /// The error for a document that contradicts itself or its task set.
    fn wrong(&self, why: String) -> ReportError {
        match self.known {
            Some((set, _)) => ReportError::OtherTaskSet { taskset: set.name.clone(), why },
            None => ReportError::Choices(why),
        }
    }

    fn finish(mut self, mut head: Head) -> Result<(Sheet, Thinned<Row>), ReportError> {
        if let Some(problem) = self.problem.take() {
            return Err(problem);
        }
        let is_open = self.known.is_none();
        let base = head.base.variant.take();
        let base = base.and_then(|name| self.tasks.first_mut()?.1.number(&name, is_open));
        let base = base.and_then(|at| u32::try_from(at).ok());
        head.min_schedulable.iter_mut().chain(&mut head.minimal).for_each(name_variant);
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
        let differs = self.differs.take();
        let differs =
            self.again.as_ref().and_then(|again| differs.or_else(|| difference_at_end(again, &head)));
        let focus = designs.first_limit();
        let mut sheet = self.sheet(head, smallest.as_ref(), &minimal);
        if let (Some(base), Some(processor)) = (base, sheet.base.choices.first_mut()) {
            *processor = Some(base);
        }
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
            if !formulation.modes.is_empty() {
                return Ok((sheet, designs));
            }
            sheet.details = details(set, formulation, &designs, sheet.smallest.as_ref(), focus)?;
        }
        Ok((sheet, designs))
    }

    fn sheet(&self, head: Head, smallest: Option<&Row>, minimal: &[Row]) -> Sheet {
        let limit = match head.scheduler {
            Some(Scheduler::Edf) | None => Limit::Unknown,
            Some(_) => Limit::Necessary,
        };
        let of = match (self.known, &self.again) {
            (None, _) => "front",
            (Some(_), Some(_)) => "front and task set",
            (Some(_), None) => "front and sums",
        };
        let block = |name: &String| BlockSheet { name: name.clone(), ..BlockSheet::default() };
        let choice = |name: &String| ChoiceSheet { name: name.clone(), ..ChoiceSheet::default() };
        let task = |(name, choices): &(String, Names)| TaskSheet {
            name: name.clone(),
            choices: choices.order.iter().map(choice).collect(),
            ..TaskSheet::default()
        };
        let base = DesignSheet {
            area: format_decimal(&head.base.area),
            cost: head.base.cost.iter().map(format_decimal).collect(),
            num: head.base.utilization.numer().to_string(),
            den: head.base.utilization.denom().to_string(),
            modes: head.base.modes.iter().map(|(_, utilization)| ratio(utilization)).collect(),
            schedulable: head.base.schedulable,
            schedulable_within: head.base.schedulable_within,
            choices: vec![None; self.tasks.len()],
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
            clock: head.clock.as_ref().map(format_decimal),
            measure: measure(head.by_margin),
            larger_margins_unknown: head.larger_margins_unknown,
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
            modes: head.modes,
            mode_areas: head.mode_areas,
            tasks: self.tasks.iter().map(task).collect(),
            blocks: self.blocks.order.iter().map(block).collect(),
            clocks: self.clocks.order.clone(),
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
        let names = set.named_resources().map(|resources| resources.names.join(", "));
        let told = sheet.resources.as_ref().map(|resources| resources.names.join(", "));
        if told != names {
            let one = || "one area".to_owned();
            return differ("what is counted", &told.unwrap_or_else(one), &names.unwrap_or_else(one));
        }
        if names.is_none() && sheet.area_unit != set.area_unit() {
            return differ("the area unit", &sheet.area_unit, set.area_unit());
        }
        if let Some(scheduler) = sheet.scheduler.as_deref().filter(|name| *name != set.scheduler.name()) {
            return differ("the scheduler", scheduler, set.scheduler.name());
        }
        let (told, own) = (&sheet.modes, &set.modes);
        if told != own {
            let words = |modes: &[String]| if modes.is_empty() { "none".into() } else { modes.join(", ") };
            return differ("the list of modes", &words(told), &words(own));
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
                    let words = |cost: &[Rational]| joined(&mut cost.iter().map(format_decimal), ", ");
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
            // Where utilization does not decide, the margins of some designs are computed with their response times.
            if let Some(margin) = &row.margin
                && Limit::of(formulation) == Limit::Decides
                && formulation.modes.is_empty()
                && (margin * &utilization) != Rational::one()
            {
                let own = utilization.recip().to_string();
                return differ(&format!("the margin {place}"), &margin.to_string(), &own);
            }
            let own = formulation.mode_utilizations(&row.choices);
            if let Some(at) = (0..row.modes.len()).find(|&at| own.get(at) != Some(&row.modes[at])) {
                let what = format!("the utilization in mode `{}` {place}", set.modes[at]);
                let own = own.get(at).map_or("none".into(), Rational::to_string);
                return differ(&what, &row.modes[at].to_string(), &own);
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
    let has_resources = !again.task_set().is_one_area();
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
    if let (Some(margin), Some(own)) = (&row.margin, again.point_margins.get(index))
        && margin != own
    {
        return Some(format!("point {index} has margin {margin}, in the set's own front {own}"));
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
    if !again.task_set().is_one_area() {
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
