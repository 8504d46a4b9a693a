//! The data of the picture of a front of several resources.
//!
//! As with one area, a cost is the double nearest to the exact decimal text, and a utilization the field `approx`.

use super::{
    MAX_POINTS, Names, PlotData, PlotError, PlotPoint, PointDetail, TOLD_POINTS, nearest, parse_area,
};
use isx_design::exploration::Exploration;
use isx_design::schedulability::Smallest;
use isx_exact::quantity::{Rational, approx};
use isx_report::front::costs::with_names;
use isx_report::front::figures::Figures;
use isx_report::front::read_json::{ExactPoint, Head};
use isx_taskset::{Resources, Scheduler};

/// A front as it is drawn: of one area, or of several resources.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawable {
    /// Of one area.
    Area(PlotData),
    /// Of several resources.
    Costs(CostData),
}

/// A design of a front of several resources.
#[derive(Clone, Debug, PartialEq)]
pub struct CostPoint {
    /// The cost in each objective.
    pub cost: Vec<f64>,
    /// Utilization.
    pub utilization: f64,
    /// As in [`Design::schedulable`](isx_design::front::Design::schedulable).
    pub schedulable: Option<bool>,
}

/// A front of several resources as it is drawn: one column per objective. Points are in lexicographic order of their
/// costs; all figures are finite.
#[derive(Clone, Debug, PartialEq)]
pub struct CostData {
    /// Name of the task set.
    pub title: String,
    /// Changes to the task set for a what-if question, in words.
    pub what_if: Vec<String>,
    /// The scheduler that the verdicts are about.
    pub scheduler: Scheduler,
    /// The name of each objective.
    pub objectives: Vec<String>,
    /// The greatest cost of a design in each objective, if it is limited.
    pub limits: Vec<Option<f64>>,
    /// The names of the resources that are no objectives.
    pub others: Vec<String>,
    /// The name of the device, if the limits come from a named one.
    pub device: Option<String>,
    /// For each objective, the cost of every point.
    pub costs: Vec<Vec<f64>>,
    /// The utilization of every point.
    pub utilizations: Vec<f64>,
    /// The verdict on every point.
    pub schedulable: Vec<Option<bool>>,
    /// Details of each point, its cost in words in place of an area; empty if there are more than [`TOLD_POINTS`].
    pub details: Vec<PointDetail>,
    /// The software-only design.
    pub base: CostPoint,
    /// The designs of minimal schedulable cost.
    pub minimal: Vec<CostPoint>,
    /// Whether there are no other minimal schedulable costs.
    pub is_minimal_known: bool,
    /// Whether no larger costs lower the utilization further.
    pub complete: bool,
}

impl Drawable {
    /// The data to draw from a front.
    pub fn from_front(explored: &Exploration) -> Result<Self, PlotError> {
        match explored.task_set().named_resources() {
            None => PlotData::from_front(explored).map(Self::Area),
            Some(resources) => CostData::from_front(explored, resources).validated().map(Self::Costs),
        }
    }
}

/// The points of a written front of several resources, as far as they are read.
#[derive(Default)]
pub(super) struct Reading {
    /// For each resource, the cost of every point.
    costs: Vec<Vec<f64>>,
    utilizations: Vec<f64>,
    schedulable: Vec<Option<bool>>,
    details: Vec<(Vec<Rational>, PointDetail)>,
}

impl Reading {
    pub fn add(&mut self, index: usize, point: ExactPoint) {
        self.costs.resize(point.cost.len(), Vec::new());
        for (column, cost) in self.costs.iter_mut().zip(&point.cost) {
            column.push(nearest(cost));
        }
        self.utilizations.push(approx(&point.utilization));
        self.schedulable.push(point.schedulable);
        if index < TOLD_POINTS {
            self.details.push((point.cost.clone(), PointDetail::from(point)));
        } else {
            self.details = Vec::new();
        }
    }

    pub fn finish(self, head: Head, resources: &Resources) -> Result<CostData, PlotError> {
        if head.points > MAX_POINTS {
            return Err(PlotError::Field(format!("more than {MAX_POINTS} points")));
        }
        let point = |cost: &[Rational], utilization: &Rational, schedulable| CostPoint {
            cost: of_objectives(resources, cost),
            utilization: approx(utilization),
            schedulable,
        };
        let minimal =
            head.minimal.iter().map(|design| point(&design.cost, &design.utilization, design.schedulable));
        let column = |&at: &usize| self.costs.get(at).cloned().unwrap_or_default();
        let named = |(cost, detail): (Vec<Rational>, PointDetail)| PointDetail {
            area: with_names(resources, &cost),
            ..detail
        };
        CostData {
            title: head.taskset,
            what_if: head.what_if,
            scheduler: head.scheduler.unwrap_or(Scheduler::Edf),
            base: point(&head.base.cost, &head.base.utilization, head.base.schedulable),
            minimal: minimal.collect(),
            is_minimal_known: head.min_schedulable_unknown.is_none(),
            complete: head.complete,
            costs: resources.objectives.iter().map(column).collect(),
            utilizations: self.utilizations,
            schedulable: self.schedulable,
            details: self.details.into_iter().map(named).collect(),
            ..CostData::of_resources(resources)
        }
        .validated()
    }
}

/// The costs in the objectives.
fn of_objectives(resources: &Resources, cost: &[Rational]) -> Vec<f64> {
    resources.objectives.iter().map(|&at| cost.get(at).map_or(f64::NAN, nearest)).collect()
}

impl CostData {
    /// What the resources say.
    fn of_resources(resources: &Resources) -> Self {
        let objectives = || resources.objectives.iter();
        let others = (0..resources.names.len()).filter(|at| !resources.objectives.contains(at));
        Self {
            title: String::new(),
            what_if: Vec::new(),
            scheduler: Scheduler::Edf,
            objectives: objectives().map(|&at| resources.names[at].clone()).collect(),
            limits: objectives().map(|&at| resources.limits[at].as_ref().map(nearest)).collect(),
            others: others.map(|at| resources.names[at].clone()).collect(),
            device: resources.device.clone(),
            costs: vec![Vec::new(); resources.objectives.len()],
            utilizations: Vec::new(),
            schedulable: Vec::new(),
            details: Vec::new(),
            base: CostPoint { cost: Vec::new(), utilization: 0.0, schedulable: None },
            minimal: Vec::new(),
            is_minimal_known: true,
            complete: true,
        }
    }

    fn from_front(explored: &Exploration, resources: &Resources) -> Self {
        let front = &explored.front;
        let (figures, mut names) = (Figures::new(front.formulation()), Names::of(explored));
        let mut text = Vec::new();
        let mut cost = |resource: usize, point: &_| {
            text.clear();
            // Writing to memory does not fail.
            let written = figures.write_cost(resource, point, &mut text).ok();
            written.and_then(|()| parse_area(std::str::from_utf8(&text).ok()?)).unwrap_or(f64::NAN)
        };
        let costs = resources.objectives.iter();
        let costs = costs.map(|&at| front.iter().map(|point| cost(at, &point)).collect()).collect();
        let told = if front.len() <= TOLD_POINTS { front.len() } else { 0 };
        let detail = |point: isx_design::front::Point| {
            let variant = point.formulation().variant;
            names.detail(with_names(resources, &point.cost()), variant, &point.choices().unwrap_or_default())
        };
        let details = front.iter().take(told).map(detail).collect();
        let design = |design: &isx_design::front::Design| CostPoint {
            cost: of_objectives(resources, &design.cost),
            utilization: approx(&design.utilization),
            schedulable: design.schedulable,
        };
        let set = explored.task_set();
        Self {
            title: set.name.clone(),
            what_if: set.what_if.clone(),
            scheduler: set.scheduler,
            costs,
            utilizations: front.iter().map(|point| figures.utilization(&point).approx()).collect(),
            schedulable: explored.verdicts.points.clone(),
            details,
            base: design(&explored.base()),
            minimal: explored.verdicts.minimal.iter().map(|chosen| design(&chosen.design)).collect(),
            is_minimal_known: !matches!(explored.verdicts.smallest, Smallest::Unknown(_)),
            complete: front.is_complete(),
            ..Self::of_resources(resources)
        }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.utilizations.len()
    }

    /// Whether no design is within the limits.
    pub fn is_empty(&self) -> bool {
        self.utilizations.is_empty()
    }

    /// The verdict and utilization of a point.
    pub fn point(&self, index: usize) -> PlotPoint {
        let (utilization, schedulable) = (self.utilizations[index], self.schedulable[index]);
        PlotPoint { area: self.costs[0][index], utilization, schedulable }
    }

    fn validated(self) -> Result<Self, PlotError> {
        let bad = |index: usize| {
            let utilization = self.utilizations[index];
            !(utilization.is_finite() && utilization >= 0.0)
                || self.costs.iter().any(|column| !column[index].is_finite())
        };
        if let Some(index) = (0..self.len()).find(|&index| bad(index)) {
            return Err(PlotError::NotAFront { index, why: "a figure is not finite" });
        }
        let designs = self.minimal.iter().chain([&self.base]);
        let finite = |point: &CostPoint| {
            point.utilization.is_finite() && point.cost.iter().all(|cost| cost.is_finite())
        };
        if !designs.into_iter().all(finite) {
            return Err(PlotError::Field("a figure of `base` or `min_schedulable` is not finite".into()));
        }
        Ok(self)
    }
}
