//! A front of several resources: utilization against the first objective, a line per level of the second, a panel per
//! level of the third.
//!
//! A line shows the least utilization of the designs with at most its level; the levels are chosen in `levels.rs`. It
//! is thin where no design within its costs is schedulable and thick from the smallest schedulable cost on. Where lines
//! meet, the one of the lowest level is on top. Fronts with few corners have a mark with a tooltip at each.

mod words;

use super::figure::{UtilizationRange, draw_bound, utilization_scale};
use super::levels::{Levels, corners, levels};
use super::marks::{built_in_words, draw_verdict};
use super::measure::figure;
use super::paint::{
    Anchor, AreaScale, Axes, Axis, Canvas, Ink, LABEL, LEVELS, Linear, MARGIN, Paint, Rect, SUBTITLE, TICK,
    WIDTH, cut_to_width, draw_titles, superscript, text_width, vertical_ticks,
};
use super::words::short_area;
use super::{Options, curve};
use crate::pictures::plot::{PlotData, TOLD_POINTS};
use isx_report::text::{cut, joined, visible};

/// The most levels of the second objective, and of the third.
const MOST_LINES: usize = LEVELS as usize;
const MOST_PANELS: usize = 6;

/// Width of a picture with panels.
const WIDE: f64 = 960.0;
/// Distance between the rows of the legend.
const ROW: f64 = 20.0;
/// The first row of the legend.
const LEGEND: f64 = 76.0;
/// From the last row of the legend to the top of the first panel.
const HEAD: f64 = 42.0;
/// A line of text above the first panel: its title, below the title of the axis.
const TITLE: f64 = 20.0;
/// Distances between panels: beside one another, and from an axis to the panel below.
const GAP: f64 = 22.0;
const BETWEEN: f64 = 58.0;
/// Below an axis: its labels and its title.
const FOOT: f64 = 64.0;
/// Distance between the notes at the bottom.
const NOTE: f64 = 18.0;
/// Right of the panels stands the label of the line at utilization 1.
const RIGHT: f64 = 68.0;

/// Draws a front of several resources and returns an SVG document.
///
/// Takes time proportional to points times lines, at most 48. The document has at most two corners per column of
/// half a pixel and line.
pub fn draw_costs(data: &PlotData, options: &Options) -> String {
    let picture = Picture::new(data, options);
    let mut canvas = Canvas::new(picture.width, picture.height);
    let subtitle = picture.subtitle();
    draw_titles(&mut canvas, &picture.title, &subtitle, picture.width);
    if !data.points.is_empty() {
        picture.draw_legend(&mut canvas);
        for (at, panel) in picture.panels.iter().enumerate() {
            picture.draw_panel(&mut canvas, at, panel);
        }
    }
    for (note, at) in picture.notes.iter().zip(0..) {
        let y = picture.height - 16.0 - NOTE * f64::from(picture.notes.len() as u32 - 1 - at);
        let note = cut_to_width(note, TICK.size, picture.width - 2.0 * MARGIN);
        canvas.text(&note, (MARGIN, y), Anchor::Start, TICK, Ink::Quiet);
    }
    let description = picture.description(&subtitle);
    canvas.into_document(&picture.title, &description)
}

/// A line: the designs within its limits, one per further objective.
struct Line {
    ink: Ink,
    /// `DSP ≤ 4`; empty if there is only one line.
    label: String,
    limits: Vec<f64>,
    corners: Vec<usize>,
}

/// The lines of one level of the third objective.
struct Panel {
    /// `BRAM ≤ 2`; empty if there is only one panel.
    title: String,
    frame: Rect,
    lines: Vec<Line>,
}

struct Picture<'a> {
    data: &'a PlotData,
    title: String,
    width: f64,
    height: f64,
    panels: Vec<Panel>,
    columns: usize,
    notes: Vec<String>,
    /// The levels of the second objective, with their inks.
    labels: Vec<(Ink, String)>,
    legend: Vec<Entry>,
    /// The costs of the first objective, from least to most.
    range: (f64, f64),
    utilization: UtilizationRange,
    /// Whether all corners have marks.
    has_marks: bool,
}

/// An entry of the legend, and where it stands.
struct Entry {
    mark: Mark,
    text: String,
    at: (f64, f64),
}

#[derive(Clone, Copy)]
enum Mark {
    Line(Ink, f64),
    Base,
    Smallest,
    Verdict(Option<bool>),
    Limit,
}

/// `DSP ≤ 4`.
fn at_most(name: &str, level: f64) -> String {
    format!("{} ≤ {}", cut(&visible(name), 16), short_area(&figure(level)))
}

/// A level per line or panel: the level, its label and the limit; one without a limit if there is no such objective.
fn limits_of(data: &PlotData, objective: usize, levels: &Levels) -> Vec<(String, f64)> {
    match levels.drawn.len() {
        0 | 1 => vec![(String::new(), f64::INFINITY)],
        _ => levels.drawn.iter().map(|&level| (at_most(&data.objectives[objective], level), level)).collect(),
    }
}

impl<'a> Picture<'a> {
    fn new(data: &'a PlotData, options: &Options) -> Self {
        let of = |objective: usize, most: usize| match objective < data.objectives.len() {
            true => levels(data, objective, most),
            false => Levels { drawn: Vec::new(), count: 0 },
        };
        let (seconds, thirds) = (of(1, MOST_LINES), of(2, MOST_PANELS));
        let further = data.objectives.len().saturating_sub(1);
        let lines_of = limits_of(data, 1, &seconds);
        let panels_of = limits_of(data, 2, &thirds);
        let ink = |at: usize| match lines_of.len() {
            1 => Ink::Schedulable,
            // Spread over the inks, so that few levels are easy to tell apart.
            lines => Ink::Level((at * (MOST_LINES - 1) / (lines - 1)) as u8),
        };
        let line = |at: usize, third: f64| {
            let (label, second) = &lines_of[at];
            let mut limits = vec![f64::INFINITY; further];
            limits.iter_mut().zip([*second, third]).for_each(|(limit, level)| *limit = level);
            Line { ink: ink(at), label: label.clone(), corners: corners(data, &limits), limits }
        };
        let panels = panels_of.iter().map(|(title, third)| Panel {
            title: title.clone(),
            frame: Rect { left: 0.0, top: 0.0, right: 0.0, bottom: 0.0 },
            lines: (0..lines_of.len()).map(|at| line(at, *third)).collect(),
        });
        let panels: Vec<Panel> = panels.collect();
        let columns = match panels.len() {
            count @ 1..=3 => count,
            4 => 2,
            _ => 3,
        };
        let marks = |panel: &Panel| panel.lines.iter().map(|line| line.corners.len()).sum::<usize>();
        let has_marks = panels.iter().map(marks).sum::<usize>() <= TOLD_POINTS;
        let mut picture = Self {
            data,
            title: visible(options.title.as_deref().unwrap_or(&data.title)),
            width: if panels.len() > 1 { WIDE } else { WIDTH },
            height: 0.0,
            panels,
            columns,
            notes: Vec::new(),
            labels: (0..lines_of.len()).map(|at| (ink(at), lines_of[at].0.clone())).collect(),
            legend: Vec::new(),
            range: range_of(data),
            utilization: utilization_range(data, options.from_zero),
            has_marks,
        };
        picture.notes = picture.notes_of(&seconds, &thirds);
        picture.place();
        picture
    }

    /// Gives legend and panels their places.
    fn place(&mut self) {
        let mut at = (MARGIN, LEGEND);
        for (mark, text) in self.legend_of() {
            let width = 29.0 + text_width(&text, SUBTITLE.size);
            if at.0 > MARGIN && at.0 + width > self.width - MARGIN {
                at = (MARGIN, at.1 + ROW);
            }
            self.legend.push(Entry { mark, text, at });
            at.0 += width + 19.0;
        }
        let below = NOTE * self.notes.len() as f64;
        if self.data.points.is_empty() {
            self.height = 90.0 + below;
            return;
        }
        let high = if self.panels.len() > 1 { 220.0 } else { 320.0 };
        let title = if self.panels.len() > 1 { TITLE } else { 0.0 };
        let (top, columns) = (at.1 + HEAD + title, self.columns as f64);
        let scale = self.scale(top, top + high);
        let labels = vertical_ticks(&scale).into_iter().map(|tick| text_width(&tick.label, TICK.size));
        let left = MARGIN + labels.fold(0.0, f64::max) + 12.0;
        let width = (self.width - RIGHT - left - GAP * (columns - 1.0)) / columns;
        for (at, panel) in self.panels.iter_mut().enumerate() {
            let (row, column) = ((at / self.columns) as f64, (at % self.columns) as f64);
            let (left, top) = (left + column * (width + GAP), top + row * (high + BETWEEN));
            panel.frame = Rect { left, top, right: left + width, bottom: top + high };
        }
        let bottom = self.panels.last().map_or(top, |panel| panel.frame.bottom);
        self.height = bottom + FOOT + below;
    }

    fn scale(&self, top: f64, bottom: f64) -> Linear {
        utilization_scale(self.utilization, top, bottom)
    }

    fn areas(&self, frame: Rect) -> AreaScale {
        AreaScale::between(self.range.0, self.range.1, frame.left, frame.right)
    }

    /// The limit of the first objective, if it is in the picture.
    fn limit(&self) -> Option<f64> {
        let limit = self.data.limits.first().copied().flatten()?;
        (limit <= self.range.1).then_some(limit)
    }

    fn limit_in_words(&self, limit: f64) -> String {
        let name = cut(&visible(&self.data.objectives[0]), 16);
        let figure = short_area(&figure(limit));
        match &self.data.device {
            Some(device) => format!("{}: {figure} {name}", cut(&visible(device), 24)),
            None => format!("limit: {figure} {name}"),
        }
    }

    /// The smallest schedulable cost of a line in the first objective, with the utilization there.
    fn smallest(&self, line: &Line) -> Option<(f64, f64)> {
        let within =
            self.data.minimal.iter().filter(|design| {
                design.cost[1..].iter().zip(&line.limits).all(|(cost, limit)| cost <= limit)
            });
        let places = within.map(|design| (design.cost[0], design.utilization));
        places.min_by(|one, other| one.0.total_cmp(&other.0))
    }

    fn draw_legend(&self, canvas: &mut Canvas) {
        for Entry { mark, text, at: (x, y) } in &self.legend {
            let middle = (x + 11.0, *y);
            match *mark {
                Mark::Line(ink, width) => canvas.line((*x, *y), (x + 22.0, *y), width, ink),
                Mark::Base => draw_base(canvas, middle),
                Mark::Smallest => draw_smallest(canvas, middle, self.quiet_ink(), 5.0),
                Mark::Verdict(verdict) => draw_verdict(canvas, middle, 3.2, verdict, self.quiet_inks()),
                Mark::Limit => canvas.dashes((*x, *y), (x + 22.0, *y), Ink::Bound),
            }
            canvas.text(text, (x + 29.0, *y), Anchor::Start, SUBTITLE, Ink::Quiet);
        }
    }

    /// The ink of marks in the legend that have the ink of their line.
    fn quiet_ink(&self) -> Ink {
        if self.labels.len() > 1 { Ink::Quiet } else { Ink::Schedulable }
    }

    fn quiet_inks(&self) -> (Ink, Ink) {
        (self.quiet_ink(), self.quiet_ink())
    }

    fn draw_panel(&self, canvas: &mut Canvas, at: usize, panel: &Panel) {
        let frame = panel.frame;
        let (areas, utilizations) = (self.areas(frame), self.scale(frame.top, frame.bottom));
        self.draw_axes(canvas, at, panel, &areas, &utilizations);
        let place = |point: usize| {
            (
                areas.pixel(self.data.points[point].area),
                utilizations.pixel(self.data.points[point].utilization),
            )
        };
        for line in panel.lines.iter().rev() {
            let end = if self.data.complete {
                frame.right
            } else {
                self.data.points.last().map_or(frame.right, |last| areas.pixel(last.area))
            };
            let path = curve::steps(
                &curve::thin(&mut line.corners.iter().map(|&point| place(point))),
                self.limit().map_or(end, |at| areas.pixel(at)),
            );
            let (before, after) = match self.smallest(line) {
                Some((cost, _)) => curve::cut_at(&path, areas.pixel(cost)),
                None => (path, Vec::new()),
            };
            let mut draw = |canvas: &mut Canvas| {
                for (piece, width) in [(&before, THIN), (&after, THICK)] {
                    if piece.len() > 1 {
                        canvas.path(piece, width, line.ink);
                    }
                }
            };
            match line.label.as_str() {
                "" => draw(canvas),
                label => canvas.for_pointers(&mut |canvas| canvas.titled(label, &mut draw)),
            }
        }
        canvas.for_pointers(&mut |canvas| self.draw_marks(canvas, panel, &place, &areas, &utilizations));
    }

    fn draw_axes(
        &self,
        canvas: &mut Canvas,
        at: usize,
        panel: &Panel,
        areas: &AreaScale,
        utilizations: &Linear,
    ) {
        let Rect { left, top, right, bottom } = panel.frame;
        let x = Axis {
            ticks: areas.ticks(TICK.size),
            minor: Vec::new(),
            has_grid: false,
            has_line: true,
            has_labels: true,
        };
        let is_first = at.is_multiple_of(self.columns);
        let y = Axis {
            ticks: vertical_ticks(utilizations),
            has_grid: true,
            has_labels: is_first,
            ..Axis::default()
        };
        let is_last = at + self.columns >= self.panels.len();
        let room = right - left;
        let title =
            if is_last { cut_to_width(&self.cost_title(areas), LABEL.size, room) } else { String::new() };
        Axes { frame: panel.frame, x, y, title: &title }.draw(canvas);
        if at == 0 {
            let title = if self.panels.len() > 1 { TITLE } else { 0.0 };
            canvas.text("Utilization", (MARGIN, top - 12.0 - title), Anchor::Start, LABEL, Ink::Text);
        }
        let heading = cut_to_width(&panel.title, LABEL.size, room);
        canvas.text(&heading, (left, top - 12.0), Anchor::Start, LABEL, Ink::Text);
        let is_rightmost = at % self.columns + 1 == self.columns || at + 1 == self.panels.len();
        draw_bound(canvas, utilizations, panel.frame, is_rightmost.then_some("U = 1"));
        if let Some(limit) = self.limit() {
            let x = areas.pixel(limit);
            canvas.for_pointers(&mut |canvas| {
                canvas.titled(&self.limit_in_words(limit), &mut |canvas| {
                    canvas.dashes((x, top), (x, bottom), Ink::Bound);
                });
            });
        }
    }

    fn cost_title(&self, areas: &AreaScale) -> String {
        let name = visible(&self.data.objectives[0]);
        match areas.exponent() {
            0 => name,
            exponent => format!("{name} (10{})", superscript(exponent)),
        }
    }

    /// Marks at the corners of all lines if there are few, at the software-only design and at the smallest schedulable
    /// costs. A point that is a corner of several lines has the mark of the lowest level.
    fn draw_marks(
        &self,
        canvas: &mut Canvas,
        panel: &Panel,
        place: &dyn Fn(usize) -> (f64, f64),
        areas: &AreaScale,
        utilizations: &Linear,
    ) {
        let at = |(cost, utilization): (f64, f64)| (areas.pixel(cost), utilizations.pixel(utilization));
        if self.has_marks {
            let mut drawn: Vec<usize> = Vec::new();
            for line in &panel.lines {
                for &point in &line.corners {
                    if !drawn.contains(&point) {
                        drawn.push(point);
                        canvas.titled(&self.point_in_words(point), &mut |canvas| {
                            let verdict = self.data.points[point].schedulable;
                            draw_verdict(canvas, place(point), 3.0, verdict, (line.ink, line.ink));
                        });
                    }
                }
            }
        }
        let base = &self.data.base;
        let is_inside = |cost: f64| (self.range.0..=self.range.1).contains(&cost);
        if is_inside(base.area) {
            let words = format!("software only\nutilization {}", figure(base.utilization));
            canvas.titled(&words, &mut |canvas| draw_base(canvas, at((base.area, base.utilization))));
        }
        let mut drawn: Vec<(f64, f64)> = Vec::new();
        let radius = if self.panels.len() > 1 { 4.2 } else { 5.6 };
        for line in &panel.lines {
            let Some(smallest) = self.smallest(line).filter(|place| !drawn.contains(place)) else { continue };
            drawn.push(smallest);
            let name = visible(&self.data.objectives[0]);
            let within = if line.label.is_empty() { String::new() } else { format!(" with {}", line.label) };
            let (cost, utilization) = (short_area(&figure(smallest.0)), figure(smallest.1));
            let scheduler = self.data.scheduler.abbreviation();
            let words = format!(
                "fewest {name} of a schedulable design ({scheduler}){within}: {cost}\nutilization {utilization}"
            );
            canvas.titled(&words, &mut |canvas| draw_smallest(canvas, at(smallest), line.ink, radius));
        }
    }

    fn point_in_words(&self, point: usize) -> String {
        let data = self.data;
        let cost = match data.details.get(point) {
            Some(detail) => visible(&detail.area),
            None => {
                let costs = data.objectives.iter().enumerate();
                let cost = |at| figure(data.cost(at, point));
                joined(&mut costs.map(|(at, name)| format!("{} {}", visible(name), cost(at))), ", ")
            }
        };
        let scheduler = data.scheduler.abbreviation();
        let verdict = match data.points[point].schedulable {
            Some(true) => "schedulable",
            Some(false) => "not schedulable",
            None => "undecided",
        };
        let built = data.details.get(point).map_or(String::new(), built_in_words);
        format!(
            "{cost}\nutilization {}\n{verdict} ({scheduler}){built}",
            figure(data.points[point].utilization)
        )
    }
}

/// Widths of a line before and after the smallest schedulable cost.
const THIN: f64 = 1.1;
const THICK: f64 = 2.4;

fn draw_base(canvas: &mut Canvas, at: (f64, f64)) {
    canvas.rectangle(Rect::around(at, 4.4), Paint(Ink::Canvas, Some((Ink::Text, 1.7))));
}

fn draw_smallest(canvas: &mut Canvas, at: (f64, f64), ink: Ink, radius: f64) {
    canvas.disc(at, radius, Paint(ink, Some((Ink::Canvas, 1.8))));
}

/// The costs of the first objective that are drawn: all of the front, and its limit unless that is far away. From 0,
/// unless that would leave most of the picture empty.
fn range_of(data: &PlotData) -> (f64, f64) {
    let minimal = data.minimal.iter().map(|design| design.cost[0]);
    let all = data.points.iter().map(|point| point.area).chain(minimal);
    let (mut low, mut high) =
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), cost| (low.min(cost), high.max(cost)));
    if low > high {
        return (0.0, 1.0);
    }
    let front = high - low;
    if let Some(Some(limit)) = data.limits.first()
        && *limit - low <= 2.5 * front
    {
        high = high.max(*limit);
    }
    let base = data.base.area;
    if base < low && low - base <= front {
        low = base;
    }
    let span = if high > low { high - low } else { high.abs().max(1.0) };
    let from_zero = low >= 0.0 && low <= 0.4 * high;
    (if from_zero { 0.0 } else { low - 0.04 * span }, high + 0.04 * span)
}

fn utilization_range(data: &PlotData, from_zero: bool) -> UtilizationRange {
    let minimal = data.minimal.iter().map(|design| design.utilization);
    let all = data.points.iter().map(|point| point.utilization).chain([data.base.utilization]).chain(minimal);
    let (low, high) = all.fold((f64::INFINITY, 0.0f64), |(low, high), u| (low.min(u), high.max(u)));
    UtilizationRange { low, high, from_zero, headroom: 0.06 }
}

#[cfg(test)]
mod tests;
