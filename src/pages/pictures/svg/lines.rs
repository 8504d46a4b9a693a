//! Named lines through measured points, in panels side by side, with logarithmic or linear axes.

use super::measure::figure;
use super::paint::{
    Anchor, AreaScale, Axes, Axis, Canvas, Ink, LABEL, Linear, Logarithmic, MARGIN, Paint, Rect, SUBTITLE,
    TICK, Tick, cut_to_width, draw_titles, label_gap, text_width, vertical_ticks,
};
use crate::pictures::plot::chart::{Line, LineChart, Panel};
use isx_report::text::{cut, visible};

const WIDTH: f64 = 960.0;
const TOP: f64 = 122.0;
const BOTTOM: f64 = 372.0;
/// From the axis to the first note, and between notes.
const NOTES: f64 = 66.0;
const NOTE_LINE: f64 = 18.0;
/// Width between panels.
const GAP: f64 = 26.0;
/// Between labels of the vertical axis.
const TICK_LINE: f64 = 26.0;

/// Draws the chart and returns an SVG document.
pub fn draw_lines(chart: &LineChart) -> String {
    let picture = Picture::new(chart);
    let notes = chart.panels.iter().map(|panel| notes(panel).count()).max().unwrap_or(0);
    let mut canvas = Canvas::new(WIDTH, BOTTOM + NOTES + NOTE_LINE * notes as f64);
    let (title, subtitle) = (visible(&chart.title), visible(&chart.subtitle));
    draw_titles(&mut canvas, &title, &subtitle, WIDTH);
    picture.draw_legend(&mut canvas);
    let how = if chart.linear { "" } else { ", logarithmic" };
    let y_title = cut_to_width(&format!("{}{how}", visible(&chart.y)), LABEL.size, WIDTH - 2.0 * MARGIN);
    canvas.text(&y_title, (MARGIN, TOP - 16.0), Anchor::Start, LABEL, Ink::Text);
    for (panel, frame) in chart.panels.iter().zip(picture.frames()) {
        picture.draw_panel(&mut canvas, panel, frame);
    }
    canvas.into_document(&title, &picture.description(&subtitle))
}

struct Picture<'a> {
    chart: &'a LineChart,
    names: Vec<&'a str>,
    /// The common vertical axis of all panels, and its labeled ticks.
    scale: Scale,
    ticks: Vec<Tick>,
}

/// The scale of an axis.
enum Scale {
    Logarithmic(Logarithmic),
    Linear(Linear),
}

impl Scale {
    fn pixel(&self, figure: f64) -> f64 {
        match self {
            Self::Logarithmic(scale) => scale.pixel(figure),
            Self::Linear(scale) => scale.pixel(figure),
        }
    }

    /// Labeled ticks from left to right.
    fn horizontal_ticks(&self) -> Vec<Tick> {
        match self {
            Self::Logarithmic(scale) => scale.ticks(&|one, other| label_gap(one, other, TICK.size)),
            Self::Linear(scale) => AreaScale::Linear { scale: *scale, exponent: 0 }.ticks(TICK.size),
        }
    }

    fn minor_ticks(&self, labelled: &[Tick]) -> Vec<f64> {
        match self {
            Self::Logarithmic(scale) => scale.minor_ticks(labelled),
            Self::Linear(_) => Vec::new(),
        }
    }
}

/// The least and the most of these figures.
fn least_and_most(figures: impl Iterator<Item = f64>) -> (f64, f64) {
    figures.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), figure| {
        (least.min(figure), most.max(figure))
    })
}

fn notes(panel: &Panel) -> impl Iterator<Item = &Line> {
    panel.lines.iter().filter(|line| !line.note.is_empty())
}

impl<'a> Picture<'a> {
    fn new(chart: &'a LineChart) -> Self {
        let lines = || chart.panels.iter().flat_map(|panel| &panel.lines);
        let bands = lines().flat_map(|line| &line.band).flat_map(|(low, high)| [*low, *high]);
        let figures = lines().flat_map(|line| &line.points).map(|point| point.1).chain(bands);
        let (least, most) = least_and_most(figures);
        let (scale, ticks) = if chart.linear {
            let (low, high) = (least.min(0.0), if most > 0.0 { most * 1.04 } else { 1.0 });
            let scale = Linear { low, high, from: BOTTOM, to: TOP };
            (Scale::Linear(scale), vertical_ticks(&scale))
        } else {
            let scale = Logarithmic::new(least / 1.3, most * 1.3, BOTTOM, TOP);
            (Scale::Logarithmic(scale), scale.ticks(&|_, _| TICK_LINE))
        };
        Self { chart, names: chart.names(), scale, ticks }
    }

    /// The rectangles of the panels; tick labels stand left of the first.
    fn frames(&self) -> Vec<Rect> {
        let widest = self.ticks.iter().map(|tick| text_width(&tick.label, TICK.size)).fold(0.0, f64::max);
        let left = MARGIN + widest + 12.0;
        let panels = self.chart.panels.len() as f64;
        let width = (WIDTH - MARGIN - left - GAP * (panels - 1.0)) / panels;
        let frame = |at: usize| {
            let left = left + at as f64 * (width + GAP);
            Rect { left, top: TOP, right: left + width, bottom: BOTTOM }
        };
        (0..self.chart.panels.len()).map(frame).collect()
    }

    fn ink(&self, name: &str) -> Ink {
        Ink::Line(self.names.iter().position(|other| *other == name).unwrap_or(0) as u8)
    }

    fn draw_legend(&self, canvas: &mut Canvas) {
        let room = (WIDTH - 2.0 * MARGIN) / self.names.len().max(1) as f64;
        let mut x = MARGIN;
        for name in &self.names {
            draw_swatch(canvas, (x, 76.0), self.ink(name));
            let words = cut_to_width(&visible(name), SUBTITLE.size, room - 48.0);
            canvas.text(&words, (x + 29.0, 76.0), Anchor::Start, SUBTITLE, Ink::Quiet);
            x += 29.0 + text_width(&words, SUBTITLE.size) + 19.0;
        }
    }

    fn draw_panel(&self, canvas: &mut Canvas, panel: &Panel, frame: Rect) {
        let (least, most) =
            least_and_most(panel.lines.iter().flat_map(|line| &line.points).map(|point| point.0));
        let (from, to) = (frame.left + 10.0, frame.right - 10.0);
        let scale = match self.chart.linear {
            true if least < most => Scale::Linear(Linear { low: least, high: most, from, to }),
            true => Scale::Linear(Linear { low: least - 0.5, high: most + 0.5, from, to }),
            false => Scale::Logarithmic(Logarithmic::new(least, most, from, to)),
        };
        let title = cut_to_width(&visible(&panel.x), LABEL.size, frame.right - frame.left);
        let axis = |scale: &Scale, ticks: &[Tick], has_labels: bool| Axis {
            ticks: ticks.to_vec(),
            minor: scale.minor_ticks(ticks),
            has_grid: true,
            has_line: true,
            has_labels,
        };
        let x = axis(&scale, &scale.horizontal_ticks(), true);
        // The labels of the vertical axis stand at the first panel only.
        let y = axis(&self.scale, &self.ticks, frame.left <= self.frames()[0].left);
        Axes { frame, x, y, title: &title }.draw(canvas);
        for line in panel.lines.iter().filter(|line| !line.band.is_empty()) {
            let ends = || line.points.iter().zip(&line.band);
            let place = |x: f64, y: f64| (scale.pixel(x), self.scale.pixel(y));
            let lower = ends().map(|(point, band)| place(point.0, band.0));
            let upper = ends().rev().map(|(point, band)| place(point.0, band.1));
            let around: Vec<(f64, f64)> = lower.chain(upper).collect();
            canvas.shade(&around, self.ink(&line.name));
        }
        for line in &panel.lines {
            let places = line.points.iter().map(|&(x, y)| (scale.pixel(x), self.scale.pixel(y)));
            let places: Vec<(f64, f64)> = places.collect();
            canvas.path(&places, 1.8, self.ink(&line.name));
            canvas.for_pointers(&mut |canvas| {
                for (&(x, y), &place) in line.points.iter().zip(&places) {
                    let words = format!(
                        "{}\n{} {}\n{}",
                        visible(&line.name),
                        visible(&panel.x),
                        figure(x),
                        figure(y)
                    );
                    canvas.titled(&words, &mut |canvas| {
                        canvas.disc(place, 2.8, Paint(self.ink(&line.name), None))
                    });
                }
            });
        }
        for (line, at) in notes(panel).zip(0..) {
            let y = BOTTOM + NOTES + NOTE_LINE * f64::from(at);
            draw_swatch(canvas, (frame.left, y), self.ink(&line.name));
            let note = cut_to_width(&visible(&line.note), TICK.size, frame.right - frame.left - 29.0);
            canvas.text(&note, (frame.left + 29.0, y), Anchor::Start, TICK, Ink::Quiet);
        }
    }

    fn description(&self, subtitle: &str) -> String {
        let of_line = |line: &Line| {
            let (first, last) = (line.points[0], line.points[line.points.len() - 1]);
            let note =
                if line.note.is_empty() { String::new() } else { format!(", {}", visible(&line.note)) };
            let [x, y, to_x, to_y] = [first.0, first.1, last.0, last.1].map(figure);
            format!("{} from {y} at {x} to {to_y} at {to_x}{note}", visible(&line.name))
        };
        let of_panel = |panel: &Panel| {
            let lines: Vec<String> = panel.lines.iter().map(of_line).collect();
            format!("Against {}: {}.", visible(&panel.x), lines.join("; "))
        };
        let panels: Vec<String> = self.chart.panels.iter().map(of_panel).collect();
        format!("{subtitle}. {}: {}", cut(&visible(&self.chart.y), 80), panels.join(" "))
    }
}

fn draw_swatch(canvas: &mut Canvas, (x, y): (f64, f64), ink: Ink) {
    canvas.line((x, y), (x + 22.0, y), 2.0, ink);
    canvas.disc((x + 11.0, y), 2.8, Paint(ink, None));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn chart(panels: usize, names: usize) -> LineChart {
        let line = |at: usize| {
            let points: Vec<(f64, f64)> =
                (1..8).map(|x| (4f64.powi(x), f64::from(x) * at as f64 + 1e-5)).collect();
            json!({"name": format!("engine {at} <script>"), "note": format!("slope {at}"), "points": points})
        };
        let lines: Vec<_> = (0..names).map(line).collect();
        let panels: Vec<_> =
            (0..panels).map(|at| json!({"x": format!("size {at}"), "lines": lines})).collect();
        let document = json!({"schema": "isx.chart/1", "title": "Growth", "y": "seconds", "panels": panels});
        LineChart::from_json(document.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn every_line_and_every_point_is_in_the_picture() {
        for (panels, names) in [(1, 1), (3, 3), (4, 6)] {
            let svg = draw_lines(&chart(panels, names));
            let document = roxmltree::Document::parse(&svg).unwrap();
            let count = |tag| document.descendants().filter(|node| node.has_tag_name(tag)).count();
            // One path per line; axes are lines of two points.
            assert_eq!(count("polyline"), panels * names);
            assert_eq!(count("g"), panels * names * (7 + 1));
            for at in 0..names {
                let name = format!(">engine {at} &lt;script&gt;\nsize 0 4\n");
                assert_eq!(svg.matches(&name).count(), 1, "{svg}");
                assert_eq!(svg.matches(&format!(">slope {at}<")).count(), panels);
            }
        }
    }

    #[test]
    fn a_name_has_one_color_in_all_panels() {
        let mut chart = chart(2, 3);
        chart.panels[1].lines.reverse();
        let svg = draw_lines(&chart);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let paths = document.descendants().filter(|node| node.has_tag_name("polyline"));
        let width = |node: &roxmltree::Node| node.attribute("stroke-width") == Some("1.8");
        let mut colors: Vec<_> = paths.filter(width).map(|node| node.attribute("stroke").unwrap()).collect();
        assert_eq!(colors.len(), 6);
        colors[3..].reverse();
        assert_eq!(colors[..3], colors[3..]);
        assert!(colors[0] != colors[1] && colors[1] != colors[2] && colors[0] != colors[2]);
    }
}
