//! Places labels so that they cover nothing and nothing covers them.
//!
//! A front only falls, so the quarter plane above and to the right of each point is free, and so is the one below and
//! to the left; a label that fits in neither is not placed at all.

use unicode_width::UnicodeWidthChar;

/// An upright rectangle in pixels; y grows downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Rect {
    pub fn around(center: (f64, f64), half: f64) -> Self {
        let (x, y) = center;
        Self { left: x - half, top: y - half, right: x + half, bottom: y + half }
    }

    /// The rectangle spanned by two points, `margin` wider on every side.
    pub fn spanned(a: (f64, f64), b: (f64, f64), margin: f64) -> Self {
        Self {
            left: a.0.min(b.0) - margin,
            top: a.1.min(b.1) - margin,
            right: a.0.max(b.0) + margin,
            bottom: a.1.max(b.1) + margin,
        }
    }

    pub fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn contains(&self, inner: &Self) -> bool {
        self.left <= inner.left
            && self.top <= inner.top
            && self.right >= inner.right
            && self.bottom >= inner.bottom
    }
}

/// An upper bound on the text's width in common sans-serif faces, from the widest of them (DejaVu Sans).
pub fn text_width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size
}

/// The width of the character as a fraction of the font size.
fn advance(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' | ' ' | '.' | ',' | ':' | ';' | '·' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '-' | '/' | '"' | 'I' | 'J' => 0.42,
        '⁰'..='⁹' | '⁻' | '¹' | '²' | '³' => 0.46,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 1.0,
        '+' | '=' | '<' | '>' | '~' | '#' | '↑' | '↓' | '≈' | 'O' | 'Q' | 'D' | 'G' | 'H' | 'N' | 'U' => {
            0.84
        }
        'A'..='Z' => 0.7,
        _ if c.is_ascii() => 0.64,
        _ => 0.72 * c.width().unwrap_or(0).max(1) as f64,
    }
}

/// The text cut to a width, with an ellipsis at the end if something was cut.
pub fn cut_to_width(text: &str, size: f64, limit: f64) -> String {
    if text_width(text, size) <= limit {
        return text.to_owned();
    }
    let mut left = limit / size - advance('…');
    let fits = |c: &char| {
        left -= advance(*c);
        left >= 0.0
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// Vertical distances of a label from its point, in pixels.
const DISTANCES: [f64; 8] = [9.0, 14.0, 20.0, 28.0, 40.0, 56.0, 80.0, 110.0];

/// A place for a label of that width and height near `point`, within `frame` and `free`.
pub fn place(
    point: (f64, f64),
    (width, height): (f64, f64),
    frame: Rect,
    free: &dyn Fn(&Rect) -> bool,
) -> Option<Rect> {
    let (x, y) = point;
    let at = |left: f64, top: f64| Rect { left, top, right: left + width, bottom: top + height };
    // Above and to the right; straight above, moved to stay within the frame; below and to the left;
    // above and to the left; level, right; below and to the right; further to the right.
    let candidates = |distance: f64| {
        [
            at(x + 8.0, y - distance - height),
            at(
                (x - width / 2.0).clamp(frame.left, (frame.right - width).max(frame.left)),
                y - distance - height,
            ),
            at(x - 10.0 - width, y + distance),
            at(x - 10.0 - width, y - distance - height),
            at(x + 14.0, y - height / 2.0),
            at(x + 8.0, y + distance),
            at(x + 50.0, y - distance - height),
            at(x + 110.0, y - distance - height),
        ]
    };
    DISTANCES
        .iter()
        .flat_map(|&distance| candidates(distance))
        .find(|label| frame.contains(label) && free(label))
}

/// A straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    pub from: (f64, f64),
    pub to: (f64, f64),
}

/// A label nearer than this to its mark needs no line to it.
const NEAR: f64 = 30.0;
/// Distance between the line's beginning and the middle of its mark.
const CLEAR: f64 = 11.0;

/// The line from a mark to its label, where they are far apart.
pub fn leader(mark: (f64, f64), label: Rect) -> Option<Segment> {
    let end = (mark.0.clamp(label.left, label.right), mark.1.clamp(label.top, label.bottom));
    let (dx, dy) = (end.0 - mark.0, end.1 - mark.1);
    let length = dx.hypot(dy);
    let from = (mark.0 + dx / length * CLEAR, mark.1 + dy / length * CLEAR);
    (length >= NEAR).then_some(Segment { from, to: end })
}

impl Segment {
    /// Whether it crosses none of the rectangles.
    pub fn misses(&self, rects: &[Rect]) -> bool {
        !rects.iter().any(|rect| self.crosses(rect))
    }

    /// Whether part of it lies within the rectangle (Liang and Barsky, 1984).
    fn crosses(&self, rect: &Rect) -> bool {
        let (dx, dy) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let sides = [
            (-dx, self.from.0 - rect.left),
            (dx, rect.right - self.from.0),
            (-dy, self.from.1 - rect.top),
            (dy, rect.bottom - self.from.1),
        ];
        let (mut enters, mut leaves) = (0.0f64, 1.0f64);
        for (speed, distance) in sides {
            if speed == 0.0 {
                if distance < 0.0 {
                    return false;
                }
            } else if speed < 0.0 {
                enters = enters.max(distance / speed);
            } else {
                leaves = leaves.min(distance / speed);
            }
        }
        enters <= leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_crosses_what_it_runs_over() {
        let rect = Rect { left: 10.0, top: 10.0, right: 20.0, bottom: 20.0 };
        let segment = |from, to| Segment { from, to };
        assert!(segment((0.0, 0.0), (30.0, 30.0)).crosses(&rect));
        assert!(segment((15.0, 15.0), (16.0, 15.0)).crosses(&rect));
        assert!(segment((15.0, 0.0), (15.0, 30.0)).crosses(&rect));
        assert!(!segment((0.0, 0.0), (9.0, 30.0)).crosses(&rect));
        assert!(!segment((0.0, 15.0), (9.0, 15.0)).crosses(&rect));
        assert!(!segment((25.0, 0.0), (25.0, 30.0)).crosses(&rect));
    }

    #[test]
    fn cut_text_keeps_to_its_width() {
        for limit in [5.0, 40.0, 77.7, 1000.0] {
            let text = cut_to_width("Width of 日本語 text, mixed", 13.0, limit);
            assert!(text_width(&text, 13.0) <= limit.max(13.0), "{text}");
            assert_eq!(text.ends_with('…'), limit < 1000.0);
        }
    }
}
