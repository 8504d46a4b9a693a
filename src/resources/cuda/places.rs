//! Where the tables lie in memory: all of them, those of a segment of steps at a time, or two in turn.
//!
//! To walk back from the points, the tables of every step are needed. If they do not all fit, the steps are divided into
//! segments: the tables at the ends of the segments stay, those within share one area, which is filled anew for each
//! segment, from the last to the first. So every table is computed at most twice.
//!
//! Worked instance: tables of 1, 4, 6, 8 cells. All: 19 cells. In two segments, of steps 0, 1 and step 2: the ends, of 1, 6
//! and 8 cells, and an area of 4: 19 cells as well, since nothing lies within the second. Two in turn: 6 and 8.

use std::ops::Range;

/// The places of all tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The first cell of the tables before each step, and after the last.
    pub starts: Vec<u64>,
    /// Cells in total.
    pub cells: u64,
    /// The steps that are filled together, in order.
    pub segments: Vec<Range<usize>>,
}

impl Places {
    /// Two in turn, if the last table is all that is asked for; `cells` has those of every boundary.
    pub fn in_turn(cells: &[u64]) -> Self {
        let most = |parity: usize| cells.iter().skip(parity).step_by(2).copied().max().unwrap_or(0);
        let (even, odd) = (most(0), most(1));
        let starts = (0..cells.len()).map(|at| if at % 2 == 0 { 0 } else { even }).collect();
        Self {
            starts,
            cells: even.saturating_add(odd),
            segments: std::iter::once(0..cells.len() - 1).collect(),
        }
    }

    /// All tables in as few segments as fit into so many cells; the fewest cells that they need if none does.
    pub fn kept(cells: &[u64], free: u64) -> Result<Self, u64> {
        let steps = cells.len() - 1;
        let inner: u64 = cells.iter().fold(0, |sum, cells| sum.saturating_add(*cells));
        let (mut count, mut fewest) = (1u64, u64::MAX);
        while count <= 2 * steps.max(1) as u64 {
            let places = Self::in_area(cells, if count == 1 { u64::MAX } else { inner / count });
            if places.cells <= free {
                return Ok(places);
            }
            fewest = fewest.min(places.cells);
            count += 1 + count / 8;
        }
        Err(fewest)
    }

    /// Segments as long as what is within each fits an area of so many cells.
    fn in_area(cells: &[u64], area: u64) -> Self {
        let steps = cells.len() - 1;
        let mut segments = Vec::new();
        let (mut from, mut within) = (0, 0u64);
        for step in 1..steps {
            // The table before this step is within its segment, unless one begins here.
            match within.checked_add(cells[step]).filter(|cells| *cells <= area) {
                Some(more) => within = more,
                None => {
                    segments.push(from..step);
                    (from, within) = (step, 0);
                }
            }
        }
        segments.push(from..steps);
        let mut starts = vec![0; cells.len()];
        let mut end = cells[0];
        for segment in segments.iter().filter(|segment| segment.end > 0) {
            starts[segment.end] = end;
            end = end.saturating_add(cells[segment.end]);
        }
        let mut most = end;
        for segment in &segments {
            let mut at = end;
            for inner in segment.start + 1..segment.end {
                starts[inner] = at;
                at = at.saturating_add(cells[inner]);
            }
            most = most.max(at);
        }
        Self { starts, cells: most, segments }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_exact::sampling::Sampler;

    #[test]
    fn the_worked_instance_is_as_documented() {
        let cells = [1, 4, 6, 8];
        let all = Places::kept(&cells, 19).unwrap();
        assert_eq!((all.cells, all.segments.len()), (19, 1));
        assert_eq!(Places::in_area(&cells, 4).segments, [0..2, 2..3]);
        assert_eq!(Places::in_area(&cells, 4).cells, 19);
        assert_eq!(Places::in_turn(&cells).cells, 14);
        let nothing = Places::in_turn(&[1]);
        assert_eq!((nothing.starts, nothing.cells, nothing.segments.len()), (vec![0], 1, 1));
    }

    #[test]
    fn tables_needed_together_never_overlap() {
        let mut sampler = Sampler::new(3);
        let mut divided = 0;
        for _ in 0..3000 {
            let steps = sampler.uniform(0, 40) as usize;
            let mut cells = vec![1];
            (0..steps).for_each(|_| cells.push(sampler.uniform(1, 100)));
            let total: u64 = cells.iter().sum();
            let free = sampler.uniform(1, total);
            let places = match Places::kept(&cells, free) {
                Ok(places) => places,
                Err(fewest) => {
                    assert!(fewest > free);
                    Places::kept(&cells, fewest).unwrap()
                }
            };
            divided += u64::from(places.segments.len() > 1);
            assert_eq!(
                places.segments.iter().flat_map(Clone::clone).collect::<Vec<_>>(),
                (0..steps).collect::<Vec<_>>()
            );
            let range = |at: usize| places.starts[at]..places.starts[at] + cells[at];
            for segment in &places.segments {
                // All of the segment, and the ends of all before it.
                let ends = places.segments.iter().map(|other| other.end).filter(|end| *end < segment.start);
                let live: Vec<usize> = ends
                    .chain([0])
                    .filter(|at| *at < segment.start)
                    .chain(segment.start..=segment.end)
                    .collect();
                for (at, one) in live.iter().enumerate() {
                    assert!(range(*one).end <= places.cells);
                    for other in live[..at].iter().filter(|other| *other != one) {
                        let (a, b) = (range(*one), range(*other));
                        assert!(a.end <= b.start || b.end <= a.start, "{places:?}");
                    }
                }
            }
            let turn = Places::in_turn(&cells);
            for step in 0..steps {
                let (a, b) = (turn.starts[step], turn.starts[step + 1]);
                assert!(a + cells[step] <= b || b + cells[step + 1] <= a);
            }
        }
        assert!(divided > 1000, "{divided}");
    }
}
