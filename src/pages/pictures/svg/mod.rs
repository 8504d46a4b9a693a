//! A front drawn as steps: the utilization within each area budget.
//!
//! The line has one color up to the smallest schedulable area and another from there on. The line of utilization 1 is
//! labeled in the margin, the software-only design and the smallest schedulable design next to their marks; a label
//! that fits nowhere goes into the subtitle. The picture looks the same with any number of points (see `curve.rs`),
//! is legible on a dark page, and contains title and description for screen readers. Up to
//! [`TOLD_POINTS`](crate::pictures::plot::TOLD_POINTS) points each have a mark with a tooltip of area, utilization
//! and choices.

mod core_front;
mod cores;
mod curve;
mod figure;
pub mod fronts;
mod gantt;
mod levels;
pub mod lines;
mod marks;
mod measure;
mod modes;
#[doc(hidden)]
pub mod paint;
mod resources;
mod words;

use crate::pictures::plot::{PlotData, PlotSmallest};
pub use core_front::draw_core_front;
pub use cores::draw_cores;
pub use figure::{DrawError, Options};
pub use gantt::{Scheduled, draw_gantt};
use isx_report::front::Front;
pub use resources::draw_costs;

use figure::{Crowd, Figure, draw_bound};
use marks::{VERDICTS, draw_verdict};
use paint::{
    Anchor, Axes, Axis, BOLD, Canvas, Ink, LABEL, MARGIN, Paint, Rect, STRONG, SUBTITLE, TICK, WIDTH,
    draw_titles, leader, place, text_width,
};

const HEIGHT: f64 = 500.0;
/// Most bytes of a picture of a front of one area.
pub const MOST_BYTES: u64 = 150_000;

/// An upper bound on the bytes of a front's picture.
pub fn bytes(front: &Front) -> u64 {
    // With several objectives there may be 48 lines, each as long as the one line of an area.
    if front.head.has_one_objective() { MOST_BYTES } else { 16 * MOST_BYTES }
}

/// Draws the front and returns an SVG document.
///
/// Takes time proportional to the points. The document stays below 100 kB for any number of points, and below 150 kB
/// if there are few enough to show their choices.
pub fn draw(data: &PlotData, options: &Options) -> Result<String, DrawError> {
    let figure = Figure::new(data, options)?;
    let has_modes = !figure.data.modes.critical.is_empty();
    let mut canvas = Canvas::new(WIDTH, if has_modes { HEIGHT + modes::ROOM } else { HEIGHT });
    figure.draw_axes(&mut canvas);
    let crowd = figure.draw_front(&mut canvas);
    if has_modes {
        figure.draw_modes(&mut canvas);
    }
    let unplaced = figure.draw_labels(&mut canvas, crowd);
    let subtitle = figure.draw_head(&mut canvas, &unplaced);
    Ok(canvas.into_document(&figure.title, &figure.description(&subtitle)))
}

/// Draws a front as steps ([`draw`]), or with several objectives or limits as lines ([`draw_costs`]).
/// Fails as [`draw`], and if options that are for steps are given with several objectives.
pub fn draw_any(data: &PlotData, options: &Options) -> Result<String, DrawError> {
    let is_limited = data.limits.iter().any(Option::is_some) || !data.others.is_empty();
    match data.objectives.len() == 1
        && !is_limited
        && data.points.first().is_some_and(|first| first.area >= 0.0)
    {
        true => draw(data, options),
        false if options.max_area.is_some() || options.log_area || options.clock => {
            Err(DrawError::SeveralResources)
        }
        false => Ok(draw_costs(data, options)),
    }
}

impl Figure<'_> {
    fn draw_axes(&self, canvas: &mut Canvas) {
        let Rect { top, bottom, .. } = self.frame;
        let ticks = self.area.ticks(TICK.size);
        let minor = self.area.minor_ticks(&ticks);
        let x = Axis { ticks, minor, has_grid: false, has_line: true, has_labels: true };
        let ticks = self.measure.ticks(&self.utilization);
        let y = Axis { ticks, has_grid: true, has_labels: true, ..Axis::default() };
        Axes { frame: self.frame, x, y, title: &self.area_title() }.draw(canvas);
        if let Some(x) = self.area.broken_at() {
            let gap = Rect { left: x - 2.5, top: bottom - 1.0, right: x + 2.5, bottom: bottom + 1.0 };
            canvas.rectangle(gap, Paint(Ink::Canvas, None));
            for x in [x - 2.5, x + 2.5] {
                canvas.line((x - 2.0, bottom + 4.0), (x + 2.0, bottom - 4.0), 1.0, Ink::Axis);
            }
        }
        let mut title = self.measure.name.to_owned();
        title[..1].make_ascii_uppercase();
        canvas.text(&title, (MARGIN, top - 16.0), Anchor::Start, LABEL, Ink::Text);
        draw_bound(canvas, &self.utilization, self.frame, Some(self.measure.bound));
    }

    /// Draws the steps and the marks.
    fn draw_front(&self, canvas: &mut Canvas) -> Crowd {
        let places: Vec<(f64, f64)> =
            self.shown.iter().map(|point| self.at(point.area, point.utilization)).collect();
        let path = curve::steps(&curve::thin(&mut places.iter().copied()), self.end);
        let (before, after) = self.inks();
        let (first, second) = match self.smallest_x() {
            Some(x) => curve::cut_at(&path, x),
            None => (path.clone(), Vec::new()),
        };
        let mut crowd = Crowd::default();
        crowd.taken.extend(path.windows(2).map(|pair| Rect::spanned(pair[0], pair[1], 3.0)));
        if let Some(y) = self.bound_y() {
            crowd.taken.push(Rect::spanned((self.frame.left, y), (self.frame.right, y), 2.0));
        }
        if let Some(x) = self.smallest_x() {
            let top = self.smallest_point().map_or(self.frame.top, |(_, y)| y);
            canvas.dashes((x, top), (x, self.frame.bottom), Ink::Schedulable);
            crowd.taken.push(Rect::spanned((x, top), (x, self.frame.bottom), 2.0));
        }
        for (piece, ink) in [(&first, before), (&second, after)] {
            if piece.len() > 1 {
                canvas.path(piece, 2.0, ink);
            }
        }
        self.draw_marks(canvas, &places, &mut crowd);
        crowd
    }

    /// The inks of the line before and after the smallest schedulable area.
    fn inks(&self) -> (Ink, Ink) {
        match self.data.min_schedulable {
            PlotSmallest::Unknown => (Ink::Undecided, Ink::Undecided),
            _ => (Ink::Unschedulable, Ink::Schedulable),
        }
    }

    /// Draws the labels that fit and returns the texts of those that do not.
    fn draw_labels(&self, canvas: &mut Canvas, mut crowd: Crowd) -> Vec<String> {
        let mut unplaced = Vec::new();
        let grid = self.measure.ticks(&self.utilization).into_iter();
        let grid =
            grid.map(|tick| Rect::spanned((self.frame.left, tick.at), (self.frame.right, tick.at), 0.0));
        let grid: Vec<Rect> = grid.collect();
        for label in self.labels() {
            let width =
                text_width(&label.strong, STRONG.size * BOLD).max(text_width(&label.plain, LABEL.size));
            let size = (width, 34.0);
            let free = |rect: &Rect, avoided: &[Rect]| {
                !crowd.taken.iter().chain(avoided).any(|other| other.overlaps(rect))
            };
            let reached = |rect: &Rect| leader(label.at, *rect).is_none_or(|line| line.misses(&crowd.marks));
            // Close by if there is room, and between grid lines rather than on one.
            let wishes = [(true, grid.as_slice()), (true, &[]), (false, grid.as_slice()), (false, &[])];
            let found = wishes.into_iter().find_map(|(close, avoided)| {
                let far = |rect: &Rect| leader(label.at, *rect).is_some();
                place(label.at, size, self.frame, &|rect| {
                    !(close && far(rect)) && free(rect, avoided) && reached(rect)
                })
            });
            let Some(rect) = found else {
                unplaced.push(format!("{} ({})", label.strong, label.plain));
                continue;
            };
            if let Some(line) = leader(label.at, rect) {
                canvas.line(line.from, line.to, 0.8, Ink::Axis);
            }
            canvas.text(&label.strong, (rect.left, rect.top + 9.0), Anchor::Start, STRONG, Ink::Text);
            canvas.text(&label.plain, (rect.left, rect.top + 25.0), Anchor::Start, LABEL, Ink::Quiet);
            crowd.taken.push(rect);
            crowd.marks.push(rect);
        }
        unplaced
    }

    /// Draws title, subtitle and the meaning of the colors; returns the subtitle.
    fn draw_head(&self, canvas: &mut Canvas, unplaced: &[String]) -> String {
        let subtitle = self.subtitle(unplaced);
        draw_titles(canvas, &self.title, &subtitle, WIDTH);
        let mut x = MARGIN;
        for (ink, text) in self.legend() {
            canvas.line((x, 76.0), (x + 22.0, 76.0), 2.5, ink);
            canvas.text(&text, (x + 29.0, 76.0), Anchor::Start, SUBTITLE, Ink::Quiet);
            x += 29.0 + text_width(&text, SUBTITLE.size) + 22.0;
        }
        for (verdict, text) in self.legend_of_points() {
            draw_verdict(canvas, (x + 4.0, 76.0), 3.2, verdict, VERDICTS);
            canvas.text(text, (x + 13.0, 76.0), Anchor::Start, SUBTITLE, Ink::Quiet);
            x += 13.0 + text_width(text, SUBTITLE.size) + 22.0;
        }
        subtitle
    }
}

#[cfg(test)]
mod tests;
