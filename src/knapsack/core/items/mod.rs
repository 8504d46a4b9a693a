//! Items in the core's format, their order by efficiency, and the surrogate weight that takes the number of items
//! into account.

pub mod bundle;
pub mod lattice;
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

/// The measure that bounds use in place of the weight: weight + `price` per item, within `room`.
///
/// With the price 0 it is the weight itself. If no better selection has more than K items (or fewer), adding a
/// positive (or negative) price to each weight and K times the price to the capacity keeps all better selections and
/// makes the linear bound depend on the number of items: the surrogate relaxation of S. Martello and P. Toth, "Upper
/// bounds and algorithms for hard 0-1 knapsack problems", Operations Research 45(5), 1997.
#[derive(Clone, Copy, Debug)]
pub struct Measure<N> {
    /// The cost of an item in addition to its weight; if negative, its absolute value is less than every weight.
    pub price: N,
    pub room: N,
}

impl<N: Number> Measure<N> {
    pub fn weights(capacity: N) -> Self {
        Self { price: N::ZERO, room: capacity }
    }

    /// The measure of an item, at least 1.
    #[inline(always)]
    pub fn of(&self, piece: &Piece<N>) -> N {
        piece.weight + self.price.times(piece.count.into())
    }

    /// Higher profit per measure first; of two equal ones the lighter one if the price is positive, else the heavier
    /// one, so that the prefix that fits has about the K items that the price stands for.
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

    /// Higher profit per measure first; equal ones in a pseudo-random order.
    ///
    /// If all are equal, as in a subset-sum problem, sorting by weight would put similar items next to each other,
    /// and sums would take long to reach the capacity.
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

/// Sorts pieces; compiled once per number, not for every order.
pub fn sort<N: Number>(pieces: &mut [Piece<N>], order: &dyn Fn(&Piece<N>, &Piece<N>) -> Ordering) {
    pieces.sort_unstable_by(order);
}

/// A bijective mixing of numbers.
fn mixed(item: u32) -> u32 {
    let mut word = item.wrapping_mul(0x9e37_79b9);
    word ^= word >> 16;
    word.wrapping_mul(0x85eb_ca6b)
}
