//! The designs of a long front that are in its page: every second, fourth, eighth .., and all designs around a limit.
//! The same front always gives the same selection.

use isx_report::front::{Front, Point};

/// Designs kept on both sides of a limit.
pub const AROUND: usize = 64;

/// The most designs of a page, besides those around its limits; from a longer front every second, fourth, .. is kept.
const MOST_DESIGNS: usize = 20_000;

/// The most choices of all designs of a page together.
const MOST_CHOICES: usize = 4_000_000;

/// Of so many designs, the first, every `stride`-th, those around limits, and the last.
#[derive(Clone, Debug)]
pub struct Kept {
    count: usize,
    stride: usize,
    limits: Vec<usize>,
}

impl Kept {
    /// Of a front. Limits are the first design without overload, and the first schedulable one; there is none with several
    /// objectives, whose points are not in order of utilization, and by margin only the second, for the same reason.
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

    /// These designs of the front, with their indices.
    pub fn points(&self, front: &Front) -> Vec<(usize, Point)> {
        let mut points = Vec::new();
        let mut add = |index: usize, point: &Point| points.push((index, point.clone()));
        if self.stride == 1 {
            front.visit(0..self.count, &mut add);
        } else {
            let kept = (0..self.count).filter(|&index| self.has(index));
            kept.for_each(|index| front.visit(index..index + 1, &mut add));
        }
        points
    }

    /// Keeps every second of the designs that are not around a limit. Returns whether any was dropped.
    pub fn halve<T>(&mut self, designs: &mut Vec<(usize, T)>) -> bool {
        let before = designs.len();
        self.stride = self.stride.saturating_mul(2);
        designs.retain(|(index, _)| self.has(*index));
        designs.len() < before
    }

    /// How many designs there are.
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
                let mut designs: Vec<(usize, ())> =
                    (0..count).filter(|&index| kept.has(index)).map(|index| (index, ())).collect();
                for _ in 0..3 {
                    let stride = kept.stride();
                    assert!(stride.is_power_of_two() && count.div_ceil(stride) <= most);
                    let wanted = |&index: &usize| index % stride == 0 || near(index) || index + 1 == count;
                    assert!(
                        designs.iter().map(|(index, ())| *index).eq((0..count).filter(wanted)),
                        "{limits:?} {most}"
                    );
                    kept.halve(&mut designs);
                }
                while kept.halve(&mut designs) {}
                assert!(designs.len() <= 2 + limits.len() * (2 * AROUND + 1));
            }
        }
    }
}
