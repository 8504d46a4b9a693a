//! The legend of a chart of dots explains the colors that occur, and the cross.

use super::chart::{DotChart, Range, Row, Series};
use isx_pages::svg::paint::{Anchor, Canvas, Ink, MARGIN, Paint, Rect, SUBTITLE, text_width};

/// Drawn over a time that other programs disturbed.
pub fn cross(canvas: &mut Canvas, (x, y): (f64, f64)) {
    const HALF: f64 = 6.2;
    for slope in [-1.0, 1.0] {
        canvas.line((x - HALF, y - slope * HALF), (x + HALF, y + slope * HALF), 2.0, Ink::Disturbed);
    }
}

pub fn rows(chart: &DotChart) -> impl Iterator<Item = &Row> {
    chart.groups.iter().flat_map(|group| &group.rows)
}

pub fn ranges(chart: &DotChart) -> impl Iterator<Item = &Range> {
    rows(chart).flat_map(|row| &row.times)
}

/// Draws the legend, on one line.
pub fn draw_legend(canvas: &mut Canvas, chart: &DotChart, y: f64) {
    let mut x = MARGIN;
    let mut words = |canvas: &mut Canvas, words: &str| {
        canvas.text(words, (x + 18.0, y), Anchor::Start, SUBTITLE, Ink::Quiet);
        let at = x;
        x += 36.0 + text_width(words, SUBTITLE.size);
        at
    };
    for series in Series::ALL {
        if rows(chart).any(|row| row.series == series && row.times.is_ok()) {
            let left = words(canvas, series.meaning());
            let patch = Rect { left, top: y - 5.0, right: left + 12.0, bottom: y + 5.0 };
            canvas.rectangle(patch, Paint(series.ink(), None));
        }
    }
    if ranges(chart).any(|range| range.disturbed) {
        let left = words(canvas, "disturbed by other programs");
        cross(canvas, (left + 6.0, y));
    }
}
