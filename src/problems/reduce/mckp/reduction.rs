//! The reduction of a multiple-choice knapsack problem; see the parent module for the steps and their correctness.

use super::tier::largest;
use super::{Class, Reduced, Tiered, WayBack};
use crate::mckp::{Choice, Item, Mckp};
use crate::value::{Tier, Value};
use isx_parallel::{ThreadPool, map_on};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;

/// No choice of one item per class fits the capacity, or a class that must contribute an item is empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no selection of items fits the capacity")]
pub struct Infeasible;

/// Engines add two weights, each at most the capacity: a problem of a larger one, in its units, is not for them.
pub const MAX_CAPACITY: u64 = 1 << 62;

/// The extent of the reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Only shift: keep dominated items, units and range unchanged, so that an engine does the raw work.
    pub raw: bool,
    /// Use no arithmetic narrower than this.
    pub at_least: Tier,
}

impl Default for Options {
    fn default() -> Self {
        Self { raw: false, at_least: Tier::I32 }
    }
}

/// An item with its position in the file, which determines canonical order; `None` is no item, and comes first.
type Placed<V> = (Item<V>, Option<u32>);

/// The problem in normal form and in the narrowest exact arithmetic.
///
/// Takes O(n log n) for n items. Fails with [`Infeasible`] if the lightest items together exceed the capacity, or a
/// class of an exactly-one problem is empty.
pub fn reduce<V: Value>(problem: &Mckp<V>, options: Options) -> Result<Tiered, Infeasible> {
    reduce_on(None, problem, options)
}

/// As [`reduce`], with the classes divided among the threads of `pool`.
/// Fails as [`reduce`].
pub fn reduce_on<V: Value>(
    pool: Option<&ThreadPool>,
    problem: &Mckp<V>,
    options: Options,
) -> Result<Tiered, Infeasible> {
    if V::TIER < Tier::Big && widest_difference(problem) > V::TIER {
        return reduce_on(pool, &widen(problem), options);
    }
    let shifted = |at: usize| Shifted::new(&problem.classes[at], problem.choice, options.raw);
    let classes = match pool {
        Some(pool) => map_on(pool, problem.classes.len(), 1, shifted),
        None => (0..problem.classes.len()).map(shifted).collect(),
    };
    let mut classes = classes.into_iter().collect::<Option<Vec<_>>>().ok_or(Infeasible)?;
    let lightest = classes.iter().try_fold(0u64, |sum, class| sum.checked_add(class.zero.0.weight));
    let weight_offset = lightest.ok_or(Infeasible)?;
    let capacity = problem.capacity.checked_sub(weight_offset).ok_or(Infeasible)?;
    let heaviest = |class: &Shifted<V>| class.items.iter().map(|(item, _)| item.weight).max().unwrap_or(0);
    let heaviest_together: u128 = classes.iter().map(|class| u128::from(heaviest(class))).sum();
    // More capacity than all items together need changes nothing.
    let needed = u64::try_from(heaviest_together).unwrap_or(u64::MAX).max(MAX_CAPACITY);
    let capacity = capacity.min(needed);
    for class in &mut classes {
        class.items.retain(|(item, _)| item.weight <= capacity);
    }
    let (weight_unit, value_unit) = if options.raw { (1, BigInt::one()) } else { units(&classes) };
    let mut back = WayBack {
        class_origin: Vec::new(),
        fixed: vec![None; classes.len()],
        weight_offset,
        weight_unit,
        value_offset: classes.iter().map(|class| class.zero.0.value.to_big()).sum(),
        value_unit,
        complete: heaviest_together <= capacity.into(),
    };
    for (at, class) in classes.iter().enumerate() {
        if class.items.len() == 1 {
            back.fixed[at] = class.zero.1;
        } else {
            back.class_origin.push(at);
        }
    }
    let capacity = capacity / weight_unit;
    if back.value_unit.is_one() {
        let left = back.class_origin.iter().map(|&at| classes[at].in_units(weight_unit, V::clone)).collect();
        return Ok(in_range(Reduced { classes: left, capacity, back }, options));
    }
    let in_units = |value: &V| value.to_big() / &back.value_unit;
    let left = back.class_origin.iter().map(|&at| classes[at].in_units(weight_unit, in_units)).collect();
    Ok(in_range(Reduced { classes: left, capacity, back }, options))
}

/// The problem with no more capacity than it can use, in the narrowest arithmetic.
fn in_range<V: Value>(mut reduced: Reduced<V>, options: Options) -> Tiered {
    if !options.raw {
        reduced.capacity = reduced.reach().last().copied().unwrap_or(0);
    }
    Tiered::narrowest(reduced, options.at_least)
}

/// The tier that holds the difference of any two sums of values.
fn widest_difference<V: Value>(problem: &Mckp<V>) -> Tier {
    let bound: BigInt = problem.classes.iter().map(|items| largest(items)).sum();
    Tier::narrowest(&(bound * 2))
}

fn widen<V: Value>(problem: &Mckp<V>) -> Mckp<BigInt> {
    let item = |item: &Item<V>| Item { value: item.value.to_big(), weight: item.weight };
    Mckp {
        classes: problem.classes.iter().map(|items| items.iter().map(item).collect()).collect(),
        capacity: problem.capacity,
        choice: problem.choice,
    }
}

/// The items of a class that may be needed, in canonical order, with weights and values relative to the lightest
/// item.
struct Shifted<V> {
    items: Vec<Placed<V>>,
    /// The lightest item, unchanged.
    zero: Placed<V>,
}

impl<V: Value> Shifted<V> {
    /// `None` if the class must contribute an item but is empty.
    fn new(items: &[Item<V>], choice: Choice, raw: bool) -> Option<Self> {
        let none = (choice == Choice::Optional).then(|| (Item { value: V::zero(), weight: 0 }, None));
        let listed = (0..).zip(items).map(|(place, item)| (item.clone(), Some(place)));
        let mut items: Vec<Placed<V>> = none.into_iter().chain(listed).collect();
        // The lightest first; ties by the greatest value, then by canonical order.
        let rank = |(a, at): &Placed<V>, (b, other): &Placed<V>| {
            a.weight.cmp(&b.weight).then_with(|| b.value.cmp(&a.value)).then(at.cmp(other))
        };
        let zero = if raw {
            items.iter().min_by(|a, b| rank(a, b))?.clone()
        } else {
            items.sort_unstable_by(rank);
            let mut best: Option<V> = None;
            items.retain(|(item, _)| {
                let needed = best.as_ref().is_none_or(|best| item.value > *best);
                if needed {
                    best = Some(item.value.clone());
                }
                needed
            });
            let lightest = items.first()?.clone();
            items.sort_unstable_by_key(|(_, place)| *place);
            lightest
        };
        for (item, _) in &mut items {
            item.weight -= zero.0.weight;
            item.value = item.value.minus(&zero.0.value);
        }
        Some(Self { items, zero })
    }

    fn in_units<W>(&self, weight_unit: u64, in_units: impl Fn(&V) -> W) -> Class<W> {
        let item =
            |(item, _): &Placed<V>| Item { value: in_units(&item.value), weight: item.weight / weight_unit };
        Class {
            items: self.items.iter().map(item).collect(),
            zero: self.items.partition_point(|(_, place)| *place < self.zero.1),
            origin: self.items.iter().map(|(_, place)| *place).collect(),
        }
    }
}

/// The greatest common divisors of all weights and of all values, at least 1.
fn units<V: Value>(classes: &[Shifted<V>]) -> (u64, BigInt) {
    let items = || classes.iter().flat_map(|class| &class.items).map(|(item, _)| item);
    let mut weight_unit = 0;
    for item in items() {
        if weight_unit == 1 {
            break;
        }
        weight_unit = item.weight.gcd(&weight_unit);
    }
    let mut value_unit = BigInt::ZERO;
    for item in items() {
        if value_unit.is_one() {
            break;
        }
        value_unit = value_unit.gcd(&item.value.to_big());
    }
    (weight_unit.max(1), value_unit.max(BigInt::one()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(classes: &[&[(i64, u64)]], capacity: u64, choice: Choice) -> Mckp<i64> {
        let item = |&(value, weight): &(i64, u64)| Item { value, weight };
        Mckp {
            classes: classes.iter().map(|items| items.iter().map(item).collect()).collect(),
            capacity,
            choice,
        }
    }

    #[test]
    fn the_worked_instance_reduces_as_documented() {
        let problem =
            problem(&[&[(3, 2), (2, 2), (9, 6)], &[(1, 4), (5, 8), (4, 8)]], 12, Choice::ExactlyOne);
        let Tiered::I32(reduced) = reduce(&problem, Options::default()).unwrap() else {
            panic!("values this small fit 32 bits")
        };
        assert_eq!((reduced.back.weight_offset, reduced.back.weight_unit, reduced.capacity), (6, 4, 1));
        assert_eq!((reduced.back.value_offset, reduced.back.value_unit), (4.into(), 2.into()));
        assert_eq!(reduced.classes[0].items, [Item { value: 0, weight: 0 }, Item { value: 3, weight: 1 }]);
        assert_eq!(reduced.classes[0].origin, [Some(0), Some(2)]);
        assert_eq!(reduced.classes[1].origin, [Some(0), Some(1)]);
    }

    #[test]
    fn a_free_choice_replaces_no_choice() {
        let reduced =
            reduce(&problem(&[&[(-1, 0), (4, 0)]], 5, Choice::Optional), Options::default()).unwrap();
        assert_eq!(reduced.classes(), 0);
        assert_eq!(reduced.back().fixed, [Some(1)]);
    }

    #[test]
    fn equal_items_keep_the_first_of_the_file() {
        let problem = problem(&[&[(7, 3), (7, 3), (0, 0)]], 9, Choice::ExactlyOne);
        let Tiered::I32(reduced) = reduce(&problem, Options::default()).unwrap() else { panic!() };
        assert_eq!(reduced.classes[0].origin, [Some(0), Some(2)]);
        assert_eq!(reduced.classes[0].zero, 1);
    }

    #[test]
    fn extreme_values_do_not_overflow() {
        let problem = problem(&[&[(i64::MIN, 0), (i64::MAX, 1)]], 1, Choice::ExactlyOne);
        let reduced = reduce(&problem, Options::default()).unwrap();
        assert_eq!(reduced.back().value_unit, BigInt::from(u64::MAX));
        assert_eq!(reduced.tier(), Tier::I32);
    }

    #[test]
    fn threads_change_nothing() {
        let class = |class: i64| (0..40).map(|at| ((at * class) % 37, (at * 7 % 23) as u64)).collect();
        let classes: Vec<Vec<(i64, u64)>> = (1..30).map(class).collect();
        let pool = isx_parallel::pool(3).unwrap();
        for choice in [Choice::ExactlyOne, Choice::Optional] {
            let classes: Vec<&[(i64, u64)]> = classes.iter().map(Vec::as_slice).collect();
            let problem = problem(&classes, 300, choice);
            for raw in [false, true] {
                let options = Options { raw, ..Options::default() };
                assert_eq!(reduce_on(Some(&pool), &problem, options), reduce(&problem, options));
            }
        }
    }

    #[test]
    fn what_cannot_fit_is_infeasible() {
        let heavy = problem(&[&[(1, 3)], &[(1, 3)]], 5, Choice::ExactlyOne);
        assert_eq!(reduce(&heavy, Options::default()), Err(Infeasible));
        let empty = problem(&[&[]], 5, Choice::ExactlyOne);
        assert_eq!(reduce(&empty, Options::default()), Err(Infeasible));
    }
}
