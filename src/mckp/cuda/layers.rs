//! The layers of a table: one per class, or one for two small neighboring classes whose choices are made together.
//!
//! Each layer costs the GPU an exchange between tiles before its first update, so two classes of a few items each
//! are cheaper as one class of all sums of their items. The sums kept:
//!
//! - A sum is dropped if another one weighs no more and is worth at least as much. At a front point, the lightest of
//!   its value, it could only explain a value that the other reaches with less weight, which the point rules
//!   out; and the traceback of a front point leads through front points of the earlier rows.
//! - Of equal sums the first in canonical order stays. Canonical means: the last class's item is the first that
//!   explains the value, then the item of the class before it. So sums are in order of the second class's item, then
//!   of the first class's, and the first sum that explains a value contains the items that two separate steps back
//!   would find: the second class's item explains the value if and only if some sum with it does, and the first
//!   class's item then explains the rest if and only if the sum of both explains the whole.
//!
//! Worked instance: items (value, weight) {(0,0), (5,2)} and {(0,0), (4,1), (5,2)}. Sums in canonical order: (0,0),
//! (5,2), (4,1), (9,3), (5,2), (10,4). The second (5,2) equals the first; nothing is dominated; five sums remain.

use super::cell::{Cell, Width};
use isx_problems::mckp::Item;
use isx_problems::reduce::mckp::{Class, Reduced};
use std::ops::Range;

/// Which neighboring classes are merged into one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merging {
    /// Those for which the cost model predicts a gain.
    Fastest,
    /// None.
    Never,
    /// As many as possible, for tests.
    Always,
}

/// Two classes with more sums than this are never merged.
const MOST_SUMS: usize = 512;

/// A layer of the table.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// Its items in canonical order.
    pub items: Vec<Item<i64>>,
    /// Its first class; a second one is the next class.
    pub class: usize,
    /// The items of a layer made of two classes.
    pub pairs: Option<Pairs>,
}

/// The composition of the items of a layer of two classes.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    /// For each item of the layer, the two items that it is the sum of.
    pub items: Vec<Pair>,
    /// The numbers of items of the first and of the second class.
    pub class_sizes: [usize; 2],
}

/// The items behind a sum; there are at most [`MOST_SUMS`] of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// The first class's item.
    pub first: u16,
    /// The second class's item,
    pub second: u16,
    /// and its weight.
    pub second_weight: u64,
}

/// The layers of a problem.
#[derive(Clone, Debug)]
pub struct Layers {
    pub(super) layers: Vec<Layer>,
    /// The width of cells.
    pub width: Width,
    /// The largest weight that matters.
    pub capacity: u64,
}

impl Layer {
    /// The classes it is made of.
    pub fn classes(&self) -> Range<usize> {
        self.class..self.class + if self.pairs.is_some() { 2 } else { 1 }
    }
}

impl Layers {
    /// One layer per class.
    pub fn one_a_class<V: Cell>(problem: &Reduced<V>) -> Self {
        let item = |item: &Item<V>| Item { value: item.value.to_i64(), weight: item.weight };
        let layer = |(class, of): (usize, &Class<V>)| Layer {
            items: of.items.iter().map(item).collect(),
            class,
            pairs: None,
        };
        let layers = problem.classes.iter().enumerate().map(layer).collect();
        Self { layers, width: V::WIDTH, capacity: problem.capacity }
    }

    /// Merges neighbors, from the first on, if `pays` accepts the two layers and the result.
    pub fn merged(self, pays: impl Fn(&[&[Item<i64>]; 2], &[Item<i64>]) -> bool) -> Self {
        let Self { width, capacity, .. } = self;
        let mut layers: Vec<Layer> = Vec::with_capacity(self.layers.len());
        for layer in self.layers {
            let merged = layers.last().filter(|last| last.pairs.is_none()).and_then(|last| {
                let (items, pairs) = sums(&last.items, &layer.items, width, capacity)?;
                pays(&[&last.items, &layer.items], &items).then_some(Layer {
                    items,
                    class: last.class,
                    pairs: Some(Pairs { items: pairs, class_sizes: [last.items.len(), layer.items.len()] }),
                })
            });
            match merged {
                Some(merged) => {
                    layers.pop();
                    layers.push(merged);
                }
                None => layers.push(layer),
            }
        }
        Self { layers, width, capacity }
    }
}

/// A sum of two items under construction.
struct Sum {
    weight: u64,
    value: i64,
    pair: Pair,
}

/// The sums of two classes' items that a front point within the capacity may need, in canonical order, with the
/// items of each; `None` if there are too many or one does not fit a cell.
fn sums(
    first: &[Item<i64>],
    second: &[Item<i64>],
    width: Width,
    capacity: u64,
) -> Option<(Vec<Item<i64>>, Vec<Pair>)> {
    if first.len().checked_mul(second.len()).is_none_or(|sums| sums > MOST_SUMS) {
        return None;
    }
    let mut all = Vec::with_capacity(first.len() * second.len());
    let useful = |(_, item): &(u16, &Item<i64>)| item.value >= 0 && item.weight <= capacity;
    for (of_second, b) in (0..).zip(second).filter(useful) {
        for (of_first, a) in (0..).zip(first).filter(useful) {
            let weight = a.weight.saturating_add(b.weight);
            if weight <= capacity {
                let value = a.value.checked_add(b.value)?;
                let pair = Pair { first: of_first, second: of_second, second_weight: b.weight };
                all.push(Sum { weight, value, pair });
            }
        }
    }
    let canonical = |sum: &Sum| [sum.pair.second, sum.pair.first];
    all.sort_unstable_by_key(|sum| (sum.weight, std::cmp::Reverse(sum.value), canonical(sum)));
    let mut best = None;
    all.retain(|sum| {
        let better = best.is_none_or(|best| sum.value > best);
        best = best.max(Some(sum.value));
        better
    });
    all.sort_unstable_by_key(canonical);
    let item = |&Sum { weight, value, .. }: &Sum| width.fits(value).then_some(Item { value, weight });
    let items = all.iter().map(item).collect::<Option<_>>()?;
    Some((items, all.iter().map(|sum| sum.pair).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_exact::sampling::Sampler;

    fn items(pairs: &[(i64, u64)]) -> Vec<Item<i64>> {
        pairs.iter().map(|&(value, weight)| Item { value, weight }).collect()
    }

    fn of_sums(first: &[(i64, u64)], second: &[(i64, u64)], capacity: u64) -> Vec<(i64, u64, [u16; 2])> {
        let (items, pairs) = sums(&items(first), &items(second), Width::Narrow, capacity).unwrap();
        let of = |(item, pair): (&Item<i64>, &Pair)| (item.value, item.weight, [pair.first, pair.second]);
        items.iter().zip(&pairs).map(of).collect()
    }

    #[test]
    fn the_worked_instance_is_summed_as_told() {
        assert_eq!(
            of_sums(&[(0, 0), (5, 2)], &[(0, 0), (4, 1), (5, 2)], 100),
            [(0, 0, [0, 0]), (5, 2, [1, 0]), (4, 1, [0, 1]), (9, 3, [1, 1]), (10, 4, [1, 2])]
        );
    }

    #[test]
    fn sums_beyond_the_capacity_and_items_of_negative_value_are_left_out() {
        assert_eq!(of_sums(&[(0, 0), (5, 2)], &[(0, 0), (7, 2)], 3), [(0, 0, [0, 0]), (7, 2, [0, 1])]);
        assert_eq!(of_sums(&[(0, 0), (-1, 1)], &[(0, 0), (9, u64::MAX)], 0), [(0, 0, [0, 0])]);
    }

    #[test]
    fn too_many_sums_and_values_beyond_a_cell_are_not_merged() {
        let many = items(&vec![(1, 1); 23]);
        assert!(sums(&many, &many, Width::Narrow, 100).is_none());
        assert!(sums(&items(&[(i32::MAX.into(), 1)]), &items(&[(1, 1)]), Width::Narrow, 100).is_none());
        let wide = [Item { value: i64::MAX, weight: 1 }];
        assert!(sums(&wide, &wide, Width::Wide, 100).is_none());
    }

    /// A class with a zero item somewhere.
    fn class(sampler: &mut Sampler, heaviest: u64, most_valuable: u64) -> Vec<Item<i64>> {
        let mut items: Vec<Item<i64>> = (0..sampler.uniform(0, 5))
            .map(|_| Item {
                value: i64::try_from(sampler.uniform(0, most_valuable + 2)).unwrap() - 2,
                weight: sampler.uniform(0, heaviest),
            })
            .collect();
        let at = usize::try_from(sampler.uniform(0, items.len() as u64)).unwrap();
        items.insert(at, Item { value: 0, weight: 0 });
        items
    }

    fn next_row(row: &[i64], items: &[Item<i64>]) -> Vec<i64> {
        let reach = |cell: usize, item: &Item<i64>| {
            Some(row[cell.checked_sub(usize::try_from(item.weight).unwrap())?] + item.value)
        };
        (0..row.len()).map(|cell| items.iter().filter_map(|item| reach(cell, item)).max().unwrap()).collect()
    }

    fn first_that_explains(row: &[i64], items: &[Item<i64>], cell: usize, value: i64) -> usize {
        let explains = |item: &Item<i64>| {
            cell.checked_sub(usize::try_from(item.weight).unwrap())
                .is_some_and(|at| row[at] + item.value == value)
        };
        items.iter().position(explains).unwrap()
    }

    #[test]
    fn at_every_cell_where_a_row_rises_the_first_sum_holds_the_canonical_items() {
        let mut sampler = Sampler::new(7);
        let mut compared = 0;
        for case in 0..20_000 {
            let (heaviest, most_valuable) = (sampler.uniform(1, 12), sampler.uniform(1, 9));
            let capacity = usize::try_from(sampler.uniform(0, 29)).unwrap();
            let before = class(&mut sampler, heaviest, most_valuable);
            let [first, second] = [(); 2].map(|()| class(&mut sampler, heaviest, most_valuable));
            let row = next_row(&vec![0; capacity + 1], &before);
            let middle = next_row(&row, &first);
            let last = next_row(&middle, &second);
            let (merged, pairs) = sums(&first, &second, Width::Narrow, capacity as u64).unwrap();
            assert_eq!(next_row(&row, &merged), last, "case {case}");
            for cell in (0..=capacity).filter(|&cell| cell == 0 || last[cell] > last[cell - 1]) {
                let of_second = first_that_explains(&middle, &second, cell, last[cell]);
                let left = cell - usize::try_from(second[of_second].weight).unwrap();
                let of_first = first_that_explains(&row, &first, left, middle[left]);
                let found = first_that_explains(&row, &merged, cell, last[cell]);
                let pair = pairs[found];
                assert_eq!(
                    [usize::from(pair.first), pair.second.into()],
                    [of_first, of_second],
                    "case {case}, cell {cell}"
                );
                assert_eq!(pair.second_weight, second[of_second].weight);
                assert!(left == 0 || middle[left] > middle[left - 1], "walks stay where rows rise");
                compared += 1;
            }
        }
        assert!(compared > 50_000, "{compared} cells compared");
    }
}
