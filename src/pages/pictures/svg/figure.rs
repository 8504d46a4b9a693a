//! What a picture of a front shows, with its axes.

use super::chart::{Axis, Chart, Item, Panel, Shape, Steps};
use super::measure::Measure;
use super::paint::{Ink, Spread, WIDTH};
use crate::answers::words::unit;
use crate::pictures::plot::{PlotData, PlotPoint};
use isx_report::text::{cut, visible};

/// Options of a front's picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The largest area to show, instead of the front's.
    pub max_area: Option<f64>,
    /// Whether areas have a logarithmic scale; area 0 stands at the left edge.
    pub log_area: bool,
    /// Whether utilizations start at 0, instead of a little below the least.
    pub from_zero: bool,
    /// The title, instead of the task set's name.
    pub title: Option<String>,
    /// Whether the vertical axis shows the lowest clock of every design, in place of its utilization or 1/margin.
    pub clock: bool,
}

/// Why nothing was drawn.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DrawError(pub(super) String);

/// The inks of a design that is schedulable and of one that is not.
pub(super) const VERDICTS: (Ink, Ink) = (Ink::Schedulable, Ink::Unschedulable);

/// A front with the axes of its picture.
pub(super) struct Figure<'a> {
    pub data: &'a PlotData,
    pub title: String,
    pub unit: String,
    /// The points within the largest area.
    pub shown: &'a [PlotPoint],
    /// Where the line ends, if not at the edge.
    pub end: Option<f64>,
    /// The areas.
    pub x: Axis,
    /// The figures of [`Figure::measure`].
    pub y: Axis,
    /// What the vertical axis shows.
    pub measure: Measure,
}

impl<'a> Figure<'a> {
    pub fn new(data: &'a PlotData, options: &Options) -> Result<Self, DrawError> {
        if let Some(max_area) = options.max_area.filter(|area| !(area.is_finite() && *area > 0.0)) {
            let why = format!("the largest area to draw must be above 0 and finite, not {max_area}");
            return Err(DrawError(why));
        }
        let limit = options.max_area.unwrap_or(f64::INFINITY);
        let shown = &data.points[..data.points.partition_point(|point| point.area <= limit)];
        let (Some(first), Some(last)) = (data.points.first(), shown.last()) else {
            let first = data.points.first().map_or(0.0, |point| point.area);
            return Err(DrawError(format!(
                "no point of the front has area {limit} or less; the first has area {first}"
            )));
        };
        debug_assert!(first.area <= last.area);
        let measure = Measure::of(data, options.clock).ok_or_else(|| {
            DrawError(
                "--axis clock needs the lowest clock of every design, which this front does not have: that takes a task set \
                 with `clock` that no block or variant lowers; explore it with --front margin if utilization does not decide, \
                 and leave `switch`, `blocking` and `nonpreemptive` out then"
                    .to_owned(),
            )
        })?;
        let smallest_area = data.smallest().map(|(area, _)| area).filter(|area| *area <= limit);
        let reach = last.area.max(smallest_area.unwrap_or(0.0));
        // A complete front stays at its last height for every larger area: a little of that is shown.
        let high = options.max_area.unwrap_or(if reach > 0.0 { reach * 1.04 } else { 1.0 });
        // Costs, unlike areas, may contain much that every design has.
        let least = first.area.min(data.base.area);
        let is_far = data.is_cost() && !(0.0..=0.4 * high).contains(&least);
        let from = if is_far { least - 0.04 * (high - least) } else { 0.0 };
        let low = shown.iter().map(|point| point.area).find(|&area| area > 0.0);
        let unit = cut(&visible(unit(&data.head.resources)), 24);
        // A resource is named before its costs, the unit of an area stands behind the word.
        let (name, of_name) =
            if data.is_cost() { (unit.clone(), "") } else { ("Area".to_owned(), unit.as_str()) };
        let x = match low.filter(|_| options.log_area) {
            Some(low) => {
                let of_name = if of_name.is_empty() { String::new() } else { format!(" ({of_name})") };
                let name = format!("{name}{of_name}, logarithmic; {} 0 at the left edge", data.word());
                let range = (low, reach.max(high));
                Axis { name, unit: String::new(), spread: Spread::LogarithmicAndZero, range }
            }
            None => Axis { name, unit: of_name.to_owned(), spread: Spread::Linear, range: (from, high) },
        };
        let (low, high) = utilization_range(data, shown, options.from_zero);
        let range = (low * measure.factor, high * measure.factor);
        let mut name = measure.name.to_owned();
        name[..1].make_ascii_uppercase();
        let y = Axis { name, range, ..Axis::default() };
        let cut_off = shown.len() < data.points.len();
        let end = (!data.head.complete && !cut_off).then_some(reach);
        let title = visible(options.title.as_deref().unwrap_or(&data.head.taskset));
        Ok(Self { data, title, unit, shown, end, x, y, measure })
    }

    /// The chart with its axes, and with these in it.
    pub fn chart(&self, items: Vec<Item>) -> Chart {
        Chart {
            title: self.title.clone(),
            width: WIDTH,
            high: 314.0,
            columns: 1,
            y: self.y.clone(),
            bound: Some((self.measure.factor, self.measure.bound)),
            panels: vec![Panel { x: self.x.clone(), items, ..Panel::default() }],
            ..Chart::default()
        }
    }

    /// A design in the figures of the axes.
    pub fn at(&self, point: &PlotPoint) -> (f64, f64) {
        (point.area, point.utilization * self.measure.factor)
    }

    /// The steps of the front, with another ink from `turn` on.
    pub fn steps(&self, turn: Option<f64>, inks: [Ink; 2]) -> Shape {
        let points = self.shown.iter().map(|point| self.at(point)).collect();
        Shape::Steps(Steps { points, end: self.end, turn, strokes: inks.map(|ink| (2.0, ink)) })
    }

    /// The smallest schedulable area, if it is in the picture.
    pub fn smallest_area(&self) -> Option<f64> {
        self.data.smallest().map(|(area, _)| area).filter(|&area| area <= self.x.range.1)
    }

    pub fn smallest_point(&self) -> Option<(f64, f64)> {
        Some((self.smallest_area()?, self.data.smallest()?.1? * self.measure.factor))
    }
}

/// From the lowest to the highest utilization, with room for a label above.
fn utilization_range(data: &PlotData, shown: &[PlotPoint], from_zero: bool) -> (f64, f64) {
    let mut low = shown.last().map_or(0.0, |point| point.utilization).min(data.base.utilization);
    let mut high = shown.first().map_or(0.0, |point| point.utilization).max(data.base.utilization);
    if let Some((_, Some(utilization))) = data.smallest() {
        (low, high) = (low.min(utilization), high.max(utilization));
    }
    with_room((low, high), from_zero, 0.22)
}

/// A range around these utilizations, with utilization 1 if that is not far away, and with `headroom` above as a fraction of
/// it.
pub(super) fn with_room((mut low, mut high): (f64, f64), from_zero: bool, headroom: f64) -> (f64, f64) {
    if from_zero {
        low = 0.0;
    }
    let span = high - low;
    // In a range smaller than this, doubles show only noise.
    let flat = span <= 1e-12 * high;
    let away = (low - 1.0).max(1.0 - high).max(0.0);
    if flat || away <= 3.0 * span {
        (low, high) = (low.min(1.0), high.max(1.0));
    }
    let span = if high - low > 1e-12 * high { high - low } else { 0.2 * high };
    ((low - 0.08 * span).max(0.0), high + headroom * span)
}
