//! Which lines show a front of several resources.
//!
//! A line is the least utilization against the first objective, of the designs with at most a *level* of each further
//! objective. Its corners are points of the front, found in one pass because the points are in order of the first
//! objective.
//!
//! A line falls as its level rises, so the space between two lines adds up over the levels between them. A reader who
//! needs a level that is not drawn takes the next lower one, and reads too high by the space between the two. The
//! drawn levels are those for which these spaces, summed over all levels, are least; the lowest level and the highest
//! that changes anything are always drawn.
//!
//! Worked instance: lines at levels 0, 1, 2, 3 with spaces 5, 1, 4 between neighbors, of which three are drawn: 0 and 3
//! always, and 1 (level 2 then reads too high by 1) rather than 2 (level 1 would, by 5).

use crate::pictures::plot::PlotData;

/// The most levels that are compared; of more, these are taken at equal distances in order.
const CANDIDATES: usize = 128;
/// The columns of the first objective in which lines are compared.
const COLUMNS: usize = 512;

/// The points at the corners of the line within these limits, one limit per further objective; in order of the first
/// objective, each of less utilization than the one before.
pub(super) fn corners(data: &PlotData, limits: &[f64]) -> Vec<usize> {
    let mut corners: Vec<usize> = Vec::new();
    let first = |index: usize| data.points[index].area;
    for index in 0..data.points.len() {
        let is_within = data.further.iter().zip(limits).all(|(column, &limit)| column[index] <= limit);
        let least = corners.last().map_or(f64::INFINITY, |&last| data.points[last].utilization);
        if !is_within || data.points[index].utilization >= least {
            continue;
        }
        // Of equal costs the last, with the least utilization, is the corner.
        if corners.last().is_some_and(|&last| first(last) >= first(index)) {
            corners.pop();
        }
        corners.push(index);
    }
    corners
}

/// The levels of an objective.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Levels {
    /// Those that are drawn, rising.
    pub drawn: Vec<f64>,
    /// The number of different costs.
    pub count: usize,
}

/// At most `most` levels of a further objective, where the line changes most; the other objectives are not limited.
pub(super) fn levels(data: &PlotData, objective: usize, most: usize) -> Levels {
    let mut values: Vec<f64> = (0..data.points.len()).map(|point| data.cost(objective, point)).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let count = values.len();
    if count > CANDIDATES {
        let taken = |at: usize| values[at * (count - 1) / (CANDIDATES - 1)];
        values = (0..CANDIDATES).map(taken).collect();
    }
    let heights = heights(data, objective, &values);
    // A level whose line is that of the one before shows nothing.
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (&value, &height) in values.iter().zip(&heights) {
        if kept.last().is_none_or(|&(_, last)| height < last) {
            kept.push((value, height));
        }
    }
    let heights: Vec<f64> = kept.iter().map(|&(_, height)| height).collect();
    let drawn = chosen(&heights, most).into_iter().map(|at| kept[at].0).collect();
    Levels { drawn, count }
}

/// The mean height of the line at each of these levels; where a line has not begun, the greatest utilization counts.
fn heights(data: &PlotData, objective: usize, levels: &[f64]) -> Vec<f64> {
    let (Some(first), Some(last)) = (data.points.first(), data.points.last()) else {
        return vec![0.0; levels.len()];
    };
    let (low, high) = (first.area, last.area);
    let top = data.points.iter().map(|point| point.utilization).fold(0.0, f64::max);
    let scale = if high > low { (COLUMNS - 1) as f64 / (high - low) } else { 0.0 };
    let mut least = vec![top; levels.len() * COLUMNS];
    for (index, point) in data.points.iter().enumerate() {
        let level = levels.partition_point(|&level| level < data.cost(objective, index));
        let at = ((point.area - low) * scale).ceil() as usize;
        let cell = &mut least[level * COLUMNS + at.min(COLUMNS - 1)];
        *cell = cell.min(point.utilization);
    }
    let mut before = vec![top; COLUMNS];
    let mut means = Vec::with_capacity(levels.len());
    for row in least.chunks_exact(COLUMNS) {
        let mut least = f64::INFINITY;
        for (before, &cell) in before.iter_mut().zip(row) {
            least = least.min(cell);
            *before = before.min(least);
        }
        means.push(before.iter().sum::<f64>() / COLUMNS as f64);
    }
    means
}

/// The indices of at most `most` of these falling heights, the first and the last among them, such that the heights
/// that are left out differ least from the chosen ones before them, in sum.
fn chosen(heights: &[f64], most: usize) -> Vec<usize> {
    let count = heights.len();
    if count <= most.max(2) {
        return (0..count).collect();
    }
    // What leaving out everything between two chosen heights costs.
    let lost = |from: usize, to: usize| -> f64 {
        heights[from + 1..to.max(from + 1)].iter().map(|height| heights[from] - height).sum()
    };
    // best[to] is the least loss up to height `to`, the last of those chosen so far, and the one chosen before it.
    let mut best: Vec<f64> = (0..count).map(|to| lost(0, to)).collect();
    let mut before: Vec<Vec<usize>> = vec![vec![0; count]];
    for _ in 2..most.max(2) {
        let last = best.clone();
        let mut from_of = vec![0; count];
        for to in 1..count {
            for (from, &before) in last.iter().enumerate().take(to).skip(1) {
                let loss = before + lost(from, to);
                if loss < best[to] {
                    (best[to], from_of[to]) = (loss, from);
                }
            }
        }
        before.push(from_of);
    }
    let (mut path, mut at) = (vec![count - 1], count - 1);
    for from_of in before.iter().rev() {
        if from_of[at] > 0 {
            at = from_of[at];
            path.push(at);
        }
    }
    path.push(0);
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{costed, of_resources};
    use isx_exact::sampling::Sampler;
    use isx_report::front::Front;

    fn data(tasks: usize, choices: usize, resources: usize, seed: u64) -> PlotData {
        PlotData::new(&Front::of(&costed(&of_resources(tasks, choices, resources, seed)))).unwrap()
    }

    /// The least utilization within these costs, over all points.
    fn least(data: &PlotData, limits: &[f64]) -> f64 {
        let is_within =
            |index: &usize| limits.iter().enumerate().all(|(at, limit)| data.cost(at, *index) <= *limit);
        (0..data.points.len())
            .filter(is_within)
            .map(|index| data.points[index].utilization)
            .fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn a_line_is_the_least_utilization_within_its_level_at_every_cost() {
        let mut compared = 0;
        for (seed, resources) in [(1, 1), (2, 2), (3, 2), (4, 3), (5, 4)] {
            let data = data(5, 4, resources, seed);
            let mut sampler = Sampler::new(seed);
            let mut any = |column: &[f64]| column[sampler.uniform(0, column.len() as u64 - 1) as usize];
            for _ in 0..20 {
                let limits: Vec<f64> = data.further.iter().map(|column| any(column)).collect();
                let corners = corners(&data, &limits);
                assert!(corners.windows(2).all(|pair| data.points[pair[0]].area < data.points[pair[1]].area));
                for cost in data.points.iter().map(|point| point.area) {
                    let last = corners.iter().rev().find(|&&corner| data.points[corner].area <= cost);
                    let height = last.map_or(f64::INFINITY, |&last| data.points[last].utilization);
                    let limits: Vec<f64> = [cost].into_iter().chain(limits.iter().copied()).collect();
                    assert_eq!(height, least(&data, &limits), "seed {seed}, {limits:?}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 5_000, "{compared}");
    }

    #[test]
    fn the_levels_are_few_and_have_the_first_and_the_best() {
        for seed in 0..4 {
            let data = data(4, 4, 3, seed);
            let all = levels(&data, 1, usize::MAX);
            let few = levels(&data, 1, 4);
            assert!(few.drawn.len() <= 4 && few.drawn.iter().all(|level| all.drawn.contains(level)));
            assert_eq!((few.drawn.first(), few.drawn.last()), (all.drawn.first(), all.drawn.last()));
            assert_eq!(few.count, all.count);
            let least_level = data.further[0].iter().copied().fold(f64::INFINITY, f64::min);
            assert_eq!(few.drawn[0], least_level);
            // A level that is left out though all were asked for has the line of the one before.
            let none = f64::INFINITY;
            for &value in &data.further[0] {
                let shown = all.drawn.iter().rev().find(|&&level| level <= value).unwrap();
                let (one, other) = (corners(&data, &[value, none]), corners(&data, &[*shown, none]));
                let last = |corners: &[usize]| data.points[*corners.last().unwrap()].utilization;
                assert!((last(&one) - last(&other)).abs() < 1e-12, "{value} {shown}");
            }
        }
    }

    #[test]
    fn what_is_left_out_is_least_far_from_what_is_drawn() {
        assert_eq!(chosen(&[10.0, 5.0, 4.0, 0.0], 3), [0, 1, 3]);
        let mut sampler = Sampler::new(3);
        for _ in 0..200 {
            let mut height = 1e6;
            let heights: Vec<f64> = (0..9)
                .map(|_| {
                    height -= sampler.uniform(1, 1000) as f64;
                    height
                })
                .collect();
            let loss = |chosen: &[usize]| -> f64 {
                let shown =
                    |at: usize| chosen.iter().rev().find(|&&one| one <= at).map_or(0.0, |&one| heights[one]);
                (0..9).map(|at| shown(at) - heights[at]).sum()
            };
            let subsets = (0u32..1 << 9).filter(|set| set & 0x101 == 0x101 && set.count_ones() <= 4);
            let all = subsets.map(|set| loss(&(0..9).filter(|at| set >> at & 1 == 1).collect::<Vec<_>>()));
            let found = chosen(&heights, 4);
            assert!(found.len() <= 4);
            assert_eq!(loss(&found), all.fold(f64::INFINITY, f64::min), "{heights:?}: {found:?}");
        }
    }
}
