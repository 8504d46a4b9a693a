//! Several fronts in one picture, with the area between them.
//!
//! Each front has a color and the label that tells it from the others. Between the front of least utilization and the
//! next one the area is shaded in the color of the better front. Where fronts have the same course, their colors
//! alternate along the line. What is pointed at has a tooltip: lines, shaded areas, and the points of short fronts.

use super::measure::figure;
use super::paint::{
    Anchor, Canvas, Ink, LABEL, MARGIN, Paint, SUBTITLE, WIDTH, cut_to_width, draw_titles, text_width,
};
use super::{Figure, HEIGHT, Options, curve};
use crate::answers::compare::{Comparison, MOST_FRONTS, Side};
use crate::pictures::plot::{PlotData, PlotPoint, TOLD_POINTS};
use isx_exact::quantity::{approx, format_decimal};
use isx_report::text::{joined, listed, visible};

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
    let curves: Vec<Curve> = compared
        .sides
        .iter()
        .zip(&labels)
        .enumerate()
        .map(|(at, (side, label))| Curve::new(at, side, label, &figure_of))
        .collect();
    let mut canvas = Canvas::new(WIDTH, HEIGHT);
    let parts = parts(&curves, figure_of.frame.right);
    draw_differences(&mut canvas, &curves, &parts, measure);
    figure_of.draw_axes(&mut canvas);
    draw_smallest(&mut canvas, &curves, &figure_of);
    for curve in &curves {
        canvas.titled(&curve.label, &mut |canvas| {
            canvas.path(&curve::steps(&curve.places, curve.end), 2.0, curve.ink);
        });
    }
    draw_same(&mut canvas, &curves, &parts);
    draw_points(&mut canvas, &curves, &figure_of, measure);
    let title = visible(&data.title);
    let shown = if compared.by_margin() { measure } else { "Utilization" };
    let word = data.word();
    let subtitle = format!(
        "{shown} within each {word}; shaded: what the better front gains; dashed: the smallest schedulable {word}"
    );
    draw_titles(&mut canvas, &title, &subtitle, WIDTH);
    draw_legend(&mut canvas, &curves);
    let mut told = curves.iter().map(|curve| {
        let last = curve.side.steps.last().map_or(0.0, |(_, utilization)| approx(utilization));
        format!("{}: {} designs down to {measure} {}.", curve.label, curve.side.points.len(), figure(last))
    });
    let told = joined(&mut told, " ");
    Ok(canvas.into_document(&title, &format!("{subtitle}. {told}")))
}

/// A front in pixels.
struct Curve<'a> {
    side: &'a Side,
    label: String,
    ink: Ink,
    /// The visible points, and where the last step ends.
    places: Vec<(f64, f64)>,
    end: f64,
}

impl<'a> Curve<'a> {
    fn new(at: usize, side: &'a Side, label: &str, figure_of: &Figure) -> Self {
        let place = |(area, utilization): &(_, _)| figure_of.at(approx(area), approx(utilization));
        let places = curve::thin(&mut side.steps.iter().map(place));
        let end = match places.last() {
            Some(&(last, _)) if !side.head.complete => last,
            _ => figure_of.frame.right,
        };
        // At most MOST_FRONTS of them, and there are as many inks; the first of these is gray.
        let ink = Ink::Line(u8::try_from((at + 1) % MOST_FRONTS).unwrap_or_default());
        Self { side, label: label.to_owned(), ink, places, end }
    }
}

/// A part of the horizontal axis within which nothing changes: the curves by height, the best (lowest) first.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    left: f64,
    right: f64,
    /// The height of each curve that has one here, and its index.
    heights: Vec<(f64, usize)>,
}

impl Part {
    /// The curves of least utilization.
    fn best(&self) -> Vec<usize> {
        let lowest = self.heights.first().map_or(0.0, |first| first.0);
        let same = self.heights.iter().take_while(|(height, _)| lowest - height < SAME);
        let mut best: Vec<usize> = same.map(|(_, at)| *at).collect();
        best.sort_unstable();
        best
    }

    /// The heights of the best curve and of the next one above it.
    fn gap(&self) -> Option<(f64, f64)> {
        let next = self.heights.get(self.best().len())?;
        Some((self.heights.first()?.0, next.0))
    }

    /// Groups of curves that have the same course.
    fn same(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<(f64, Vec<usize>)> = Vec::new();
        for &(height, at) in &self.heights {
            match groups.last_mut() {
                Some((lowest, group)) if *lowest - height < SAME => group.push(at),
                _ => groups.push((height, vec![at])),
            }
        }
        let groups = groups.into_iter().map(|(_, mut group)| {
            group.sort_unstable();
            group
        });
        groups.filter(|group| group.len() > 1).collect()
    }

    fn height(&self, curve: usize) -> f64 {
        self.heights.iter().find(|(_, at)| *at == curve).map_or(0.0, |(height, _)| *height)
    }
}

/// The parts from left to right. Their borders are those of half pixels, so a long front has no more of them.
fn parts(curves: &[Curve], right: f64) -> Vec<Part> {
    let half = |x: f64| (2.0 * x).round() as i64;
    let mut borders = vec![half(right)];
    for curve in curves {
        borders.push(half(curve.end));
        borders.extend(curve.places.iter().map(|place| half(place.0)));
    }
    borders.sort_unstable();
    borders.dedup();
    let part = |pair: &[i64]| {
        let (left, right) = (pair[0] as f64 / 2.0, pair[1] as f64 / 2.0);
        let middle = f64::midpoint(left, right);
        let mut heights: Vec<(f64, usize)> = Vec::new();
        for (at, curve) in curves.iter().enumerate() {
            if let Some(height) = curve::height(&curve.places, curve.end, middle) {
                // Pixels grow downwards.
                let place = heights.partition_point(|&(other, _)| other >= height);
                heights.insert(place, (height, at));
            }
        }
        Part { left, right, heights }
    };
    borders.windows(2).map(part).collect()
}

/// Shades the area between the best front and the next one, in one piece as long as the same front is best.
fn draw_differences(canvas: &mut Canvas, curves: &[Curve], parts: &[Part], measure: &str) {
    let is_same = |one: &Part, other: &Part| {
        one.right == other.left && one.best() == other.best() && one.gap().is_some() == other.gap().is_some()
    };
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
        above.reverse();
        corners.append(&mut above);
        corners.dedup();
        let best = run[0].best();
        let names: Vec<&str> = best.iter().map(|&at| curves[at].label.as_str()).collect();
        let ink = if let [only] = best.as_slice() { curves[*only].ink } else { Ink::Axis };
        let has = if best.len() == 1 { "has" } else { "have" };
        canvas.titled(&format!("{} {has} less {measure} here", names.join(" and ")), &mut |canvas| {
            canvas.shade(&corners, ink);
        });
    }
}

/// Draws the colors of fronts with the same course in turns.
fn draw_same(canvas: &mut Canvas, curves: &[Curve], parts: &[Part]) {
    for run in parts.chunk_by(|one, other| one.right == other.left && one.same() == other.same()) {
        for group in run[0].same() {
            let names: Vec<&str> = group.iter().map(|&at| curves[at].label.as_str()).collect();
            canvas.titled(&format!("{}: equal here", names.join(" and ")), &mut |canvas| {
                for (at, &curve) in group.iter().enumerate() {
                    let mut path: Vec<(f64, f64)> = Vec::new();
                    for part in run {
                        let height = part.height(curve);
                        path.extend([(part.left, height), (part.right, height)]);
                    }
                    path.dedup();
                    canvas.striped(&path, 2.6, curves[curve].ink, (at, group.len()));
                }
            });
        }
    }
}

/// A dashed line at each smallest schedulable area; lines at the same place are striped.
fn draw_smallest(canvas: &mut Canvas, curves: &[Curve], figure_of: &Figure) {
    let (top, bottom) = (figure_of.frame.top, figure_of.frame.bottom);
    let mut places: Vec<(f64, usize)> = Vec::new();
    for (at, curve) in curves.iter().enumerate() {
        if let Some(area) = curve.side.smallest() {
            let x = figure_of.at(approx(&area), 0.0).0;
            places.insert(places.partition_point(|&(other, _)| other <= x), (x, at));
        }
    }
    for group in places.chunk_by(|one, other| other.0 - one.0 < SAME) {
        let mut words = group.iter().filter_map(|(_, at)| {
            let (side, label) = (curves[*at].side, &curves[*at].label);
            let area = figure_of.with_unit(&format_decimal(&side.smallest()?));
            Some(format!("{label}: smallest schedulable {} {area}", figure_of.data.word()))
        });
        canvas.titled(&joined(&mut words, "\n"), &mut |canvas| {
            for (turn, (x, at)) in group.iter().enumerate() {
                let (from, to) = ((*x, top), (*x, bottom));
                // Gaps among the dashes too, which tell this line from a front.
                canvas.striped(&[from, to], 1.0, curves[*at].ink, (2 * turn, 2 * group.len()));
            }
        });
    }
}

/// A disc with a tooltip at each point, if there are few.
fn draw_points(canvas: &mut Canvas, curves: &[Curve], figure_of: &Figure, measure: &str) {
    let points: usize = curves.iter().map(|curve| curve.side.steps.len()).sum();
    if points > TOLD_POINTS {
        return;
    }
    canvas.for_pointers(&mut |canvas| {
        for curve in curves {
            for (area, utilization) in &curve.side.steps {
                let place = figure_of.at(approx(area), approx(utilization));
                let (area, word) = (figure_of.with_unit(&format_decimal(area)), figure_of.data.word());
                let words =
                    format!("{}\n{word} {area}\n{measure} {}", curve.label, figure(approx(utilization)));
                canvas.titled(&words, &mut |canvas| canvas.disc(place, 2.6, Paint(curve.ink, None)));
            }
        }
    });
}

/// Entries in a row of the legend: two rows are enough.
fn in_a_row(fronts: usize) -> usize {
    if fronts > 4 { 3 } else { 2 }
}

/// The width of a label in a legend of so many fronts.
fn room(fronts: usize) -> f64 {
    (WIDTH - 2.0 * MARGIN) / in_a_row(fronts) as f64 - 51.0
}

fn draw_legend(canvas: &mut Canvas, curves: &[Curve]) {
    let (count, entries) = (curves.len(), in_a_row(curves.len()));
    let rows = count.div_ceil(entries);
    for (row, curves) in curves.chunks(entries).enumerate() {
        let y = if rows == 1 { 76.0 } else { 70.0 + 18.0 * row as f64 };
        let mut x = MARGIN;
        for curve in curves {
            let words = cut_to_width(&curve.label, LABEL.size, room(count));
            canvas.line((x, y), (x + 22.0, y), 2.5, curve.ink);
            canvas.text(&words, (x + 29.0, y), Anchor::Start, SUBTITLE, Ink::Quiet);
            x += 29.0 + text_width(&words, SUBTITLE.size) + 22.0;
        }
    }
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
        title,
        area_unit: compared.unit().to_owned(),
        is_cost: compared.is_by_name(),
        base: point(if compared.is_by_name() { first } else { 0.0 }, high),
        points: vec![point(first, high), point(reach, low)],
        complete: true,
        by_margin: compared.by_margin(),
        ..PlotData::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_exact::quantity::Rational;
    use isx_report::front::{Head, Number, Point};
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
    fn what_if_questions_name_the_curves() {
        let first = side("o/front.json", &[(0, 130), (40, 99)], Some(4000));
        let mut second = side("o-what-if/front.json", &[(0, 130), (90, 80)], Some(4000));
        second.head.what_if = vec!["mac is forbidden".into()];
        let svg = drawn(vec![first, second]);
        assert!(svg.contains(">unchanged<") && svg.contains(">mac is forbidden<"), "{svg}");
        // Both have the same smallest schedulable area: their dashes alternate.
        assert_eq!(svg.matches("stroke-dasharray=\"7 21\"").count(), 2, "{svg}");
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
