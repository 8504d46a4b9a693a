//! The symbols of a chart of dots, and the legend that explains those that occur.

use super::chart::{DotChart, Range, Row, Series};
use isx_pages::svg::paint::{Canvas, Ink, MARGIN, Paint, Rect, SUBTITLE, WIDTH, text_width};
use isx_report::visible;

const RADIUS: f64 = 4.2;

/// A symbol of a row, or of the legend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Symbol {
    /// A patch of a color, only in the legend.
    Swatch(Ink),
    /// The times.
    Full(Ink),
    /// The times for the larger amount of work.
    Hollow(Ink),
    /// The times of inexact arithmetic.
    Diamond(Ink),
    /// Drawn over a time that other programs disturbed.
    Cross,
}

impl Symbol {
    pub fn draw(self, canvas: &mut Canvas, at @ (x, y): (f64, f64)) {
        match self {
            Self::Swatch(ink) => {
                let patch = Rect { left: x - 6.0, top: y - 5.0, right: x + 6.0, bottom: y + 5.0 };
                canvas.rectangle(patch, Paint(ink, None));
            }
            Self::Full(ink) => canvas.disc(at, RADIUS, Paint(ink, Some((ink, 2.0)))),
            Self::Hollow(ink) => canvas.disc(at, RADIUS, Paint(Ink::Canvas, Some((ink, 2.0)))),
            Self::Diamond(ink) => canvas.diamond(at, RADIUS + 1.0, Paint(ink, Some((ink, 2.0)))),
            Self::Cross => {
                for slope in [-1.0, 1.0] {
                    let half = RADIUS + 2.0;
                    canvas.line(
                        (x - half, y - slope * half),
                        (x + half, y + slope * half),
                        2.0,
                        Ink::Disturbed,
                    );
                }
            }
        }
    }
}

pub fn rows(chart: &DotChart) -> impl Iterator<Item = &Row> {
    chart.groups.iter().flat_map(|group| &group.rows)
}

pub fn ranges(chart: &DotChart) -> impl Iterator<Item = &Range> {
    rows(chart).flat_map(|row| row.times.iter().chain(&row.more))
}

/// The symbols that occur in the chart, in lines that fit the width.
pub fn legend(chart: &DotChart) -> Vec<Vec<(Symbol, String, f64)>> {
    let occurs = |series: Series| rows(chart).any(|row| row.series == series && row.times.is_ok());
    let present = Series::ALL.into_iter().filter(|&series| occurs(series));
    let mut entries: Vec<(Symbol, String)> =
        present.map(|series| (Symbol::Swatch(series.ink()), series.meaning().to_owned())).collect();
    if let Some((full, hollow)) = &chart.meanings {
        entries.push((Symbol::Full(Ink::Text), visible(full)));
        entries.push((Symbol::Hollow(Ink::Text), visible(hollow)));
    }
    if rows(chart).any(|row| row.rounded && row.times.is_ok()) {
        entries.push((Symbol::Diamond(Ink::Text), "floats, inexact".to_owned()));
    }
    if ranges(chart).any(|range| range.disturbed) {
        entries.push((Symbol::Cross, "disturbed by other programs".to_owned()));
    }
    let mut lines = vec![Vec::new()];
    let mut x = MARGIN;
    for (symbol, words) in entries {
        let width = 18.0 + text_width(&words, SUBTITLE.size);
        if x > MARGIN && x + width > WIDTH - MARGIN {
            lines.push(Vec::new());
            x = MARGIN;
        }
        if let Some(line) = lines.last_mut() {
            line.push((symbol, words, x));
        }
        x += width + 18.0;
    }
    lines
}
