//! Where everything in a picture of a front stands.

use super::measure::Measure;
use super::paint::{Anchor, AreaScale, Canvas, Ink, LABEL, Linear, MARGIN, Rect, TICK, WIDTH, text_width};
use crate::pictures::plot::{PlotData, PlotPoint, PlotSmallest};
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
pub enum DrawError {
    /// The largest area to show is not a positive number.
    #[error("the largest area to draw must be above 0 and finite, not {0}")]
    MaxArea(f64),
    /// An option of fronts of one area, for a front of several resources.
    #[error(
        "--max-area, --log-area and --axis are for fronts of one area, and this one counts several resources: leave them out, or \
         limit the front with `isx explore --within`"
    )]
    SeveralResources,
    /// The clock is asked for, and the front does not tell it.
    #[error(
        "--axis clock needs the lowest clock of every design, which this front does not tell: that takes a task set with \
         `clock` that no block or variant lowers; explore it with --front margin if utilization does not decide, and leave \
         `switch`, `blocking` and `nonpreemptive` out then"
    )]
    NoClock,
    /// No point lies within the largest area to show.
    #[error("no point of the front has area {max_area} or less; the first has area {first}")]
    Empty {
        /// The largest area to show.
        max_area: f64,
        /// The smallest area of the front.
        first: f64,
    },
}

/// Top and bottom of the plot.
pub(super) const TOP: f64 = 122.0;
pub(super) const BOTTOM: f64 = 436.0;
/// Right edge of the plot; the label of the line at 1 stands beyond it.
const RIGHT: f64 = WIDTH - 68.0;

/// Areas that labels and their leader lines must avoid.
#[derive(Default)]
pub(super) struct Crowd {
    /// The front, its marks and the line at utilization 1: no label covers them.
    pub taken: Vec<Rect>,
    /// The marks: no leader line crosses them.
    pub marks: Vec<Rect>,
}

/// All elements, in pixels if they have a place.
pub(super) struct Figure<'a> {
    pub data: &'a PlotData,
    pub title: String,
    pub unit: String,
    /// The points within the largest area.
    pub shown: &'a [PlotPoint],
    /// Where the line ends.
    pub end: f64,
    pub frame: Rect,
    pub area: AreaScale,
    pub utilization: Linear,
    /// What the vertical axis shows.
    pub measure: Measure,
}

impl<'a> Figure<'a> {
    pub fn new(data: &'a PlotData, options: &Options) -> Result<Self, DrawError> {
        if let Some(max_area) = options.max_area.filter(|area| !(area.is_finite() && *area > 0.0)) {
            return Err(DrawError::MaxArea(max_area));
        }
        let limit = options.max_area.unwrap_or(f64::INFINITY);
        let shown = &data.points[..data.points.partition_point(|point| point.area <= limit)];
        let (Some(first), Some(last)) = (data.points.first(), shown.last()) else {
            let first = data.points.first().map_or(0.0, |point| point.area);
            return Err(DrawError::Empty { max_area: limit, first });
        };
        debug_assert!(first.area <= last.area);

        let utilization = utilization_scale(utilization_range(data, shown, options.from_zero), TOP, BOTTOM);
        let measure = Measure::of(data, options.clock).ok_or(DrawError::NoClock)?;
        let labels = measure.ticks(&utilization);
        let widest = labels.iter().map(|tick| text_width(&tick.label, TICK.size)).fold(0.0, f64::max);
        let frame = Rect { left: MARGIN + widest + 12.0, top: TOP, right: RIGHT, bottom: BOTTOM };

        let smallest_area = match data.min_schedulable {
            PlotSmallest::At { area, .. } if area <= limit => area,
            _ => 0.0,
        };
        let reach = last.area.max(smallest_area);
        // A complete front stays at its last height for every larger area: a little of that is shown.
        let high = options.max_area.unwrap_or(if reach > 0.0 { reach * 1.04 } else { 1.0 });
        // Costs, unlike areas, may contain much that every design has.
        let least = first.area.min(data.base.area);
        let is_far = data.is_cost && !(0.0..=0.4 * high).contains(&least);
        let from = if is_far { least - 0.04 * (high - least) } else { 0.0 };
        let low = shown.iter().map(|point| point.area).find(|&area| area > 0.0);
        let area = match low.filter(|_| options.log_area) {
            Some(low) => AreaScale::log(low, reach.max(high), frame.left, frame.right),
            None => AreaScale::between(from, high, frame.left, frame.right),
        };
        let cut_off = shown.len() < data.points.len();
        let end = if data.complete || cut_off { frame.right } else { area.pixel(reach) };
        let title = visible(options.title.as_deref().unwrap_or(&data.title));
        let unit = cut(&visible(&data.area_unit), 24);
        Ok(Self { data, title, unit, shown, end, frame, area, utilization, measure })
    }

    pub fn at(&self, area: f64, utilization: f64) -> (f64, f64) {
        (self.area.pixel(area), self.utilization.pixel(utilization))
    }

    /// The x of the smallest schedulable area, if it is in the picture.
    pub fn smallest_x(&self) -> Option<f64> {
        match self.data.min_schedulable {
            PlotSmallest::At { area, .. } => {
                Some(self.area.pixel(area)).filter(|&x| x <= self.frame.right + 0.01)
            }
            _ => None,
        }
    }

    /// The height of the line at utilization 1, if it is in the picture.
    pub fn bound_y(&self) -> Option<f64> {
        bound_y(&self.utilization)
    }

    pub fn smallest_point(&self) -> Option<(f64, f64)> {
        match self.data.min_schedulable {
            PlotSmallest::At { utilization: Some(utilization), .. } => {
                Some((self.smallest_x()?, self.utilization.pixel(utilization)))
            }
            _ => None,
        }
    }
}

/// The height of the line at utilization 1, if it is in the picture.
fn bound_y(scale: &Linear) -> Option<f64> {
    (scale.low..=scale.high).contains(&1.0).then(|| scale.pixel(1.0))
}

/// Draws the line at 1, with its label at the right, and an arrow if it is not in the picture.
pub(super) fn draw_bound(canvas: &mut Canvas, scale: &Linear, frame: Rect, label: Option<&str>) {
    let Rect { left, right, top, bottom } = frame;
    let (arrow, y) = match bound_y(scale) {
        Some(y) => {
            canvas.line((left, y), (right, y), 1.2, Ink::Bound);
            ("", y)
        }
        None if scale.high < 1.0 => (" ↑", top + 6.0),
        None => (" ↓", bottom - 8.0),
    };
    if let Some(label) = label {
        let text = format!("{label}{arrow}");
        canvas.text(&text, (right + 8.0, y), Anchor::Start, LABEL, Ink::Bound);
    }
}

/// The utilizations that a picture shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct UtilizationRange {
    pub low: f64,
    pub high: f64,
    /// Whether the scale begins at 0.
    pub from_zero: bool,
    /// The room above the highest, as a fraction of the range.
    pub headroom: f64,
}

/// From the lowest to the highest utilization, with room for a label above.
fn utilization_range(data: &PlotData, shown: &[PlotPoint], from_zero: bool) -> UtilizationRange {
    let mut low = shown.last().map_or(0.0, |point| point.utilization).min(data.base.utilization);
    let mut high = shown.first().map_or(0.0, |point| point.utilization).max(data.base.utilization);
    if let PlotSmallest::At { utilization: Some(utilization), .. } = data.min_schedulable {
        (low, high) = (low.min(utilization), high.max(utilization));
    }
    UtilizationRange { low, high, from_zero, headroom: 0.22 }
}

/// A scale with room for these utilizations, and for utilization 1 if that is not far away.
pub(super) fn utilization_scale(range: UtilizationRange, top: f64, bottom: f64) -> Linear {
    let UtilizationRange { mut low, mut high, from_zero, headroom } = range;
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
    Linear { low: (low - 0.08 * span).max(0.0), high: high + headroom * span, from: bottom, to: top }
}
