//! The rows of the table: which points it shows, and what changes from one to the next.

use super::words::Changes;
use crate::answers::changes::{block_changes, changes};
use crate::answers::words::{self, assignment};
use isx_report::front::clock::figure_in_words;
use isx_report::front::{Front, Head, Number, Point};
use isx_report::text::visible;
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
    head: &'a Head,
    /// The row above; before the first row all tasks are in software.
    above: Point,
    is_first: bool,
}

impl<'a> Rows<'a> {
    pub fn new(head: &'a Head) -> Self {
        let choices = vec![None; head.tasks.len()];
        Self { head, above: Point { choices, clock: head.base.clock, ..Point::default() }, is_first: true }
    }

    /// The row of a point.
    pub fn row(&mut self, point: &Point) -> Row {
        let (head, is_first) = (self.head, self.is_first);
        // With several objectives a row stands by itself.
        let above = match head.has_one_objective() {
            true => {
                self.is_first = false;
                &std::mem::replace(&mut self.above, point.clone())
            }
            false => &self.above,
        };
        let variant = head.variant(point).filter(|_| is_first || point.variant != above.variant);
        let mode =
            head.critical_mode(point).filter(|_| is_first || point.critical_mode() != above.critical_mode());
        // Two variants number their clocks separately.
        let clock = head.clock_hz(point).filter(|&clock| head.clock_hz(above) != Some(clock));
        let words = variant.map(|variant| format!("on {}", visible(variant))).into_iter();
        let words: Vec<String> = words.chain(mode.map(|mode| format!("in {}", visible(mode)))).collect();
        Row {
            costs: point.cost.iter().map(Number::decimal).chain(margin(point)).collect(),
            utilization: words::utilization(&point.utilization.exact()),
            verdicts: (point.schedulable, point.schedulable_within),
            changes: Changes {
                choices: changes(head, above, point).map(|(task, choice)| assignment(task, choice)).collect(),
                blocks: match head.has_one_objective() {
                    true => block_changes(head, above, point)
                        .map(|(sign, name)| format!("{sign}{}", visible(name)))
                        .collect(),
                    false => head.built(point).into_iter().map(visible).collect(),
                },
                variant: (!words.is_empty()).then(|| words.join(" ")),
                clock: clock.map(figure_in_words),
            },
        }
    }
}

/// The margin of a point, on a front of cost against margin.
pub(super) fn margin(point: &Point) -> Option<String> {
    point.margin.as_ref().map(|margin| words::utilization(&margin.exact()))
}

/// The points to show: all of a front of at most `limit`; else the first and last few, and the smallest schedulable
/// one with its neighbors.
pub(super) fn shown(front: &Front, limit: usize) -> Vec<Range<usize>> {
    let len = front.len();
    let limit = limit.max(3);
    if len <= limit {
        return std::iter::once(0..len).collect();
    }
    let mut shown = Vec::new();
    if let Some(smallest) = front.head.minimal.first() {
        // With several objectives the first point that is schedulable, as the designs of minimal cost are.
        let at = match front.head.has_one_objective() {
            true => front.within(smallest).unwrap_or(0),
            false => front.position(&|point| point.schedulable == Some(true)).unwrap_or(0),
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
