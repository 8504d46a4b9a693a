//! The legend of a chart of dots explains the colors that occur.

use super::chart::{DotChart, Row, Series};
use isx_pages::svg::paint::{Anchor, Canvas, Ink, MARGIN, Paint, Rect, SUBTITLE, text_width};

pub fn rows(chart: &DotChart) -> impl Iterator<Item = &Row> {
    chart.groups.iter().flat_map(|group| &group.rows)
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
}
