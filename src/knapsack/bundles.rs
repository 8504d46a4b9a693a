//! Bundles of equal items: any number of m equal items can be made from bundles of 1, 2, 4, .. and the rest.
//!
//! So m items take ceil(log2(m + 1)) steps of a dynamic program instead of m. Folklore of the bounded knapsack
//! problem (H. Kellerer, U. Pferschy, D. Pisinger, "Knapsack Problems", 2004, section 7.1.1).
//!
//! Worked instance: six items (profit, weight) = (3, 5) and C = 40 give bundles (3, 5), (6, 10), (9, 15) of 1, 2 and
//! 3.

use isx_problems::knapsack::Item;
use std::cmp::Ordering;

/// Bundles, lightest first.
#[derive(Clone, Debug)]
pub struct Bundles {
    /// The profit and weight of each.
    pub items: Vec<Item>,
    /// The numbers of the items, bundle by bundle.
    members: Vec<u32>,
    /// The range of each bundle among the members.
    spans: Vec<(u32, u32)>,
}

/// The numbers of these items in an order.
pub fn numbered(items: &[Item], order: &dyn Fn(u32, u32) -> Ordering) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0u32..).zip(items).map(|(number, _)| number).collect();
    numbers.sort_unstable_by(|&a, &b| order(a, b));
    numbers
}

impl Bundles {
    /// Bundles of equal items; every item separately unless `together`. Of equal items only as many are used as fit
    /// into the capacity.
    pub fn of(items: &[Item], capacity: u64, together: bool) -> Self {
        let key = |number: u32| {
            let item = items[number as usize];
            (item.weight, item.profit, number)
        };
        let members = numbered(items, &|a, b| key(a).cmp(&key(b)));
        let mut bundles: Vec<(Item, (u32, u32))> = Vec::new();
        let mut at = 0u32;
        let alike = |a: &u32, b: &u32| together && items[*a as usize] == items[*b as usize];
        for run in members.chunk_by(alike) {
            let item = items[run[0] as usize];
            let mut left = (run.len() as u64).min(capacity / item.weight.max(1)) as u32;
            let (mut size, mut first) = (1, at);
            while left > 0 {
                let count = size.min(left);
                let bundle =
                    Item { profit: item.profit * i128::from(count), weight: item.weight * u64::from(count) };
                bundles.push((bundle, (first, first + count)));
                (left, first, size) = (left - count, first + count, size * 2);
            }
            at += run.len() as u32;
        }
        bundles.sort_by_key(|(bundle, _)| bundle.weight);
        let (items, spans) = bundles.into_iter().unzip();
        Self { items, members, spans }
    }

    /// Replaces the numbers of chosen bundles by the numbers of their items, smallest first. Panics if a bundle does
    /// not exist.
    pub fn unpack(&self, chosen: &mut Vec<u32>) {
        let spans = chosen.iter().map(|&bundle| self.spans[bundle as usize]);
        let mut items: Vec<u32> =
            spans.flat_map(|(first, end)| &self.members[first as usize..end as usize]).copied().collect();
        items.sort_unstable();
        *chosen = items;
    }
}
