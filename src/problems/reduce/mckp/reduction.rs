//! The reduction of a multiple-choice knapsack problem; see the module above for the steps and why they are safe.

use super::{Class, Reduced, Tiered, WayBack};
use crate::mckp::{Choice, Item, Mckp};
use crate::value::{Tier, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed};

/// No choice of one item a class fits the capacity, or a class that must give an item has none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no selection of items fits the capacity")]
pub struct Infeasible;

/// Engines add a weight to a weight, each at most the capacity, without a check.
const MAX_CAPACITY: u64 = 1 << 62;

/// How far to reduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Only shift: keep dominated items, units and range as they are, so that an engine does the raw work.
    pub raw: bool,
    /// Use no arithmetic narrower than this.
    pub at_least: Tier,
}

impl Default for Options {
    fn default() -> Self {
        Self { raw: false, at_least: Tier::I32 }
    }
}

/// An item with its place in canonical order: 0 is no item, k + 1 is item k of the file.
#[derive(Clone, Debug)]
struct Candidate<V> {
    weight: u64,
    value: V,
    order: u32,
}

/// The problem in normal form and in the narrowest exact arithmetic.
///
/// Takes O(n log n) for n items.
///
/// # Errors
///
/// [`Infeasible`] when the lightest items together pass the capacity, or a class of an exactly-one problem is
/// empty.
pub fn reduce<V: Value>(problem: &Mckp<V>, options: Options) -> Result<Tiered, Infeasible> {
    if V::TIER < Tier::Big && widest_difference(problem) > V::TIER {
        return reduce(&widen(problem), options);
    }
    let mut classes = Vec::with_capacity(problem.classes.len());
    for items in &problem.classes {
        classes.push(survivors(items, problem.choice, options.raw).ok_or(Infeasible)?);
    }
    let mut weight_offset = 0u64;
    let mut value_offset = BigInt::ZERO;
    for class in &mut classes {
        let zero = class.candidates[class.zero].clone();
        weight_offset = weight_offset.checked_add(zero.weight).ok_or(Infeasible)?;
        value_offset += zero.value.to_big();
        for item in &mut class.candidates {
            item.weight -= zero.weight;
            item.value = item.value.minus(&zero.value);
        }
    }
    let capacity = problem.capacity.checked_sub(weight_offset).ok_or(Infeasible)?.min(MAX_CAPACITY);
    let heaviest_together = classes.iter().fold(0u64, |sum, class| sum.saturating_add(class.heaviest()));
    for class in &mut classes {
        class.drop_heavier_than(capacity);
    }
    let (weight_unit, value_unit) = if options.raw { (1, BigInt::one()) } else { units(&classes) };
    let mut reduced = collect(problem.classes.len(), &classes, weight_unit, &value_unit);
    reduced.capacity = capacity / weight_unit;
    if !options.raw {
        reduced.capacity = reduced.reach().last().copied().unwrap_or(0);
    }
    reduced.back.weight_offset = weight_offset;
    reduced.back.value_offset = value_offset;
    reduced.back.complete = heaviest_together <= capacity;
    Ok(Tiered::narrowest(reduced, options.at_least))
}

/// The tier that holds the difference of any two sums of values.
fn widest_difference<V: Value>(problem: &Mckp<V>) -> Tier {
    let largest = |items: &Vec<Item<V>>| {
        let values = || items.iter().map(|item| &item.value);
        let size = |value: Option<&V>| value.map_or(BigInt::ZERO, |value| value.to_big().abs());
        size(values().max()).max(size(values().min()))
    };
    let bound: BigInt = problem.classes.iter().map(largest).sum();
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

/// The items of a class that may be needed, in canonical order, and which of them is the zero item.
struct Survivors<V> {
    candidates: Vec<Candidate<V>>,
    zero: usize,
}

impl<V: Value> Survivors<V> {
    fn heaviest(&self) -> u64 {
        self.candidates.iter().map(|item| item.weight).max().unwrap_or(0)
    }

    fn drop_heavier_than(&mut self, capacity: u64) {
        let zero_order = self.candidates[self.zero].order;
        self.candidates.retain(|item| item.weight <= capacity);
        self.zero = self.candidates.partition_point(|item| item.order < zero_order);
    }
}

/// `None` if the class must give an item and has none.
fn survivors<V: Value>(items: &[Item<V>], choice: Choice, raw: bool) -> Option<Survivors<V>> {
    let none = (choice == Choice::Optional).then(|| Candidate { weight: 0, value: V::zero(), order: 0 });
    let listed = (1..).zip(items).map(|(order, item)| Candidate {
        weight: item.weight,
        value: item.value.clone(),
        order,
    });
    let mut candidates: Vec<Candidate<V>> = none.into_iter().chain(listed).collect();
    // Lightest first, of those the most valuable, of those the first in canonical order.
    let rank = |a: &Candidate<V>, b: &Candidate<V>| {
        a.weight.cmp(&b.weight).then_with(|| b.value.cmp(&a.value)).then(a.order.cmp(&b.order))
    };
    let zero_order = if raw {
        candidates.iter().min_by(|a, b| rank(a, b))?.order
    } else {
        candidates.sort_unstable_by(rank);
        let mut best: Option<V> = None;
        candidates.retain(|item| {
            let needed = best.as_ref().is_none_or(|best| item.value > *best);
            if needed {
                best = Some(item.value.clone());
            }
            needed
        });
        let lightest = candidates.first()?.order;
        candidates.sort_unstable_by_key(|item| item.order);
        lightest
    };
    let zero = candidates.partition_point(|item| item.order < zero_order);
    Some(Survivors { candidates, zero })
}

/// The common divisors of all weights and of all values, at least 1.
fn units<V: Value>(classes: &[Survivors<V>]) -> (u64, BigInt) {
    let items = || classes.iter().flat_map(|class| &class.candidates);
    let weight_unit = items().fold(0, |unit: u64, item| unit.gcd(&item.weight));
    let mut value_unit = BigInt::ZERO;
    for item in items() {
        if value_unit.is_one() {
            break;
        }
        value_unit = value_unit.gcd(&item.value.to_big());
    }
    (weight_unit.max(1), value_unit.max(BigInt::one()))
}

/// The classes with a choice left, in their units; offsets and capacity are the caller's.
fn collect<V: Value>(
    originals: usize,
    classes: &[Survivors<V>],
    weight_unit: u64,
    value_unit: &BigInt,
) -> Reduced<BigInt> {
    let origin = |item: &Candidate<V>| item.order.checked_sub(1);
    let mut reduced = Vec::new();
    let mut class_origin = Vec::new();
    let mut fixed = vec![None; originals];
    for (at, class) in classes.iter().enumerate() {
        if class.candidates.len() == 1 {
            fixed[at] = origin(&class.candidates[0]);
            continue;
        }
        let in_units = |value: BigInt| if value_unit.is_one() { value } else { value / value_unit };
        let item = |item: &Candidate<V>| Item {
            value: in_units(item.value.to_big()),
            weight: item.weight / weight_unit,
        };
        class_origin.push(at);
        reduced.push(Class {
            items: class.candidates.iter().map(item).collect(),
            zero: class.zero,
            origin: class.candidates.iter().map(origin).collect(),
        });
    }
    let back = WayBack {
        class_origin,
        fixed,
        weight_offset: 0,
        weight_unit,
        value_offset: BigInt::ZERO,
        value_unit: value_unit.clone(),
        complete: true,
    };
    Reduced { classes: reduced, capacity: 0, back }
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
    fn the_worked_instance_reduces_as_told() {
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
    fn what_cannot_fit_is_infeasible() {
        let heavy = problem(&[&[(1, 3)], &[(1, 3)]], 5, Choice::ExactlyOne);
        assert_eq!(reduce(&heavy, Options::default()), Err(Infeasible));
        let empty = problem(&[&[]], 5, Choice::ExactlyOne);
        assert_eq!(reduce(&empty, Options::default()), Err(Infeasible));
    }
}
