//! The data of a front's picture, the nearest doubles of its figures: the picture is the same whether the front was explored or
//! read from a file.

pub mod chart;

pub use isx_report::front::unreadable::PlotError;

use crate::answers::words::objectives;
use isx_exact::quantity::approx;
use isx_report::front::{Front, Head, Number, Point, WithChoices, Written, costs};
use isx_taskset::Resources;

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

/// A front as it is drawn. Points are in lexicographic order of their costs; all figures are finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlotData {
    /// What the front is about.
    pub head: Head,
    /// The software-only design.
    pub base: PlotPoint,
    /// The front.
    pub points: Vec<PlotPoint>,
    /// For each objective after the first, the cost of every point.
    pub further: Vec<Vec<f64>>,
    /// The points with their choices; empty if there are more than [`MARKED_POINTS`].
    pub details: Vec<Point>,
    /// The designs of minimal schedulable cost; none if no design is schedulable, or if none is known to be.
    pub minimal: Vec<CostPoint>,
    /// For each point the number of the mode of its largest utilization, the first of several; empty if there is one mode.
    pub critical: Vec<usize>,
}

impl PlotData {
    /// The data to draw from a front.
    /// Fails if a figure exceeds the range of a double.
    pub fn new(front: &Front) -> Result<Self, PlotError> {
        let (head, len) = (&front.head, front.len());
        let mut data = Self {
            head: head.clone(),
            base: plot_point(head, &head.base),
            points: Vec::with_capacity(len),
            further: vec![Vec::with_capacity(len); head.resources.objectives.len().saturating_sub(1)],
            minimal: head.minimal.iter().map(|design| cost_point(head, design)).collect(),
            ..Self::default()
        };
        let has_details = len <= MARKED_POINTS;
        let mut take = |_: usize, point: &Point| data.add(head, point, has_details);
        match has_details || !head.modes.is_empty() {
            true => front.visit(0..len, &mut take),
            false => front.figures(0..len, &mut take),
        }
        if head.by_margin {
            data.stand_on_steps();
        }
        data.validated()
    }

    /// Reads a front that was written as JSON or as Parquet, and takes the data to draw from it.
    pub fn from_written<'a>(front: impl Into<Written<'a>>) -> Result<Self, PlotError> {
        Self::new(&Front::read(front, &WithChoices::First(MARKED_POINTS))?)
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
        self.critical.extend(point.critical_mode());
        if has_details {
            self.details.push(point.clone());
        }
    }

    /// By margin, designs beside the front have the measure of the point within their cost.
    fn stand_on_steps(&mut self) {
        let points = self.points.iter();
        let within =
            |area: f64| points.clone().rfind(|point| point.area <= area).map(|point| point.utilization);
        let first = self.points.first().map_or(0.0, |point| point.utilization);
        self.base.utilization = within(self.base.area).unwrap_or(first);
        for CostPoint { cost, utilization } in &mut self.minimal {
            *utilization = within(cost[0]);
        }
    }

    /// The smallest schedulable cost in the first objective, with the utilization there if it is known.
    pub fn smallest(&self) -> Option<(f64, Option<f64>)> {
        self.minimal.first().map(|design| (design.cost[0], design.utilization))
    }

    /// Whether it is not known if any design is schedulable.
    pub fn is_undecided(&self) -> bool {
        self.minimal.is_empty() && self.is_minimal_open()
    }

    /// Whether there may be other designs of minimal schedulable cost.
    pub fn is_minimal_open(&self) -> bool {
        self.head.minimal_unknown.is_some()
    }

    /// Whether the first objective is a cost by name, and no area.
    pub fn is_cost(&self) -> bool {
        !costs::is_area(&self.head.resources)
    }

    /// What the first objective is called.
    pub fn word(&self) -> &'static str {
        costs::word(&self.head.resources)
    }

    /// The name of an objective.
    pub fn objective(&self, objective: usize) -> &str {
        objectives(&self.head.resources).get(objective).copied().unwrap_or_default()
    }

    /// The greatest cost of a design in an objective, if it is limited.
    pub fn limit(&self, objective: usize) -> Option<f64> {
        let Resources { objectives, limits, .. } = &self.head.resources;
        limits[*objectives.get(objective)?].as_ref().map(approx)
    }

    /// The exact cost of a design; with several resources in words.
    pub fn cost_in_words(&self, design: &Point) -> String {
        match design.cost.as_slice() {
            [only] => only.decimal(),
            _ => costs::in_words(&design.exact_cost(), &self.head.resources),
        }
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
