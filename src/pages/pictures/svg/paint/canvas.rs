//! An SVG document, written element by element in a few named inks.
//!
//! Every ink has its own color, given as an attribute, so that even simple viewers show it; a style sheet in the
//! document replaces the colors if the reader prefers dark. Coordinates are rounded to a hundredth of a pixel.

use super::place::Rect;
use isx_report::text::joined;
use memchr::{memchr3, memmem};
use std::fmt::{self, Write};

/// The color of a line, a text or a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Background.
    Canvas,
    /// Titles and labels.
    Text,
    /// Subtitles and tick labels.
    Quiet,
    /// Axes.
    Axis,
    /// Grid lines.
    Grid,
    /// The part of the front where some design is schedulable.
    Schedulable,
    /// The part of the front where none is.
    Unschedulable,
    /// The part of the front where that is undecided.
    Undecided,
    /// The line at utilization 1.
    Bound,
    /// The lines of a chart, in the order of their names; as many as [`MAX_NAMES`](crate::pictures::plot::chart::MAX_NAMES).
    Line(u8),
    /// The lines of rising levels of a resource, [`LEVELS`] of them.
    Level(u8),
}

/// The number of inks for levels.
pub const LEVELS: u8 = 8;

/// A color on a light page and on a dark one.
type Shades = (&'static str, &'static str);

/// Every ink with its shades; all light ones are different.
const PALETTE: [(Ink, Shades); 23] = [
    (Ink::Canvas, ("#ffffff", "#15191e")),
    (Ink::Text, ("#1f242b", "#e6e9ed")),
    (Ink::Quiet, ("#555d68", "#a9b2bd")),
    (Ink::Axis, ("#6b737e", "#8a939e")),
    (Ink::Grid, ("#e7eaee", "#2a3139")),
    (Ink::Schedulable, ("#1b5ea8", "#6fb0f2")),
    (Ink::Unschedulable, ("#969ea9", "#76808c")),
    (Ink::Undecided, ("#7a5c9e", "#b89bdc")),
    (Ink::Bound, ("#b23a2e", "#f0877a")),
    (Ink::Line(0), ("#707883", "#97a1ad")),
    (Ink::Line(1), ("#1e62ac", "#6daef0")),
    (Ink::Line(2), ("#b06a12", "#e5ae5f")),
    (Ink::Line(3), ("#3e7b3b", "#85c980")),
    (Ink::Line(4), ("#7b5d9f", "#b99cdd")),
    (Ink::Line(5), ("#a8326e", "#ee8fbd")),
    // From violet over green to ochre: in this order for readers who see few colors, too, and each 3 : 1 or more
    // against the page.
    (Ink::Level(0), ("#4b1d6b", "#b78ae0")),
    (Ink::Level(1), ("#474493", "#9b97ea")),
    (Ink::Level(2), ("#2f669c", "#79b2ea")),
    (Ink::Level(3), ("#20808c", "#63c3cf")),
    (Ink::Level(4), ("#1e8f70", "#62cfae")),
    (Ink::Level(5), ("#4b9438", "#8ccf72")),
    (Ink::Level(6), ("#7f8a14", "#bfc653")),
    (Ink::Level(7), ("#a87a0c", "#e6b64c")),
];

impl Ink {
    fn color(self) -> &'static str {
        PALETTE.iter().find(|(ink, _)| *ink == self).map_or("#000000", |(_, (light, _))| light)
    }
}

/// Horizontal position of a text relative to its point; vertically it is centered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A font size in pixels, and whether it is bold.
#[derive(Clone, Copy, Debug)]
pub struct Font {
    pub size: f64,
    pub bold: bool,
}

/// Length of a dash of one of several lines along the same points, in pixels.
const STRIPE: usize = 7;

/// Half the height of figures and capitals, as a fraction of the font size: text is moved down by this.
pub const HALF_HEIGHT: f64 = 0.36;

/// The fill of a shape, and the ink and width of its border.
#[derive(Clone, Copy, Debug)]
pub struct Paint(pub Ink, pub Option<(Ink, f64)>);

impl fmt::Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "fill=\"{}\"", self.0.color())?;
        let Some((ink, width)) = self.1 else { return Ok(()) };
        write!(f, " stroke=\"{}\" stroke-width=\"{}\"", ink.color(), rounded(width))
    }
}

/// A length in pixels as it is written: to a hundredth.
fn rounded(length: f64) -> f64 {
    // Adding 0 takes the sign of a zero.
    (length * 100.0).round() / 100.0 + 0.0
}

/// Points as the attribute of a polyline or polygon; consecutive duplicates are omitted.
fn points(points: &[(f64, f64)]) -> String {
    let mut points: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (rounded(x), rounded(y))).collect();
    points.dedup();
    joined(&mut points.into_iter().map(|(x, y)| format!("{x},{y}")), " ")
}

/// A document, and the elements drawn so far.
pub struct Canvas {
    width: f64,
    height: f64,
    body: String,
}

impl Canvas {
    pub fn new(width: f64, height: f64) -> Self {
        let mut canvas = Self { width, height, body: String::new() };
        canvas
            .rectangle(Rect { left: 0.0, top: 0.0, right: width, bottom: height }, Paint(Ink::Canvas, None));
        canvas
    }

    fn element(&mut self, element: fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(element);
        self.body.push('\n');
    }

    /// Lines through the points.
    pub fn path(&mut self, path: &[(f64, f64)], width: f64, ink: Ink) {
        self.stroke(path, width, ink, format_args!(" stroke-linejoin=\"round\""));
    }

    /// One of `count` lines along the same points, as dashes between those of the others.
    pub fn striped(&mut self, path: &[(f64, f64)], width: f64, ink: Ink, (at, count): (usize, usize)) {
        let [dash, gap, offset] = [1, count.saturating_sub(1), at].map(|dashes| STRIPE * dashes);
        let dashes = format_args!(" stroke-dasharray=\"{dash} {gap}\" stroke-dashoffset=\"-{offset}\"");
        self.stroke(path, width, ink, dashes);
    }

    fn stroke(&mut self, path: &[(f64, f64)], width: f64, ink: Ink, style: fmt::Arguments) {
        let (points, color, width) = (points(path), ink.color(), rounded(width));
        self.element(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"{style}/>"
        ));
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, ink: Ink) {
        self.segment(from, to, (width, ink), "");
    }

    /// A line of dashes and gaps of 3 pixels.
    pub fn dashes(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink) {
        self.segment(from, to, (1.0, ink), " stroke-dasharray=\"3\"");
    }

    fn segment(&mut self, from: (f64, f64), to: (f64, f64), (width, ink): (f64, Ink), style: &str) {
        let [x1, y1, x2, y2, width] = [from.0, from.1, to.0, to.1, width].map(rounded);
        let color = ink.color();
        self.element(format_args!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{color}\" stroke-width=\"{width}\"{style}/>"
        ));
    }

    /// A translucent area with these corners.
    pub fn shade(&mut self, corners: &[(f64, f64)], ink: Ink) {
        let (corners, color) = (points(corners), ink.color());
        self.element(format_args!("<polygon points=\"{corners}\" fill=\"{color}\" fill-opacity=\"0.16\"/>"));
    }

    pub fn rectangle(&mut self, rect: Rect, paint: Paint) {
        let [left, top, right, bottom] = [rect.left, rect.top, rect.right, rect.bottom].map(rounded);
        let [x, y, width, height] = [left, top, right - left, bottom - top].map(rounded);
        let size = format_args!("width=\"{width}\" height=\"{height}\"");
        self.element(format_args!("<rect x=\"{x}\" y=\"{y}\" {size} {paint}/>"));
    }

    pub fn disc(&mut self, center: (f64, f64), radius: f64, paint: Paint) {
        let [x, y, radius] = [center.0, center.1, radius].map(rounded);
        self.element(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {paint}/>"));
    }

    pub fn text(&mut self, text: &str, (x, y): (f64, f64), anchor: Anchor, font: Font, ink: Ink) {
        if text.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let weight = if font.bold { " font-weight=\"bold\"" } else { "" };
        let [x, y, size] = [x, y + HALF_HEIGHT * font.size, font.size].map(rounded);
        let (text, color) = (escape(text), ink.color());
        self.element(format_args!(
            "<text x=\"{x}\" y=\"{y}\"{anchor} font-size=\"{size}\"{weight} fill=\"{color}\">{text}</text>"
        ));
    }

    /// Gives whatever `draw` draws the tooltip `title`, active within 4 pixels of it.
    pub fn titled(&mut self, title: &str, draw: &mut dyn FnMut(&mut Self)) {
        // On one line: there may be hundreds of them.
        self.body += &format!("<g><title>{}</title>", escape(title));
        draw(self);
        self.body.truncate(self.body.trim_end().len());
        self.element(format_args!("</g>"));
    }

    /// Draws with a margin of 4 pixels in which the pointer counts as on the element: see [`Canvas::titled`].
    pub fn for_pointers(&mut self, draw: &mut dyn FnMut(&mut Self)) {
        self.element(format_args!("<g stroke-width=\"8\" pointer-events=\"all\">"));
        draw(self);
        self.element(format_args!("</g>"));
    }

    /// The document, with its title and description for screen readers, and the dark style.
    pub fn into_document(self, title: &str, description: &str) -> String {
        let Self { width, height, body } = self;
        // One rule for every ink that occurs in the drawing.
        let used =
            |(_, (light, _)): &&(Ink, Shades)| memmem::find(body.as_bytes(), light.as_bytes()).is_some();
        let rule = |(_, (light, dark)): &(Ink, Shades)| {
            format!(
                ".isx-front [fill=\"{light}\"]{{fill:{dark}}}.isx-front [stroke=\"{light}\"]{{stroke:{dark}}}\n"
            )
        };
        let rules: String = PALETTE.iter().filter(used).map(rule).collect();
        let (title, description) = (escape(title), escape(description));
        let [width, height] = [width, height].map(rounded);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"isx-front\" role=\"img\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
             <title>{title}</title>\n<desc>{description}</desc>\n<style>\n\
             @media (prefers-color-scheme:dark){{\n{rules}}}\n</style>\n{body}</svg>\n"
        )
    }
}

/// The text, escaped for XML.
pub fn escape(text: &str) -> String {
    if memchr3(b'&', b'<', b'>', text.as_bytes()).is_none() {
        return text.to_owned();
    }
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        let texts = [1.0, 0.5, -0.001, 12.345_6, 100.0, -3.25].map(|length| rounded(length).to_string());
        assert_eq!(texts, ["1", "0.5", "0", "12.35", "100", "-3.25"]);
        assert_eq!(points(&[(0.0, 0.0), (0.001, 0.0), (7.5, 0.125)]), "0,0 7.5,0.13");
    }

    #[test]
    fn every_ink_has_a_color_of_its_own() {
        for (at, (ink, (light, _))) in PALETTE.iter().enumerate() {
            assert_eq!(ink.color(), *light);
            assert!(PALETTE[..at].iter().all(|(_, (other, _))| other != light), "{ink:?}");
        }
        let lines = PALETTE.iter().filter(|(ink, _)| matches!(ink, Ink::Line(_))).count();
        assert_eq!(lines, crate::pictures::plot::chart::MAX_NAMES);
    }
}
