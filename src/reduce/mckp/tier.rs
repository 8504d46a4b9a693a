//! A reduced problem in the narrowest integers that hold its sums.

use super::{Class, Reduced, WayBack};
use crate::problem::mckp::Item;
use crate::problem::value::{Tier, Value};
use num_bigint::BigInt;
use num_traits::Signed;

/// A reduced problem in one of the arithmetic tiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tiered {
    /// Sums below 2^30.
    I32(Reduced<i32>),
    /// Sums below 2^62.
    I64(Reduced<i64>),
    /// Sums below 2^126.
    I128(Reduced<i128>),
    /// Sums of any size.
    Big(Reduced<BigInt>),
}

/// Evaluates an expression for the reduced problem of whichever tier.
macro_rules! for_tier {
    ($tiered:expr, $problem:ident => $body:expr) => {
        match $tiered {
            $crate::reduce::mckp::Tiered::I32($problem) => $body,
            $crate::reduce::mckp::Tiered::I64($problem) => $body,
            $crate::reduce::mckp::Tiered::I128($problem) => $body,
            $crate::reduce::mckp::Tiered::Big($problem) => $body,
        }
    };
}
pub(crate) use for_tier;

impl Tiered {
    /// The problem in the narrowest tier that holds the sum over classes of the largest absolute value, and no
    /// narrower than `at_least`.
    #[must_use]
    pub fn narrowest<V: Value>(problem: &Reduced<V>, at_least: Tier) -> Self {
        let largest = |class: &Class<V>| {
            class.items.iter().map(|item| item.value.to_big().abs()).max().unwrap_or(BigInt::ZERO)
        };
        let bound: BigInt = problem.classes.iter().map(largest).sum();
        match Tier::narrowest(&bound).max(at_least) {
            Tier::I32 => Self::I32(convert(problem)),
            Tier::I64 => Self::I64(convert(problem)),
            Tier::I128 => Self::I128(convert(problem)),
            Tier::Big => Self::Big(convert(problem)),
        }
    }

    /// The tier it is in.
    #[must_use]
    pub fn tier(&self) -> Tier {
        match self {
            Self::I32(_) => Tier::I32,
            Self::I64(_) => Tier::I64,
            Self::I128(_) => Tier::I128,
            Self::Big(_) => Tier::Big,
        }
    }

    /// The way back to the original problem.
    #[must_use]
    pub fn back(&self) -> &WayBack {
        for_tier!(self, problem => &problem.back)
    }

    /// The capacity, in reduced units.
    #[must_use]
    pub fn capacity(&self) -> u64 {
        for_tier!(self, problem => problem.capacity)
    }

    /// Number of classes left.
    #[must_use]
    pub fn classes(&self) -> usize {
        for_tier!(self, problem => problem.classes.len())
    }

    /// Number of items left, zero items included.
    #[must_use]
    pub fn items(&self) -> usize {
        for_tier!(self, problem => problem.classes.iter().map(|class| class.items.len()).sum())
    }

    /// See [`Reduced::expand`].
    ///
    /// # Panics
    ///
    /// As [`Reduced::expand`].
    pub fn expand(&self, items: &[usize], original: &mut [Option<u32>]) {
        for_tier!(self, problem => problem.expand(items, original));
    }
}

fn convert<V: Value, W: Value>(problem: &Reduced<V>) -> Reduced<W> {
    // The tier was chosen from a bound on every value, so each one fits; the fallback is never reached.
    let value = |value: &V| W::from_big(&value.to_big()).unwrap_or_else(W::zero);
    let item = |item: &Item<V>| Item { value: value(&item.value), weight: item.weight };
    let class = |class: &Class<V>| Class {
        items: class.items.iter().map(item).collect(),
        zero: class.zero,
        origin: class.origin.clone(),
    };
    Reduced {
        classes: problem.classes.iter().map(class).collect(),
        capacity: problem.capacity,
        back: problem.back.clone(),
    }
}
