//! The marks of a front, and the tooltip of each.

use super::chart::{Item, Mark, Shape};
use super::figure::{Figure, VERDICTS};
use super::measure::figure;
use super::paint::{Ink, escape};
use super::words::short_area;
use crate::pictures::plot::{MARKED_POINTS, PlotPoint};
use isx_report::front::clock::figure_in_words;
use isx_report::front::{Head, Point};
use isx_report::text::{cut, visible};

/// Most bytes of choices and blocks in a tooltip; names may be long and tasks many.
const TOOLTIP_BYTES: usize = 280;
/// The share of block names in them.
const BLOCK_BYTES: usize = 100;

impl Figure<'_> {
    /// If there are few points, a disc at each, filled if its design is schedulable and hollow if not; a square
    /// at the software-only design and a ringed disc at the smallest schedulable one.
    pub(super) fn marks(&self) -> Vec<Item> {
        let mut marks = Vec::new();
        if self.shown.len() <= MARKED_POINTS {
            let radius = if self.shown.len() <= 60 { 3.2 } else { 2.2 };
            let mark = |(index, point): (usize, &PlotPoint)| {
                let mark = Shape::Mark(self.at(point), radius, Mark::of(point.schedulable, VERDICTS));
                Item::new(self.point_words(index, point), mark)
            };
            marks.extend(self.shown.iter().enumerate().map(mark));
        }
        marks.push(Item::new(self.base_words(), Shape::Mark(self.at(&self.data.base), 4.6, Mark::Square)));
        if let Some(point) = self.smallest_point() {
            let mark = Shape::Mark(point, 6.5, Mark::Ringed(Ink::Schedulable));
            marks.push(Item::new(self.smallest_words(), mark));
        }
        marks
    }

    fn point_words(&self, index: usize, point: &PlotPoint) -> String {
        let detail = self.data.details.get(index);
        let area = detail.map_or_else(
            || figure(point.area),
            |detail| short_area(&visible(&self.data.cost_in_words(detail))),
        );
        let other = match point.schedulable == Some(false) && self.is_beyond_smallest(point) {
            true => ", another of no more area is",
            false => "",
        };
        let verdict = verdict_in_words(&self.data.head, point.schedulable);
        let built = detail.map_or(String::new(), |detail| built_in_words(&self.data.head, detail));
        format!("{}\n{verdict}{other}{built}", self.place_in_words(&area, point.utilization))
    }

    /// `area 300 NAND2`, and below it `utilization 0.95`.
    fn place_in_words(&self, area: &str, utilization: f64) -> String {
        let (word, area, measure) = (self.data.word(), self.with_unit(area), &self.measure);
        format!("{word} {area}\n{} {}", measure.name, measure.figure(utilization))
    }

    /// Whether some design of no more area than a point is known to be schedulable.
    pub(super) fn is_beyond_smallest(&self, point: &PlotPoint) -> bool {
        self.data.smallest().is_some_and(|(area, _)| point.area >= area)
    }

    fn base_words(&self) -> String {
        let base = &self.data.base;
        format!("software only\n{}", self.place_in_words(&figure(base.area), base.utilization))
    }

    fn smallest_words(&self) -> String {
        let Some(design) = self.data.head.minimal.first() else { return String::new() };
        let Some(utilization) = self.data.smallest().and_then(|smallest| smallest.1) else {
            return String::new();
        };
        let area = short_area(&visible(&self.data.cost_in_words(design)));
        let (word, scheduler) = (self.data.word(), self.data.head.scheduler.abbreviation());
        let place = self.place_in_words(&area, utilization);
        format!(
            "smallest schedulable {word} ({scheduler})\n{place}{}",
            built_in_words(&self.data.head, design)
        )
    }

    pub(super) fn with_unit(&self, area: &str) -> String {
        if self.unit.is_empty() { area.to_owned() } else { format!("{area} {}", self.unit) }
    }
}

/// Whether a design is schedulable, and under which scheduler.
pub(super) fn verdict_in_words(head: &Head, schedulable: Option<bool>) -> String {
    let word = match schedulable {
        Some(true) => "schedulable",
        Some(false) => "not schedulable",
        None => "undecided",
    };
    format!("{word} ({})", head.scheduler.abbreviation())
}

/// The lines of the choices, then those of the blocks and of the clock.
pub(super) fn built_in_words(head: &Head, point: &Point) -> String {
    let blocks = blocks_in_words(&head.built(point));
    let choices = choices_in_words(
        &head.chosen(point).collect::<Vec<_>>(),
        TOOLTIP_BYTES - escape(&blocks).len().min(BLOCK_BYTES),
    );
    let clock = head.clock_hz(point).map(|hertz| format!("\nclock {}", figure_in_words(hertz)));
    let mode = head.critical_mode(point).map(|mode| format!("\nlargest in {}", cut(&visible(mode), 40)));
    mode.unwrap_or_default() + &choices + &blocks + &clock.unwrap_or_default()
}

/// A line with the blocks that are built, as many as fit, and the number of omitted ones; no line if none is built.
fn blocks_in_words(blocks: &[&str]) -> String {
    let block =
        |(at, block): (usize, &&str)| [if at == 0 { "\nblocks: " } else { ", " }, &visible(block)].concat();
    let (words, left) = as_many_as_fit(blocks.iter().enumerate().map(block), BLOCK_BYTES);
    match (left, words.is_empty()) {
        (0, _) => words,
        (left, true) => format!("\n{left} block{}", plural(left)),
        (left, false) => format!("{words} and {left} more"),
    }
}

/// One line per task that takes a choice, as many as fit into `room` bytes; then the number of omitted ones.
fn choices_in_words(choices: &[(&str, Option<&str>)], room: usize) -> String {
    let taken = choices.iter().filter_map(|(task, choice)| Some((task, choice.as_ref()?)));
    let line = |(task, choice): (&&str, &&str)| ["\n", &visible(task), ": ", &visible(choice)].concat();
    let (mut words, left) = as_many_as_fit(taken.clone().map(line), room);
    if left > 0 {
        words += &format!("\n{left} more task{} with a choice", plural(left));
    }
    let software = choices.len() - taken.count();
    if software > 0 {
        words += &format!("\n{software} task{} in software", plural(software));
    }
    words
}

/// As many of the pieces as fit into so many bytes when escaped, and the number of the others.
fn as_many_as_fit(pieces: impl Iterator<Item = String>, room: usize) -> (String, usize) {
    let (mut words, mut bytes, mut left) = (String::new(), 0, 0);
    for piece in pieces {
        bytes += escape(&piece).len();
        if bytes <= room { words += &piece } else { left += 1 }
    }
    (words, left)
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
