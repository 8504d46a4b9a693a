//! Named lines through measured points, in panels side by side, with logarithmic or linear axes.

use super::chart::{Axis, Chart, Item, Key, Mark, Panel, Shape};
use super::measure::figure;
use super::paint::{Ink, Spread};
use crate::pictures::plot::chart::{self, Line, LineChart};
use isx_report::text::{cut, joined, visible};

/// Draws the chart and returns an SVG document.
pub fn draw_lines(chart: &LineChart) -> String {
    let names = chart.names();
    let ink = |name: &str| Ink::Line(names.iter().position(|other| *other == name).unwrap_or(0) as u8);
    let (how, spread) =
        if chart.linear { ("", Spread::Linear) } else { (", logarithmic", Spread::Logarithmic) };
    let panel = |panel: &chart::Panel| {
        let title = visible(&panel.x);
        let mut drawn = Panel { x: Axis { spread, ..axis(&title, x_of(panel)) }, ..Panel::default() };
        for line in &panel.lines {
            let (name, ink, points) = (visible(&line.name), ink(&line.name), || line.points.iter());
            if !line.band.is_empty() {
                let ends = || points().zip(&line.band);
                let upper = ends().rev().map(|(point, band)| (point.0, band.1));
                let around = ends().map(|(point, band)| (point.0, band.0)).chain(upper);
                drawn.bands.push(Item::new("", Shape::Band(around.collect(), ink)));
            }
            drawn.items.push(Item::new("", Shape::Line(line.points.clone(), 1.8, ink)));
            drawn.items.extend(points().map(|&(x, y)| {
                let words = format!("{name}\n{title} {}\n{}", figure(x), figure(y));
                Item::new(words, Shape::Mark((x, y), 2.8, Mark::Disc(ink)))
            }));
            if !line.note.is_empty() {
                drawn.notes.push((Key::Measured(ink), visible(&line.note)));
            }
        }
        drawn
    };
    let panels: Vec<Panel> = chart.panels.iter().map(panel).collect();
    Chart {
        title: visible(&chart.title),
        subtitle: visible(&chart.subtitle),
        description: description(chart),
        width: 960.0,
        high: 250.0,
        legend: names.iter().map(|name| (Key::Measured(ink(name)), visible(name))).collect(),
        y: Axis { spread, ..axis(&format!("{}{how}", visible(&chart.y)), y_of(chart)) },
        columns: panels.len(),
        panels,
        is_boxed: true,
        ..Chart::default()
    }
    .into_svg()
}

fn axis(name: &str, range: (f64, f64)) -> Axis {
    Axis { name: name.to_owned(), range, ..Axis::default() }
}

/// The least and the most of these figures.
fn least_and_most(figures: impl Iterator<Item = f64>) -> (f64, f64) {
    figures.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), figure| {
        (least.min(figure), most.max(figure))
    })
}

fn x_of(panel: &chart::Panel) -> (f64, f64) {
    least_and_most(panel.lines.iter().flat_map(|line| &line.points).map(|point| point.0))
}

/// The figures of the common vertical axis.
fn y_of(chart: &LineChart) -> (f64, f64) {
    let lines = || chart.panels.iter().flat_map(|panel| &panel.lines);
    let bands = lines().flat_map(|line| &line.band).flat_map(|(low, high)| [*low, *high]);
    let (least, most) =
        least_and_most(lines().flat_map(|line| &line.points).map(|point| point.1).chain(bands));
    match chart.linear {
        true => (least.min(0.0), if most > 0.0 { most * 1.04 } else { 1.0 }),
        false => (least / 1.3, most * 1.3),
    }
}

fn description(chart: &LineChart) -> String {
    let of_line = |line: &Line| {
        let (first, last) = (line.points[0], line.points[line.points.len() - 1]);
        let note = if line.note.is_empty() { String::new() } else { format!(", {}", visible(&line.note)) };
        let [x, y, to_x, to_y] = [first.0, first.1, last.0, last.1].map(figure);
        format!("{} from {y} at {x} to {to_y} at {to_x}{note}", visible(&line.name))
    };
    let of_panel = |panel: &chart::Panel| {
        format!("Against {}: {}.", visible(&panel.x), joined(&mut panel.lines.iter().map(of_line), "; "))
    };
    format!("{}: {}", cut(&visible(&chart.y), 80), joined(&mut chart.panels.iter().map(of_panel), " "))
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
