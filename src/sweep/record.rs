//! The record of a set: what was asked about it.

use crate::spec::{Asked, Axis, Numbers, Spec};
use isx_exact::quantity::{Rational, format_decimal};

/// What was asked about one set, under one combination of the paired values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The number of the point of the grid.
    pub point: u64,
    /// The number of the set at the point.
    pub index: u64,
    /// The number of the combination of paired values; 0 if nothing is paired.
    pub pair: u64,
    /// The exact utilization of the software-only design.
    pub utilization: Rational,
    /// The least utilization of any design, if it was asked for.
    pub least_utilization: Option<Rational>,
    /// The least area of a schedulable design; `None` if there is none, if it was not decided or not asked for.
    pub min_area: Option<Rational>,
    /// The least area is at least and at most so much, as far as that is known; both ends are it where it was decided.
    pub area_bounds: [Option<Rational>; 2],
    /// Whether some design is schedulable, whatever its area, if least areas were asked for; `None` if that was not decided.
    pub accepted_any: Option<bool>,
    /// For each budget of the specification whether some design within it is schedulable; `None` if that was not decided.
    pub accepted: Vec<Option<bool>>,
    /// The utilization of the software-only design with all WCETs multiplied by the largest factor at which it is
    /// schedulable; `None` if that was not decided or not asked for.
    pub breakdown: Option<Rational>,
    /// The ends between which it lies; both are it where it was decided.
    pub breakdown_bounds: [Option<Rational>; 2],
    /// The number of points of the front, if it was asked for.
    pub points: Option<u64>,
    /// Whether something that was asked for was not decided within the steps of the specification.
    pub unknown: bool,
}

impl Record {
    /// What is recorded of a least area that is known; `None` if no design is schedulable.
    pub(crate) fn set_area(&mut self, asked: &Asked, area: Option<Rational>) {
        let is_within = |budget| area.as_ref().is_some_and(|area| area <= budget);
        self.accepted = asked.budgets.iter().map(|budget| Some(is_within(budget))).collect();
        if asked.min_area {
            self.accepted_any = Some(area.is_some());
            self.area_bounds = [area.clone(), area.clone()];
            self.min_area = area;
        }
    }
}

/// A column of the records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub content: Content,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// [`Record::point`], 64-bit integers.
    Point,
    /// [`Record::index`], 64-bit integers.
    Index,
    /// The value of this axis of the grid: 64-bit integers, decimals or text.
    Grid(usize),
    /// The value of this paired axis, of the same types.
    Paired(usize),
    /// The file of the set, text.
    File,
    /// Numerator and denominator of [`Record::utilization`], text.
    UtilizationNum,
    /// See above.
    UtilizationDen,
    /// Numerator and denominator of [`Record::least_utilization`], text.
    LeastNum,
    /// See above.
    LeastDen,
    /// [`Record::min_area`], a decimal as text, or null.
    MinArea,
    /// An end of [`Record::area_bounds`], of the same kind.
    AreaBound(usize),
    /// [`Record::accepted_any`], Boolean or null.
    AcceptedAny,
    /// [`Record::accepted`] of this budget, Boolean or null.
    Accepted(usize),
    /// [`Record::breakdown`], a fraction `num/den` in lowest terms or a whole number, as text, or null.
    Breakdown,
    /// An end of [`Record::breakdown_bounds`], of the same kind.
    BreakdownBound(usize),
    /// [`Record::points`], a 64-bit integer.
    Points,
    /// [`Record::unknown`], Boolean.
    Unknown,
}

impl Content {
    /// Whether it may be null.
    pub fn is_optional(self) -> bool {
        let area = matches!(self, Self::MinArea | Self::AreaBound(_) | Self::AcceptedAny);
        area || matches!(self, Self::Accepted(_) | Self::Breakdown | Self::BreakdownBound(_))
    }

    /// The axis whose values it holds.
    pub fn axis(self, spec: &Spec) -> Option<&Axis> {
        match self {
            Self::Grid(axis) => spec.grid().get(axis),
            Self::Paired(axis) => spec.paired.get(axis),
            _ => None,
        }
    }

    /// The type of its numbers, if it holds any.
    pub fn numbers(self, spec: &Spec) -> Option<Numbers> {
        match self {
            Self::Point | Self::Index | Self::Points => Some(Numbers::WHOLE),
            _ => self.axis(spec)?.numbers(),
        }
    }
}

/// The columns of the records of a specification, in order.
pub fn columns(spec: &Spec) -> Vec<Column> {
    let column = |name: &str, content| Column { name: name.to_owned(), content };
    let mut columns = vec![column("point", Content::Point), column("index", Content::Index)];
    let axes = spec.grid().iter().enumerate();
    columns.extend(axes.map(|(number, axis)| column(&axis.key, Content::Grid(number))));
    let axes = spec.paired.iter().enumerate();
    columns.extend(axes.map(|(number, axis)| column(&axis.key, Content::Paired(number))));
    if !spec.files().is_empty() {
        columns.push(column("file", Content::File));
    }
    columns.push(column("utilization_num", Content::UtilizationNum));
    columns.push(column("utilization_den", Content::UtilizationDen));
    let asked = &spec.asked;
    if asked.least_utilization {
        columns.push(column("least_utilization_num", Content::LeastNum));
        columns.push(column("least_utilization_den", Content::LeastDen));
    }
    if asked.min_area {
        columns.push(column("min_area", Content::MinArea));
        columns.push(column("min_area_low", Content::AreaBound(0)));
        columns.push(column("min_area_high", Content::AreaBound(1)));
        columns.push(column("accepted_any", Content::AcceptedAny));
    }
    for (number, budget) in asked.budgets.iter().enumerate() {
        columns.push(column(&format!("accepted_{}", format_decimal(budget)), Content::Accepted(number)));
    }
    if asked.breakdown {
        columns.push(column("breakdown", Content::Breakdown));
        columns.push(column("breakdown_low", Content::BreakdownBound(0)));
        columns.push(column("breakdown_high", Content::BreakdownBound(1)));
    }
    if asked.points {
        columns.push(column("points", Content::Points));
    }
    columns.push(column("unknown", Content::Unknown));
    columns
}
