//! Which mode has the largest utilization along a front: a strip below the axis of areas, and what one mode costs alone.

use super::chart::{Item, Key, Shape};
use super::figure::Figure;
use super::measure::figure;
use super::paint::Ink;
use super::words::short_area;
use isx_report::text::{count, cut, visible};

/// The narrowest part of the strip that is drawn and the most parts that have tooltips, of a strip of so many pixels.
const NARROWEST: f64 = 2.0;
const MOST_TOOLTIPS: usize = 60;
const PIXELS: f64 = 690.0;
/// The most changes of the mode that the description lists.
const MOST_CHANGES: usize = 8;

/// A part of the strip: where it begins, and its mode.
struct Part {
    area: f64,
    mode: usize,
}

impl Figure<'_> {
    /// The parts of the strip from left to right; none if the front has one mode.
    fn parts(&self) -> Vec<Part> {
        let scale = self.x.over(0.0, PIXELS);
        let mut parts: Vec<Part> = Vec::new();
        for (point, &mode) in self.shown.iter().zip(&self.data.critical) {
            match parts.last_mut() {
                Some(last) if last.mode == mode => {}
                Some(last) if scale.pixel(point.area) - scale.pixel(last.area) < NARROWEST => {
                    last.mode = mode
                }
                _ => parts.push(Part { area: point.area, mode }),
            }
        }
        parts.dedup_by(|next, last| next.mode == last.mode);
        parts
    }

    fn mode_name(&self, mode: usize) -> String {
        self.data.head.modes.get(mode).map_or_else(String::new, |name| cut(&visible(name), 24))
    }

    /// The strip with its legend; none if the front has one mode.
    pub(super) fn strip(&self) -> (Vec<Item>, Vec<(Key, String)>) {
        let parts = self.parts();
        if parts.is_empty() {
            return Default::default();
        }
        let ends = parts.iter().skip(1).map(|part| Some(part.area)).chain([self.end]);
        let item = |(part, end): (&Part, Option<f64>)| {
            let area = self.with_unit(&figure(part.area));
            let (mode, word) = (self.mode_name(part.mode), self.data.word());
            let words = format!("{mode} has the largest utilization from {word} {area} on");
            let words = if parts.len() <= MOST_TOOLTIPS { words } else { String::new() };
            Item::new(words, Shape::Strip(part.area, end, ink(part.mode)))
        };
        let used = |mode: &usize| parts.iter().any(|part| part.mode == *mode);
        let modes = (0..self.data.head.modes.len()).filter(used);
        let modes = modes.map(|mode| (Key::Box(ink(mode)), self.mode_name(mode)));
        let legend = [(Key::Nothing, "Largest utilization in".to_owned())].into_iter().chain(modes);
        (parts.iter().zip(ends).map(item).collect(), legend.collect())
    }

    /// `Smallest schedulable area of one mode alone: serving 1117, updating 787 NAND2`.
    pub(super) fn alone(&self) -> String {
        let single = self.data.head.mode_areas.iter().filter(|of_modes| of_modes.modes.len() == 1);
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
