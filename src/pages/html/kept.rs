//! The designs of a long front that are in its page: every second, fourth, eighth .., and all designs around a limit.
//! The same front always gives the same selection.

use isx_report::front::{Front, Point};
use std::ops::Range;

/// Designs kept on both sides of a limit.
pub const AROUND: usize = 64;

/// The most designs of a page, besides those around its limits; from a longer front every second, fourth, .. is kept.
const MOST_DESIGNS: usize = 20_000;

/// The most choices of all designs of a page together.
const MOST_CHOICES: usize = 4_000_000;

/// Which designs of a front are in its page: the first, every `stride`-th, those around limits, and the last.
#[derive(Clone, Debug)]
pub struct Kept {
    count: usize,
    /// The step between kept designs that are not around a limit.
    pub stride: usize,
    /// The designs around which all are kept.
    pub limits: Vec<usize>,
}

impl Kept {
    /// The selection for a front. Its limits are the first design without overload and the first schedulable one: by margin
    /// only the latter, and none with several objectives, because these points are not in order of utilization.
    pub fn of(front: &Front) -> Self {
        let head = &front.head;
        let most = (MOST_CHOICES / (head.tasks.len() + head.blocks.len() + 1)).clamp(200, MOST_DESIGNS);
        let mut limits = Vec::new();
        if head.has_one_objective() {
            if !head.by_margin {
                limits.push(front.partition(&|point| point.utilization.exceeds_one()));
            }
            limits.extend(front.position(&|point| point.schedulable == Some(true)));
            limits.retain(|&limit| limit < front.len());
            limits.dedup();
        }
        Self::at_most(front.len(), limits, most)
    }

    /// At most `most` designs besides those around limits.
    pub fn at_most(count: usize, limits: Vec<usize>, most: usize) -> Self {
        let stride = count.div_ceil(most.max(1)).next_power_of_two();
        Self { count, stride, limits }
    }

    /// Whether this design is kept.
    pub fn has(&self, index: usize) -> bool {
        index.is_multiple_of(self.stride)
            || index + 1 == self.count
            || self.limits.iter().any(|limit| limit.abs_diff(index) <= AROUND)
    }

    /// The indices of the kept designs, as runs of neighbors.
    pub fn runs(&self) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for index in (0..self.count).filter(|&index| self.has(index)) {
            match runs.last_mut().filter(|run| run.end == index) {
                Some(run) => run.end += 1,
                None => runs.push(index..index + 1),
            }
        }
        runs
    }

    /// The kept designs of the front, with their indices.
    pub fn points(&self, front: &Front) -> Vec<(usize, Point)> {
        let mut points = Vec::new();
        let mut add = |index: usize, point: &Point| points.push((index, point.clone()));
        self.runs().into_iter().for_each(|run| front.visit(run, &mut add));
        points
    }

    /// Keeps every second of the designs that are not around a limit. Returns whether any was dropped.
    pub fn halve(&mut self) -> bool {
        let before = self.clone();
        self.stride = self.stride.saturating_mul(2);
        (0..self.count).any(|index| before.has(index) && !self.has(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_front_both_ends_and_all_around_the_limits_are_kept() {
        for limits in [&[][..], &[0], &[5_000], &[4_990, 5_001], &[70, 9_000], &[9_999]] {
            for (count, most) in
                [(10_000, 100), (10_000, 2), (10_000, 1), (10_001, 4_096), (10_000, 10_000), (0, 10)]
            {
                let mut kept = Kept::at_most(count, limits.to_vec(), most);
                let near = |index: usize| limits.iter().any(|limit| limit.abs_diff(index) <= AROUND);
                for _ in 0..3 {
                    let stride = kept.stride;
                    assert!(stride.is_power_of_two() && count.div_ceil(stride) <= most);
                    let wanted = |&index: &usize| index % stride == 0 || near(index) || index + 1 == count;
                    let designs = kept.runs().into_iter().flatten();
                    assert!(designs.eq((0..count).filter(wanted)), "{limits:?} {most}");
                    kept.halve();
                }
                while kept.halve() {}
                let designs: Vec<usize> = kept.runs().into_iter().flatten().collect();
                assert!(designs.len() <= 2 + limits.len() * (2 * AROUND + 1));
            }
        }
    }
}
