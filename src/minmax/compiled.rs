//! The problem as the search sees it: items as numbers of one width, elements as bits.

use super::problem::MAX_ELEMENTS;
use isx_engine::EngineError;
use isx_problems::mckp::NO_ITEM;
use isx_problems::resources::{self, Goal, Problem};
use isx_problems::value::Value;
use num_bigint::BigInt;
use std::collections::HashMap;

/// An item that the capacity allows.
pub struct Item<V> {
    pub weight: u64,
    pub loads: Vec<V>,
    /// The elements that it uses.
    pub uses: u64,
    pub number: Option<u32>,
}

/// A class.
pub struct Class<V> {
    pub items: Vec<Item<V>>,
    /// The modes in which it has a load, at least one.
    pub modes: Vec<usize>,
}

impl<V> Class<V> {
    /// The only mode of a private class.
    pub fn private(&self) -> Option<usize> {
        (self.modes.len() == 1).then(|| self.modes[0])
    }

    /// The part of a weight that counts in one of its modes for lower bounds: the parts add up to the weight.
    pub fn part(&self, weight: u64, mode: usize) -> u64 {
        let count = self.modes.len() as u64;
        let Some(at) = self.modes.iter().position(|&own| own == mode) else { return 0 };
        weight / count + u64::from((at as u64) < weight % count)
    }
}

pub struct Compiled<V> {
    pub classes: Vec<Class<V>>,
    /// The elements that are branched on, the heaviest first: the weight of each, and the others that it excludes.
    pub elements: Vec<(u64, u64)>,
    pub capacity: u64,
    pub modes: usize,
    pub limit: Option<V>,
}

impl<V: Value> Compiled<V> {
    pub fn new(problem: &Problem) -> Result<Self, EngineError> {
        let narrow = |value: &_| {
            V::from_big(value).ok_or_else(|| EngineError::Failed("a load is too large".to_owned()))
        };
        let users = |element: u32| {
            let uses = |items: &&Vec<resources::Item>| items.iter().any(|item| item.uses.contains(&element));
            problem.classes.iter().filter(uses).count()
        };
        // What a single class uses is part of its items, unless it excludes others.
        let count = problem.elements.len() as u32;
        let used: Vec<u32> = (0..count).filter(|&element| users(element) > 0).collect();
        let excludes = |element: u32, other: u32| {
            let group = problem.elements[element as usize].group;
            element != other && group.is_some() && group == problem.elements[other as usize].group
        };
        let is_own =
            |element: u32| users(element) == 1 && !used.iter().any(|&other| excludes(element, other));
        let mut branched: Vec<u32> = used.iter().copied().filter(|&element| !is_own(element)).collect();
        branched.sort_by_key(|&element| std::cmp::Reverse(problem.elements[element as usize].built[0]));
        if branched.len() > MAX_ELEMENTS {
            let shared = branched.len();
            return Err(EngineError::TooLarge(format!(
                "searches all sets of up to {MAX_ELEMENTS} shared elements, and {shared} are shared"
            )));
        }
        let bits: HashMap<u32, u64> =
            branched.iter().enumerate().map(|(at, &element)| (element, 1 << at)).collect();
        let mut classes = Vec::with_capacity(problem.classes.len());
        for all in &problem.classes {
            let mut items = Vec::with_capacity(all.len());
            for item in all {
                let own = item.uses.iter().filter(|element| !bits.contains_key(element));
                let own = own.map(|&element| problem.elements[element as usize].built[0]).sum::<u64>();
                let weight = item.cost[0].saturating_add(own);
                let uses =
                    item.uses.iter().filter_map(|element| bits.get(element)).fold(0, |all, bit| all | bit);
                if weight <= problem.limits[0] {
                    let loads = item.loads.iter().map(narrow).collect::<Result<Vec<V>, _>>()?;
                    let number = Some(item.number).filter(|&number| number != NO_ITEM);
                    items.push(Item { weight, loads, uses, number });
                }
            }
            let has_load = |&mode: &usize| items.iter().any(|item| item.loads[mode] != V::zero());
            let mut modes: Vec<usize> = (0..problem.modes).filter(has_load).collect();
            if modes.is_empty() {
                modes.push(0);
            }
            classes.push(Class { items, modes });
        }
        let element = |&element: &u32| {
            let others = branched.iter().filter(|&&other| excludes(element, other));
            let others = others.fold(0, |all, other| all | bits[other]);
            (problem.elements[element as usize].built[0], others)
        };
        Ok(Self {
            elements: branched.iter().map(element).collect(),
            classes,
            capacity: problem.limits[0],
            modes: problem.modes,
            limit: limit(problem).as_ref().map(narrow).transpose()?,
        })
    }

    /// The weight of elements.
    pub fn weight(&self, mask: u64) -> u64 {
        let built = self.elements.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1);
        built.fold(0, |sum, (_, (weight, _))| sum.saturating_add(*weight))
    }

    /// The classes with loads in several modes.
    pub fn shared(&self) -> impl DoubleEndedIterator<Item = &Class<V>> {
        self.classes.iter().filter(|class| class.modes.len() > 1)
    }

    /// A bit for every element.
    pub fn all_elements(&self) -> u64 {
        (0..self.elements.len()).fold(0, |all, at| all | 1 << at)
    }

    /// The elements that classes with a load in `mode` use.
    pub fn used_in(&self, mode: usize) -> u64 {
        let classes = self.classes.iter().filter(|class| class.modes.contains(&mode));
        classes.flat_map(|class| &class.items).fold(0, |all, item| all | item.uses)
    }

    /// The items of a class that use no elements but those of `mask`, as pairs of weight and load in a mode, in order of
    /// weight; with `parts`, only the mode's part of a weight counts.
    pub fn pairs(&self, class: &Class<V>, mask: u64, mode: usize, parts: bool) -> Vec<(u64, V)> {
        let allowed = class.items.iter().filter(|item| item.uses & !mask == 0);
        let weight = |weight| if parts { class.part(weight, mode) } else { weight };
        let mut pairs: Vec<(u64, V)> =
            allowed.map(|item| (weight(item.weight), item.loads[mode].clone())).collect();
        pairs.sort();
        let mut least: Option<V> = None;
        pairs.retain(|(_, load)| {
            let keeps = least.as_ref().is_none_or(|least| load < least);
            if keeps {
                least = Some(load.clone());
            }
            keeps
        });
        pairs
    }
}

/// The greatest load that is asked for: a value is minus the largest load.
pub fn limit(problem: &Problem) -> Option<BigInt> {
    match &problem.goal {
        Goal::AtLeast(value) => Some(-value),
        Goal::Front | Goal::Greatest => None,
    }
}
