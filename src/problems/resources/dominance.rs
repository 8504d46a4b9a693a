//! The undominated ones among many points, each with a value and a cost in several resources.
//!
//! The points are taken in lexicographic order of their costs, so that whatever dominates a point comes before it. What
//! is left to decide is whether an earlier point costs no more of every resource but the first and has no less value.
//! A k-d tree over these costs answers it: a node knows the least and the greatest costs of its points and the greatest
//! value among those taken so far. Where all values are equal and two costs are left, the points that are kept are stairs:
//! the more of one, the less of the other.
//!
//! Time O(n log n) for one or two resources; in practice little more for three or four.
//!
//! Source of the tree: J. L. Bentley, "Multidimensional binary search trees used for associative searching",
//! Communications of the ACM 18(9), 1975.

use std::collections::BTreeMap;

/// For every point whether it is kept: no earlier one costs no more of every resource and has no less value.
///
/// `costs` has a column per resource, `values` the rank of each point's value (equal values have equal ranks). The
/// points are in lexicographic order of their costs, and of equal costs the greatest value comes first. Of points that
/// are equal in everything the first is kept.
///
/// ```
/// use isx_problems::resources::undominated;
/// let (luts, dsps) = ([0, 1, 1, 2], [0, 0, 2, 1]);
/// assert_eq!(undominated(&[&luts, &dsps], &[1, 2, 2, 3]), [true, true, false, true]);
/// ```
pub fn undominated(costs: &[&[u64]], values: &[usize]) -> Vec<bool> {
    if let [_] = costs {
        let mut best = None;
        return values
            .iter()
            .map(|&value| best < Some(value) && best.replace(value) != Some(value))
            .collect();
    }
    if let [_, one, other] = costs
        && values.iter().all(|value| *value == values[0])
    {
        let mut stairs = Stairs::default();
        return one.iter().zip(*other).map(|(&one, &other)| stairs.take(one, other)).collect();
    }
    let mut tree = Tree::new(costs.get(1..).unwrap_or_default(), values.len());
    let mut keep = Vec::with_capacity(values.len());
    for (point, &value) in values.iter().enumerate() {
        let kept = !tree.has(point, value);
        if kept {
            tree.take(point, value);
        }
        keep.push(kept);
    }
    keep
}

/// Pairs of costs of which none is nowhere larger than another: the second falls as the first rises.
#[derive(Default)]
struct Stairs(BTreeMap<u64, u64>);

impl Stairs {
    /// Takes a pair unless one taken before is nowhere larger; returns whether it was taken.
    fn take(&mut self, one: u64, other: u64) -> bool {
        if self.0.range(..=one).next_back().is_some_and(|(_, &least)| least <= other) {
            return false;
        }
        while let Some((&above, _)) = self.0.range(one..).next().filter(|(_, its)| **its >= other) {
            self.0.remove(&above);
        }
        self.0.insert(one, other);
        true
    }
}

/// Points in a leaf, at most.
const LEAF: usize = 8;

struct Tree<'a> {
    columns: &'a [&'a [u64]],
    /// The points, so that those of a node follow one another.
    order: Vec<u32>,
    /// Where each point stands in `order`.
    place: Vec<u32>,
    /// The value of each taken point plus 1, in `order`; 0 for the others.
    taken: Vec<usize>,
    /// The greatest of these of every node.
    best: Vec<usize>,
    /// The least and the greatest cost of every node, one pair per column.
    bounds: Vec<[u64; 2]>,
}

/// A node: its number (the children of n are 2 n + 1 and 2 n + 2), and its points.
#[derive(Clone, Copy)]
struct Node {
    number: usize,
    from: usize,
    to: usize,
}

impl Node {
    fn is_leaf(self) -> bool {
        self.to - self.from <= LEAF
    }

    fn children(self) -> [Self; 2] {
        let middle = self.from.midpoint(self.to);
        let number = 2 * self.number + 1;
        [Self { number, to: middle, ..self }, Self { number: number + 1, from: middle, ..self }]
    }
}

impl<'a> Tree<'a> {
    fn new(columns: &'a [&'a [u64]], points: usize) -> Self {
        let root = Node { number: 0, from: 0, to: points };
        let mut nodes = 1;
        let mut widest = points;
        while widest > LEAF {
            widest = widest.div_ceil(2);
            nodes = 2 * nodes + 1;
        }
        let mut tree = Self {
            columns,
            order: (0..points as u32).collect(),
            place: vec![0; points],
            taken: vec![0; points],
            best: vec![0; nodes],
            bounds: vec![[u64::MAX, 0]; nodes * columns.len()],
        };
        tree.split(root);
        for (place, &point) in (0u32..).zip(&tree.order) {
            tree.place[point as usize] = place;
        }
        tree
    }

    fn root(&self) -> Node {
        Node { number: 0, from: 0, to: self.order.len() }
    }

    /// Sorts the points of a node into its children; the depth is logarithmic.
    fn split(&mut self, node: Node) {
        let points = &mut self.order[node.from..node.to];
        let bounds = &mut self.bounds[node.number * self.columns.len()..][..self.columns.len()];
        for (bounds, column) in bounds.iter_mut().zip(self.columns) {
            for &point in points.iter() {
                let cost = column[point as usize];
                *bounds = [bounds[0].min(cost), bounds[1].max(cost)];
            }
        }
        if node.is_leaf() {
            return;
        }
        let spread = |[least, most]: &[u64; 2]| most - least;
        let widest = bounds.iter().enumerate().max_by_key(|(_, bounds)| spread(bounds)).map(|(at, _)| at);
        if let Some(widest) = widest {
            let middle = node.from.midpoint(node.to) - node.from;
            points.select_nth_unstable_by_key(middle, |&point| self.columns[widest][point as usize]);
        }
        for child in node.children() {
            self.split(child);
        }
    }

    /// Whether a taken point costs no more than this one and has at least this value.
    fn has(&self, point: usize, value: usize) -> bool {
        let mut open = vec![self.root()];
        while let Some(node) = open.pop() {
            if self.best[node.number] <= value {
                continue;
            }
            let bounds = &self.bounds[node.number * self.columns.len()..][..self.columns.len()];
            let mut all = self.columns.iter().zip(bounds).map(|(column, bounds)| (column[point], bounds));
            if all.clone().any(|(cost, bounds)| bounds[0] > cost) {
                continue;
            }
            if all.all(|(cost, bounds)| bounds[1] <= cost) {
                return true;
            }
            if !node.is_leaf() {
                open.extend(node.children());
                continue;
            }
            let no_more =
                |other: u32| self.columns.iter().all(|column| column[other as usize] <= column[point]);
            let taken = self.taken[node.from..node.to].iter().zip(&self.order[node.from..node.to]);
            if taken.into_iter().any(|(&taken, &other)| taken > value && no_more(other)) {
                return true;
            }
        }
        false
    }

    fn take(&mut self, point: usize, value: usize) {
        let place = self.place[point] as usize;
        self.taken[place] = value + 1;
        let mut node = self.root();
        loop {
            self.best[node.number] = self.best[node.number].max(value + 1);
            if node.is_leaf() {
                return;
            }
            let [left, right] = node.children();
            node = if place < left.to { left } else { right };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_what_a_comparison_of_all_pairs_keeps() {
        let mut state = 11u64;
        let mut below = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        let (mut kept, mut dropped) = (0, 0);
        for case in 0..800 {
            let (count, resources, range) = (below(120), below(4) as usize + 1, below(12) + 1);
            let worths = if case % 2 == 0 { 9 } else { 1 };
            let mut points: Vec<(Vec<u64>, usize)> = (0..count)
                .map(|_| ((0..resources).map(|_| below(range)).collect(), below(worths) as usize))
                .collect();
            points.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
            let columns: Vec<Vec<u64>> =
                (0..resources).map(|at| points.iter().map(|point| point.0[at]).collect()).collect();
            let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
            let values: Vec<usize> = points.iter().map(|point| point.1).collect();
            let keep = undominated(&columns, &values);
            for (at, (costs, value)) in points.iter().enumerate() {
                let dominates = |(other, (theirs, worth)): (usize, &(Vec<u64>, usize))| {
                    let no_more = theirs.iter().zip(costs).all(|(a, b)| a <= b) && worth >= value;
                    no_more && (other < at || (theirs, worth) != (costs, value))
                };
                let is_dominated = points.iter().enumerate().any(dominates);
                assert_eq!(keep[at], !is_dominated, "{points:?} {at}");
                if is_dominated { dropped += 1 } else { kept += 1 }
            }
        }
        assert!(kept > 1000 && dropped > 1000, "{kept} {dropped}");
    }
}
