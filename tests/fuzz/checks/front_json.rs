//! A document for `isx show`, `isx compare`, `isx plot` and `isx report`: an accepted front is in order, shows every
//! point, equals itself, and is drawn without markup from its texts.

use isx::quantity::Rational;
use isx::report::compare::{Comparison, Side, write_text as write_comparison};
use isx::report::front::{Front, WithChoices};
use isx::report::html::Report;
use isx::report::plot::PlotData;
use isx::report::plot::chart::LineChart;
use isx::report::show;
use isx::report::show::{Pick, Shown, from_front, write_json, write_text};
use isx::report::{svg, svg::fronts::draw_fronts, svg::lines::draw_lines};
use num_traits::Zero;

/// Drawing takes a hundred times as long as reading: only one in several documents is drawn.
const DRAWN: u64 = 16;

pub fn check(data: &[u8]) {
    let is_drawn = sum(data).is_multiple_of(DRAWN);
    if let Ok(side) = Side::from_written("A".into(), data) {
        compare_with_itself(&side, is_drawn);
        // The choices may be of a form that only a comparison accepts.
        if let Ok(front) = Front::read(data, &WithChoices::First(usize::MAX)) {
            for pick in (0..front.len()).map(Pick::Point) {
                shown(&from_front(&front, &pick).expect("the point is there"));
            }
            assert!(from_front(&front, &Pick::Point(front.len())).is_err(), "there is no such point");
        }
    }
    if let Ok(plot) = PlotData::from_written(data) {
        let rises = |pair: &[isx::report::plot::PlotPoint]| {
            pair[0].area <= pair[1].area && pair[0].utilization >= pair[1].utilization
        };
        assert!(!plot.head.has_one_objective() || plot.points.windows(2).all(rises));
        assert!(plot.points.iter().all(|point| point.area.is_finite() && point.utilization.is_finite()));
        if is_drawn && let Ok(picture) = svg::draw_any(&plot, &svg::Options::default()) {
            is_picture(&picture);
        }
    }
    if is_drawn
        && let Ok(front) = Front::read(data, &WithChoices::First(usize::MAX))
        && let Ok(report) = Report::new(&front, None)
    {
        is_page(&report);
    }
    if let Ok(chart) = LineChart::from_json(data)
        && is_drawn
    {
        is_picture(&draw_lines(&chart));
    }
}

/// No text of the document ends or begins an element of the page.
fn is_page(report: &Report) {
    let mut page = Vec::new();
    report.write(&mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    assert!(page.ends_with("</html>\n"));
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2));
    let (_, after) = page.split_once("id=\"data\">").unwrap();
    let (printed, _) = after.split_once('<').unwrap();
    serde_json::from_str::<serde_json::Value>(printed).unwrap();
}

fn sum(data: &[u8]) -> u64 {
    data.iter().fold(0, |sum: u64, &byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
}

/// Steps that only rise, and no difference between the fronts.
fn compare_with_itself(side: &Side, is_drawn: bool) {
    assert!(side.steps.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 >= pair[1].1));
    assert!(side.steps.len() <= side.points.len() && side.steps.is_empty() == side.points.is_empty());
    // With several objectives, one design may dominate another.
    let Ok(compared) = Comparison::new(vec![side.clone(), side.clone()]) else { return };
    for span in &compared.spans {
        assert!(span.is_equal(2) && span.most.is_zero());
    }
    let mut text = Vec::new();
    compared.write_json(&mut text).unwrap();
    serde_json::from_slice::<serde_json::Value>(&text).unwrap();
    let mut text = Vec::new();
    write_comparison(&compared, &show::Options::default(), &mut text).unwrap();
    is_plain(&text);
    if is_drawn && let Ok(picture) = draw_fronts(&compared) {
        is_picture(&picture);
    }
}

fn shown(design: &Shown) {
    let mut text = Vec::new();
    write_json(design, &mut text).unwrap();
    serde_json::from_slice::<serde_json::Value>(&text).unwrap();
    let mut text = Vec::new();
    write_text(design, &show::Options::default(), &mut text).unwrap();
    is_plain(&text);
    assert!(design.utilization().design >= Rational::zero());
}

/// The text contains no terminal control characters.
fn is_plain(text: &[u8]) {
    let text = std::str::from_utf8(text).unwrap();
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
}

/// Every `<` opens or closes an element of the picture, and none is a script.
fn is_picture(picture: &str) {
    assert!(picture.trim_end().ends_with("</svg>"));
    let (mut opened, mut closed) = (0, 0);
    for tag in picture.split('<').skip(1) {
        let (inside, text) = tag.split_once('>').unwrap_or_else(|| panic!("`<` without `>`: {tag}"));
        assert!(!inside.starts_with("script"), "{inside}");
        assert!(!text.contains(['\0', '\x1b']), "{text:?}");
        opened += usize::from(!inside.starts_with(['/', '!', '?']) && !inside.ends_with('/'));
        closed += usize::from(inside.starts_with('/'));
    }
    assert_eq!(opened, closed);
}
