//! The problem as the label engine uses it: the classes in order, with costs in place of values, and places for open
//! elements and modes.
//!
//! The cost of an item is how far its value is below the greatest of its class, so a selection's value is the sum of the
//! greatest values less its cost. With several modes items have no value; the cost of a selection is its largest load.
//! From the first class that can use it to the last, an element has a bit in the sets of open elements. Likewise a mode has a
//! place among the loads of a label.

use super::order::{Step as Turn, schedule_of};
use super::shape::Shape;
use crate::number::spread;
use isx_engine::EngineError;
use isx_problems::resources::{Cost, Element, Goal, Item, Problem};
use isx_problems::value::{Tier, Value, Values};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::ToPrimitive;

/// Most elements that are open at once.
const MOST_OPEN: usize = 64;

/// An item.
#[derive(Debug)]
pub(super) struct Opt<C> {
    /// Its amounts of every resource.
    pub amounts: Vec<u64>,
    pub cost: C,
    /// Its load at every place of a mode.
    pub loads: Vec<C>,
    /// The elements that it uses, as bits.
    pub uses: u64,
    /// Its position in the class.
    pub number: u32,
}

/// A class, and what opens and closes with it.
#[derive(Debug)]
pub(super) struct Step<C> {
    pub class: usize,
    pub options: Vec<Opt<C>>,
    /// The elements that are open while it is processed, by bit.
    pub open: Vec<(u32, usize)>,
    /// For each bit the bits of the open elements of the same group.
    pub excludes: Vec<u64>,
    /// Elements that are decided on when they open, as bits: those that open with the class, and all.
    pub decides: u64,
    pub decided: u64,
    /// Elements that close after it, as bits.
    pub closes: u64,
    /// Places of modes that close after it.
    pub folds: Vec<usize>,
    /// Places of modes that are open after it, with the load that none exceeds.
    pub most_loads: Vec<C>,
    /// The sum of the greatest values of the classes so far.
    pub greatest: BigInt,
}

/// A problem.
#[derive(Debug)]
pub(super) struct Space<'a, C> {
    pub problem: &'a Problem,
    pub shape: Shape,
    pub steps: Vec<Step<C>>,
    /// The amounts of elements that no class can use.
    pub start: Vec<u64>,
    /// Places of modes.
    pub places: usize,
    /// Costs are shifted up by this many bits, so that the leading digits say the most.
    pub shift: u64,
    /// The greatest cost of a selection that is asked for.
    pub most: Option<C>,
}

/// The bits of the greatest cost of a selection; that of an empty class is 0.
pub(super) fn bits(problem: &Problem) -> u64 {
    let costs = problem.classes.iter().map(|items| spread(items).1).sum::<BigInt>();
    let load = |mode: usize| -> BigInt {
        let most = |items: &Vec<Item>| items.iter().map(|item| &item.loads[mode]).max().cloned();
        problem.classes.iter().filter_map(most).sum()
    };
    (0..problem.modes).map(load).chain([costs]).max().unwrap_or_default().bits()
}

/// The order and the layout of amounts, found before the width of costs is chosen.
pub(super) struct Outline {
    pub shape: Shape,
    turns: Vec<Turn>,
}

impl Outline {
    /// Fails if the problem is too large.
    pub fn new(problem: &Problem) -> Result<Self, EngineError> {
        let Some(shape) = Shape::new(problem) else {
            return Err(EngineError::TooLarge("adds costs of up to 2^62 units".into()));
        };
        let schedule = schedule_of(problem);
        let open = schedule.most_open();
        if open > MOST_OPEN {
            let why = format!("holds up to {MOST_OPEN} open elements; {open} are open at once");
            return Err(EngineError::TooLarge(why));
        }
        Ok(Self { shape, turns: schedule.steps })
    }
}

impl<'a, C: Cost> Space<'a, C> {
    pub fn new(problem: &'a Problem, outline: Outline) -> Self {
        let Outline { shape, turns } = outline;
        let shift = if C::BITS > 64 { (C::BITS - 1).saturating_sub(bits(problem)) } else { 0 };
        let number = |big: &BigInt| C::of(&(big.magnitude() << shift));
        let mut start = vec![0u64; problem.limits.len()];
        let opens: Vec<u32> = turns.iter().flat_map(|turn| turn.opens.iter().copied()).collect();
        for (_, element) in (0u32..).zip(&problem.elements).filter(|(at, _)| !opens.contains(at)) {
            add(&mut start, &element.unbuilt);
        }
        let mut steps = Vec::with_capacity(turns.len());
        let mut elements: Vec<Option<usize>> = Vec::new();
        let mut modes: Vec<Option<usize>> = Vec::new();
        let mut most_loads: Vec<BigInt> = Vec::new();
        let mut greatest = BigInt::ZERO;
        let least = |class: usize, mode: usize| {
            problem.classes[class].iter().map(|item| &item.loads[mode]).min().cloned().unwrap_or_default()
        };
        let all_least =
            |mode: usize| -> BigInt { (0..problem.classes.len()).map(|class| least(class, mode)).sum() };
        for turn in &turns {
            let items = &problem.classes[turn.class];
            for &element in &turn.opens {
                put(&mut elements, element as usize);
            }
            for &mode in &turn.modes_open {
                let place = put(&mut modes, mode);
                most_loads.resize(modes.len(), BigInt::ZERO);
                most_loads[place] = all_least(mode);
            }
            let open: Vec<(u32, usize)> =
                (0..).zip(&elements).filter_map(|(bit, element)| Some((bit, (*element)?))).collect();
            let bits = |those: &dyn Fn(usize) -> bool| {
                open.iter().filter(|(_, element)| those(*element)).fold(0u64, |all, (bit, _)| all | 1 << bit)
            };
            // One that costs something unbuilt cannot be paid for without use.
            let is_decided =
                |element: usize| problem.elements[element].unbuilt.iter().all(|&amount| amount == 0);
            let group = |element: usize| problem.elements[element].group;
            let excluded = |at: usize| match elements[at] {
                Some(own) if group(own).is_some() => {
                    bits(&|other| other != own && group(other) == group(own))
                }
                _ => 0,
            };
            let of_class = items.iter().map(|item| &item.value).max().cloned().unwrap_or_default();
            // The least loads of all classes are paid when a mode opens, and those of items count from theirs.
            let paid = |mode: usize| match turn.modes_open.contains(&mode) {
                true => all_least(mode) - least(turn.class, mode),
                false => -least(turn.class, mode),
            };
            let paid: Vec<BigInt> = modes.iter().map(|mode| mode.map_or(BigInt::ZERO, paid)).collect();
            let load = |item: &Item, (mode, paid): (&Option<usize>, &BigInt)| {
                mode.map_or(C::ZERO, |mode| number(&(&item.loads[mode] + paid)))
            };
            let option = |(number_of, item): (usize, &Item)| Opt {
                amounts: item.cost.clone(),
                cost: number(&(&of_class - &item.value)),
                loads: modes.iter().zip(&paid).map(|of_mode| load(item, of_mode)).collect(),
                uses: bits(&|element| item.uses.contains(&(element as u32))),
                number: number_of as u32,
            };
            for (most, mode) in most_loads.iter_mut().zip(&modes) {
                let Some(mode) = *mode else { continue };
                *most += items.iter().map(|item| &item.loads[mode]).max().cloned().unwrap_or_default();
                *most -= least(turn.class, mode);
            }
            greatest += &of_class;
            let mut step = Step {
                class: turn.class,
                options: items.iter().enumerate().map(option).collect(),
                excludes: (0..elements.len()).map(excluded).collect(),
                decides: bits(&|element| is_decided(element) && turn.opens.contains(&(element as u32))),
                decided: bits(&is_decided),
                closes: bits(&|element| turn.closes.contains(&(element as u32))),
                open: open.clone(),
                folds: Vec::new(),
                most_loads: Vec::new(),
                greatest: greatest.clone(),
            };
            for element in &turn.closes {
                take(&mut elements, *element as usize);
            }
            step.folds = turn.modes_close.iter().filter_map(|&mode| take(&mut modes, mode)).collect();
            step.folds.iter().for_each(|&place| most_loads[place] = BigInt::ZERO);
            step.most_loads = most_loads.iter().map(&number).collect();
            steps.push(step);
        }
        let places = modes.len();
        for step in &mut steps {
            step.options.iter_mut().for_each(|option| option.loads.resize(places, C::ZERO));
            step.most_loads.resize(places, C::ZERO);
        }
        let mut space = Self { problem, shape, steps, start, places, shift, most: None };
        if let Goal::AtLeast(least) = &problem.goal {
            let most = greatest - least;
            if most.sign() == Sign::Minus {
                space.steps.iter_mut().for_each(|step| step.options.clear());
                space.start = vec![u64::MAX; space.start.len()];
            } else if most.bits() < C::BITS - shift {
                // A limit beyond every cost is none.
                space.most = Some(number(&most));
            }
        }
        space
    }

    /// A cost as it was before it was shifted.
    fn unshifted(&self, cost: C) -> BigUint {
        cost.big() >> self.shift
    }

    /// What selections of these costs are worth, in integers of this width.
    pub fn values(&self, costs: impl Iterator<Item = C>, tier: Tier) -> Values {
        let greatest = self.steps.last().map_or(BigInt::ZERO, |step| step.greatest.clone());
        if let (64, Tier::I32 | Tier::I64, Some(greatest)) = (C::BITS, tier, greatest.to_i64()) {
            return i64::store(costs.map(|cost| greatest - cost.rough() as i64).collect());
        }
        let values = costs.map(|cost| &greatest - BigInt::from(self.unshifted(cost)));
        match tier {
            Tier::I32 | Tier::I64 => {
                i64::store(values.map(|value| value.to_i64().unwrap_or(i64::MIN)).collect())
            }
            Tier::I128 => i128::store(values.map(|value| value.to_i128().unwrap_or(i128::MIN)).collect()),
            Tier::Big => BigInt::store(values.collect()),
        }
    }

    /// Whether there is one amount and no load.
    pub fn is_stairs(&self) -> bool {
        self.shape.width() + self.places == 0
    }

    pub fn element(&self, at: usize) -> &Element {
        &self.problem.elements[at]
    }
}

/// Puts something at the first free place.
fn put(places: &mut Vec<Option<usize>>, what: usize) -> usize {
    let free = places.iter().position(Option::is_none).unwrap_or(places.len());
    if free == places.len() {
        places.push(None);
    }
    places[free] = Some(what);
    free
}

/// Frees its place.
fn take(places: &mut [Option<usize>], what: usize) -> Option<usize> {
    let at = places.iter().position(|place| *place == Some(what))?;
    places[at] = None;
    Some(at)
}

/// Adds amounts; a sum beyond 64 bits is beyond every limit.
pub(super) fn add(sums: &mut [u64], more: &[u64]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.saturating_add(*more));
}
