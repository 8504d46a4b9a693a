//! A front of several resources: utilization against the first objective, a line per level of the second, a panel per
//! level of the third.
//!
//! A line shows the least utilization of the designs with at most its level; the levels are chosen in `levels.rs`. It
//! is thin where no design within its costs is schedulable and thick from the smallest schedulable cost on. Where lines
//! meet, the one of the lowest level is on top. Fronts with few corners have a mark with a tooltip at each.

mod words;

use super::Options;
use super::chart::{self, Axis, Chart, Item, Mark, Shape, Steps};
use super::figure::with_room;
use super::levels::{Levels, corners, levels};
use super::marks::{built_in_words, verdict_in_words};
use super::measure::figure;
use super::paint::{Ink, LEVELS, WIDTH};
use super::words::short_area;
use crate::answers::words::objectives;
use crate::pictures::plot::{MARKED_POINTS, PlotData};
use isx_report::text::{cut, joined, visible};

/// The most levels of the second objective, and of the third.
const MOST_LINES: usize = LEVELS as usize;
const MOST_PANELS: usize = 6;
/// Width of a picture with panels.
const WIDE: f64 = 960.0;
/// Widths of a line before and after the smallest schedulable cost.
const THIN: f64 = 1.1;
const THICK: f64 = 2.4;

/// Draws a front of several resources and returns an SVG document.
///
/// Takes time proportional to points times lines, at most 48. The document has at most two corners per column of
/// half a pixel and line.
pub fn draw_costs(data: &PlotData, options: &Options) -> String {
    Picture::new(data).chart(options).into_svg()
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
    lines: Vec<Line>,
}

struct Picture<'a> {
    data: &'a PlotData,
    panels: Vec<Panel>,
    notes: Vec<String>,
    /// The levels of the second objective, with their inks.
    labels: Vec<(Ink, String)>,
    /// The costs of the first objective, from least to most.
    range: (f64, f64),
    /// Whether all corners have marks.
    has_marks: bool,
}

/// `DSP ≤ 4`.
fn at_most(name: &str, level: f64) -> String {
    format!("{} ≤ {}", cut(&visible(name), 16), short_area(&figure(level)))
}

/// A level per line or panel: the level, its label and the limit; one without a limit if there is no such objective.
fn limits_of(data: &PlotData, objective: usize, levels: &Levels) -> Vec<(String, f64)> {
    match levels.drawn.len() {
        0 | 1 => vec![(String::new(), f64::INFINITY)],
        _ => levels.drawn.iter().map(|&level| (at_most(data.objective(objective), level), level)).collect(),
    }
}

impl<'a> Picture<'a> {
    fn new(data: &'a PlotData) -> Self {
        let of = |objective: usize, most: usize| match objective < data.head.resources.objectives.len() {
            true => levels(data, objective, most),
            false => Levels { drawn: Vec::new(), count: 0 },
        };
        let (seconds, thirds) = (of(1, MOST_LINES), of(2, MOST_PANELS));
        let further = data.head.resources.objectives.len().saturating_sub(1);
        let lines_of = limits_of(data, 1, &seconds);
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
        let panels = limits_of(data, 2, &thirds).into_iter().map(|(title, third)| Panel {
            title,
            lines: (0..lines_of.len()).map(|at| line(at, third)).collect(),
        });
        let panels: Vec<Panel> = panels.collect();
        let marks = panels.iter().flat_map(|panel| &panel.lines).map(|line| line.corners.len());
        let mut picture = Self {
            data,
            has_marks: marks.sum::<usize>() <= MARKED_POINTS,
            panels,
            notes: Vec::new(),
            labels: (0..lines_of.len()).map(|at| (ink(at), lines_of[at].0.clone())).collect(),
            range: range_of(data),
        };
        picture.notes = picture.notes_of(&seconds, &thirds);
        picture
    }

    /// The limit of the first objective, if it is in the picture.
    fn limit(&self) -> Option<f64> {
        self.data.limit(0).filter(|limit| *limit <= self.range.1)
    }

    fn limit_in_words(&self, limit: f64) -> String {
        let name = cut(&visible(self.data.objective(0)), 16);
        let figure = short_area(&figure(limit));
        match &self.data.head.resources.device {
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
        let places = within.filter_map(|design| Some((design.cost[0], design.utilization?)));
        places.min_by(|one, other| one.0.total_cmp(&other.0))
    }

    fn at(&self, point: usize) -> (f64, f64) {
        (self.data.points[point].area, self.data.points[point].utilization)
    }

    fn chart(&self, options: &Options) -> Chart {
        let data = self.data;
        let panels: Vec<chart::Panel> = match data.points.is_empty() {
            true => Vec::new(),
            false => self.panels.iter().map(|panel| self.drawn(panel)).collect(),
        };
        let minimal = data.minimal.iter().filter_map(|design| design.utilization);
        let all =
            data.points.iter().map(|point| point.utilization).chain([data.base.utilization]).chain(minimal);
        let range = all.fold((f64::INFINITY, 0.0f64), |(low, high), u| (low.min(u), high.max(u)));
        let range = with_room(range, options.from_zero, 0.06);
        let is_wide = self.panels.len() > 1;
        Chart {
            title: visible(options.title.as_deref().unwrap_or(&data.head.taskset)),
            subtitle: self.subtitle(),
            description: self.description(),
            width: if is_wide { WIDE } else { WIDTH },
            legend: self.legend(),
            y: Axis { name: "Utilization".to_owned(), range, ..Axis::default() },
            bound: Some((1.0, "U = 1")),
            columns: match panels.len() {
                count @ 1..=3 => count,
                4 => 2,
                _ => 3,
            },
            high: if is_wide { 220.0 } else { 320.0 },
            panels,
            notes: self.notes.clone(),
            ..Chart::default()
        }
    }

    fn drawn(&self, panel: &Panel) -> chart::Panel {
        let data = self.data;
        let mut items = Vec::new();
        if let Some(limit) = self.limit() {
            items.push(Item::new(self.limit_in_words(limit), Shape::Upright(limit, None, Ink::Bound)));
        }
        let last = data.points.last().map(|last| last.area).filter(|_| !data.head.complete);
        items.extend(panel.lines.iter().rev().map(|line| {
            let steps = Steps {
                points: line.corners.iter().map(|&point| self.at(point)).collect(),
                end: self.limit().or(last),
                turn: self.smallest(line).map(|(cost, _)| cost),
                strokes: [THIN, THICK].map(|width| (width, line.ink)),
            };
            Item::new(&*line.label, Shape::Steps(steps))
        }));
        items.extend(self.marks(panel));
        let name = visible(data.objective(0));
        let x = Axis { name, range: self.range, ..Axis::default() };
        chart::Panel { title: panel.title.clone(), x, items, ..chart::Panel::default() }
    }

    /// Marks at the corners of all lines if there are few, at the software-only design and at the smallest schedulable
    /// costs. A point that is a corner of several lines has the mark of the lowest level.
    fn marks(&self, panel: &Panel) -> Vec<Item> {
        let mut marks = Vec::new();
        let corners =
            panel.lines.iter().flat_map(|line| line.corners.iter().map(move |&point| (line, point)));
        let mut drawn: Vec<usize> = Vec::new();
        for (line, point) in corners.filter(|_| self.has_marks) {
            if !drawn.contains(&point) {
                drawn.push(point);
                let mark = Mark::of(self.data.points[point].schedulable, (line.ink, line.ink));
                marks.push(Item::new(self.point_in_words(point), Shape::Mark(self.at(point), 3.0, mark)));
            }
        }
        let base = &self.data.base;
        if (self.range.0..=self.range.1).contains(&base.area) {
            let words = format!("software only\nutilization {}", figure(base.utilization));
            marks.push(Item::new(words, Shape::Mark((base.area, base.utilization), 4.4, Mark::Square)));
        }
        let mut drawn: Vec<(f64, f64)> = Vec::new();
        let radius = if self.panels.len() > 1 { 4.2 } else { 5.6 };
        for line in &panel.lines {
            let Some(smallest) = self.smallest(line).filter(|place| !drawn.contains(place)) else { continue };
            drawn.push(smallest);
            let name = visible(self.data.objective(0));
            let within = if line.label.is_empty() { String::new() } else { format!(" with {}", line.label) };
            let (cost, utilization) = (short_area(&figure(smallest.0)), figure(smallest.1));
            let scheduler = self.data.head.scheduler.abbreviation();
            let words = format!(
                "fewest {name} of a schedulable design ({scheduler}){within}: {cost}\nutilization {utilization}"
            );
            marks.push(Item::new(words, Shape::Mark(smallest, radius, Mark::Ringed(line.ink))));
        }
        marks
    }

    fn point_in_words(&self, point: usize) -> String {
        let data = self.data;
        let cost = match data.details.get(point) {
            Some(detail) => visible(&data.cost_in_words(detail)),
            None => {
                let costs = objectives(&data.head.resources).into_iter().enumerate();
                let cost = |at| figure(data.cost(at, point));
                joined(&mut costs.map(|(at, name)| format!("{} {}", visible(name), cost(at))), ", ")
            }
        };
        let verdict = verdict_in_words(&data.head, data.points[point].schedulable);
        let built =
            data.details.get(point).map_or(String::new(), |detail| built_in_words(&data.head, detail));
        format!("{cost}\nutilization {}\n{verdict}{built}", figure(data.points[point].utilization))
    }
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
    if let Some(limit) = data.limit(0).filter(|limit| *limit - low <= 2.5 * front) {
        high = high.max(limit);
    }
    let base = data.base.area;
    if base < low && low - base <= front {
        low = base;
    }
    let span = if high > low { high - low } else { high.abs().max(1.0) };
    let from_zero = low >= 0.0 && low <= 0.4 * high;
    (if from_zero { 0.0 } else { low - 0.04 * span }, high + 0.04 * span)
}

#[cfg(test)]
mod tests;
