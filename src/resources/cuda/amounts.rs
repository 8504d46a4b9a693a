//! What items and elements cost in a program, and which elements are open at each class.

use super::entry::{DIMENSIONS, Entry, Step};
use isx_engine::EngineError;
use isx_problems::resources::{Element, Item, Problem};
use isx_problems::value::{Tier, Value};
use num_bigint::BigInt;
use num_integer::Integer;

/// The most elements that may be open at once.
const MOST_OPEN: usize = 15;
/// The most coordinates along a resource.
const MOST_COORDINATE: u64 = 1 << 30;
/// The most entries of a step.
const MOST_ENTRIES: usize = 1 << 20;

/// The open elements, and which of their sets are possible states.
pub(super) struct Open {
    pub elements: Vec<u32>,
    pub possible: Vec<bool>,
}

/// All amounts in units, counted from the least.
pub(super) struct Amounts {
    /// Greatest common divisors, and what every selection costs.
    pub units: Vec<u64>,
    pub base: Vec<u64>,
    /// Beyond the base, and no more than all items and elements can cost.
    pub limits: Vec<u64>,
    /// The least of each class.
    least: Vec<Vec<u64>>,
}

impl Amounts {
    /// `None` if no selection is within the limits, or a class has no item. `opened` are the elements that some class can
    /// use.
    pub fn new(problem: &Problem, opened: &[u32]) -> Result<Option<Self>, EngineError> {
        let resources = problem.limits.len();
        if problem.classes.iter().any(Vec::is_empty) {
            return Ok(None);
        }
        let least_of = |items: &Vec<Item>| -> Vec<u64> {
            (0..resources).map(|at| items.iter().map(|item| item.cost[at]).min().unwrap_or(0)).collect()
        };
        let least: Vec<Vec<u64>> = problem.classes.iter().map(least_of).collect();
        let used: Vec<bool> =
            (0..problem.elements.len() as u32).map(|element| opened.contains(&element)).collect();
        let (mut base, mut units, mut limits) = (vec![0u64; resources], Vec::new(), Vec::new());
        for at in 0..resources {
            let elements = || problem.elements.iter().zip(&used);
            let always = |(element, &used): (&Element, &bool)| {
                if used { element.built[at].min(element.unbuilt[at]) } else { element.unbuilt[at] }
            };
            let all = least.iter().map(|least| least[at]).chain(elements().map(always));
            // Limits are 64-bit numbers.
            base[at] = all.into_iter().fold(0, u64::saturating_add);
            if base[at] > problem.limits[at] {
                return Ok(None);
            }
            let items = problem.classes.iter().zip(&least);
            let of_class = |(items, least): (&Vec<Item>, &Vec<u64>)| -> Vec<u64> {
                items.iter().map(|item| item.cost[at] - least[at]).collect()
            };
            let costs: Vec<Vec<u64>> = items.map(of_class).collect();
            let of_elements =
                elements().filter(|(_, used)| **used).map(|(e, _)| e.built[at].abs_diff(e.unbuilt[at]));
            let of_elements: Vec<u64> = of_elements.collect();
            let unit = costs
                .iter()
                .flatten()
                .chain(&of_elements)
                .fold(0, |unit: u64, amount| unit.gcd(amount))
                .max(1);
            let most = costs.iter().filter_map(|costs| costs.iter().max()).chain(&of_elements);
            let most = most.fold(0u64, |sum, amount| sum.saturating_add(*amount)) / unit;
            let limit = ((problem.limits[at] - base[at]) / unit).min(most);
            if limit > MOST_COORDINATE {
                let why = format!("a table would have {limit} cells along resource {}", at + 1);
                return Err(EngineError::TooLarge(why));
            }
            units.push(unit);
            limits.push(limit);
        }
        Ok(Some(Self { limits, units, base, least }))
    }

    /// The entries of a class, and what is open after it.
    pub fn step(
        &self,
        problem: &Problem,
        class: usize,
        offset: &BigInt,
        open: &Open,
        [opens, closes]: [&[u32]; 2],
    ) -> Result<(Step, Open), EngineError> {
        let items = &problem.classes[class];
        let elements = [&open.elements[..], opens].concat();
        let stays = |element: &u32| !closes.contains(element);
        let after: Vec<u32> = elements.iter().copied().filter(stays).collect();
        let entries = open.possible.len().saturating_mul(items.len());
        if elements.len() > MOST_OPEN || entries > MOST_ENTRIES {
            let why = format!(
                "keeps a table for every set of open elements, and {} are open at once",
                elements.len()
            );
            return Err(EngineError::Unavailable(why));
        }
        let bits_of = |wanted: &dyn Fn(u32) -> bool| {
            let those = elements.iter().enumerate().filter(|(_, element)| wanted(**element));
            those.fold(0usize, |bits, (at, _)| bits | 1 << at)
        };
        let mut entries: Vec<Vec<Entry>> = vec![Vec::new(); 1 << after.len()];
        for (position, item) in (0u32..).zip(items) {
            let uses = bits_of(&|element| item.uses.contains(&element));
            for state in (0..open.possible.len()).filter(|&state| open.possible[state]) {
                let used = state | uses;
                let used_elements =
                    || elements.iter().enumerate().filter(|(at, _)| used >> at & 1 == 1).map(|(_, e)| *e);
                let mut groups: Vec<u32> =
                    used_elements().filter_map(|e| problem.elements[e as usize].group).collect();
                groups.sort_unstable();
                if groups.windows(2).any(|pair| pair[0] == pair[1]) {
                    continue;
                }
                let Some(cost) = self.cost(problem, item, class, |resource| {
                    let of_element = |(at, &element): (usize, &u32)| {
                        let Element { built, unbuilt, .. } = &problem.elements[element as usize];
                        let least = built[resource].min(unbuilt[resource]);
                        let is_new = used >> at & 1 == 1 && state >> at & 1 == 0;
                        let is_left = used >> at & 1 == 0 && closes.contains(&element);
                        u64::from(is_new) * (built[resource] - least)
                            + u64::from(is_left) * (unbuilt[resource] - least)
                    };
                    elements.iter().enumerate().map(of_element).fold(0, u64::saturating_add)
                }) else {
                    continue;
                };
                let value =
                    i64::from_big(&(&item.value - offset)).ok_or(EngineError::Arithmetic(Tier::Big))?;
                let bit = |(at, element): (usize, &u32)| {
                    let before = elements.iter().position(|other| other == element).unwrap_or(0);
                    (used >> before & 1) << at
                };
                let target: usize = after.iter().enumerate().map(bit).sum();
                entries[target].push(Entry { value, state: state as u32, item: position, cost });
            }
        }
        let mut step = Step { entries: Vec::new(), starts: vec![0] };
        for of_state in &entries {
            step.entries.extend(of_state);
            step.starts.push(step.entries.len() as u32);
        }
        let possible = entries.iter().map(|entries| !entries.is_empty()).collect();
        Ok((step, Open { elements: after, possible }))
    }

    /// What an item costs in units with what its elements add; `None` if that is beyond a limit.
    fn cost(
        &self,
        problem: &Problem,
        item: &Item,
        class: usize,
        elements: impl Fn(usize) -> u64,
    ) -> Option<[u32; DIMENSIONS]> {
        let mut cost = [0; DIMENSIONS];
        for (resource, cost) in cost.iter_mut().enumerate().take(problem.limits.len()) {
            let amount =
                (item.cost[resource] - self.least[class][resource]).saturating_add(elements(resource));
            let units = amount / self.units[resource];
            if units > self.limits[resource] {
                return None;
            }
            *cost = units as u32;
        }
        Some(cost)
    }
}
