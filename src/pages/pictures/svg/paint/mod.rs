//! Tools for painting: scales and their ticks, places for labels, and the SVG document into which all of it is drawn.

mod axis;
mod canvas;
mod place;
mod scale;

pub use axis::{MARK, draw_across};
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
