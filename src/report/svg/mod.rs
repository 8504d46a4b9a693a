//! A front drawn as steps: the utilization that each area budget buys.
//!
//! The line is drawn in one color up to the smallest schedulable area and in another from there on. The line of
//! utilization 1 is labelled in the margin, the software-only design and the smallest schedulable design beside
//! their marks; a label that finds no free place goes into the subtitle. The picture looks the same with any number
//! of points (see `curve.rs`), is legible on a dark page, and carries its title and description for screen readers.

mod axis;
pub mod bars;
mod canvas;
mod curve;
mod place;
mod words;

use super::plot::{PlotData, PlotPoint, PlotSmallest};
use super::text::{cut, visible};
use axis::{AreaScale, Linear, Tick, vertical_ticks};
use canvas::{Anchor, Canvas, Font, Ink, dress};
use place::{Rect, cut_to_width, place, text_width};
use std::io;

/// What to draw of a front.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The largest area to show, instead of the front's.
    pub max_area: Option<f64>,
    /// Areas on a logarithmic scale; area 0 stands at the left edge.
    pub log_area: bool,
    /// The title, instead of the task set's name.
    pub title: Option<String>,
}

/// Why nothing was drawn.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// The largest area to show is no positive number.
    #[error("the largest area to draw must be above 0 and finite, not {0}")]
    MaxArea(f64),
    /// No point lies within the largest area to show.
    #[error("no point of the front has area {max_area} or less; the first has area {first}")]
    Empty {
        /// The largest area to show.
        max_area: f64,
        /// The smallest area of the front.
        first: f64,
    },
    /// The drawing library failed.
    #[error("cannot draw the front: {0}")]
    Backend(#[from] io::Error),
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 500.0;
/// Of the outermost texts to the edge of the picture.
const MARGIN: f64 = 20.0;
/// Top and bottom of the plot.
const TOP: f64 = 122.0;
const BOTTOM: f64 = 436.0;
/// Right of the plot, where the label of the line at 1 stands.
const RIGHT: f64 = WIDTH - 68.0;

const TITLE: Font = Font { size: 18.0, bold: true };
/// How much wider bold text is.
const BOLD: f64 = 1.12;
const SUBTITLE: Font = Font { size: 13.0, bold: false };
const LABEL: Font = Font { size: 13.0, bold: false };
const STRONG: Font = Font { size: 13.0, bold: true };
const TICK: Font = Font { size: 12.0, bold: false };

/// Up to this many points each is marked.
const MARKED: usize = 200;

/// Draws the front and returns an SVG document.
///
/// Takes time in proportion to the points; the document stays below 150 kB however many there are.
///
/// # Errors
///
/// When [`Options::max_area`] leaves nothing to draw.
pub fn draw(data: &PlotData, options: &Options) -> Result<String, DrawError> {
    let figure = Figure::new(data, options)?;
    let mut svg = String::new();
    let mut canvas = Canvas::new(&mut svg, WIDTH as u32, HEIGHT as u32);
    canvas.fill(Rect { left: 0.0, top: 0.0, right: WIDTH, bottom: HEIGHT }, Ink::Canvas)?;
    figure.draw_axes(&mut canvas)?;
    let taken = figure.draw_front(&mut canvas)?;
    let homeless = figure.draw_labels(&mut canvas, taken)?;
    let subtitle = figure.draw_head(&mut canvas, &homeless)?;
    canvas.finish()?;
    Ok(dress(&svg, WIDTH as u32, HEIGHT as u32, &figure.title, &figure.description(&subtitle)))
}

/// Everything that is drawn, in pixels where it has a place.
struct Figure<'a> {
    data: &'a PlotData,
    title: String,
    unit: String,
    /// The points within the largest area.
    shown: &'a [PlotPoint],
    /// Where the line ends.
    end: f64,
    frame: Rect,
    area: AreaScale,
    utilization: Linear,
}

impl<'a> Figure<'a> {
    fn new(data: &'a PlotData, options: &Options) -> Result<Self, DrawError> {
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

        let utilization = utilization_scale(data, shown);
        let labels = vertical_ticks(&utilization);
        let widest = labels.iter().map(|tick| text_width(&tick.label, TICK.size)).fold(0.0, f64::max);
        let frame = Rect { left: MARGIN + widest + 12.0, top: TOP, right: RIGHT, bottom: BOTTOM };

        let smallest_area = match data.min_schedulable {
            PlotSmallest::At { area, .. } if area <= limit => area,
            _ => 0.0,
        };
        let reach = last.area.max(smallest_area);
        // A front that is complete stays at its last height for every larger area: a little of that is shown.
        let high = options.max_area.unwrap_or(if reach > 0.0 { reach * 1.04 } else { 1.0 });
        let low = shown.iter().map(|point| point.area).find(|&area| area > 0.0);
        let area = match low.filter(|_| options.log_area) {
            Some(low) => AreaScale::log(low, reach.max(high), frame.left, frame.right),
            None => AreaScale::linear(high, frame.left, frame.right),
        };
        let cut_off = shown.len() < data.points.len();
        let end = if data.complete || cut_off { frame.right } else { area.pixel(reach) };
        let title = visible(options.title.as_deref().unwrap_or(&data.title));
        let unit = cut(&visible(&data.area_unit), 24);
        Ok(Self { data, title, unit, shown, end, frame, area, utilization })
    }

    fn at(&self, area: f64, utilization: f64) -> (f64, f64) {
        (self.area.pixel(area), self.utilization.pixel(utilization))
    }

    /// Where the smallest schedulable area is, if it is in the picture.
    fn smallest_x(&self) -> Option<f64> {
        match self.data.min_schedulable {
            PlotSmallest::At { area, .. } => {
                Some(self.area.pixel(area)).filter(|&x| x <= self.frame.right + 0.01)
            }
            _ => None,
        }
    }

    /// The height of the line at utilization 1, if it is in the picture.
    fn bound_y(&self) -> Option<f64> {
        let Linear { low, high, .. } = self.utilization;
        (low..=high).contains(&1.0).then(|| self.utilization.pixel(1.0))
    }

    fn draw_axes(&self, canvas: &mut Canvas) -> io::Result<()> {
        let Rect { left, right, top, bottom } = self.frame;
        for Tick { at, label } in vertical_ticks(&self.utilization) {
            canvas.line((left, at), (right, at), 1.0, Ink::Grid)?;
            canvas.text(&label, (left - 12.0, at), Anchor::End, TICK, Ink::Quiet)?;
        }
        for Tick { at, label } in self.area.ticks(TICK.size) {
            canvas.line((at, bottom), (at, bottom + 5.0), 1.0, Ink::Axis)?;
            canvas.text(&label, (at, bottom + 16.0), Anchor::Middle, TICK, Ink::Quiet)?;
        }
        canvas.line((left, bottom), (right, bottom), 1.0, Ink::Axis)?;
        canvas.text("Utilization", (MARGIN, top - 16.0), Anchor::Start, LABEL, Ink::Text)?;
        let middle = (left + right) / 2.0;
        canvas.text(&self.area_title(), (middle, bottom + 42.0), Anchor::Middle, LABEL, Ink::Text)?;
        if let Some(y) = self.bound_y() {
            canvas.line((left, y), (right, y), 1.2, Ink::Bound)?;
            canvas.text("U = 1", (right + 8.0, y), Anchor::Start, LABEL, Ink::Bound)?;
        } else {
            let above = self.utilization.high < 1.0;
            let (text, y) = if above { ("U = 1 ↑", top + 6.0) } else { ("U = 1 ↓", bottom - 8.0) };
            canvas.text(text, (right + 8.0, y), Anchor::Start, LABEL, Ink::Bound)?;
        }
        Ok(())
    }

    /// Draws the steps and the marks, and returns what labels must keep clear of.
    fn draw_front(&self, canvas: &mut Canvas) -> io::Result<Vec<Rect>> {
        let pixels = curve::thin(self.shown.iter().map(|point| self.at(point.area, point.utilization)));
        let path = curve::steps(&pixels, self.end);
        let (before, after) = self.inks();
        let (first, second) = match self.smallest_x() {
            Some(x) => curve::cut_at(&path, x),
            None => (path.clone(), Vec::new()),
        };
        let mut taken: Vec<Rect> = path.windows(2).map(|pair| Rect::spanned(pair[0], pair[1], 3.0)).collect();
        if let Some(y) = self.bound_y() {
            taken.push(Rect::spanned((self.frame.left, y), (self.frame.right, y), 2.0));
        }
        if let Some(x) = self.smallest_x() {
            let top = self.smallest_point().map_or(self.frame.top, |(_, y)| y);
            canvas.dashes((x, top), (x, self.frame.bottom), 3.0, Ink::Schedulable)?;
            taken.push(Rect::spanned((x, top), (x, self.frame.bottom), 2.0));
        }
        for (piece, ink) in [(&first, before), (&second, after)] {
            if piece.len() > 1 {
                canvas.path(piece, 2.0, ink)?;
            }
        }
        if self.shown.len() <= MARKED {
            let cut = self.smallest_x().unwrap_or(f64::INFINITY);
            let radius = if self.shown.len() <= 60 { 3.2 } else { 2.2 };
            for &(x, y) in &pixels {
                canvas.disc((x, y), radius, if x < cut { before } else { after })?;
                taken.push(Rect::around((x, y), radius));
            }
        }
        self.draw_marks(canvas, &mut taken)?;
        Ok(taken)
    }

    /// A square at the software-only design, a ringed disc at the smallest schedulable one.
    fn draw_marks(&self, canvas: &mut Canvas, taken: &mut Vec<Rect>) -> io::Result<()> {
        let base = self.at(self.data.base.area, self.data.base.utilization);
        canvas.fill(Rect::around(base, 5.5), Ink::Text)?;
        canvas.fill(Rect::around(base, 3.8), Ink::Canvas)?;
        taken.push(Rect::around(base, 7.0));
        if let Some(point) = self.smallest_point() {
            canvas.disc(point, 7.5, Ink::Canvas)?;
            canvas.disc(point, 5.5, Ink::Schedulable)?;
            taken.push(Rect::around(point, 7.5));
        }
        Ok(())
    }

    fn smallest_point(&self) -> Option<(f64, f64)> {
        match self.data.min_schedulable {
            PlotSmallest::At { utilization: Some(utilization), .. } => {
                Some((self.smallest_x()?, self.utilization.pixel(utilization)))
            }
            _ => None,
        }
    }

    /// The inks of the line before and after the smallest schedulable area.
    fn inks(&self) -> (Ink, Ink) {
        match self.data.min_schedulable {
            PlotSmallest::Unknown => (Ink::Undecided, Ink::Undecided),
            _ => (Ink::Unschedulable, Ink::Schedulable),
        }
    }

    /// Draws the labels that find a place and returns the texts of those that do not.
    fn draw_labels(&self, canvas: &mut Canvas, mut taken: Vec<Rect>) -> io::Result<Vec<String>> {
        let mut homeless = Vec::new();
        for label in self.labels() {
            let width =
                text_width(&label.strong, STRONG.size * BOLD).max(text_width(&label.plain, LABEL.size));
            let size = (width, 34.0);
            let Some(rect) = place(label.at, size, self.frame, &taken) else {
                homeless.push(format!("{} ({})", label.strong, label.plain));
                continue;
            };
            self.draw_leader(canvas, label.at, rect)?;
            canvas.fill(rect, Ink::Canvas)?;
            canvas.text(&label.strong, (rect.left, rect.top + 9.0), Anchor::Start, STRONG, Ink::Text)?;
            canvas.text(&label.plain, (rect.left, rect.top + 25.0), Anchor::Start, LABEL, Ink::Quiet)?;
            taken.push(rect);
        }
        Ok(homeless)
    }

    /// A thin line from a mark to its label, where they are far apart.
    fn draw_leader(&self, canvas: &mut Canvas, at: (f64, f64), label: Rect) -> io::Result<()> {
        let end = (at.0.clamp(label.left, label.right), at.1.clamp(label.top, label.bottom));
        if (end.0 - at.0).hypot(end.1 - at.1) < 30.0 {
            return Ok(());
        }
        canvas.line(at, end, 0.8, Ink::Axis)
    }

    /// Draws title, subtitle and the meaning of the colors; returns the subtitle.
    fn draw_head(&self, canvas: &mut Canvas, homeless: &[String]) -> io::Result<String> {
        let room = WIDTH - 2.0 * MARGIN;
        let title = cut_to_width(&self.title, TITLE.size * BOLD, room);
        canvas.text(&title, (MARGIN, 28.0), Anchor::Start, TITLE, Ink::Text)?;
        let subtitle = self.subtitle(homeless);
        let shown = cut_to_width(&subtitle, SUBTITLE.size, room);
        canvas.text(&shown, (MARGIN, 52.0), Anchor::Start, SUBTITLE, Ink::Quiet)?;
        let mut x = MARGIN;
        for (ink, text) in self.legend() {
            canvas.line((x, 76.0), (x + 22.0, 76.0), 2.5, ink)?;
            canvas.text(text, (x + 29.0, 76.0), Anchor::Start, SUBTITLE, Ink::Quiet)?;
            x += 29.0 + text_width(text, SUBTITLE.size) + 22.0;
        }
        Ok(subtitle)
    }
}

/// A scale with room for every point and a label above, and for utilization 1 where that is not far off.
fn utilization_scale(data: &PlotData, shown: &[PlotPoint]) -> Linear {
    let mut low = shown.last().map_or(0.0, |point| point.utilization).min(data.base.utilization);
    let mut high = shown.first().map_or(0.0, |point| point.utilization).max(data.base.utilization);
    if let PlotSmallest::At { utilization: Some(utilization), .. } = data.min_schedulable {
        (low, high) = (low.min(utilization), high.max(utilization));
    }
    let span = high - low;
    // Of a range below this a double shows no more than noise.
    let flat = span <= 1e-12 * high;
    let away = (low - 1.0).max(1.0 - high).max(0.0);
    if flat || away <= 3.0 * span {
        (low, high) = (low.min(1.0), high.max(1.0));
    }
    let span = if high - low > 1e-12 * high { high - low } else { 0.2 * high };
    Linear { low: (low - 0.08 * span).max(0.0), high: high + 0.22 * span, from: BOTTOM, to: TOP }
}

#[cfg(test)]
mod tests;
