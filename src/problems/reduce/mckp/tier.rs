//! A reduced problem in the narrowest integers that hold its sums.

use super::{Class, Reduced, WayBack};
use crate::mckp::Item;
use crate::value::{Tier, Value};
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

/// Evaluates an expression for the reduced problem, for any tier.
#[macro_export]
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

impl Tiered {
    /// The problem in the narrowest tier that holds the sum over classes of the largest absolute value, and no
    /// narrower than `at_least`.
    pub fn narrowest<V: Value>(problem: Reduced<V>, at_least: Tier) -> Self {
        let bound: BigInt = problem.classes.iter().map(|class| largest(&class.items)).sum();
        let fixed_size = match Tier::narrowest(&bound).max(at_least) {
            Tier::I32 => convert(&problem).map(Self::I32),
            Tier::I64 => convert(&problem).map(Self::I64),
            Tier::I128 => convert(&problem).map(Self::I128),
            Tier::Big => None,
        };
        fixed_size.unwrap_or_else(|| {
            let big = |item: Item<V>| Item { value: item.value.to_big(), weight: item.weight };
            let class = |class: Class<V>| Class {
                items: class.items.into_iter().map(big).collect(),
                zero: class.zero,
                origin: class.origin,
            };
            let Reduced { classes, capacity, back } = problem;
            Self::Big(Reduced { classes: classes.into_iter().map(class).collect(), capacity, back })
        })
    }

    /// The tier it is in.
    pub fn tier(&self) -> Tier {
        match self {
            Self::I32(_) => Tier::I32,
            Self::I64(_) => Tier::I64,
            Self::I128(_) => Tier::I128,
            Self::Big(_) => Tier::Big,
        }
    }

    /// The mapping back to the original problem.
    pub fn back(&self) -> &WayBack {
        for_tier!(self, problem => &problem.back)
    }

    /// The capacity, in reduced units.
    pub fn capacity(&self) -> u64 {
        for_tier!(self, problem => problem.capacity)
    }

    /// Number of remaining classes.
    pub fn classes(&self) -> usize {
        for_tier!(self, problem => problem.classes.len())
    }

    /// Number of remaining items, zero items included.
    pub fn items(&self) -> usize {
        for_tier!(self, problem => problem.classes.iter().map(|class| class.items.len()).sum())
    }

    /// The item of the file for each item of a class, see [`Class::origin`]. Panics if the class does not exist.
    pub fn origin(&self, class: usize) -> &[Option<u32>] {
        for_tier!(self, problem => &problem.classes[class].origin)
    }
}

/// The largest absolute value.
pub(super) fn largest<V: Value>(items: &[Item<V>]) -> BigInt {
    let values = || items.iter().map(|item| &item.value);
    let size = |value: Option<&V>| value.map_or(BigInt::ZERO, |value| value.to_big().abs());
    size(values().max()).max(size(values().min()))
}

/// The problem with values of a fixed size; `None` if one does not fit.
fn convert<V: Value, W: Value>(problem: &Reduced<V>) -> Option<Reduced<W>> {
    let class = |class: &Class<V>| {
        let values = V::store(class.items.iter().map(|item| item.value.clone()).collect());
        let item =
            |(at, item): (usize, &Item<V>)| Some(Item { value: W::at(&values, at)?, weight: item.weight });
        Some(Class {
            items: class.items.iter().enumerate().map(item).collect::<Option<_>>()?,
            zero: class.zero,
            origin: class.origin.clone(),
        })
    };
    Some(Reduced {
        classes: problem.classes.iter().map(class).collect::<Option<_>>()?,
        capacity: problem.capacity,
        back: problem.back.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One class with a zero item and one item of that value.
    fn problem(value: BigInt) -> Reduced<BigInt> {
        let items = vec![Item { value: BigInt::ZERO, weight: 0 }, Item { value, weight: 1 }];
        let class = Class { items, zero: 0, origin: vec![None, Some(0)] };
        let back = WayBack {
            class_origin: vec![0],
            fixed: vec![None],
            weight_offset: 0,
            weight_unit: 1,
            value_offset: BigInt::ZERO,
            value_unit: 1.into(),
            complete: true,
        };
        Reduced { classes: vec![class], capacity: 1, back }
    }

    #[test]
    fn values_at_the_ends_of_a_tier_keep_their_size() {
        for (bits, tier, next) in
            [(30, Tier::I32, Tier::I64), (62, Tier::I64, Tier::I128), (126, Tier::I128, Tier::Big)]
        {
            let end: BigInt = BigInt::from(1) << bits;
            for sign in [1, -1] {
                let ends: [(BigInt, Tier); 2] = [((&end - 1) * sign, tier), (&end * sign, next)];
                for (value, expected) in ends {
                    let tiered = Tiered::narrowest(problem(value.clone()), Tier::I32);
                    assert_eq!(tiered.tier(), expected);
                    let held = for_tier!(&tiered, problem => problem.classes[0].items[1].value.to_big());
                    assert_eq!(held, value);
                }
            }
        }
    }

    #[test]
    fn a_value_that_does_not_fit_is_never_made_to() {
        assert_eq!(convert::<_, i32>(&problem(BigInt::from(1) << 31)), None);
        assert_eq!(convert::<_, i64>(&problem(BigInt::from(-1) << 64)), None);
        assert_eq!(Tiered::narrowest(problem(5.into()), Tier::Big).tier(), Tier::Big);
    }
}
