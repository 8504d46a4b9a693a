//! Fronts to draw: fronts of every size, place and scale, and where the texts of a drawn one are.

use super::super::paint::Rect;
use super::super::*;
use crate::pictures::plot::{CostPoint, MARKED_POINTS, PlotPoint};
use crate::testing::{sharing_fronts, unlike_fronts};
use isx_exact::sampling::Sampler;
use isx_report::front::{Front, Head, ModeAreaWords, NamedTask, Point, number};
use isx_taskset::Resources;

fn minimal(area: f64, utilization: Option<f64>) -> CostPoint {
    CostPoint { cost: vec![area], utilization }
}

/// A design of this area.
fn costing(area: &str) -> Point {
    Point { cost: vec![number::parse(area).unwrap()], ..Point::default() }
}

/// A front that falls from `high` to `low` over areas up to `reach`.
pub(super) fn falling(len: usize, (high, low): (f64, f64), reach: f64, seed: u64) -> PlotData {
    let mut sampler = Sampler::new(seed);
    let mut gaps =
        || (0..len).map(|at| if at == 0 { 0 } else { sampler.uniform(1, 100) }).collect::<Vec<u64>>();
    let (widths, drops) = (gaps(), gaps());
    let total = |gaps: &[u64]| gaps.iter().sum::<u64>().max(1) as f64;
    let (width, drop) = (total(&widths), total(&drops));
    let (mut area, mut fallen) = (0, 0);
    let mut points = Vec::new();
    for (step, down) in widths.iter().zip(&drops) {
        (area, fallen) = (area + step, fallen + down);
        let utilization = high - (high - low) * fallen as f64 / drop;
        points.push(PlotPoint {
            area: area as f64 / width * reach,
            utilization,
            schedulable: Some(utilization <= 1.0),
        });
    }
    let smallest = points.iter().find(|point| point.schedulable == Some(true));
    let task = |name: &str, choices: &[&str]| NamedTask {
        name: name.into(),
        choices: choices.iter().map(|&name| name.into()).collect(),
        part: None,
    };
    let detail =
        |point: &PlotPoint| Point { choices: vec![Some(0), None], ..costing(&point.area.to_string()) };
    let marked = if len <= MARKED_POINTS { len } else { 0 };
    PlotData {
        head: Head {
            taskset: format!("{len} points"),
            resources: Resources::area("NAND2"),
            tasks: vec![task("aes", &["v3"]), task("log", &[])],
            minimal: smallest.map(|point| costing(&point.area.to_string())).into_iter().collect(),
            complete: true,
            ..Head::default()
        },
        minimal: smallest.map(|point| minimal(point.area, Some(point.utilization))).into_iter().collect(),
        base: points[0],
        details: points[..marked].iter().map(detail).collect(),
        points,
        ..PlotData::default()
    }
}

/// A front whose points have the modes of these names in turn as that of the largest utilization.
pub(super) fn in_modes(len: usize, names: &[&str]) -> PlotData {
    let mut data = falling(len, (1.4, 0.4), 5280.0, 5);
    data.head.modes = names.iter().map(|name| (*name).to_owned()).collect();
    data.head.mode_areas = vec![ModeAreaWords {
        modes: vec![names[0].to_owned()],
        min_schedulable_area: Some("787".into()),
        min_schedulable_unknown: None,
    }];
    data.critical = (0..len).map(|at| at / 3 % names.len()).collect();
    data
}

/// Fronts of every size, place and scale that matters, and how to draw them.
pub(super) fn gallery() -> Vec<(String, PlotData, Options)> {
    let mut gallery = Vec::new();
    let ranges =
        [(1.4, 0.6), (3.0, 1.2), (0.8, 0.3), (1.000_001, 0.999_989), (0.12, 0.11), (9.0, 8.9), (1.0, 0.5)];
    for (seed, len) in [1, 2, 3, 12, 200, 350, 50_000].into_iter().enumerate() {
        for range in ranges {
            for reach in [1e-3, 5280.0, 1e15] {
                for log_area in [false, true] {
                    let data = falling(len, range, reach, seed as u64);
                    let name = format!("{len} points, U {range:?}, area {reach}, log {log_area}");
                    gallery.push((name, data, Options { log_area, ..Options::default() }));
                }
            }
        }
    }
    for front in unlike_fronts().into_iter().chain(sharing_fronts()) {
        let data = PlotData::new(&Front::of(&front)).unwrap();
        gallery.push((data.head.taskset.clone(), data.clone(), Options::default()));
        gallery.push((data.head.taskset.clone(), data, Options { from_zero: true, ..Options::default() }));
    }
    for (len, names) in
        [(9, vec!["serving", "updating"]), (50_000, vec!["a mode with a long <name> & more"; 16])]
    {
        gallery.push((format!("{len} points in modes"), in_modes(len, &names), Options::default()));
    }
    // Marks so crowded that a label must stand away from its own.
    for (seed, range) in [(11, (1.02, 0.98)), (12, (1.3, 0.99)), (13, (1.005, 0.2))] {
        let mut data = falling(250, range, 900.0, seed);
        for point in &mut data.points[1..] {
            point.area = 880.0 + point.area / 45.0;
        }
        for design in &mut data.minimal {
            design.cost[0] = 880.0 + design.cost[0] / 45.0;
        }
        gallery.push((format!("crowded, U {range:?}"), data, Options::default()));
    }
    let mut aside = falling(40, (1.3, 0.7), 4000.0, 9);
    aside.minimal = vec![minimal(3000.5, Some(0.98))];
    aside.head.minimal = vec![costing("3000.5")];
    aside.head.complete = false;
    gallery.push(("off the front".into(), aside.clone(), Options::default()));
    aside.minimal = vec![minimal(3000.5, None)];
    gallery.push(("utilization not known".into(), aside.clone(), Options::default()));
    (aside.minimal, aside.head.minimal_unknown) = (Vec::new(), Some("too many steps".into()));
    aside.base.utilization = 1.5;
    gallery.push((
        "undecided".into(),
        aside.clone(),
        Options { max_area: Some(777.0), ..Options::default() },
    ));
    gallery
}

/// A text of a picture and the room it takes.
pub(in super::super) struct Text {
    pub text: String,
    pub rect: Rect,
}

pub(in super::super) fn number(node: &roxmltree::Node, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

/// The boxes of the picture's texts, in pixels.
pub(in super::super) fn texts(svg: &str) -> Vec<Text> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts
        .map(|node| {
            let number = |name| number(&node, name);
            let size = number("font-size");
            let (x, y) = (number("x"), number("y") - paint::HALF_HEIGHT * size);
            let text = node.text().unwrap().trim().to_owned();
            // DejaVu Sans, the widest common face, has digits of 0.636 em and lower-case letters of 0.59 em on average.
            let bold = if node.attribute("font-weight") == Some("bold") { 1.1 } else { 1.0 };
            let narrow = text.chars().filter(|c| "iljftr.,:;'()I -".contains(*c)).count() as f64;
            let width = (isx_report::text::columns(&text) as f64 - 0.5 * narrow) * size * 0.63 * bold;
            let left = match node.attribute("text-anchor") {
                None => x,
                Some("middle") => x - width / 2.0,
                _ => x - width,
            };
            let rect = Rect { left, top: y - size * 0.5, right: left + width, bottom: y + size * 0.5 };
            Text { text, rect }
        })
        .collect()
}

/// The texts of a picture, none of which touches another or leaves it.
pub(in super::super) fn legible(svg: &str, name: &str) -> Vec<Text> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let [right, bottom] = ["width", "height"].map(|side| number(&document.root_element(), side));
    let texts = texts(svg);
    for (at, Text { text, rect }) in texts.iter().enumerate() {
        let inside = rect.left >= 0.0 && rect.right <= right && rect.top >= 0.0 && rect.bottom <= bottom;
        assert!(inside, "{name}: `{text}` at {rect:?}");
        let other = texts[..at].iter().find(|other| other.rect.overlaps(rect));
        assert!(other.is_none(), "{name}: `{text}` and `{}`", other.unwrap().text);
    }
    texts
}

/// A picture has a title, a description with these words, and a color for dark pages for each of its colors.
pub(in super::super) fn assert_described(svg: &str, title: &str, words: &str) {
    let document = roxmltree::Document::parse(svg).unwrap();
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    let child = |name| root.children().find(|node| node.has_tag_name(name)).and_then(|node| node.text());
    assert_eq!(child("title"), Some(title));
    let description = child("desc").unwrap();
    assert!(description.contains(words), "{description}");
    let style = child("style").unwrap();
    assert!(style.contains("prefers-color-scheme:dark"));
    for node in document.descendants() {
        for color in ["fill", "stroke"].iter().filter_map(|name| node.attribute(*name)) {
            assert!(color == "none" || style.contains(&format!("=\"{color}\"]")), "{color}");
        }
    }
}
