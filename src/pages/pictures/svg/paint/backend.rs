//! The canvas as a backend of plotters: its lines, paths and texts become elements of the document.
//!
//! plotters uses integer units: here these are hundredths of a pixel.

use super::canvas::{Anchor, Canvas, Font};
use super::pixels::{Pixels, UNITS, units};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
};
use std::convert::Infallible;

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
