//! The horizontal axis of a chart.

use super::canvas::{Anchor, Canvas, Ink};
use super::place::{Rect, cut_to_width};
use super::scale::Tick;
use super::{LABEL, TICK};

/// Length of a tick mark; a label stands twice as far from the axis.
pub const MARK: f64 = 6.0;
/// From an axis to the title below.
const TITLE_BELOW: f64 = 42.0;

/// Draws the axis at the bottom of a frame, with its ticks and those without a label, its title, and a grid or none.
pub fn draw_across(
    canvas: &mut Canvas,
    frame: Rect,
    (ticks, minor): (&[Tick], &[f64]),
    title: &str,
    has_grid: bool,
) {
    let Rect { left, top, right, bottom } = frame;
    for tick in ticks.iter().filter(|_| has_grid) {
        canvas.line((tick.at, top), (tick.at, bottom), 1.0, Ink::Grid);
    }
    canvas.line((left, bottom), (right, bottom), 1.0, Ink::Axis);
    for Tick { at, label } in ticks {
        canvas.line((*at, bottom), (*at, bottom + MARK), 1.0, Ink::Axis);
        let place = (*at, bottom + 2.0 * MARK + TICK.size / 3.0);
        canvas.text(label, place, Anchor::Middle, TICK, Ink::Quiet);
    }
    for &at in minor {
        canvas.line((at, bottom), (at, bottom + MARK / 2.0), 1.0, Ink::Axis);
    }
    let title = cut_to_width(title, LABEL.size, right - left);
    let place = (f64::midpoint(left, right), bottom + TITLE_BELOW);
    canvas.text(&title, place, Anchor::Middle, LABEL, Ink::Text);
}
