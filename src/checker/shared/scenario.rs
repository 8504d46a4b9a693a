//! The designs of one clock, in the integers used by the lists.

use super::failure::Wrong;
use super::limits::{Meter, times, words};
use super::problem::{Block, OFFER_STEPS, Offer, Problem};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

/// The most bits of a load in a mode, see [`Scenario::of`].
pub const MOST_LOAD_BITS: u64 = 62;

/// A point of a claim: its amounts of the objectives, and its full cost.
pub type Claimed<'a> = (&'a [u64], &'a BigInt);

/// An option of a class, with a non-negative cost.
#[derive(Clone, Debug)]
pub struct Opt {
    /// 0 means none, k means item or choice k - 1.
    pub option: u32,
    /// Its own amounts of the resources that count, then its loads.
    pub amounts: Vec<u64>,
    /// Cost above the minimum of its class, in [`Scenario::unit`]s.
    pub cost: BigUint,
    /// Blocks it uses, in ascending order.
    pub blocks: Vec<u32>,
}

/// A block, with its amounts of the resources that count; its loads are 0.
#[derive(Clone, Debug)]
pub struct Hardware {
    /// If it is built.
    pub built: Vec<u64>,
    /// If it is not.
    pub unbuilt: Vec<u64>,
    /// At most one block of a slot is built.
    pub slot: Option<u64>,
}

/// The designs whose blocks allow a clock, at that clock.
///
/// Resources count if they are objectives or if a design may exceed their limit. In several modes a design has no cost but
/// a *load* in each mode, the demand there; its loads follow its amounts, with limits that none exceeds.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The classes; if one has no options, there is no design.
    pub classes: Vec<Vec<Opt>>,
    /// Blocks.
    pub blocks: Vec<Hardware>,
    /// The largest queried amounts.
    pub limits: Vec<u64>,
    /// The number of objectives: the first amounts.
    pub objectives: usize,
    /// The number of loads: the last amounts.
    pub loads: usize,
    /// The sum of the minimum costs of the classes.
    pub base: BigInt,
    /// Common divisor of all costs above the minimum, or of all loads.
    pub unit: BigUint,
    /// The largest sum of costs, or of loads in a mode, in units.
    pub most: BigUint,
}

impl Scenario {
    /// The steps to build a scenario whose costs have up to this many machine words. Fails if the step limit is
    /// exceeded.
    pub(crate) fn charge(problem: &Problem, cost_words: u64, meter: &mut Meter) -> Result<(), Wrong> {
        // A divisor of this many words is computed once: later costs are first reduced by what they share with
        // earlier ones.
        meter.work(times(&[cost_words, cost_words, 256]))?;
        meter.work(times(&[problem.classes.len() as u64, 100]))?;
        let (modes, width) = (problem.modes.len().max(1) as u64, problem.width() as u64);
        meter.work(times(&[problem.options(), modes, OFFER_STEPS + 32 * cost_words]))?;
        meter.work(times(&[width, 16 * problem.options() + 32 * problem.blocks.len() as u64]))
    }

    /// The designs at clock `clock`, in one mode or several. Fails if sums of loads are too long.
    pub fn of(problem: &Problem, clock: usize) -> Result<Self, Wrong> {
        if problem.modes.len() < 2 {
            return Ok(Self::in_one_mode(problem, clock));
        }
        let mut scenario = Self::weighted(problem, clock, &|_, _| BigInt::ZERO);
        let modes: Vec<usize> = (clock..problem.cost_count()).step_by(problem.clocks).collect();
        let mut loads: Vec<Vec<Vec<BigUint>>> = Vec::new();
        let (mut unit, mut sums) = (BigUint::zero(), vec![BigUint::zero(); modes.len()]);
        for (class, options) in problem.classes.iter().zip(&scenario.classes) {
            let is_left =
                |offer: &&Offer| options.binary_search_by_key(&offer.option, |own| own.option).is_ok();
            let offers = class.iter().filter(is_left);
            let load = |offer: &Offer| modes.iter().map(|&at| offer.costs[at].magnitude().clone()).collect();
            let own: Vec<Vec<BigUint>> = offers.map(load).collect();
            own.iter().flatten().for_each(|load| unit = gcd(unit.clone(), load.clone()));
            for (mode, sum) in sums.iter_mut().enumerate() {
                *sum += own.iter().map(|loads| &loads[mode]).max().cloned().unwrap_or_default();
            }
            loads.push(own);
        }
        scenario.unit = unit.max(BigUint::one());
        scenario.most = sums.into_iter().max().unwrap_or_default() / &scenario.unit;
        if scenario.most.bits() > MOST_LOAD_BITS {
            return Err(Wrong::Verdict(format!(
                "the demand of a mode over the hyperperiod of all modes has more than {MOST_LOAD_BITS} bits: certificates \
                 of modes are for fewer"
            )));
        }
        for (option, loads) in scenario.classes.iter_mut().flatten().zip(loads.into_iter().flatten()) {
            let load = |load: BigUint| (load / &scenario.unit).to_u64().unwrap_or(u64::MAX);
            option.amounts.extend(loads.into_iter().map(load));
        }
        for block in &mut scenario.blocks {
            block.built.resize(scenario.limits.len() + modes.len(), 0);
            block.unbuilt.resize(scenario.limits.len() + modes.len(), 0);
        }
        scenario.limits.resize(scenario.limits.len() + modes.len(), 1 << MOST_LOAD_BITS);
        scenario.loads = modes.len();
        Ok(scenario)
    }

    /// The designs at clock `clock`, in the first mode.
    pub fn in_one_mode(problem: &Problem, clock: usize) -> Self {
        Self::weighted(problem, clock, &|class, at| problem.classes[class][at].costs[clock].clone())
    }

    /// All designs, which all may run at the slowest clock, with costs of 0.
    pub fn without_costs(problem: &Problem) -> Self {
        Self::weighted(problem, problem.clocks - 1, &|_, _| BigInt::ZERO)
    }

    /// The designs at clock `clock`; `cost` gives the cost of an offer by the index of its class and its index there.
    pub fn weighted(problem: &Problem, clock: usize, cost: &dyn Fn(usize, usize) -> BigInt) -> Self {
        let counted = problem.counted();
        let of_counted = |amounts: &[u64]| counted.iter().map(|&at| amounts[at]).collect::<Vec<u64>>();
        let (mut classes, mut base, mut unit) = (Vec::new(), BigInt::ZERO, BigUint::zero());
        for (number, class) in problem.classes.iter().enumerate() {
            let is_allowed = |offer: &Offer| offer.clock <= clock && problem.allows(&offer.amounts);
            let allowed = class.iter().enumerate().filter(|(_, offer)| is_allowed(offer));
            let offers: Vec<_> = allowed.map(|(at, offer)| (offer, cost(number, at))).collect();
            let least = offers.iter().map(|(_, cost)| cost).min().cloned().unwrap_or_default();
            let options: Vec<Opt> = offers
                .into_iter()
                .map(|(offer, cost)| {
                    let cost = (cost - &least).magnitude().clone();
                    unit = gcd(unit.clone(), cost.clone());
                    let (amounts, blocks) = (of_counted(&offer.amounts), offer.blocks.clone());
                    Opt { option: offer.option, amounts, cost, blocks }
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
        let block = |block: &Block| Hardware {
            built: of_counted(&block.built),
            unbuilt: of_counted(&block.unbuilt),
            slot: block.slot,
        };
        Self {
            classes,
            blocks: problem.blocks.iter().map(block).collect(),
            limits: counted.iter().map(|&at| problem.limit(at)).collect(),
            objectives: problem.resources.objectives,
            loads: 0,
            base,
            unit,
            most,
        }
    }

    /// Whether lists are staircases: of one amount and a cost, where sums differ in nothing else.
    pub fn is_stairs(&self) -> bool {
        self.limits.len() == 1 && self.blocks.is_empty()
    }

    /// The machine words of the largest sum.
    pub(crate) fn words(&self) -> u64 {
        words(&self.most)
    }

    /// The total number of options.
    pub(crate) fn options(&self) -> u64 {
        self.classes.iter().map(|class| class.len() as u64).sum()
    }

    /// The full cost for a cost above the minimum.
    pub fn full(&self, cost: &BigUint) -> BigInt {
        &self.base + BigInt::from(cost * &self.unit)
    }

    /// The smallest cost above the minimum whose full cost is at least `full`.
    pub fn at_least(&self, full: &BigInt) -> BigUint {
        let above = full - &self.base;
        above.to_biguint().map_or_else(BigUint::zero, |above| above.div_ceil(&self.unit))
    }

    /// The largest cost above the minimum whose full cost is at most `full`; `None` if even the minimum exceeds it.
    pub fn above_least(&self, full: &BigInt) -> Option<BigUint> {
        let above = full - &self.base;
        (above.sign() != num_bigint::Sign::Minus).then(|| above.magnitude() / &self.unit)
    }
}

/// The greatest common divisor by division: fast for numbers of any length if one is a multiple of the other, or
/// nearly so.
pub(crate) fn gcd(mut a: BigUint, mut b: BigUint) -> BigUint {
    while !a.is_zero() {
        if let (Ok(a), Ok(b)) = (u64::try_from(&a), u64::try_from(&b)) {
            return a.gcd(&b).into();
        }
        let rest = b % &a;
        b = std::mem::replace(&mut a, rest);
    }
    b
}
