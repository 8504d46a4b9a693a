//! A chart: panels with axes, what is drawn in them, and the texts around them. Every picture of a front fills this model from
//! its document; one renderer draws it.

use super::curve;
use super::paint::{
    Anchor, BOLD, Canvas, Ink, LABEL, MARGIN, MARK, Paint, Rect, STRONG, SUBTITLE, Scale, Spread, TICK,
    cut_to_width, draw_across, draw_titles, leader, place, superscript, text_width,
};

/// The first row of the legend, and the distance between rows.
const LEGEND: f64 = 76.0;
const ROW: f64 = 20.0;
/// From the last row of the legend to the top of the first panel.
const HEAD: f64 = 46.0;
/// A line of text above the first panel: its title, below the title of the axis.
const TITLE: f64 = 20.0;
/// Distances between panels: beside one another, and from an axis to the panel below.
const GAP: f64 = 24.0;
const BETWEEN: f64 = 58.0;
/// From an axis to the strip below and its legend, and to the first note.
const STRIP_BELOW: f64 = 60.0;
const STRIP: f64 = 10.0;
const STRIP_LEGEND: f64 = 90.0;
const NOTES_BELOW: f64 = 66.0;
/// Distance between notes.
const NOTE: f64 = 18.0;
/// Width of a line in the legend and of a mark, and from either to the text.
const SAMPLE: f64 = 22.0;
const MARKED: f64 = 11.0;
const TO_TEXT: f64 = 7.0;
const SAMPLED: f64 = SAMPLE + TO_TEXT;
/// Right of the panels stands the label of the bound.
const RIGHT: f64 = 68.0;

/// A point in the figures of the axes.
pub(super) type Point = (f64, f64);

/// Panels with a common vertical axis, in rows.
#[derive(Default)]
pub(super) struct Chart {
    pub title: String,
    /// Labels without a place are added.
    pub subtitle: String,
    /// What follows the subtitle for screen readers.
    pub description: String,
    pub width: f64,
    pub legend: Vec<(Key, String)>,
    pub y: Axis,
    /// The line that a design must not exceed, and its label.
    pub bound: Option<(f64, &'static str)>,
    pub panels: Vec<Panel>,
    /// The panels in a row.
    pub columns: usize,
    /// The height of a panel.
    pub high: f64,
    /// Whether the vertical axis has a line and the horizontal one a grid.
    pub is_boxed: bool,
    /// The legend of the strip below the axis.
    pub strip: Vec<(Key, String)>,
    pub notes: Vec<String>,
}

/// An axis.
#[derive(Clone, Default)]
pub(super) struct Axis {
    pub name: String,
    /// In parentheses after the name.
    pub unit: String,
    pub spread: Spread,
    /// The figures at both ends.
    pub range: (f64, f64),
}

/// The lines over one horizontal axis.
#[derive(Default)]
pub(super) struct Panel {
    /// Empty if there is only one panel.
    pub title: String,
    pub x: Axis,
    /// Under the grid.
    pub bands: Vec<Item>,
    pub items: Vec<Item>,
    pub labels: Vec<Label>,
    pub notes: Vec<(Key, String)>,
}

/// Shapes with a common tooltip, or without one if it is empty.
pub(super) struct Item {
    pub tooltip: String,
    pub shapes: Vec<Shape>,
}

impl Item {
    pub fn new(tooltip: impl Into<String>, shape: Shape) -> Self {
        Self { tooltip: tooltip.into(), shapes: vec![shape] }
    }
}

pub(super) enum Shape {
    /// A translucent area with these corners.
    Band(Vec<Point>, Ink),
    /// A line through points.
    Line(Vec<Point>, f64, Ink),
    /// One of several lines along the same points, which take turns: see [`Canvas::striped`].
    Stripes(Vec<Point>, f64, Ink, (usize, usize)),
    /// A dashed line from the horizontal axis up to a figure, or through the panel.
    Upright(f64, Option<f64>, Ink),
    /// The steps through points.
    Steps(Steps),
    /// A mark of this radius.
    Mark(Point, f64, Mark),
    /// The part of the strip below the axis from one figure to another, or to the edge.
    Strip(f64, Option<f64>, Ink),
}

/// From each point along its height to the next, and on to the end.
pub(super) struct Steps {
    pub points: Vec<Point>,
    /// Where they end, instead of at the edge of the panel.
    pub end: Option<f64>,
    /// From where on they have the second stroke.
    pub turn: Option<f64>,
    /// Widths and inks.
    pub strokes: [(f64, Ink); 2],
}

#[derive(Clone, Copy)]
pub(super) enum Mark {
    Disc(Ink),
    Circle(Ink),
    /// A disc with a ring around it.
    Ringed(Ink),
    Square,
}

impl Mark {
    /// The mark of a design: filled if it is schedulable, hollow if not, in an ink of its own if undecided.
    pub fn of(schedulable: Option<bool>, (passes, fails): (Ink, Ink)) -> Self {
        match schedulable {
            Some(true) => Self::Disc(passes),
            Some(false) => Self::Circle(fails),
            None => Self::Disc(Ink::Undecided),
        }
    }

    fn draw(self, canvas: &mut Canvas, at: (f64, f64), radius: f64) {
        match self {
            Self::Disc(ink) => canvas.disc(at, radius, Paint(ink, None)),
            Self::Circle(ink) => canvas.disc(at, radius - 0.6, Paint(Ink::Canvas, Some((ink, 1.2)))),
            Self::Ringed(ink) => canvas.disc(at, radius, Paint(ink, Some((Ink::Canvas, 2.0)))),
            Self::Square => {
                canvas.rectangle(Rect::around(at, radius), Paint(Ink::Canvas, Some((Ink::Text, 1.7))))
            }
        }
    }
}

/// A sample in the legend.
#[derive(Clone, Copy)]
pub(super) enum Key {
    Nothing,
    Line(f64, Ink),
    /// A line with a point on it.
    Measured(Ink),
    Dashes(Ink),
    Box(Ink),
    Mark(f64, Mark),
}

/// A label of two lines for a point.
pub(super) struct Label {
    pub at: Point,
    pub strong: String,
    pub plain: String,
}

impl Axis {
    /// The scale between two pixels.
    pub fn over(&self, from: f64, to: f64) -> Scale {
        Scale::new(self.spread, self.range, (from, to))
    }

    /// The title, with the power of ten that labels omit.
    fn title(&self, exponent: i32) -> String {
        let power = if exponent == 0 { String::new() } else { format!("10{}", superscript(exponent)) };
        let unit = format!("{power} {}", self.unit);
        if unit.trim().is_empty() { self.name.clone() } else { format!("{} ({})", self.name, unit.trim()) }
    }
}

/// A panel in pixels.
pub(super) struct Plot {
    pub frame: Rect,
    pub x: Scale,
    pub y: Scale,
}

impl Plot {
    pub fn at(&self, (x, y): Point) -> (f64, f64) {
        (self.x.pixel(x), self.y.pixel(y))
    }

    fn all(&self, points: &[Point]) -> Vec<(f64, f64)> {
        points.iter().map(|&point| self.at(point)).collect()
    }

    /// The figures that stand at these places, on linear scales.
    pub fn figures(&self, places: &[(f64, f64)]) -> Vec<Point> {
        places.iter().map(|&(x, y)| (self.x.figure(x), self.y.figure(y))).collect()
    }

    /// The edge, or where this figure stands.
    pub fn end(&self, end: Option<f64>) -> f64 {
        end.map_or(self.frame.right, |end| self.x.pixel(end))
    }

    fn path(&self, steps: &Steps) -> Vec<(f64, f64)> {
        let places = &mut steps.points.iter().map(|&point| self.at(point));
        curve::steps(&curve::thin(places), self.end(steps.end))
    }

    fn upright(&self, x: f64, top: Option<f64>) -> [(f64, f64); 2] {
        let x = self.x.pixel(x);
        [(x, top.map_or(self.frame.top, |top| self.y.pixel(top))), (x, self.frame.bottom)]
    }

    fn draw(&self, canvas: &mut Canvas, shape: &Shape) {
        match shape {
            Shape::Band(corners, ink) => canvas.shade(&self.all(corners), *ink),
            Shape::Line(points, width, ink) => canvas.path(&self.all(points), *width, *ink),
            Shape::Stripes(points, width, ink, turn) => {
                canvas.striped(&self.all(points), *width, *ink, *turn);
            }
            Shape::Upright(x, top, ink) => {
                let [from, to] = self.upright(*x, *top);
                canvas.dashes(from, to, *ink);
            }
            Shape::Steps(steps) => {
                let path = self.path(steps);
                let (first, second) = match steps.turn {
                    Some(x) => curve::cut_at(&path, self.x.pixel(x)),
                    None => (path, Vec::new()),
                };
                for (piece, (width, ink)) in [first, second].iter().zip(steps.strokes) {
                    if piece.len() > 1 {
                        canvas.path(piece, width, ink);
                    }
                }
            }
            Shape::Mark(at, radius, mark) => mark.draw(canvas, self.at(*at), *radius),
            Shape::Strip(from, to, ink) => {
                let (left, top) = (self.x.pixel(*from), self.frame.bottom + STRIP_BELOW);
                let rect = Rect { left, top, right: self.end(*to).max(left + 0.5), bottom: top + STRIP };
                canvas.rectangle(rect, Paint(*ink, None));
            }
        }
    }

    /// Draws the items; near a mark, the pointer counts as on it.
    fn draw_all(&self, canvas: &mut Canvas, items: &[Item]) {
        let draw = |canvas: &mut Canvas, item: &Item| {
            let mut shapes =
                |canvas: &mut Canvas| item.shapes.iter().for_each(|shape| self.draw(canvas, shape));
            match item.tooltip.as_str() {
                "" => shapes(canvas),
                tooltip => canvas.titled(tooltip, &mut shapes),
            }
        };
        let is_mark = |item: &Item| {
            !item.tooltip.is_empty() && matches!(item.shapes[..], [Shape::Mark(..) | Shape::Upright(..)])
        };
        for run in items.chunk_by(|one, other| is_mark(one) == is_mark(other)) {
            let mut run_of = |canvas: &mut Canvas| run.iter().for_each(|item| draw(canvas, item));
            if is_mark(&run[0]) { canvas.for_pointers(&mut run_of) } else { run_of(canvas) }
        }
    }
}

/// The entries of a legend, in rows from `top` on, with their places.
fn flow(entries: &[(Key, String)], width: f64, top: f64) -> Vec<((f64, f64), Key, String)> {
    let (mut at, mut placed) = ((MARGIN, top), Vec::new());
    for (key, text) in entries {
        let text = cut_to_width(text, SUBTITLE.size, width - 2.0 * MARGIN - SAMPLED);
        let wide = key.width() + text_width(&text, SUBTITLE.size);
        if at.0 > MARGIN && at.0 + wide > width - MARGIN {
            at = (MARGIN, at.1 + ROW);
        }
        placed.push((at, *key, text));
        at.0 += wide + 19.0;
    }
    placed
}

impl Key {
    fn width(self) -> f64 {
        match self {
            Self::Nothing => 0.0,
            Self::Box(_) | Self::Mark(..) => MARKED + TO_TEXT,
            Self::Line(..) | Self::Measured(_) | Self::Dashes(_) => SAMPLED,
        }
    }

    /// Draws the sample and, to its right, the text.
    fn draw(self, canvas: &mut Canvas, (x, y): (f64, f64), text: &str) {
        let (end, middle) = ((x + SAMPLE, y), (x + (self.width() - TO_TEXT) / 2.0, y));
        match self {
            Self::Nothing => {}
            Self::Line(width, ink) => canvas.line((x, y), end, width, ink),
            Self::Measured(ink) => {
                canvas.line((x, y), end, 2.0, ink);
                Mark::Disc(ink).draw(canvas, middle, 2.8);
            }
            Self::Dashes(ink) => canvas.dashes((x, y), end, ink),
            Self::Box(ink) => canvas.rectangle(Rect::around(middle, 5.0), Paint(ink, None)),
            Self::Mark(radius, mark) => mark.draw(canvas, middle, radius),
        }
        canvas.text(text, (x + self.width(), y), Anchor::Start, SUBTITLE, Ink::Quiet);
    }
}

impl Chart {
    /// The panel of that number in pixels; legend, panels and vertical axis must be known.
    pub fn plot(&self, at: usize) -> Plot {
        let legend = flow(&self.legend, self.width, LEGEND);
        let top = legend.last().map_or(LEGEND, |(at, ..)| at.1) + HEAD + self.title_height();
        let labels = self.y.over(top + self.high, top).ticks(0).into_iter();
        let widest = labels.map(|tick| text_width(&tick.label, TICK.size)).fold(0.0, f64::max);
        let (left, columns) = (MARGIN + widest + 2.0 * MARK, self.columns as f64);
        let right = if self.bound.is_some() { RIGHT } else { MARGIN };
        let width = (self.width - right - left - GAP * (columns - 1.0)) / columns;
        let (row, column) = ((at / self.columns) as f64, (at % self.columns) as f64);
        let (left, top) = (left + column * (width + GAP), top + row * (self.high + BETWEEN));
        let frame = Rect { left, top, right: left + width, bottom: top + self.high };
        let inset = if self.is_boxed { 10.0 } else { 0.0 };
        let x = self.panels[at].x.over(frame.left + inset, frame.right - inset);
        Plot { frame, x, y: self.y.over(frame.bottom, frame.top) }
    }

    fn title_height(&self) -> f64 {
        if self.panels.iter().any(|panel| !panel.title.is_empty()) { TITLE } else { 0.0 }
    }

    /// Draws the chart as an SVG document.
    pub fn into_svg(self) -> String {
        let plots: Vec<Plot> = (0..self.panels.len()).map(|at| self.plot(at)).collect();
        let bottom = plots.last().map_or(26.0, |plot| plot.frame.bottom);
        let of_strip = flow(&self.strip, self.width, bottom + STRIP_LEGEND);
        let notes = of_strip.last().map_or(bottom + NOTES_BELOW, |(at, ..)| at.1 + ROW);
        let count = self.panels.iter().map(|panel| panel.notes.len()).max().unwrap_or(0) + self.notes.len();
        let mut canvas = Canvas::new(self.width, notes - 2.0 + NOTE * count as f64);
        let mut subtitle = self.subtitle.clone();
        for (at, plot) in plots.iter().enumerate() {
            let panel = &self.panels[at];
            plot.draw_all(&mut canvas, &panel.bands);
            self.draw_axes(&mut canvas, at, plot);
            self.draw_bound(&mut canvas, at, plot);
            plot.draw_all(&mut canvas, &panel.items);
            subtitle += &self.draw_labels(&mut canvas, panel, plot);
            for ((key, note), line) in panel.notes.iter().zip(0..) {
                let room = plot.frame.right - plot.frame.left - SAMPLED;
                let place = (plot.frame.left, notes + NOTE * f64::from(line));
                key.draw(&mut canvas, place, &cut_to_width(note, SUBTITLE.size, room));
            }
        }
        draw_titles(&mut canvas, &self.title, &subtitle, self.width);
        for (at, key, text) in flow(&self.legend, self.width, LEGEND).into_iter().chain(of_strip) {
            key.draw(&mut canvas, at, &text);
        }
        for (note, line) in self.notes.iter().zip(0..) {
            let note = cut_to_width(note, TICK.size, self.width - 2.0 * MARGIN);
            let place = (MARGIN, notes + NOTE * f64::from(line));
            canvas.text(&note, place, Anchor::Start, TICK, Ink::Quiet);
        }
        canvas.into_document(&self.title, format!("{subtitle}. {}", self.description).trim_end())
    }

    fn draw_axes(&self, canvas: &mut Canvas, at: usize, Plot { frame, x, y }: &Plot) {
        let (panel, Rect { left, top, right, bottom }) = (&self.panels[at], *frame);
        let ticks = y.ticks(0);
        for tick in &ticks {
            canvas.line((left, tick.at), (right, tick.at), 1.0, Ink::Grid);
            if at.is_multiple_of(self.columns) {
                let place = (left - 2.0 * MARK, tick.at);
                canvas.text(&tick.label, place, Anchor::End, TICK, Ink::Quiet);
            }
        }
        if self.is_boxed {
            canvas.line((left, top), (left, bottom), 1.0, Ink::Axis);
            let mut mark = |at: f64, long: f64| canvas.line((left - long, at), (left, at), 1.0, Ink::Axis);
            ticks.iter().for_each(|tick| mark(tick.at, MARK));
            y.minor_ticks(&ticks).into_iter().for_each(|at| mark(at, MARK / 2.0));
        }
        // The title stands once, below the last row.
        let title = (at + self.columns >= self.panels.len()).then(|| panel.x.title(x.exponent()));
        let along = x.ticks(x.exponent());
        let minor = x.minor_ticks(&along);
        draw_across(canvas, *frame, (&along, &minor), &title.unwrap_or_default(), self.is_boxed);
        if let Some(x) = x.broken_at() {
            let gap = Rect { left: x - 2.5, top: bottom - 1.0, right: x + 2.5, bottom: bottom + 1.0 };
            canvas.rectangle(gap, Paint(Ink::Canvas, None));
            for x in [x - 2.5, x + 2.5] {
                canvas.line((x - 2.0, bottom + 4.0), (x + 2.0, bottom - 4.0), 1.0, Ink::Axis);
            }
        }
        let above = top - 16.0;
        let heading = cut_to_width(&panel.title, LABEL.size, right - left);
        canvas.text(&heading, (left, above), Anchor::Start, LABEL, Ink::Text);
        if at == 0 {
            let title = cut_to_width(&self.y.name, LABEL.size, self.width - 2.0 * MARGIN);
            canvas.text(&title, (MARGIN, above - self.title_height()), Anchor::Start, LABEL, Ink::Text);
        }
    }

    /// The height of the bound, if it is in the picture.
    fn bound_y(&self, y: &Scale) -> Option<f64> {
        let (bound, (low, high)) = (self.bound?.0, self.y.range);
        (low..=high).contains(&bound).then(|| y.pixel(bound))
    }

    /// Draws the bound, with its label at the right, and an arrow if it is not in the picture.
    fn draw_bound(&self, canvas: &mut Canvas, at: usize, Plot { frame, y, .. }: &Plot) {
        let Some((bound, label)) = self.bound else { return };
        let Rect { left, right, top, bottom } = *frame;
        let (arrow, y) = match self.bound_y(y) {
            Some(y) => {
                canvas.line((left, y), (right, y), 1.2, Ink::Bound);
                ("", y)
            }
            None if self.y.range.1 < bound => (" ↑", top + 6.0),
            None => (" ↓", bottom - 8.0),
        };
        if at % self.columns + 1 == self.columns || at + 1 == self.panels.len() {
            canvas.text(&format!("{label}{arrow}"), (right + 8.0, y), Anchor::Start, LABEL, Ink::Bound);
        }
    }

    /// Draws the labels that fit and returns the others, for the subtitle.
    fn draw_labels(&self, canvas: &mut Canvas, panel: &Panel, plot: &Plot) -> String {
        let (frame, mut unplaced) = (plot.frame, String::new());
        if panel.labels.is_empty() {
            return unplaced;
        }
        let across = |at: f64, margin: f64| Rect::spanned((frame.left, at), (frame.right, at), margin);
        let grid: Vec<Rect> = plot.y.ticks(0).into_iter().map(|tick| across(tick.at, 0.0)).collect();
        // No label covers what is taken, and no line to a label crosses a mark.
        let mut taken: Vec<Rect> = self.bound_y(&plot.y).map(|y| across(y, 2.0)).into_iter().collect();
        let mut marks = Vec::new();
        for shape in panel.items.iter().flat_map(|item| &item.shapes) {
            match shape {
                Shape::Steps(steps) => {
                    let path = plot.path(steps);
                    taken.extend(path.windows(2).map(|pair| Rect::spanned(pair[0], pair[1], 3.0)));
                }
                Shape::Upright(x, top, _) => {
                    let [from, to] = plot.upright(*x, *top);
                    taken.push(Rect::spanned(from, to, 2.0));
                }
                Shape::Mark(at, radius, mark) => {
                    let ring = if matches!(mark, Mark::Ringed(_) | Mark::Square) { 1.0 } else { 0.0 };
                    marks.push(Rect::around(plot.at(*at), radius + ring));
                }
                Shape::Band(..) | Shape::Line(..) | Shape::Stripes(..) | Shape::Strip(..) => {}
            }
        }
        taken.extend(&marks);
        for label in &panel.labels {
            let at = plot.at(label.at);
            let width =
                text_width(&label.strong, STRONG.size * BOLD).max(text_width(&label.plain, LABEL.size));
            let free = |rect: &Rect, avoided: &[Rect]| {
                !taken.iter().chain(avoided).any(|other| other.overlaps(rect))
            };
            let reached = |rect: &Rect| leader(at, *rect).is_none_or(|line| line.misses(&marks));
            // Close by if there is room, and between grid lines rather than on one.
            let wishes = [(true, grid.as_slice()), (true, &[]), (false, grid.as_slice()), (false, &[])];
            let found = wishes.into_iter().find_map(|(close, avoided)| {
                let far = |rect: &Rect| leader(at, *rect).is_some();
                place(at, (width, 34.0), frame, &|rect| {
                    !(close && far(rect)) && free(rect, avoided) && reached(rect)
                })
            });
            let Some(rect) = found else {
                unplaced += &format!("; {} ({})", label.strong, label.plain);
                continue;
            };
            if let Some(line) = leader(at, rect) {
                canvas.line(line.from, line.to, 0.8, Ink::Axis);
            }
            canvas.text(&label.strong, (rect.left, rect.top + 9.0), Anchor::Start, STRONG, Ink::Text);
            canvas.text(&label.plain, (rect.left, rect.top + 25.0), Anchor::Start, LABEL, Ink::Quiet);
            taken.push(rect);
            marks.push(rect);
        }
        unplaced
    }
}
