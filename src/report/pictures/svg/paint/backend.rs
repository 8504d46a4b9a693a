//! The canvas as a backend of plotters: its lines, paths and texts become elements of the document.
//!
//! plotters uses integer units: here these are hundredths of a pixel.

use super::canvas::{Anchor, Canvas, Font};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
};
use std::convert::Infallible;
use std::fmt;

/// Units of plotters per pixel.
const UNITS: f64 = 100.0;

/// A length in plotters' units.
// Pictures are some thousand pixels wide; a float beyond the range saturates.
#[allow(clippy::cast_possible_truncation)]
pub fn units(length: f64) -> i32 {
    (length * UNITS).round() as i32
}

/// A point in plotters' units.
pub fn unit_point((x, y): (f64, f64)) -> BackendCoord {
    (units(x), units(y))
}

/// A length in plotters' units, written in pixels without trailing zeros.
pub struct Pixels(pub i32);

impl fmt::Display for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (whole, rest) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        let sign = if self.0 < 0 { "-" } else { "" };
        match rest {
            0 => write!(f, "{sign}{whole}"),
            _ if rest % 10 == 0 => write!(f, "{sign}{whole}.{}", rest / 10),
            _ => write!(f, "{sign}{whole}.{rest:02}"),
        }
    }
}

/// Points in plotters' units as the attribute of a polyline or polygon; consecutive duplicates are omitted.
pub fn points(points: impl IntoIterator<Item = BackendCoord>) -> String {
    let mut points: Vec<BackendCoord> = points.into_iter().collect();
    points.dedup();
    let points: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", Pixels(x), Pixels(y))).collect();
    points.join(" ")
}

/// A color as SVG writes it.
fn hex(BackendColor { rgb: (red, green, blue), .. }: BackendColor) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn is_transparent(color: BackendColor) -> bool {
    color.alpha == 0.0
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// Axes, their ticks and labels, and lines need only these methods; the canvas draws the marks of designs itself.
impl DrawingBackend for &mut Canvas {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        let (width, height) = self.size();
        (units(width).unsigned_abs(), units(height).unsigned_abs())
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, _: BackendCoord, _: BackendColor) -> Drawn {
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        if !is_transparent(style.color()) {
            let width = Pixels(style.stroke_width() as i32);
            self.stroke_line(
                from,
                to,
                format_args!("stroke=\"{}\" stroke-width=\"{width}\"", hex(style.color())),
            );
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let path: Vec<BackendCoord> = path.into_iter().collect();
        if let [from, to] = path[..] {
            return self.draw_line(from, to, style);
        }
        if !is_transparent(style.color()) {
            self.stroke_path(path, &hex(style.color()), style.stroke_width() as i32);
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Drawn {
        let size = style.size() / UNITS;
        // Figures and capitals take two thirds of a line.
        let middle = match style.anchor().v_pos {
            VPos::Top => size / 3.0,
            VPos::Center => 0.0,
            VPos::Bottom => -size / 3.0,
        };
        let anchor = match style.anchor().h_pos {
            HPos::Left => Anchor::Start,
            HPos::Center => Anchor::Middle,
            HPos::Right => Anchor::End,
        };
        let font = Font { size, bold: matches!(style.style(), FontStyle::Bold) };
        let place = (f64::from(x) / UNITS, f64::from(y) / UNITS + middle);
        self.colored_text(text, place, anchor, font, &hex(style.color()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        let told = [1.0, 0.5, -0.001, 12.345_6, 100.0, -3.25].map(|length| Pixels(units(length)).to_string());
        assert_eq!(told, ["1", "0.5", "0", "12.35", "100", "-3.25"]);
        assert_eq!(points([(0.0, 0.0), (0.001, 0.0), (7.5, 0.125)].map(unit_point)), "0,0 7.5,0.13");
    }
}
