//! The designs of one clock, in the integers used by the lists.

use crate::failure::Wrong;
use crate::limits::{Meter, times, words};
use crate::problem::{Block, OFFER_STEPS, Problem};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

/// The most bits of a load in a mode, see [`Scenario::of_modes`].
pub const MOST_LOAD_BITS: u64 = 62;

/// An option of a class, with a non-negative cost.
#[derive(Clone, Debug)]
pub struct Opt {
    /// 0 means none, k means item or choice k - 1.
    pub option: u32,
    /// Own area; with several resources, its amount of the first.
    pub area: u64,
    /// Its amounts of the other resources.
    pub further: Vec<u64>,
    /// Cost above the minimum of its class, in [`Scenario::unit`]s.
    pub cost: BigUint,
    /// Blocks it uses, in ascending order.
    pub blocks: Vec<u32>,
}

/// The designs whose blocks allow a clock, at that clock.
#[derive(Clone, Debug)]
pub struct Scenario<'a> {
    /// The classes; if one has no options, there is no design.
    pub classes: Vec<Vec<Opt>>,
    /// Blocks.
    pub blocks: &'a [Block],
    /// The largest queried area.
    pub capacity: u64,
    /// The sum of the minimum costs of the classes.
    pub base: BigInt,
    /// Common divisor of all costs above the minimum.
    pub unit: BigUint,
    /// The largest sum of costs, in units.
    pub most: BigUint,
}

impl Opt {
    /// Its own amount of a resource.
    pub fn amount(&self, resource: usize) -> u64 {
        resource.checked_sub(1).map_or(self.area, |at| self.further[at])
    }
}

impl<'a> Scenario<'a> {
    /// The steps to build a scenario whose costs have up to this many machine words. Fails if the step limit is
    /// exceeded.
    pub(crate) fn charge(problem: &Problem, cost_words: u64, meter: &mut Meter) -> Result<(), Wrong> {
        // A divisor of this many words is computed once: later costs are first reduced by what they share with
        // earlier ones.
        meter.work(times(&[cost_words, cost_words, 256]))?;
        meter.work(times(&[problem.classes.len() as u64, 100]))?;
        let modes = problem.modes.len().max(1) as u64;
        meter.work(times(&[problem.options(), modes, OFFER_STEPS + 32 * cost_words]))
    }

    /// The designs at clock `clock`; for costs other than the utilization, `costs` gives them by class and offer: see
    /// [`Scenario::weighted`].
    pub fn new(problem: &'a Problem, clock: usize) -> Self {
        Self::weighted(problem, clock, problem.capacity, &|class, at| {
            problem.classes[class][at].costs[clock].clone()
        })
    }

    /// The designs at clock `clock` with at most `capacity` of area; `cost` gives the cost of an offer by the index
    /// of its class and its index there.
    pub fn weighted(
        problem: &'a Problem,
        clock: usize,
        capacity: u64,
        cost: &dyn Fn(usize, usize) -> BigInt,
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
                    unit = gcd(unit.clone(), cost.clone());
                    let (further, blocks) = (offer.further.clone(), offer.blocks.clone());
                    Opt { option: offer.option, area: offer.area, further, cost, blocks }
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

    /// The designs at clock `clock`, in one mode or several.
    pub fn of(problem: &'a Problem, clock: usize) -> Result<Self, Wrong> {
        if problem.modes.is_empty() { Ok(Self::new(problem, clock)) } else { Self::of_modes(problem, clock) }
    }

    /// The designs of a set with several modes at clock `clock`: their costs are 0, and of what a problem with several
    /// resources has further amounts they have loads, the demand in each mode. Fails if sums of loads are too long.
    pub fn of_modes(problem: &'a Problem, clock: usize) -> Result<Self, Wrong> {
        let mut scenario = Self::weighted(problem, clock, problem.capacity, &|_, _| BigInt::ZERO);
        let modes = problem.modes.len();
        let offer = |class: usize, option: u32| {
            let offers = &problem.classes[class];
            offers.binary_search_by_key(&option, |offer| offer.option).map(|at| &offers[at]).ok()
        };
        let (mut unit, mut sums) = (BigUint::zero(), vec![BigUint::zero(); modes]);
        for (number, class) in scenario.classes.iter().enumerate() {
            let offers: Vec<_> = class.iter().filter_map(|option| offer(number, option.option)).collect();
            for (mode, sum) in sums.iter_mut().enumerate() {
                let loads = offers.iter().map(|offer| offer.costs[mode * problem.clocks + clock].magnitude());
                *sum += loads.clone().max().cloned().unwrap_or_default();
                loads.for_each(|load| unit = gcd(unit.clone(), load.clone()));
            }
        }
        scenario.unit = unit.max(BigUint::one());
        scenario.most = sums.into_iter().max().unwrap_or_default() / &scenario.unit;
        if scenario.most.bits() > MOST_LOAD_BITS {
            return Err(Wrong::Verdict(format!(
                "the demand of a mode over the hyperperiod of all modes has more than {MOST_LOAD_BITS} bits: certificates \
                 of modes are for fewer"
            )));
        }
        for (number, class) in scenario.classes.iter_mut().enumerate() {
            for option in class {
                let Some(offer) = offer(number, option.option) else { continue };
                let load =
                    |mode: usize| offer.costs[mode * problem.clocks + clock].magnitude() / &scenario.unit;
                // Below 2^MOST_LOAD_BITS.
                option.further = (0..modes).map(|mode| load(mode).to_u64().unwrap_or(u64::MAX)).collect();
            }
        }
        Ok(scenario)
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
