//! Items as the core sees them, their order by efficiency, and the surrogate weight that makes a count of items felt.

pub mod bundle;
pub mod number;
pub mod split;

use crate::core::items::number::Number;
use std::cmp::Ordering;

/// An item, or a bundle of equal ones.
#[derive(Clone, Copy, Debug)]
pub struct Piece<N> {
    /// Profit, at least 1.
    pub profit: N,
    /// Weight, at least 1.
    pub weight: N,
    /// Items in it, at least 1.
    pub count: u32,
    /// Number of the item in the problem, or of the bundle.
    pub item: u32,
}

/// What bounds measure instead of the weight: weight + `price` an item, within `room`.
///
/// With the price 0 it is the weight itself. Where no better selection has more than K items (or fewer), adding a
/// positive (or negative) price to each weight and K times the price to the capacity keeps all better selections and
/// makes the linear bound feel the count: the surrogate relaxation of S. Martello and P. Toth, "Upper bounds and
/// algorithms for hard 0-1 knapsack problems", Operations Research 45(5), 1997.
#[derive(Clone, Copy, Debug)]
pub struct Measure<N> {
    /// What an item costs beside its weight; less than every weight in size where it is negative.
    pub price: N,
    pub room: N,
}

impl<N: Number> Measure<N> {
    pub fn weights(capacity: N) -> Self {
        Self { price: N::ZERO, room: capacity }
    }

    /// The item in this measure, at least 1.
    #[inline(always)]
    pub fn of(&self, piece: &Piece<N>) -> N {
        piece.weight + self.price.times(piece.count.into())
    }

    /// More profit for the measure first; of two alike the lighter one where items cost, else the heavier one, so that
    /// the beginning that fits has a count near the K the price stands for.
    pub fn order(&self, a: &Piece<N>, b: &Piece<N>) -> Ordering {
        self.efficiency(a, b).then_with(|| {
            let by_weight = N::compare_products(
                a.weight,
                N::ONE.times(b.count.into()),
                b.weight,
                N::ONE.times(a.count.into()),
            );
            if self.price < N::ZERO { by_weight.reverse() } else { by_weight }
        })
    }

    /// More profit for the measure first; those alike in an order that looks random.
    ///
    /// Where all are alike, as in a subset-sum problem, neighbours by weight would differ by little and sums would take
    /// long to reach the capacity.
    pub fn mixed_order(&self, a: &Piece<N>, b: &Piece<N>) -> Ordering {
        self.efficiency(a, b).then_with(|| mixed(a.item).cmp(&mixed(b.item)))
    }

    pub fn alike(&self, a: &Piece<N>, b: &Piece<N>) -> bool {
        self.efficiency(a, b).is_eq()
    }

    fn efficiency(&self, a: &Piece<N>, b: &Piece<N>) -> Ordering {
        N::compare_products(b.profit, self.of(a), a.profit, self.of(b))
    }
}

/// Numbers mixed one to one.
fn mixed(item: u32) -> u32 {
    let mut word = item.wrapping_mul(0x9e37_79b9);
    word ^= word >> 16;
    word.wrapping_mul(0x85eb_ca6b)
}
