//! Drawing in pixels and a few named inks, by plotters' SVG backend.
//!
//! The backend takes whole coordinates and knows no classes. So the picture is drawn a hundred times as large (a
//! coordinate is then good to a hundredth of a pixel) and its header says how small to show it; and every ink has a
//! color of its own, which a style sheet in the picture replaces where the reader prefers dark.

use super::place::Rect;
use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontFamily, FontStyle, RGBColor, ShapeStyle, TextStyle};
use std::io;

/// Units of the drawing in a pixel.
const SCALE: f64 = 100.0;

/// What a line, a text or a mark is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    /// Behind everything.
    Canvas,
    /// Titles and labels.
    Text,
    /// Subtitles and tick labels.
    Quiet,
    /// Axes.
    Axis,
    /// Grid lines.
    Grid,
    /// The front where some design is schedulable.
    Schedulable,
    /// The front where none is.
    Unschedulable,
    /// The front where that is not decided.
    Undecided,
    /// The line at utilization 1.
    Bound,
    /// Bars of the baseline, a time and the longer time behind it.
    Baseline,
    BaselineBehind,
    /// Bars of CPU engines.
    Cpu,
    CpuBehind,
    /// Bars of GPU kernels.
    Gpu,
    GpuBehind,
    /// Bars of arithmetic that rounds.
    Rounded,
    RoundedBehind,
}

/// Every ink with its color on a light and on a dark page; no two light colors are the same.
const PALETTE: [(Ink, RGBColor, RGBColor); 17] = [
    (Ink::Canvas, RGBColor(0xff, 0xff, 0xff), RGBColor(0x15, 0x19, 0x1e)),
    (Ink::Text, RGBColor(0x1f, 0x24, 0x2b), RGBColor(0xe6, 0xe9, 0xed)),
    (Ink::Quiet, RGBColor(0x55, 0x5d, 0x68), RGBColor(0xa9, 0xb2, 0xbd)),
    (Ink::Axis, RGBColor(0x6b, 0x73, 0x7e), RGBColor(0x8a, 0x93, 0x9e)),
    (Ink::Grid, RGBColor(0xe7, 0xea, 0xee), RGBColor(0x2a, 0x31, 0x39)),
    (Ink::Schedulable, RGBColor(0x1b, 0x5e, 0xa8), RGBColor(0x6f, 0xb0, 0xf2)),
    (Ink::Unschedulable, RGBColor(0x96, 0x9e, 0xa9), RGBColor(0x76, 0x80, 0x8c)),
    (Ink::Undecided, RGBColor(0x7a, 0x5c, 0x9e), RGBColor(0xb8, 0x9b, 0xdc)),
    (Ink::Bound, RGBColor(0xb2, 0x3a, 0x2e), RGBColor(0xf0, 0x87, 0x7a)),
    (Ink::Baseline, RGBColor(0x8a, 0x92, 0x9d), RGBColor(0x83, 0x8d, 0x99)),
    (Ink::BaselineBehind, RGBColor(0xd3, 0xd8, 0xde), RGBColor(0x45, 0x4d, 0x57)),
    (Ink::Cpu, RGBColor(0x1d, 0x60, 0xaa), RGBColor(0x6e, 0xaf, 0xf1)),
    (Ink::CpuBehind, RGBColor(0xb3, 0xcf, 0xec), RGBColor(0x2a, 0x4d, 0x73)),
    (Ink::Gpu, RGBColor(0x3d, 0x7a, 0x3a), RGBColor(0x84, 0xc8, 0x7f)),
    (Ink::GpuBehind, RGBColor(0xbf, 0xdd, 0xbc), RGBColor(0x2f, 0x55, 0x2d)),
    (Ink::Rounded, RGBColor(0xb0, 0x6a, 0x12), RGBColor(0xe5, 0xae, 0x5f)),
    (Ink::RoundedBehind, RGBColor(0xee, 0xd6, 0xb2), RGBColor(0x66, 0x4a, 0x20)),
];

impl Ink {
    fn color(self) -> RGBColor {
        PALETTE.iter().find(|(ink, ..)| *ink == self).map_or(RGBColor(0, 0, 0), |&(_, light, _)| light)
    }
}

/// Where a text's position lies in it, from left to right; from top to bottom it is the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A font size in pixels, and whether it is bold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font {
    pub size: f64,
    pub bold: bool,
}

pub(super) struct Canvas<'a>(SVGBackend<'a>);

type Drawn = io::Result<()>;

fn units(pixels: f64) -> i32 {
    // Every coordinate was fitted to a picture of less than a thousand pixels.
    (pixels * SCALE).round() as i32
}

fn point((x, y): (f64, f64)) -> (i32, i32) {
    (units(x), units(y))
}

fn flatten<E: std::error::Error + Send + Sync + 'static>(result: Result<(), E>) -> Drawn {
    result.map_err(io::Error::other)
}

impl<'a> Canvas<'a> {
    pub(super) fn new(svg: &'a mut String, width: u32, height: u32) -> Self {
        Self(SVGBackend::with_string(svg, (width * SCALE as u32, height * SCALE as u32)))
    }

    /// Lines through the points, neighbors at the same hundredth of a pixel taken once.
    pub(super) fn path(&mut self, path: &[(f64, f64)], width: f64, ink: Ink) -> Drawn {
        let mut path: Vec<(i32, i32)> = path.iter().copied().map(point).collect();
        path.dedup();
        let style =
            ShapeStyle { color: ink.color().into(), filled: false, stroke_width: units(width) as u32 };
        flatten(self.0.draw_path(path, &style))
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, ink: Ink) -> Drawn {
        self.path(&[from, to], width, ink)
    }

    /// A line of dashes and gaps of `dash` pixels.
    pub(super) fn dashes(&mut self, from: (f64, f64), to: (f64, f64), dash: f64, ink: Ink) -> Drawn {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy);
        let at = |along: f64| (from.0 + dx * along / length, from.1 + dy * along / length);
        let mut along = 0.0;
        while along < length {
            self.line(at(along), at((along + dash).min(length)), 1.0, ink)?;
            along += 2.0 * dash;
        }
        Ok(())
    }

    pub(super) fn fill(&mut self, rect: Rect, ink: Ink) -> Drawn {
        let style = ShapeStyle { color: ink.color().into(), filled: true, stroke_width: 0 };
        let corners = (point((rect.left, rect.top)), point((rect.right, rect.bottom)));
        flatten(self.0.draw_rect(corners.0, corners.1, &style, true))
    }

    pub(super) fn disc(&mut self, center: (f64, f64), radius: f64, ink: Ink) -> Drawn {
        let style = ShapeStyle { color: ink.color().into(), filled: true, stroke_width: 0 };
        flatten(self.0.draw_circle(point(center), units(radius) as u32, &style, true))
    }

    pub(super) fn text(&mut self, text: &str, at: (f64, f64), anchor: Anchor, font: Font, ink: Ink) -> Drawn {
        let h_pos = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let weight = if font.bold { FontStyle::Bold } else { FontStyle::Normal };
        // The backend divides the size by 1.24; a whole number of units keeps the figure short in the file.
        let size = (font.size * SCALE * 1.24).round();
        let color = ink.color();
        let style = TextStyle::from((FontFamily::SansSerif, size, weight))
            .color(&color)
            .pos(Pos::new(h_pos, VPos::Center));
        flatten(self.0.draw_text(text, &style, point(at)))
    }

    pub(super) fn finish(mut self) -> Drawn {
        flatten(self.0.present())
    }
}

/// Gives the drawing its size on the page, its title and description for those who cannot see it, and the dark style.
pub(super) fn dress(drawing: &str, width: u32, height: u32, title: &str, description: &str) -> String {
    let body = drawing.split_once('>').map_or("", |(_, body)| body);
    let rule = |(_, light, dark): &(Ink, RGBColor, RGBColor)| {
        let (light, dark) = (hex(*light), hex(*dark));
        format!(
            ".isx-front [fill=\"{light}\"]{{fill:{dark}}}.isx-front [stroke=\"{light}\"]{{stroke:{dark}}}\n"
        )
    };
    // A rule for every ink that the drawing has.
    let used = |(_, light, _): &&(Ink, RGBColor, RGBColor)| body.contains(&hex(*light));
    let rules: String = PALETTE.iter().filter(used).map(rule).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"isx-front\" role=\"img\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {}00 {}00\">\n<title>{}</title>\n<desc>{}</desc>\n<style>\n\
         .isx-front polyline{{stroke-linejoin:round}}\n@media (prefers-color-scheme:dark){{\n{rules}}}\n</style>{body}",
        width,
        height,
        escape(title),
        escape(description),
    )
}

fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ink_has_a_color_of_its_own() {
        for (at, (ink, light, _)) in PALETTE.iter().enumerate() {
            assert_eq!(ink.color(), *light);
            assert!(PALETTE[..at].iter().all(|(_, other, _)| other != light), "{ink:?}");
        }
    }
}
