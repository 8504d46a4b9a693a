//! The data of a front's picture, the nearest doubles of its figures: the picture is the same whether the front was explored or
//! read from a file.

pub mod chart;

pub use isx_report::front::unreadable::PlotError;

use isx_exact::quantity::approx;
use isx_report::front::{Front, Head, ModeAreaWords, Number, Point, Told, Written, costs};
use isx_taskset::Scheduler;

/// In a picture of a front of at most this many points, each point has a mark with its choices in the tooltip.
pub const MARKED_POINTS: usize = 300;

/// A design as it is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlotPoint {
    /// The cost in the first objective: an area in the task set's unit.
    pub area: f64,
    /// Utilization.
    pub utilization: f64,
    /// As in [`Point::schedulable`].
    pub schedulable: Option<bool>,
}

/// A design of minimal schedulable cost.
#[derive(Clone, Debug, PartialEq)]
pub struct CostPoint {
    /// The cost in each objective.
    pub cost: Vec<f64>,
    /// Utilization, if known.
    pub utilization: Option<f64>,
}

/// Details of a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointDetail {
    /// Area, exactly, as printed; with several resources, the costs in words.
    pub area: String,
    /// Every task with the choice it takes; `None` is software.
    pub choices: Vec<(String, Option<String>)>,
    /// The blocks that it builds; empty if the task set has none.
    pub blocks: Vec<String>,
    /// The clock it runs at, exactly and in hertz; `None` if no block limits the clock.
    pub clock_hz: Option<String>,
    /// The mode of its largest utilization; `None` if there is one mode.
    pub critical_mode: Option<String>,
}

/// The modes of a front; all is empty if it has one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlotModes {
    /// Their names.
    pub names: Vec<String>,
    /// For each point the mode of the largest utilization, the first of several.
    pub critical: Vec<usize>,
    /// What some of them cost without the others.
    pub areas: Vec<ModeAreaWords>,
}

/// A front as it is drawn. Points are in lexicographic order of their costs; all figures are finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlotData {
    /// Name of the task set.
    pub title: String,
    /// Unit of the costs in the first objective: that of areas, which may be empty, or its name.
    pub area_unit: String,
    /// Whether it is a cost by name, and no area.
    pub is_cost: bool,
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
    /// The software-only design.
    pub base: PlotPoint,
    /// The front.
    pub points: Vec<PlotPoint>,
    /// For each objective after the first, the cost of every point.
    pub further: Vec<Vec<f64>>,
    /// Details of each point; empty if there are more than [`MARKED_POINTS`].
    pub details: Vec<PointDetail>,
    /// The designs of minimal schedulable cost; none if no design is schedulable, or if none is known to be.
    pub minimal: Vec<CostPoint>,
    /// Whether there may be others.
    pub is_minimal_open: bool,
    /// The exact cost of the first of them, and the known details of the design.
    pub smallest: PointDetail,
    /// The modes.
    pub modes: PlotModes,
    /// Whether no larger cost lowers the utilization further.
    pub complete: bool,
    /// Whether 1/margin stands in place of every utilization: then too at most 1 is schedulable.
    pub by_margin: bool,
    /// The clock of the set in hertz, if the lowest clock of every design is its utilization, or 1/margin, times that.
    pub clock: Option<f64>,
}

impl PlotData {
    /// The data to draw from a front.
    /// Fails if a figure exceeds the range of a double.
    pub fn new(front: &Front) -> Result<Self, PlotError> {
        let (head, len) = (&front.head, front.len());
        let resources = &head.resources;
        let objectives = || resources.objectives.iter();
        let others = (0..resources.names.len()).filter(|at| !resources.objectives.contains(at));
        let limit = |&at: &usize| resources.limits[at].as_ref().map(approx);
        let mut data = Self {
            title: head.taskset.clone(),
            area_unit: resources
                .area_unit
                .clone()
                .or(objectives().next().map(|&at| resources.names[at].clone()))
                .unwrap_or_default(),
            is_cost: !costs::is_area(resources),
            what_if: head.what_if.clone(),
            scheduler: head.scheduler,
            objectives: objectives().map(|&at| resources.names[at].clone()).collect(),
            limits: objectives().map(limit).collect(),
            others: others.map(|at| resources.names[at].clone()).collect(),
            device: resources.device.clone(),
            base: plot_point(head, &head.base),
            points: Vec::with_capacity(len),
            further: vec![Vec::with_capacity(len); resources.objectives.len().saturating_sub(1)],
            minimal: head.minimal.iter().map(|design| cost_point(head, design)).collect(),
            is_minimal_open: head.minimal_unknown.is_some(),
            smallest: head.minimal.first().map(|smallest| detail(head, smallest)).unwrap_or_default(),
            modes: PlotModes {
                names: head.modes.clone(),
                critical: Vec::new(),
                areas: head.mode_areas.clone(),
            },
            complete: head.complete,
            by_margin: head.by_margin,
            clock: head.clock.as_ref().map(approx),
            ..Self::default()
        };
        let has_details = len <= MARKED_POINTS;
        let mut take = |_: usize, point: &Point| data.add(head, point, has_details);
        match has_details || !head.modes.is_empty() {
            true => front.visit(0..len, &mut take),
            false => front.figures(0..len, &mut take),
        }
        if data.modes.critical.is_empty() {
            data.modes = PlotModes::default();
        }
        if head.by_margin {
            data.stand_on_steps();
        }
        data.validated()
    }

    /// Reads a front that was written as JSON or as Parquet, and takes the data to draw from it.
    pub fn from_written<'a>(front: impl Into<Written<'a>>) -> Result<Self, PlotError> {
        Self::new(&Front::read(front, &Told::First(MARKED_POINTS))?)
    }

    fn add(&mut self, head: &Head, point: &Point, has_details: bool) {
        let mut drawn = plot_point(head, point);
        if let Some(margin) = &point.margin {
            drawn.utilization = approx(&margin.exact().recip());
        }
        self.points.push(drawn);
        for (column, cost) in self.further.iter_mut().zip(head.objectives(point).skip(1)) {
            column.push(cost.approx());
        }
        self.modes.critical.extend(point.critical_mode());
        if has_details {
            self.details.push(detail(head, point));
        }
    }

    /// By margin, designs beside the front have the measure of the point within their cost.
    fn stand_on_steps(&mut self) {
        let within = |area: f64| self.points.iter().rev().find(|point| point.area <= area);
        let base = within(self.base.area).or(self.points.first()).map_or(0.0, |point| point.utilization);
        for CostPoint { cost, utilization } in &mut self.minimal {
            *utilization =
                self.points.iter().rev().find(|point| point.area <= cost[0]).map(|point| point.utilization);
        }
        self.base.utilization = base;
    }

    /// The smallest schedulable cost in the first objective, with the utilization there if it is known.
    pub fn smallest(&self) -> Option<(f64, Option<f64>)> {
        self.minimal.first().map(|design| (design.cost[0], design.utilization))
    }

    /// Whether it is not known if any design is schedulable.
    pub fn is_undecided(&self) -> bool {
        self.minimal.is_empty() && self.is_minimal_open
    }

    /// What the first objective is called.
    pub fn word(&self) -> &'static str {
        if self.is_cost { "cost" } else { costs::AREA }
    }

    /// The cost of a point in an objective.
    pub fn cost(&self, objective: usize, point: usize) -> f64 {
        match objective.checked_sub(1) {
            None => self.points[point].area,
            Some(further) => self.further[further][point],
        }
    }

    fn validated(self) -> Result<Self, PlotError> {
        let is_finite = |point: &PlotPoint| point.area.is_finite() && point.utilization.is_finite();
        let further = |index: usize| self.further.iter().all(|column| column[index].is_finite());
        let bad = |&index: &usize| !is_finite(&self.points[index]) || !further(index);
        if let Some(index) = (0..self.points.len()).find(bad) {
            return Err(PlotError::NotAFront { index, why: "a figure is not finite" });
        }
        let minimal = |point: &CostPoint| {
            point.utilization.is_none_or(f64::is_finite) && point.cost.iter().all(|cost| cost.is_finite())
        };
        if !is_finite(&self.base) || !self.minimal.iter().all(minimal) {
            return Err(PlotError::Field("a figure of `base` or `min_schedulable` is not finite".into()));
        }
        Ok(self)
    }
}

fn plot_point(head: &Head, point: &Point) -> PlotPoint {
    PlotPoint {
        area: head.objectives(point).next().map_or(0.0, Number::approx),
        utilization: point.utilization.approx(),
        schedulable: point.schedulable,
    }
}

fn cost_point(head: &Head, point: &Point) -> CostPoint {
    let utilization = Some(point.utilization.approx());
    CostPoint { cost: head.objectives(point).map(Number::approx).collect(), utilization }
}

fn detail(head: &Head, point: &Point) -> PointDetail {
    let owned = |name: Option<&str>| name.map(str::to_owned);
    PointDetail {
        area: match point.cost.as_slice() {
            [only] => only.decimal(),
            _ => costs::in_words(&point.exact_cost(), &head.resources),
        },
        choices: head.chosen(point).map(|(task, choice)| (task.to_owned(), owned(choice))).collect(),
        blocks: head.built(point).into_iter().map(str::to_owned).collect(),
        clock_hz: owned(head.clock_hz(point)),
        critical_mode: owned(head.critical_mode(point)),
    }
}
