//! Several fronts in one picture, with the area between them.
//!
//! Each front has a color and a label of its own. Between the front of least utilization and the
//! next one the area is shaded in the color of the better front. Where fronts have the same course, their colors
//! alternate along the line. Lines, shaded areas and the points of short fronts have tooltips.

use super::chart::{Item, Key, Mark, Plot, Point, Shape, Steps};
use super::measure::figure;
use super::paint::{Ink, LABEL, MARGIN, WIDTH, text_width};
use super::{Figure, Options, curve};
use crate::answers::compare::{Comparison, MOST_FRONTS, Side};
use crate::pictures::plot::{MARKED_POINTS, PlotData, PlotPoint};
use isx_exact::quantity::{approx, format_decimal};
use isx_report::front::Head;
use isx_report::text::{joined, listed};

/// Fronts whose heights differ by less, in pixels, have the same course there.
const SAME: f64 = 0.75;

/// Draws the fronts as steps, each with a dashed line at its smallest schedulable area.
/// Fails as [`super::draw`]: figures beyond the range of a double cannot be drawn.
pub fn draw_fronts(compared: &Comparison) -> Result<String, super::DrawError> {
    let (data, measure) = (extent(compared), compared.measure());
    let figure_of = Figure::new(&data, &Options::default())?;
    // Words that the legend would cut do not tell the fronts apart.
    let fits = |label: &String| text_width(label, LABEL.size) <= room(compared.sides.len());
    let labels = Some(compared.curve_labels()).filter(|labels| labels.iter().all(fits));
    let labels = labels.unwrap_or_else(|| compared.labels.clone());
    let mut chart = figure_of.chart(Vec::new());
    let sides = compared.sides.iter().zip(labels).enumerate();
    let plot = chart.plot(0);
    let curves: Vec<Curve> = sides.map(|(at, (side, label))| Curve::new(at, side, label, &plot)).collect();
    let parts = parts(&curves, plot.frame.right);
    let mut items = smallest(&curves, &figure_of);
    items.extend(curves.iter().map(|curve| {
        let strokes = [(2.0, curve.ink); 2];
        let steps = Steps { points: curve.points(), end: curve.end, turn: None, strokes };
        Item::new(&*curve.label, Shape::Steps(steps))
    }));
    items.extend(same(&curves, &parts, &plot));
    if curves.iter().map(|curve| curve.side.steps.len()).sum::<usize>() <= MARKED_POINTS {
        items.extend(curves.iter().flat_map(|curve| curve.marks(&figure_of, measure)));
    }
    chart.panels[0].bands = differences(&curves, &parts, &plot, measure);
    chart.panels[0].items = items;
    let shown = if compared.by_margin() { measure } else { "Utilization" };
    let word = data.word();
    chart.subtitle = format!(
        "{shown} within each {word}; shaded: what the better front gains; dashed: the smallest schedulable {word}"
    );
    chart.legend = curves.iter().map(|curve| (Key::Line(2.5, curve.ink), curve.label.clone())).collect();
    let mut descriptions = curves.iter().map(|curve| {
        let last = curve.side.steps.last().map_or(0.0, |(_, utilization)| approx(utilization));
        format!("{}: {} designs down to {measure} {}.", curve.label, curve.side.points.len(), figure(last))
    });
    chart.description = joined(&mut descriptions, " ");
    Ok(chart.into_svg())
}

/// A front, with its visible points in pixels.
struct Curve<'a> {
    side: &'a Side,
    label: String,
    ink: Ink,
    /// Where the last step ends, if not at the edge.
    end: Option<f64>,
    places: Vec<(f64, f64)>,
    end_x: f64,
}

impl<'a> Curve<'a> {
    fn new(at: usize, side: &'a Side, label: String, plot: &Plot) -> Self {
        // At most MOST_FRONTS of them, and there are as many inks; the first of these is gray.
        let ink = Ink::Line(u8::try_from((at + 1) % MOST_FRONTS).unwrap_or_default());
        let end = side.steps.last().filter(|_| !side.head.complete).map(|(area, _)| approx(area));
        let mut curve = Self { side, label, ink, end, places: Vec::new(), end_x: plot.end(end) };
        curve.places = curve::thin(&mut curve.points().into_iter().map(|point| plot.at(point)));
        curve
    }

    fn points(&self) -> Vec<Point> {
        self.side.steps.iter().map(|(area, utilization)| (approx(area), approx(utilization))).collect()
    }

    /// A disc with a tooltip at each point.
    fn marks(&self, figure_of: &Figure, measure: &str) -> Vec<Item> {
        let mark = |(area, utilization): &(_, _)| {
            let place = (approx(area), approx(utilization));
            let (area, word) = (figure_of.with_unit(&format_decimal(area)), figure_of.data.word());
            let words = format!("{}\n{word} {area}\n{measure} {}", self.label, figure(place.1));
            Item::new(words, Shape::Mark(place, 2.6, Mark::Disc(self.ink)))
        };
        self.side.steps.iter().map(mark).collect()
    }
}

/// A part of the horizontal axis within which nothing changes.
struct Part {
    left: f64,
    right: f64,
    /// The curves that have a height here with it, the best (lowest) first; those of the same course in groups.
    groups: Vec<Vec<(f64, usize)>>,
}

impl Part {
    /// The curves of each group.
    fn curves(&self) -> Vec<Vec<usize>> {
        let sorted = |group: &Vec<(f64, usize)>| {
            let mut curves: Vec<usize> = group.iter().map(|(_, at)| *at).collect();
            curves.sort_unstable();
            curves
        };
        self.groups.iter().map(sorted).collect()
    }

    /// The curves of groups with several.
    fn same(&self) -> Vec<Vec<usize>> {
        self.curves().into_iter().filter(|group| group.len() > 1).collect()
    }

    /// The heights of the best curve and of the next one above it.
    fn gap(&self) -> Option<(f64, f64)> {
        let [best, next, ..] = &self.groups[..] else { return None };
        Some((best[0].0, next[0].0))
    }

    fn height(&self, curve: usize) -> f64 {
        self.groups.iter().flatten().find(|(_, at)| *at == curve).map_or(0.0, |(height, _)| *height)
    }
}

/// The parts from left to right. Their borders are those of half pixels, so a long front has no more of them.
fn parts(curves: &[Curve], right: f64) -> Vec<Part> {
    let half = |x: f64| (2.0 * x).round() as i64;
    let mut borders = vec![half(right)];
    for curve in curves {
        borders.push(half(curve.end_x));
        borders.extend(curve.places.iter().map(|place| half(place.0)));
    }
    borders.sort_unstable();
    borders.dedup();
    let part = |pair: &[i64]| {
        let (left, right) = (pair[0] as f64 / 2.0, pair[1] as f64 / 2.0);
        let middle = f64::midpoint(left, right);
        let height = |curve: &Curve| curve::height(&curve.places, curve.end_x, middle);
        let heights = curves.iter().enumerate().filter_map(|(at, curve)| Some((height(curve)?, at)));
        let mut heights: Vec<(f64, usize)> = heights.collect();
        // Pixels grow downwards.
        heights.sort_by(|one, other| other.0.total_cmp(&one.0));
        let mut groups: Vec<Vec<(f64, usize)>> = Vec::new();
        for place in heights {
            match groups.last_mut() {
                Some(group) if group[0].0 - place.0 < SAME => group.push(place),
                _ => groups.push(vec![place]),
            }
        }
        Part { left, right, groups }
    };
    borders.windows(2).map(part).collect()
}

/// The areas between the best front and the next one, each in one piece as long as the same front is best.
fn differences(curves: &[Curve], parts: &[Part], plot: &Plot, measure: &str) -> Vec<Item> {
    let is_same = |one: &Part, other: &Part| {
        let best = |part: &Part| part.curves().into_iter().next();
        one.right == other.left && best(one) == best(other) && one.gap().is_some() == other.gap().is_some()
    };
    let mut bands = Vec::new();
    for run in parts.chunk_by(is_same) {
        let gaps: Vec<(&Part, (f64, f64))> =
            run.iter().filter_map(|part| Some((part, part.gap()?))).collect();
        if gaps.is_empty() {
            continue;
        }
        let (mut corners, mut above) = (Vec::new(), Vec::new());
        for (part, (best, next)) in &gaps {
            corners.extend([(part.left, *best), (part.right, *best)]);
            above.extend([(part.left, *next), (part.right, *next)]);
        }
        corners.extend(above.into_iter().rev());
        let best = &run[0].curves()[0];
        let names: Vec<&str> = best.iter().map(|&at| curves[at].label.as_str()).collect();
        let ink = if let [only] = best.as_slice() { curves[*only].ink } else { Ink::Axis };
        let has = if best.len() == 1 { "has" } else { "have" };
        let words = format!("{} {has} less {measure} here", names.join(" and "));
        bands.push(Item::new(words, Shape::Band(plot.figures(&corners), ink)));
    }
    bands
}

/// The colors of fronts with the same course, in turns.
fn same(curves: &[Curve], parts: &[Part], plot: &Plot) -> Vec<Item> {
    let mut stripes = Vec::new();
    for run in parts.chunk_by(|one, other| one.right == other.left && one.same() == other.same()) {
        for group in run[0].same() {
            let names: Vec<&str> = group.iter().map(|&at| curves[at].label.as_str()).collect();
            let stripe = |(at, &curve): (usize, &usize)| {
                let along = |part: &Part| [part.left, part.right].map(|x| (x, part.height(curve)));
                let path: Vec<(f64, f64)> = run.iter().flat_map(along).collect();
                Shape::Stripes(plot.figures(&path), 2.6, curves[curve].ink, (at, group.len()))
            };
            let shapes = group.iter().enumerate().map(stripe).collect();
            stripes.push(Item { tooltip: format!("{}: equal here", names.join(" and ")), shapes });
        }
    }
    stripes
}

/// A dashed line at each smallest schedulable area; lines at the same place are striped.
fn smallest(curves: &[Curve], figure_of: &Figure) -> Vec<Item> {
    let scale = figure_of.x.over(0.0, WIDTH);
    let mut places: Vec<(f64, usize)> = Vec::new();
    for (at, curve) in curves.iter().enumerate() {
        if let Some(area) = curve.side.smallest().as_ref().map(approx) {
            places.insert(places.partition_point(|&(other, _)| other <= area), (area, at));
        }
    }
    let groups = places.chunk_by(|one, other| scale.pixel(other.0) - scale.pixel(one.0) < SAME);
    let item = |group: &[(f64, usize)]| {
        let mut words = group.iter().filter_map(|(_, at)| {
            let (side, label) = (curves[*at].side, &curves[*at].label);
            let area = figure_of.with_unit(&format_decimal(&side.smallest()?));
            Some(format!("{label}: smallest schedulable {} {area}", figure_of.data.word()))
        });
        let (low, high) = figure_of.y.range;
        let stripe = |(turn, (area, at)): (usize, &(f64, usize))| {
            // Gaps among the dashes too, which tell this line from a front.
            let line = vec![(*area, high), (*area, low)];
            Shape::Stripes(line, 1.0, curves[*at].ink, (2 * turn, 2 * group.len()))
        };
        Item { tooltip: joined(&mut words, "\n"), shapes: group.iter().enumerate().map(stripe).collect() }
    };
    groups.map(item).collect()
}

/// The width of a label in a legend of so many fronts: two rows are enough.
fn room(fronts: usize) -> f64 {
    let in_a_row = if fronts > 4 { 3.0 } else { 2.0 };
    (WIDTH - 2.0 * MARGIN) / in_a_row - 51.0
}

/// A front from the highest and leftmost point of all to the lowest and rightmost, which determines the scales.
fn extent(compared: &Comparison) -> PlotData {
    let sides = &compared.sides;
    let (mut high, mut low, mut reach, mut first) = (0.0, f64::INFINITY, 0.0, f64::INFINITY);
    for side in sides {
        reach = side.smallest().as_ref().map_or(0.0, approx).max(reach);
        for (area, utilization) in &side.steps {
            let (area, utilization) = (approx(area), approx(utilization));
            (high, low) = (utilization.max(high), utilization.min(low));
            (reach, first) = (area.max(reach), area.min(first));
        }
    }
    let point = |area: f64, utilization: f64| PlotPoint { area, utilization, schedulable: None };
    let mut sets: Vec<&str> = sides.iter().map(|side| side.head.taskset.as_str()).collect();
    sets.dedup();
    let title = match sets.as_slice() {
        [one] => {
            format!("{one}: {} fronts", ["two", "three", "four", "five", "six"][sides.len().clamp(2, 6) - 2])
        }
        sets => listed(sets),
    };
    PlotData {
        head: Head {
            taskset: title,
            resources: sides[0].head.resources.clone(),
            complete: true,
            by_margin: compared.by_margin(),
            ..Head::default()
        },
        base: point(if compared.is_by_name() { first } else { 0.0 }, high),
        points: vec![point(first, high), point(reach, low)],
        ..PlotData::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_exact::quantity::Rational;
    use isx_report::front::{Number, Point};
    use isx_taskset::Resources;

    fn side(name: &str, steps: &[(i64, i64)], smallest: Option<i64>) -> Side {
        let number = |number: i64| Rational::new(number.into(), 100.into());
        let minimal = |area: i64| Point { cost: vec![Number::of(area.into(), 100)], ..Point::default() };
        let head = Head {
            taskset: "set <x>".into(),
            resources: Resources::area("LUT"),
            minimal: smallest.map(minimal).into_iter().collect(),
            complete: true,
            ..Head::default()
        };
        let points = steps.iter().map(|&(area, load)| (vec![number(100 * area)], number(load)));
        Side::new(name.into(), head, points.collect())
    }

    fn drawn(sides: Vec<Side>) -> String {
        let svg = draw_fronts(&Comparison::new(sides).unwrap()).unwrap();
        roxmltree::Document::parse(&svg).unwrap();
        svg
    }

    fn titles(svg: &str) -> Vec<String> {
        let document = roxmltree::Document::parse(svg).unwrap();
        let titles = document.descendants().filter(|node| node.has_tag_name("title"));
        titles.filter_map(|node| node.text().map(str::to_owned)).collect()
    }

    #[test]
    fn both_fronts_are_in_the_picture_with_their_names() {
        let first = side("a & b.json", &[(0, 130), (40, 99), (70, 60)], Some(4000));
        let second = side("c.json", &[(0, 130), (90, 80)], None);
        let svg = drawn(vec![first, second]);
        assert_eq!(svg.matches("stroke-width=\"2\" stroke-linejoin").count(), 2, "{svg}");
        for words in [">a &amp; b.json<", ">c.json<", "set &lt;x&gt;: two fronts"] {
            assert!(svg.contains(words), "{words}: {svg}");
        }
        // One shaded area, in the color of the first front; one part where both are equal, with a stripe per front.
        assert_eq!(svg.matches("fill-opacity").count(), 1, "{svg}");
        assert_eq!(svg.matches("stroke-width=\"2.6\" stroke-dasharray=\"7 7\"").count(), 2, "{svg}");
        let titles = titles(&svg);
        for words in [
            "a & b.json has less utilization here",
            "a & b.json and c.json: equal here",
            "a & b.json: smallest schedulable area 40 LUT",
            "c.json\narea 90 LUT\nutilization 0.8",
        ] {
            assert!(titles.iter().any(|title| title == words), "{words}: {titles:?}");
        }
    }

    #[test]
    fn six_fronts_have_six_colors_and_a_part_where_nothing_is_known_is_not_shaded() {
        let mut sides: Vec<Side> = (0..6)
            .map(|at| side(&format!("f{at}.json"), &[(0, 130), (10 + at, 120 - 3 * at)], None))
            .collect();
        sides[5].head.complete = false;
        let svg = drawn(sides);
        for label in 0..6 {
            assert!(svg.contains(&format!(">f{label}.json<")), "{label}: {svg}");
        }
        let colors: std::collections::BTreeSet<&str> =
            svg.split("<g><title>f").filter_map(|piece| piece.split("stroke=\"").nth(1)?.get(..7)).collect();
        assert!(colors.len() >= 6, "{colors:?}");
    }

    #[test]
    fn a_picture_of_long_fronts_stays_small() {
        let long = |shift: i64| {
            let steps: Vec<(i64, i64)> =
                (0..50_000).map(|at| (at * 3 + shift, 100_000_000 - 1_900 * at)).collect();
            side(&format!("{shift}"), &steps, None)
        };
        let svg = drawn((0..6).map(long).collect());
        assert!(svg.len() < 600_000, "{}", svg.len());
    }
}
