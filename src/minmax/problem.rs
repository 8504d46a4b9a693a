//! The problem and its answer.

use isx_problems::set_union::Element;
use isx_problems::value::{Tier, Values};
use num_bigint::BigInt;
use std::time::Duration;

/// The maximum number of elements that several classes use, or that exclude each other.
pub const MAX_ELEMENTS: usize = 64;

/// An item of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its weight, in addition to the elements that it uses.
    pub weight: u64,
    /// Its load in every mode, 0 or greater.
    pub loads: Vec<BigInt>,
    /// The elements that it uses.
    pub uses: Vec<u32>,
    /// Its number in the answer; `None` stands for no item.
    pub number: Option<u32>,
}

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The items of every class, in canonical order.
    pub classes: Vec<Vec<Item>>,
    /// The elements.
    pub elements: Vec<Element>,
    /// The greatest weight.
    pub capacity: u64,
    /// The number of modes, at least 1.
    pub modes: usize,
    /// Ask for one point only: that of the least weight whose loads are at most this.
    pub limit: Option<BigInt>,
}

/// The points of the front, in order of weight.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The weight of each.
    pub weights: Vec<u64>,
    /// The largest load of each.
    pub loads: Values,
    /// The item of every class at each point.
    pub picks: Vec<Vec<Option<u32>>>,
    /// The width of the integers.
    pub tier: Tier,
    /// The number of candidates examined.
    pub updates: u64,
    /// The time of the search.
    pub solve: Duration,
    /// The time to find the canonical selections.
    pub traceback: Duration,
}
