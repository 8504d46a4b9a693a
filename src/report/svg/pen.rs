//! Shapes, drawn by plotters' SVG backend.
//!
//! The backend counts in whole units and knows neither groups, titles nor dashes. So shapes are drawn in hundredths of
//! a pixel, each for itself, and what comes back is its element with its geometry in pixels; the canvas adds the paint.

use super::place::Rect;
use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::{BLACK, ShapeStyle};
use std::fmt::Write;

/// A shape, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape<'a> {
    /// A line between two points.
    Line((f64, f64), (f64, f64)),
    /// Lines through points.
    Path(&'a [(f64, f64)]),
    /// A rectangle.
    Rectangle(Rect),
    /// A circle: its center and radius.
    Circle((f64, f64), f64),
    /// A filled outline.
    Polygon(&'a [(f64, f64)]),
}

/// Units of the backend a pixel.
const UNITS: f64 = 100.0;

/// The attributes that say where a shape is.
const GEOMETRY: [&str; 12] = ["x1", "y1", "x2", "y2", "x", "y", "width", "height", "cx", "cy", "r", "points"];

// Pictures are some thousand pixels wide; a float beyond the range is cut at its end.
#[allow(clippy::cast_possible_truncation)]
fn units(length: f64) -> i32 {
    (length * UNITS).round() as i32
}

fn place((x, y): (f64, f64)) -> (i32, i32) {
    (units(x), units(y))
}

impl Shape<'_> {
    /// The beginning of its element: `<circle cx="3" cy="4.5" r="2"`; empty for a path or polygon without points.
    pub(super) fn element(self) -> String {
        let style = ShapeStyle { color: BLACK.into(), filled: true, stroke_width: 1 };
        let mut drawn = String::new();
        let mut backend = SVGBackend::with_string(&mut drawn, (1, 1));
        // Drawing to a string cannot fail.
        let _ = match self {
            Self::Line(from, to) => backend.draw_line(place(from), place(to), &style),
            Self::Path(points) => {
                let mut points: Vec<(i32, i32)> = points.iter().copied().map(place).collect();
                points.dedup();
                backend.draw_path(points, &style)
            }
            Self::Rectangle(Rect { left, top, right, bottom }) => {
                backend.draw_rect(place((left, top)), place((right, bottom)), &style, true)
            }
            Self::Circle(center, radius) => {
                backend.draw_circle(place(center), units(radius).unsigned_abs(), &style, true)
            }
            Self::Polygon(points) => backend.fill_polygon(points.iter().copied().map(place), &style),
        };
        let _ = backend.present();
        drop(backend);
        // The document's own tag stands on the first line.
        drawn.lines().nth(1).and_then(geometry).unwrap_or_default()
    }
}

/// The element without its paint, in pixels.
fn geometry(element: &str) -> Option<String> {
    let (tag, mut attributes) = element.strip_prefix('<')?.split_once(' ')?;
    let mut kept = format!("<{tag}");
    while let Some((name, rest)) = attributes.split_once("=\"") {
        let (value, rest) = rest.split_once('"')?;
        if GEOMETRY.contains(&name) {
            // Writing to a string cannot fail.
            let _ = write!(kept, " {name}=\"{}\"", in_pixels(value));
        }
        attributes = rest.trim_start();
    }
    Some(kept)
}

/// Numbers, alone or in pairs, from units to pixels; the backend writes them whole.
fn in_pixels(value: &str) -> String {
    let mut pixels = String::with_capacity(value.len() + 8);
    for word in value.split_whitespace() {
        if !pixels.is_empty() {
            pixels.push(' ');
        }
        for (at, number) in word.split(',').enumerate() {
            if at > 0 {
                pixels.push(',');
            }
            match number.parse() {
                Ok(units) => push_hundredths(units, &mut pixels),
                Err(_) => pixels.push_str(number),
            }
        }
    }
    pixels
}

/// Writes a hundredth of a number without zeros at its end.
fn push_hundredths(hundredths: i64, out: &mut String) {
    let (whole, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    let sign = if hundredths < 0 { "-" } else { "" };
    // Writing to a string cannot fail.
    let _ = match rest {
        0 => write!(out, "{sign}{whole}"),
        _ if rest % 10 == 0 => write!(out, "{sign}{whole}.{}", rest / 10),
        _ => write!(out, "{sign}{whole}.{rest:02}"),
    };
}

/// A length to a hundredth of a pixel, without the zeros at its end.
pub(super) fn pixels(length: f64) -> String {
    let text = format!("{length:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_is_an_element_in_pixels() {
        let line = Shape::Line((1.0, 2.5), (-3.25, 4.004)).element();
        assert_eq!(line, "<line x1=\"1\" y1=\"2.5\" x2=\"-3.25\" y2=\"4\"");
        let path = Shape::Path(&[(0.0, 0.0), (0.001, 0.0), (7.5, 0.125)]).element();
        assert_eq!(path, "<polyline points=\"0,0 7.5,0.13\"");
        let rect = Shape::Rectangle(Rect { left: 1.0, top: 2.0, right: 4.5, bottom: 2.25 }).element();
        assert_eq!(rect, "<rect x=\"1\" y=\"2\" width=\"3.5\" height=\"0.25\"");
        assert_eq!(Shape::Circle((3.0, 4.5), 2.0).element(), "<circle cx=\"3\" cy=\"4.5\" r=\"2\"");
        let diamond = Shape::Polygon(&[(1.0, 0.0), (2.0, 1.0), (1.0, 2.0)]).element();
        assert_eq!(diamond, "<polygon points=\"1,0 2,1 1,2\"");
    }

    #[test]
    fn lengths_are_short() {
        assert_eq!([1.0, 0.5, -0.001, 12.345_6, 100.0].map(pixels), ["1", "0.5", "0", "12.35", "100"]);
    }
}
