//! Tools for painting: scales and their ticks, places for labels, and the SVG document into which all of it is drawn.

mod canvas;
mod place;
mod scale;

pub use canvas::{Anchor, Canvas, Font, Ink, LEVELS, Paint, escape};
pub use place::{Rect, cut_to_width, leader, place, text_width};
pub use scale::{Scale, Spread, Tick, superscript};

#[cfg(test)]
pub(super) use canvas::HALF_HEIGHT;

/// Width of most pictures.
pub const WIDTH: f64 = 800.0;
/// Distance of the outermost texts from the edge of the picture.
pub const MARGIN: f64 = 20.0;

pub const TITLE: Font = Font { size: 18.0, bold: true };
/// Width of bold text relative to regular text.
pub const BOLD: f64 = 1.12;
pub const SUBTITLE: Font = Font { size: 13.0, bold: false };
pub const LABEL: Font = Font { size: 13.0, bold: false };
pub const STRONG: Font = Font { size: 13.0, bold: true };
pub const TICK: Font = Font { size: 12.0, bold: false };

/// Draws the title and the subtitle at the top of a picture of that width.
pub fn draw_titles(canvas: &mut Canvas, title: &str, subtitle: &str, width: f64) {
    let room = width - 2.0 * MARGIN;
    let title = cut_to_width(title, TITLE.size * BOLD, room);
    canvas.text(&title, (MARGIN, 28.0), Anchor::Start, TITLE, Ink::Text);
    let subtitle = cut_to_width(subtitle, SUBTITLE.size, room);
    canvas.text(&subtitle, (MARGIN, 52.0), Anchor::Start, SUBTITLE, Ink::Quiet);
}

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
