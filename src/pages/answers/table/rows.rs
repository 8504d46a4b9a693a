//! The rows of the table: which points it shows, and what changes from one to the next.

use super::words::{Changes, assignment, block_changes};
use crate::answers::words;
use isx_design::exploration::Exploration;
use isx_design::front::Point;
use isx_design::schedulability::SmallestSchedulable;
use isx_exact::quantity::Rational;
use isx_report::front::blocks::Blocks;
use isx_report::front::clock;
use isx_report::front::figures::Figures;
use isx_report::text::visible;
use isx_taskset::formulate::critical_mode;
use std::ops::Range;

/// Fewer points in a row than this are never hidden.
const FEWEST_HIDDEN: usize = 4;

/// A row of the table, ready to be aligned.
pub(super) struct Row {
    /// In each column of cost.
    pub costs: Vec<String>,
    pub utilization: String,
    /// Of the design, and of all designs of no more area.
    pub verdicts: (Option<bool>, Option<bool>),
    /// Changes from the row above.
    pub changes: Changes,
}

/// Makes rows, one after the other; it remembers the row above.
pub(super) struct Rows<'a> {
    explored: &'a Exploration,
    figures: Figures<'a>,
    blocks: Blocks<'a>,
    above: Vec<Option<u32>>,
    built_above: Vec<usize>,
    /// The variant and the critical mode.
    variant_above: Option<(usize, usize)>,
    clock_above: Option<Rational>,
}

impl<'a> Rows<'a> {
    /// The row above the first is a design all in software.
    pub fn new(explored: &'a Exploration) -> Self {
        let set = explored.task_set();
        let (blocks, above) = (Blocks::new(set), vec![None; set.tasks.len()]);
        let clock_above = explored.front.formulation().clock_of(&above).cloned();
        let figures = Figures::new(explored.front.formulation());
        Self { explored, figures, blocks, above, built_above: Vec::new(), variant_above: None, clock_above }
    }

    /// The row of a point with these choices.
    pub fn row(&mut self, point: &Point, choices: &[Option<u32>]) -> Row {
        let verdicts = &self.explored.verdicts;
        let (set, formulation) = (self.explored.task_set(), point.formulation());
        let tasks = set.tasks.iter().zip(choices).zip(&self.above);
        let changed = tasks.filter(|((_, choice), above)| choice != above);
        let built = self.blocks.of(choices).to_vec();
        let of_design = formulation.clock_of(choices);
        let clock = of_design.filter(|&clock| self.clock_above.as_ref() != Some(clock));
        // The variant and the critical mode.
        let mode = match set.modes.is_empty() {
            true => 0,
            false => critical_mode(&formulation.mode_utilizations(choices)),
        };
        let above = self.variant_above.replace((formulation.variant, mode));
        let variant = set.variants.get(formulation.variant);
        let variant = variant.filter(|_| above.is_none_or(|(variant, _)| variant != formulation.variant));
        let variant = variant.map(|variant| format!("on {}", visible(&variant.name)));
        let in_mode = set.modes.get(mode).filter(|_| above.is_none_or(|(_, above)| above != mode));
        let words: Vec<String> =
            variant.into_iter().chain(in_mode.map(|mode| format!("in {}", visible(mode)))).collect();
        let variant = (!words.is_empty()).then(|| words.join(" "));
        let changes = Changes {
            choices: changed.map(|((task, &choice), _)| assignment(task, choice)).collect(),
            blocks: block_changes(&set.blocks, &self.built_above, &built),
            variant,
            clock: clock.map(clock::in_words),
        };
        (self.clock_above, self.built_above) = (of_design.cloned(), built);
        self.above.copy_from_slice(choices);
        let costs = (0..self.figures.costs()).map(|column| self.figures.cost(column, point));
        Row {
            costs: costs.chain(margin(self.explored, point)).collect(),
            utilization: self.figures.rounded(point, words::utilization),
            verdicts: (verdicts.points.get(point.index()).copied().flatten(), verdicts.within(point.index())),
            changes,
        }
    }
}

/// The margin of a point, on a front of area against margin.
pub(super) fn margin(explored: &Exploration, point: &Point) -> Option<String> {
    explored.point_margins.get(point.index()).map(words::utilization)
}

/// The points to show: all of a front of at most `limit`; else the first and last few, and the smallest schedulable
/// one with its neighbors.
pub(super) fn shown(explored: &Exploration, limit: usize) -> Vec<Range<usize>> {
    let len = explored.front.len();
    let limit = limit.max(3);
    if len <= limit {
        return std::iter::once(0..len).collect();
    }
    let mut shown = Vec::new();
    if let SmallestSchedulable::At(chosen) = &explored.verdicts.smallest {
        let at = match explored.task_set().named_resources() {
            // The first point that is schedulable, as the designs of minimal cost are.
            Some(_) => explored.verdicts.points.iter().position(|passes| *passes == Some(true)).unwrap_or(0),
            None => explored.front.within(chosen.design.area()).map_or(0, |point| point.index()),
        };
        [at.saturating_sub(1), at, at + 1]
            .iter()
            .filter(|&&at| at < len)
            .for_each(|&at| insert(&mut shown, at));
    }
    // Alternately from the front and the back, twice as many from the front, until the table is full.
    let (mut first, mut last) = (0, len - 1);
    while shown.len() < limit && first <= last {
        for _ in 0..2 {
            if shown.len() < limit {
                insert(&mut shown, first);
                first += 1;
            }
        }
        if shown.len() < limit {
            insert(&mut shown, last);
            last -= 1;
        }
    }
    without_small_gaps(&shown, len)
}

/// Adds a point to those in order, unless it is there.
fn insert(shown: &mut Vec<usize>, point: usize) {
    if let Err(at) = shown.binary_search(&point) {
        shown.insert(at, point);
    }
}

/// The shown points as ranges, with the points in gaps too small to be worth hiding, between two shown points or after
/// the last.
fn without_small_gaps(shown: &[usize], len: usize) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for at in shown.iter().copied().chain([len]) {
        let to = (at + 1).min(len);
        match ranges.last_mut() {
            Some(last) if at - last.end < FEWEST_HIDDEN => last.end = to,
            None if at < FEWEST_HIDDEN => ranges.push(0..to),
            _ if at < len => ranges.push(at..to),
            _ => {}
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_to_three_points_are_never_hidden() {
        for hidden in 1..=5 {
            for first in 0..=12 - hidden {
                let gap = first..first + hidden;
                let shown: Vec<usize> = (0..12).filter(|at| !gap.contains(at)).collect();
                let ranges = without_small_gaps(&shown, 12);
                let points: Vec<usize> = ranges.iter().cloned().flatten().collect();
                let wanted: Vec<usize> = (0..12).filter(|at| hidden <= 3 || !gap.contains(at)).collect();
                assert_eq!(points, wanted, "{first} {hidden}");
                assert!(
                    ranges.iter().zip(&ranges[1..]).all(|(one, next)| one.end < next.start),
                    "{ranges:?}"
                );
            }
        }
    }
}
