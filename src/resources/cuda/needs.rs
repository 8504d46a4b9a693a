//! Memory for the points, on the GPU and on the host.

use super::program::Program;
use super::resources_front::Last;
use super::resources_walk::Walkers;
use super::table::room;
use isx_engine::ItemIndices;

/// Points are walked in at most so many portions.
const PORTIONS: usize = 16;
/// Points that are walked together in any case.
const FEW: usize = 1024;

/// What the points of a program need.
pub(super) struct Needs {
    /// Bytes to find them in the last table.
    pub marking: u64,
    /// Bytes of a point's costs and value.
    columns: u64,
    /// Bytes of a point while it is walked; none if items are not asked for.
    walking: u64,
    /// Bytes of a pick.
    pub width: usize,
    /// Bytes of a point's items on the host.
    items: u64,
    /// The most points there can be.
    most: u64,
}

impl Needs {
    pub fn new(program: &Program, keep: bool) -> Self {
        let frame = program.frames[program.frames.len() - 1];
        let items = program.numbers.iter().map(Vec::len).max().unwrap_or(0);
        let width = ItemIndices::width(items);
        let (steps, resources) = (program.steps.len(), program.resources);
        let walking = if keep { Walkers::bytes(room(program), resources, steps, width) } else { 0 };
        let rows = frame.rows(0..program.objectives.max(1)).unwrap_or(u64::MAX);
        Self {
            marking: Last::<i32>::marking_bytes(&frame, program.objectives).unwrap_or(u64::MAX),
            columns: 8 * (resources as u64 + 1),
            walking,
            width,
            items: if keep { (steps * width) as u64 } else { 0 },
            most: if program.objectives == 0 { 1 } else { rows },
        }
    }

    /// Bytes to keep free beside the tables as long as the number of points is unknown.
    pub fn guess(&self, free: u64) -> u64 {
        let most = self.most.saturating_mul(self.columns + self.walking);
        self.marking.saturating_add(most.min(free / 8))
    }

    /// Bytes that so many points need at least beside the tables.
    pub fn beside(&self, points: usize) -> u64 {
        let together = points.min(points.div_ceil(PORTIONS).max(FEW));
        (points as u64)
            .saturating_mul(self.columns)
            .saturating_add((together as u64).saturating_mul(self.walking))
    }

    /// How many points are walked together with so many bytes free beside their costs and values.
    pub fn together(&self, points: usize, free: u64) -> usize {
        let least = points.min(points.div_ceil(PORTIONS).max(FEW));
        (free / self.walking.max(1)).min(points as u64).max(least as u64) as usize
    }

    /// Bytes of so many points on the host.
    pub fn on_host(&self, points: usize) -> u64 {
        (points as u64).saturating_mul(self.columns + self.items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_are_as_large_as_memory_allows_but_not_many() {
        let needs = Needs { marking: 10, columns: 8, walking: 4, width: 1, items: 1, most: 1 << 40 };
        assert_eq!(needs.together(1_000_000, 4_000_000), 1_000_000);
        assert_eq!(needs.together(1_000_000, 2_000_000), 500_000);
        assert_eq!(needs.together(1_000_000, 0), 62_500);
        assert_eq!(needs.beside(1_000_000), 8_250_000);
        assert_eq!(needs.beside(10), 120);
        assert_eq!(needs.guess(8_000), 1010);
    }
}
