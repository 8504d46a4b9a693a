//! Selects the designs of a long front for a page: every second, fourth, eighth .., and all designs around a limit.
//!
//! Designs are offered in order and need not be counted beforehand, so that a document can be read as a stream. The
//! same front always gives the same selection.

use std::collections::VecDeque;

/// Designs kept on both sides of a limit.
pub const AROUND: usize = 64;

/// The most designs of a page, besides those around its limits; from a longer front every second, fourth, .. is kept.
pub const MOST_DESIGNS: usize = 20_000;

/// The most choices of all designs of a page together.
const MOST_CHOICES: usize = 4_000_000;

/// The most designs to keep for this many tasks and blocks.
pub fn most_designs(tasks: usize, blocks: usize) -> usize {
    (MOST_CHOICES / (tasks + blocks + 1)).clamp(200, MOST_DESIGNS)
}

/// Of the designs that were offered, the first, every `stride`-th, those around limits, and the last.
#[derive(Clone, Debug)]
pub struct Thinned<T> {
    most: usize,
    stride: usize,
    count: usize,
    kept: Vec<(usize, T)>,
    /// The last designs that were not kept, in case a limit follows.
    recent: VecDeque<(usize, T)>,
    limits: Vec<usize>,
}

impl<T> Thinned<T> {
    /// For at most `most` designs besides those around limits.
    pub fn new(most: usize) -> Self {
        Self {
            most: most.max(1),
            stride: 1,
            count: 0,
            kept: Vec::new(),
            recent: VecDeque::new(),
            limits: Vec::new(),
        }
    }

    /// Offers the next design; `is_limit` if its neighbors are to be kept.
    pub fn offer(&mut self, design: T, is_limit: bool) {
        let index = self.count;
        self.count += 1;
        if is_limit {
            self.limits.push(index);
            self.kept.extend(self.recent.drain(..));
        }
        if self.is_wanted(index) {
            self.kept.push((index, design));
        } else {
            self.remember(index, design);
        }
        // The first design and those around limits stay; halving ends at the latest when only these are left, which
        // are no more than that.
        while self.kept.len() > self.most + (2 * AROUND + 1) * self.limits.len() {
            self.halve();
        }
    }

    /// Keeps every second of the designs that are not around a limit. Returns whether any was dropped.
    pub fn halve(&mut self) -> bool {
        let before = self.kept.len();
        self.stride = self.stride.saturating_mul(2);
        for (index, design) in std::mem::take(&mut self.kept) {
            if self.is_wanted(index) {
                self.kept.push((index, design));
            } else if index + AROUND >= self.count {
                self.remember(index, design);
            }
        }
        self.kept.len() < before
    }

    fn is_wanted(&self, index: usize) -> bool {
        index.is_multiple_of(self.stride) || self.limits.iter().any(|limit| limit.abs_diff(index) <= AROUND)
    }

    fn remember(&mut self, index: usize, design: T) {
        let at = self.recent.partition_point(|(other, _)| *other < index);
        self.recent.insert(at, (index, design));
        while self.recent.front().is_some_and(|(first, _)| first + AROUND < self.count) {
            self.recent.pop_front();
        }
    }

    /// How many designs were offered.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The step between kept designs that are not around a limit.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The first design that is a limit.
    pub fn first_limit(&self) -> Option<usize> {
        self.limits.first().copied()
    }

    /// The same selection, with `make` applied to each design.
    pub fn map<U>(self, mut make: impl FnMut(&T) -> U) -> Thinned<U> {
        let Self { most, stride, count, kept, recent, limits } = self;
        let mut made = |(index, design): (usize, T)| (index, make(&design));
        Thinned {
            most,
            stride,
            count,
            kept: kept.into_iter().map(&mut made).collect(),
            recent: recent.into_iter().map(&mut made).collect(),
            limits,
        }
    }

    /// The designs kept so far, with their indices, and the last one.
    pub fn kept(&self) -> impl Iterator<Item = (usize, &T)> {
        let last = self.recent.back().filter(|(index, _)| index + 1 == self.count);
        self.kept.iter().chain(last).map(|(index, design)| (*index, design))
    }

    /// As [`Thinned::kept`], but mutable, and including some designs that are not kept.
    pub fn kept_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.kept.iter_mut().chain(&mut self.recent).map(|(_, design)| design)
    }

    /// As [`Thinned::kept`], in order.
    pub fn in_order(&self) -> Vec<(usize, &T)> {
        let kept: Vec<(usize, &T)> = self.kept().collect();
        order(kept.len(), &|at| (kept[at].0, 0)).into_iter().map(|at| kept[at]).collect()
    }
}

/// The numbers below `count` in order of their keys.
pub fn order(count: usize, key: &dyn Fn(usize) -> (usize, usize)) -> Vec<usize> {
    let mut keyed: Vec<((usize, usize), usize)> = (0..count).map(|at| (key(at), at)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(count: usize, most: usize, limits: &[usize]) -> (usize, Vec<usize>) {
        let mut thinned = Thinned::new(most);
        (0..count).for_each(|index| thinned.offer(index, limits.contains(&index)));
        assert_eq!((thinned.count(), thinned.first_limit()), (count, limits.first().copied()));
        let stride = thinned.stride();
        let kept = thinned.in_order();
        assert!(kept.iter().all(|(index, design)| index == *design));
        (stride, kept.into_iter().map(|(index, _)| index).collect())
    }

    #[test]
    fn a_front_that_fits_is_kept_whole() {
        assert_eq!(offered(0, 10, &[]), (1, vec![]));
        assert_eq!(offered(10, 10, &[3]), (1, (0..10).collect()));
    }

    #[test]
    fn of_a_long_front_both_ends_and_all_around_the_limits_are_kept() {
        for limits in [&[][..], &[0], &[5_000], &[4_990, 5_001], &[70, 9_000], &[9_999]] {
            for (count, most) in [(10_000, 100), (10_000, 999), (10_000, 2), (10_000, 1), (10_001, 4_096)] {
                let (stride, kept) = offered(count, most, limits);
                let near = |index: usize| limits.iter().any(|limit| limit.abs_diff(index) <= AROUND);
                let wanted = |&index: &usize| index % stride == 0 || near(index) || index + 1 == count;
                assert_eq!(kept, (0..count).filter(wanted).collect::<Vec<_>>(), "{limits:?} {most}");
                assert!(
                    stride.is_power_of_two()
                        && count.div_ceil(stride) <= most + (2 * AROUND + 1) * limits.len()
                        && stride > 1
                );
            }
        }
    }

    #[test]
    fn halving_leaves_every_second() {
        let mut thinned = Thinned::new(100);
        (0..100).for_each(|index| thinned.offer(index, false));
        assert!(thinned.halve());
        let kept: Vec<usize> = thinned.in_order().into_iter().map(|(index, _)| index).collect();
        assert_eq!(kept, (0..100).filter(|index| index % 2 == 0 || *index == 99).collect::<Vec<_>>());
        while thinned.halve() {}
        assert_eq!(thinned.in_order().len(), 2);
    }
}
