//! Two fronts in one picture.

use super::paint::{
    Anchor, Canvas, Ink, LABEL, MARGIN, SUBTITLE, WIDTH, cut_to_width, draw_titles, text_width,
};
use super::words::figure;
use super::{Figure, HEIGHT, Options, curve};
use crate::answers::compare::{Comparison, Side};
use crate::pictures::plot::{PlotData, PlotPoint, PlotSmallest};
use crate::text::visible;
use isx_exact::quantity::approx;
use isx_taskset::Scheduler;

/// Draws both fronts as steps, each in its own color, with a dashed line at its smallest schedulable area.
///
/// # Errors
///
/// As [`super::draw`]: figures beyond the range of a double cannot be drawn.
pub fn draw_pair(compared: &Comparison) -> Result<String, super::DrawError> {
    let sides = [&compared.first, &compared.second];
    let data = extent(sides);
    let figure_of = Figure::new(&data, &Options::default())?;
    let mut canvas = Canvas::new(WIDTH, HEIGHT);
    figure_of.draw_axes(&mut canvas);
    for (side, ink) in sides.into_iter().zip([Ink::Line(0), Ink::Line(1)]) {
        let places =
            side.steps.iter().map(|(area, utilization)| figure_of.at(approx(area), approx(utilization)));
        let places = curve::thin(places);
        let end = match places.last() {
            Some(&(last, _)) if !side.head.complete => last,
            _ => figure_of.frame.right,
        };
        canvas.path(&curve::steps(&places, end), 2.0, ink);
        if let Some(area) = &side.head.min_schedulable_area {
            let (x, _) = figure_of.at(approx(area), 0.0);
            canvas.dashes((x, figure_of.frame.top), (x, figure_of.frame.bottom), ink);
        }
    }
    let title = visible(&data.title);
    let subtitle = "Utilization within each area; dashed: the smallest schedulable area";
    draw_titles(&mut canvas, &title, subtitle, WIDTH);
    draw_legend(&mut canvas, sides);
    let of = |side: &Side, letter: &str| {
        let last = side.steps.last().map_or(0.0, |(_, utilization)| approx(utilization));
        format!(
            "{letter}, {}: {} designs down to utilization {}.",
            visible(&side.name),
            side.head.points,
            figure(last)
        )
    };
    let description = format!("{subtitle}. {} {}", of(sides[0], "A"), of(sides[1], "B"));
    Ok(canvas.into_document(&title, &description))
}

fn draw_legend(canvas: &mut Canvas, sides: [&Side; 2]) {
    let room = (WIDTH - 2.0 * MARGIN) / 2.0 - 51.0;
    let mut x = MARGIN;
    for ((side, letter), ink) in sides.into_iter().zip(["A", "B"]).zip([Ink::Line(0), Ink::Line(1)]) {
        let words = cut_to_width(&format!("{letter}: {}", visible(&side.name)), LABEL.size, room);
        canvas.line((x, 76.0), (x + 22.0, 76.0), 2.5, ink);
        canvas.text(&words, (x + 29.0, 76.0), Anchor::Start, SUBTITLE, Ink::Quiet);
        x += 29.0 + text_width(&words, SUBTITLE.size) + 22.0;
    }
}

/// A front from the highest and leftmost point of both to the lowest and rightmost, which determines the scales.
fn extent(sides: [&Side; 2]) -> PlotData {
    let steps = || sides.into_iter().flat_map(|side| &side.steps);
    let areas = steps().map(|(area, _)| area);
    let smallest = sides.into_iter().filter_map(|side| side.head.min_schedulable_area.as_ref());
    let utilizations = || steps().map(|(_, utilization)| approx(utilization));
    let point = |area: f64, utilization: f64| PlotPoint { area, utilization, schedulable: None };
    let (high, low) = (utilizations().fold(0.0, f64::max), utilizations().fold(f64::INFINITY, f64::min));
    let reach = areas.clone().chain(smallest).map(approx).fold(0.0, f64::max);
    let first = areas.map(approx).fold(f64::INFINITY, f64::min);
    let (one, other) = (&sides[0].head, &sides[1].head);
    let title = match one.taskset == other.taskset {
        true => format!("{}: two fronts", one.taskset),
        false => format!("{} and {}", one.taskset, other.taskset),
    };
    PlotData {
        title,
        area_unit: one.area_unit.clone(),
        what_if: Vec::new(),
        scheduler: Scheduler::Edf,
        base: point(0.0, high),
        points: vec![point(first, high), point(reach, low)],
        details: Vec::new(),
        min_schedulable: PlotSmallest::Nowhere,
        complete: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::read_json::Head;
    use isx_exact::quantity::Rational;

    fn side(name: &str, steps: &[(i64, i64)], smallest: Option<i64>) -> Side {
        let number = |number: i64| Rational::new(number.into(), 100.into());
        let head = Head {
            taskset: "set <x>".into(),
            area_unit: "LUT".into(),
            min_schedulable_area: smallest.map(number),
            complete: true,
            points: steps.len(),
            ..Head::default()
        };
        let steps = steps.iter().map(|&(area, load)| (number(100 * area), number(load))).collect();
        Side { name: name.into(), head, steps }
    }

    #[test]
    fn both_fronts_are_in_the_picture_with_their_names() {
        let first = side("a & b.json", &[(0, 130), (40, 99), (70, 60)], Some(4000));
        let second = side("c.json", &[(0, 130), (90, 80)], None);
        let svg = draw_pair(&Comparison::new(first, second).unwrap()).unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let steps = document
            .descendants()
            .filter(|node| node.has_tag_name("polyline") && node.attribute("stroke-width") == Some("2"));
        assert_eq!(steps.count(), 2, "{svg}");
        for words in [">A: a &amp; b.json<", ">B: c.json<", "set &lt;x&gt;: two fronts"] {
            assert!(svg.contains(words), "{words}: {svg}");
        }
        assert_eq!(svg.matches("stroke-dasharray").count(), 1, "{svg}");
    }
}
