//! The designs of one clock in the integers that lists are made of.

use crate::problem::{Block, Problem};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

/// An option of a class, its cost from 0.
#[derive(Clone, Debug)]
pub struct Opt {
    /// 0 for none, k for item or choice k - 1.
    pub option: u32,
    /// Own area.
    pub area: u64,
    /// Cost above the least of its class, in [`Scenario::unit`]s.
    pub cost: BigUint,
    /// Blocks it uses, rising.
    pub blocks: Vec<u32>,
}

/// The designs whose blocks allow a clock, at that clock.
#[derive(Clone, Debug)]
pub struct Scenario<'a> {
    /// The classes; one without options means that there is no design.
    pub classes: Vec<Vec<Opt>>,
    /// Blocks.
    pub blocks: &'a [Block],
    /// Nothing above this area is asked about.
    pub capacity: u64,
    /// The sum of the least costs of the classes.
    pub base: BigInt,
    /// What costs above the least are multiples of.
    pub unit: BigUint,
    /// The largest sum of costs, in units.
    pub most: BigUint,
}

impl<'a> Scenario<'a> {
    /// The designs at clock `clock`, each class's cost summed from `costs` of class and offer where that is not the
    /// utilization: see [`Scenario::weighted`].
    pub fn new(problem: &'a Problem, clock: usize) -> Self {
        Self::weighted(problem, clock, problem.capacity, |class, at| {
            problem.classes[class][at].costs[clock].clone()
        })
    }

    /// The designs at clock `clock` with at most `capacity` of area; `cost` is that of an offer, by the number of its
    /// class and its place there.
    pub fn weighted(
        problem: &'a Problem,
        clock: usize,
        capacity: u64,
        cost: impl Fn(usize, usize) -> BigInt,
    ) -> Self {
        let (mut classes, mut base, mut unit) = (Vec::new(), BigInt::ZERO, BigUint::zero());
        for (number, class) in problem.classes.iter().enumerate() {
            let allowed = class.iter().enumerate();
            let allowed = allowed.filter(|(_, offer)| offer.clock <= clock && offer.area <= capacity);
            let offers: Vec<_> = allowed.map(|(at, offer)| (offer, cost(number, at))).collect();
            let least = offers.iter().map(|(_, cost)| cost.clone()).min().unwrap_or_default();
            let options: Vec<Opt> = offers
                .into_iter()
                .map(|(offer, cost)| {
                    let cost = (cost - &least).magnitude().clone();
                    unit = unit.gcd(&cost);
                    Opt { option: offer.option, area: offer.area, cost, blocks: offer.blocks.clone() }
                })
                .collect();
            base += least;
            classes.push(options);
        }
        if unit.is_zero() {
            unit = BigUint::one();
        }
        let mut most = BigUint::zero();
        for class in &mut classes {
            class.iter_mut().for_each(|option| option.cost /= &unit);
            most += class.iter().map(|option| &option.cost).max().cloned().unwrap_or_default();
        }
        Self { classes, blocks: &problem.blocks, capacity, base, unit, most }
    }

    /// The full cost behind a cost above the least.
    pub fn full(&self, cost: &BigUint) -> BigInt {
        &self.base + BigInt::from(cost * &self.unit)
    }

    /// The least cost above the least that is at least the full cost `full`.
    pub fn at_least(&self, full: &BigInt) -> BigUint {
        let above = full - &self.base;
        above.to_biguint().map_or_else(BigUint::zero, |above| above.div_ceil(&self.unit))
    }

    /// The largest cost above the least that is at most the full cost `full`; `None` if even the least is more.
    pub fn above_least(&self, full: &BigInt) -> Option<BigUint> {
        let above = full - &self.base;
        (above.sign() != num_bigint::Sign::Minus).then(|| above.magnitude() / &self.unit)
    }
}
