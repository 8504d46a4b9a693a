//! Which mode has the largest utilization along a front: a strip below the axis of areas, and what one mode costs alone.

use super::figure::Figure;
use super::measure::figure;
use super::paint::{Anchor, Canvas, Ink, MARGIN, Paint, Rect, TICK, WIDTH, cut_to_width, text_width};
use super::words::short_area;
use isx_report::text::{count, cut, visible};

/// Height of the strip with the words below it, which is added to a picture.
pub(super) const ROOM: f64 = 66.0;
/// Top and bottom of the strip.
const TOP: f64 = 496.0;
const BOTTOM: f64 = 506.0;
/// The narrowest part of the strip that is drawn, in pixels, and the most that have tooltips.
const NARROWEST: f64 = 2.0;
const MOST_TOLD: usize = 60;
/// The most changes of the mode that the description tells.
const MOST_CHANGES: usize = 8;

/// A part of the strip: where it begins, and its mode.
struct Part {
    from: f64,
    area: f64,
    mode: usize,
}

impl Figure<'_> {
    /// The parts of the strip from left to right; none if the front has one mode.
    fn parts(&self) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for (point, &mode) in self.shown.iter().zip(&self.data.modes.critical) {
            let from = self.area.pixel(point.area);
            match parts.last_mut() {
                Some(last) if last.mode == mode => {}
                Some(last) if from - last.from < NARROWEST => last.mode = mode,
                _ => parts.push(Part { from, area: point.area, mode }),
            }
        }
        parts.dedup_by(|next, last| next.mode == last.mode);
        parts
    }

    fn mode_name(&self, mode: usize) -> String {
        self.data.modes.names.get(mode).map_or_else(String::new, |name| cut(&visible(name), 24))
    }

    /// Draws the strip, its legend, and what one mode costs alone.
    pub(super) fn draw_modes(&self, canvas: &mut Canvas) {
        let parts = self.parts();
        let ends = parts.iter().skip(1).map(|part| part.from).chain([self.end]);
        for (part, end) in parts.iter().zip(ends) {
            let mut draw = |canvas: &mut Canvas| {
                let strip =
                    Rect { left: part.from, top: TOP, right: end.max(part.from + 0.5), bottom: BOTTOM };
                canvas.rectangle(strip, Paint(ink(part.mode), None));
            };
            let words = format!(
                "{} has the largest utilization from {} {} on",
                self.mode_name(part.mode),
                self.data.word(),
                self.with_unit(&figure(part.area))
            );
            if parts.len() <= MOST_TOLD { canvas.titled(&words, &mut draw) } else { draw(canvas) }
        }
        let (mut x, y) = (MARGIN, BOTTOM + 20.0);
        let say = |canvas: &mut Canvas, at: f64, words: &str, ink: Ink| {
            let words = cut_to_width(words, TICK.size, WIDTH - MARGIN - at);
            canvas.text(&words, (at, y), Anchor::Start, TICK, ink);
            at + text_width(&words, TICK.size)
        };
        x = say(canvas, x, "Largest utilization in", Ink::Quiet);
        for mode in
            (0..self.data.modes.names.len()).filter(|mode| parts.iter().any(|part| part.mode == *mode))
        {
            if x + 100.0 > WIDTH - MARGIN {
                say(canvas, x + 8.0, "…", Ink::Quiet);
                break;
            }
            canvas.rectangle(Rect::around((x + 18.0, y), 5.0), Paint(ink(mode), None));
            x = say(canvas, x + 29.0, &self.mode_name(mode), Ink::Text);
        }
        let alone = cut_to_width(&self.alone(), TICK.size, WIDTH - 2.0 * MARGIN);
        canvas.text(&alone, (MARGIN, BOTTOM + 40.0), Anchor::Start, TICK, Ink::Quiet);
    }

    /// `Smallest schedulable area of one mode alone: serving 1117, updating 787 NAND2`.
    fn alone(&self) -> String {
        let single = self.data.modes.areas.iter().filter(|of_modes| of_modes.modes.len() == 1);
        let words = single.map(|of_modes| {
            let area = match (&of_modes.min_schedulable_area, &of_modes.min_schedulable_unknown) {
                (Some(area), _) => short_area(area),
                (None, None) => "none".to_owned(),
                (None, Some(_)) => "not known".to_owned(),
            };
            format!("{} {area}", cut(&visible(&of_modes.modes[0]), 24))
        });
        let words: Vec<String> = words.collect();
        match words.is_empty() {
            true => String::new(),
            false => {
                format!(
                    "Smallest schedulable {} of one mode alone: {}",
                    self.data.word(),
                    self.with_unit(&words.join(", "))
                )
            }
        }
    }

    /// What the strip says, for screen readers.
    pub(super) fn modes_in_words(&self) -> String {
        let parts = self.parts();
        if parts.is_empty() {
            return String::new();
        }
        let changes = match parts.len() > MOST_CHANGES {
            true => format!("it changes {} times", count(parts.len() - 1)),
            false => {
                let words = parts.iter().map(|part| {
                    format!("{} from {} {}", self.mode_name(part.mode), self.data.word(), figure(part.area))
                });
                words.collect::<Vec<_>>().join(", ")
            }
        };
        format!(" Mode of the largest utilization: {changes}. {}.", self.alone()).replace(". .", ".")
    }
}

/// The ink of a mode; from the seventh on they repeat.
fn ink(mode: usize) -> Ink {
    Ink::Line(((mode + 1) % 6) as u8)
}
