//! Bounds: which pairs cannot lead to a design of area at most A and cost at most T.
//!
//! For a price lambda = p/q of area, the sum of q c + p a over a design is at least M, the sum of the class minima.
//! The excess of an option over its class minimum is its *loss*; the losses of a design with a <= A and c <= T add up
//! to q c + p a - M <= q T + p A - M, which is the *room*. Losses are non-negative, so a pair whose losses so far
//! exceed the room leads to no such design.
//!
//! Worked instance: A = 5, T = 3, price 1, two classes with the options (area, cost) = (0, 4) (3, 0) and (0, 4) (4,
//! 0). The minima of q c + p a are 3 and 4, M = 7, and the room is 3 + 5 - 7 = 1. Taking (0, 4) twice loses 1 + 0:
//! the pair stays, though its cost is 8; (3, 0) with (0, 4) loses nothing.

use super::cost::Width;
use super::failure::Wrong;
use super::read::Numbers;
use super::scenario::{Opt, Scenario};
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

/// A price of area and the resulting bound.
#[derive(Clone, Debug)]
pub struct Bound {
    /// p.
    pub numerator: BigUint,
    /// q, above 0.
    pub denominator: BigUint,
    /// For each class the minimum of q c + p a.
    pub least: Vec<BigUint>,
    /// The room; `None` if it is negative: no design has that area and cost.
    pub room: Option<BigUint>,
}

impl Bound {
    /// The bound at a price, for designs of area at most the scenario's capacity and cost at most `target`.
    pub fn new(scenario: &Scenario, target: &BigUint, numerator: BigUint, denominator: BigUint) -> Self {
        let weigh = |option: &Opt| &denominator * &option.cost + &numerator * option.amounts[0];
        let least = |class: &Vec<Opt>| class.iter().map(weigh).min().unwrap_or_default();
        let least: Vec<BigUint> = scenario.classes.iter().map(least).collect();
        let sum: BigUint = least.iter().sum();
        let room = BigInt::from(&denominator * target + &numerator * scenario.limits[0]) - BigInt::from(sum);
        let room = room.to_biguint();
        Self { numerator, denominator, least, room }
    }

    /// Reads the price.
    pub(crate) fn read(numbers: &mut Numbers, scenario: &Scenario, target: &BigUint) -> Result<Self, Wrong> {
        let numerator = numbers.big("the price of area")?;
        let denominator = numbers.big("the price of area")?;
        if denominator.is_zero() {
            return Err(Wrong::Number { what: "the price of area", problem: "divided by 0" });
        }
        Ok(Self::new(scenario, target, numerator, denominator))
    }

    /// The largest number that occurs in lists under this bound.
    pub fn largest(&self, scenario: &Scenario) -> BigUint {
        let weighed = &self.denominator * &scenario.most + &self.numerator * scenario.limits[0];
        weighed.max(self.limit())
    }

    /// An upper bound on the weight of pairs at this price, for any list.
    pub(crate) fn limit(&self) -> BigUint {
        self.least.iter().sum::<BigUint>() + self.room.clone().unwrap_or_default()
    }

    /// The loss of an option in class `class`.
    pub fn loss(&self, class: usize, option: &Opt) -> BigUint {
        &self.denominator * &option.cost + &self.numerator * option.amounts[0] - &self.least[class]
    }
}

impl Width {
    /// The integers of a scenario's lists.
    pub fn of_lists(scenario: &Scenario, bound: Option<&Bound>) -> Self {
        Self::of(bound.map(|bound| bound.largest(scenario)).as_ref().unwrap_or(&scenario.most))
    }
}

/// The options of a staircase's class without dominated ones: another option has no more area and no more cost. Replacing
/// a dominated option by that one makes no design worse. In order of area.
pub fn needed(class: &[Opt]) -> Vec<&Opt> {
    let mut options: Vec<&Opt> = class.iter().collect();
    options.sort_by(|a, b| (a.amounts[0], &a.cost).cmp(&(b.amounts[0], &b.cost)));
    let mut kept: Vec<&Opt> = Vec::new();
    for option in options {
        if kept.last().is_none_or(|last| option.cost < last.cost) {
            kept.push(option);
        }
    }
    kept
}
