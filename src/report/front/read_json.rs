//! The form in which pages and tables still take a written front: names in place of indices.

use super::unreadable::PlotError;
use super::wanted::{Pick, Told, Written};
use super::{EngineWords, Front, ModeAreaWords, Number, Point};
use isx_design::schedulability::AtMargin;
use isx_exact::quantity::Rational;
use isx_taskset::{Resources, Scheduler};
use num_traits::One;
use std::sync::Arc;

/// Every task with the choice it takes.
pub type TaskChoices = Vec<(Arc<str>, Option<Arc<str>>)>;

/// The choices of a point, or none where they are not needed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choices(pub TaskChoices);

/// Which points are read.
#[derive(Clone, Copy, Debug)]
pub enum Points<'a> {
    /// All of them, with choices of the first.
    All {
        /// How many.
        told: usize,
    },
    /// At least the wanted one.
    Near(&'a Pick),
}

/// A point of a written front.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExactPoint {
    pub area: Rational,
    pub cost: Vec<Rational>,
    pub utilization: Rational,
    pub margin: Option<Rational>,
    pub schedulable: Option<bool>,
    pub schedulable_within: Option<bool>,
    pub choices: Choices,
    pub blocks: Option<Vec<String>>,
    pub variant: Option<String>,
    pub clock_hz: Option<String>,
    pub modes: Vec<(String, Rational)>,
}

impl ExactPoint {
    pub fn is_impossible(&self) -> bool {
        self.schedulable == Some(true) && self.utilization > Rational::one()
    }

    /// The mode of the largest utilization, the first of several.
    pub fn critical_mode(&self) -> Option<usize> {
        let in_modes: Vec<Rational> = self.modes.iter().map(|(_, utilization)| utilization.clone()).collect();
        (!in_modes.is_empty()).then(|| isx_taskset::formulate::critical_mode(&in_modes))
    }
}

/// The fields of a front's document besides its points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    pub taskset: String,
    pub area_unit: String,
    pub resources: Option<Resources>,
    pub by_margin: bool,
    pub larger_margins_unknown: Option<String>,
    pub clock: Option<Rational>,
    pub scheduler: Option<Scheduler>,
    pub what_if: Vec<String>,
    pub engine: Option<EngineWords>,
    pub base: ExactPoint,
    pub min_schedulable_area: Option<Rational>,
    pub min_schedulable: Option<ExactPoint>,
    pub minimal: Vec<ExactPoint>,
    pub min_schedulable_unknown: Option<String>,
    pub margins: Vec<AtMargin>,
    pub modes: Vec<String>,
    pub mode_areas: Vec<ModeAreaWords>,
    pub status: Option<String>,
    pub complete: bool,
    pub points: usize,
}

/// Receives the points of a written front, each with its index.
pub type Visit<'a> = &'a mut dyn FnMut(usize, ExactPoint);

impl Written<'_> {
    /// Reads a front and passes its points on.
    pub fn read(self, wanted: &Points, visit: Visit) -> Result<Head, PlotError> {
        let told = match wanted {
            Points::All { told } => Told::First(*told),
            Points::Near(_) => Told::First(usize::MAX),
        };
        Ok(pass(&Front::read(self, &told)?, visit))
    }
}

/// Passes points on with their names.
pub fn pass(front: &Front, visit: Visit) -> Head {
    front.visit(0..front.len(), &mut |index, point| visit(index, named(front, point)));
    head(front)
}

fn named(front: &Front, point: &Point) -> ExactPoint {
    let head = &front.head;
    let has_area = head.resources.area_unit.is_some();
    let mut cost = point.exact_cost();
    let area = if has_area { std::mem::take(&mut cost[0]) } else { Rational::default() };
    let choices = head.chosen(point).map(|(task, choice)| (task.into(), choice.map(Arc::from)));
    ExactPoint {
        area,
        cost: if has_area { Vec::new() } else { cost },
        utilization: point.utilization.exact(),
        margin: point.margin.as_ref().map(Number::exact),
        schedulable: point.schedulable,
        schedulable_within: point.schedulable_within,
        choices: Choices(choices.collect()),
        blocks: head.has_blocks.then(|| head.built(point).into_iter().map(str::to_owned).collect()),
        variant: head.variant(point).map(str::to_owned),
        clock_hz: head.clock_hz(point).map(str::to_owned),
        modes: head.modes.iter().cloned().zip(point.modes.iter().map(Number::exact)).collect(),
    }
}

fn head(front: &Front) -> Head {
    let head = front.head.clone();
    let minimal: Vec<ExactPoint> = head.minimal.iter().map(|point| named(front, point)).collect();
    let area_unit = head.resources.area_unit.clone();
    let has_area = area_unit.is_some();
    let has_modes = front.figures_of(0).modes.len() == head.modes.len();
    Head {
        taskset: head.taskset,
        area_unit: area_unit.unwrap_or_default(),
        resources: (!has_area).then_some(head.resources),
        by_margin: head.by_margin,
        larger_margins_unknown: head.larger_margins_unknown,
        clock: head.clock,
        scheduler: Some(head.scheduler),
        what_if: head.what_if,
        engine: head.engine,
        base: named(front, &head.base),
        min_schedulable_area: minimal.first().filter(|_| has_area).map(|point| point.area.clone()),
        min_schedulable: minimal.first().cloned(),
        minimal: if has_area { Vec::new() } else { minimal },
        min_schedulable_unknown: head.minimal_unknown,
        margins: head.margins,
        modes: if has_modes { head.modes } else { Vec::new() },
        mode_areas: head.mode_areas,
        status: head.status,
        complete: head.complete,
        points: front.len(),
    }
}
