//! Reduces a multiple-choice knapsack problem without losing a point of its front.
//!
//! The steps, each of which preserves every front point and its canonical configuration:
//!
//! - *Dominance.* An item that is at least as heavy as another of its class and no more valuable is never needed. At
//!   a front point it could only contribute a value that the better item reaches with less weight, which contradicts
//!   that the point is the lightest of its value.
//! - *Shift.* Every class contributes its lightest item to a base once; what remains is "nothing more" (weight 0,
//!   value 0) or an upgrade. So each reduced class has a zero item, and exactly-one and optional choice become the
//!   same.
//! - *Fixed classes.* A class with only its zero item left needs no layer.
//! - *Units.* Weights are divided by their greatest common divisor, and so are values.
//! - *Range.* No layer needs more capacity than the sum of the heaviest items so far, nor more than C.
//!
//! Worked instance: classes {(3,2),(2,2),(9,6)} and {(1,4),(5,8),(4,8)} as (value, weight), exactly one, C = 12.
//! Base: (3,2) and (1,4). Remaining: {0, (6,4)} and {0, (4,4)}, unit 4 and 2, capacity (12-6)/4 = 1.

mod reduction;
mod tier;

pub use crate::for_tier;
pub use reduction::{Infeasible, MAX_CAPACITY, Options, reduce, reduce_on};
pub use tier::Tiered;

use crate::mckp::Item;
use crate::value::Value;
use num_bigint::BigInt;

/// A class of a reduced problem, with the mapping back to the original items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class<V> {
    /// Items in canonical order: no item first, if allowed, then file order.
    pub items: Vec<Item<V>>,
    /// Index of the item of weight 0 and value 0.
    pub zero: usize,
    /// The item of the file for each item; `None` is no item.
    pub origin: Vec<Option<u32>>,
}

/// An equivalent problem in normal form: each class has a zero item, the capacity is non-negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced<V> {
    /// The classes that still have a choice, in file order.
    pub classes: Vec<Class<V>>,
    /// Capacity, in reduced units.
    pub capacity: u64,
    /// Maps an answer back to the original problem.
    pub back: WayBack,
}

/// The mapping from an answer of the reduced problem back to the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayBack {
    /// The original class of each reduced class.
    pub class_origin: Vec<usize>,
    /// For every original class, the item it contributes if the reduced problem has no such class.
    pub fixed: Vec<Option<u32>>,
    /// Original weight = offset + unit * reduced weight.
    pub weight_offset: u64,
    /// See [`WayBack::weight_offset`].
    pub weight_unit: u64,
    /// Original value = offset + unit * reduced value.
    pub value_offset: BigInt,
    /// See [`WayBack::value_offset`].
    pub value_unit: BigInt,
    /// Whether the heaviest items of all classes together fit the capacity, so that it cuts off no point.
    pub complete: bool,
}

impl WayBack {
    /// The original weight of a reduced one.
    pub fn weight(&self, reduced: u64) -> u64 {
        self.weight_offset + self.weight_unit * reduced
    }

    /// The original value of a reduced one.
    pub fn value(&self, reduced: &BigInt) -> BigInt {
        &self.value_offset + &self.value_unit * reduced
    }
}

impl<V> Class<V> {
    /// Weight of the heaviest item.
    pub fn heaviest(&self) -> u64 {
        self.items.iter().map(|item| item.weight).max().unwrap_or(0)
    }
}

impl<V: Value> Reduced<V> {
    /// Weight of the heaviest item of all classes.
    pub fn heaviest(&self) -> u64 {
        self.classes.iter().map(Class::heaviest).max().unwrap_or(0)
    }

    /// The usable capacity of layer `class` (0-based, its own items included): the minimum of the capacity and the
    /// sum of the heaviest items so far.
    pub fn reach(&self) -> Vec<u64> {
        let mut reach = 0u64;
        let next = |class: &Class<V>| {
            reach = reach.saturating_add(class.heaviest()).min(self.capacity);
            reach
        };
        self.classes.iter().map(next).collect()
    }
}
