//! Reduces a problem with several resources to a smaller one with the same points.
//!
//! The steps, repeated while something changes:
//!
//! - The least cost of a class and of an element in every resource is paid in advance.
//! - Items that no point takes are removed: those beyond a limit, those using elements that exclude each other (of one
//!   group) or that an element used by every selection excludes, and dominated ones. An item dominates another of its
//!   class if it costs no more of any resource, has no less value and no larger load, comes first if both are equal, and
//!   uses no element that the other does not; the elements that only the other uses must cost nothing unbuilt.
//! - Elements that a single class uses become costs of its items; those that are always or never built are paid in
//!   advance; those used by the same items become one.
//!
//! In the end values start at 0 in every class and are divided by their greatest common divisor, as are costs; limits
//! are lowered to what can be reached, and resources without any cost are removed.
//!
//! Items keep their order and numbers, so the selection that [`Problem`] names for a point stays the same.

mod back;
mod elements;

pub use back::WayBack;

use crate::resources::{Goal, Item, Problem};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

/// Above this, limits are left alone: sums of two amounts might not fit 64 bits.
const MOST_AMOUNT: u64 = 1 << 62;

/// A reduced problem, and how its points are mapped to those of the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The problem.
    pub problem: Problem,
    /// The mapping.
    pub back: WayBack,
}

/// Reduces a problem; `None` if no selection is within the limits.
///
/// Time O(n^2 r) for classes of n items and r resources.
pub fn reduce(problem: &Problem) -> Option<Reduced> {
    let resources = problem.limits.len();
    let mut reduced = Reduced { problem: problem.clone(), back: WayBack::none(resources) };
    for (resource, limit) in reduced.problem.limits.iter_mut().enumerate() {
        *limit = problem.reach(resource).min(*limit);
    }
    if reduced.problem.limits.iter().any(|&limit| limit > MOST_AMOUNT) {
        return Some(reduced);
    }
    loop {
        let before = reduced.size();
        reduced.pay_least()?;
        reduced.drop_items();
        reduced.settle_elements()?;
        if before == reduced.size() {
            break;
        }
    }
    reduced.pay_least()?;
    if reduced.problem.classes.iter().any(Vec::is_empty) {
        return None;
    }
    reduced.shrink_values();
    reduced.shrink_costs();
    reduced.drop_resources();
    Some(reduced)
}

impl Reduced {
    fn size(&self) -> (usize, usize) {
        (self.problem.classes.iter().map(Vec::len).sum(), self.problem.elements.len())
    }

    /// Pays costs in advance; `None` if that exceeds a limit.
    fn pay(&mut self, costs: &[u64]) -> Option<()> {
        for ((limit, paid), cost) in self.problem.limits.iter_mut().zip(&mut self.back.paid).zip(costs) {
            *limit = limit.checked_sub(*cost)?;
            *paid += cost;
        }
        Some(())
    }

    fn pay_least(&mut self) -> Option<()> {
        let resources = self.problem.limits.len();
        for class in 0..self.problem.classes.len() {
            let items = &mut self.problem.classes[class];
            let least = |resource: usize| items.iter().map(|item| item.cost[resource]).min();
            let least: Vec<u64> = (0..resources).map(|resource| least(resource).unwrap_or(0)).collect();
            items.iter_mut().for_each(|item| subtract(&mut item.cost, &least));
            self.pay(&least)?;
        }
        for element in 0..self.problem.elements.len() {
            let element = &mut self.problem.elements[element];
            let both = element.built.iter().zip(&element.unbuilt);
            let least: Vec<u64> = both.map(|(built, unbuilt)| *built.min(unbuilt)).collect();
            subtract(&mut element.built, &least);
            subtract(&mut element.unbuilt, &least);
            self.pay(&least)?;
        }
        Some(())
    }

    fn drop_items(&mut self) {
        let Problem { classes, elements, limits, .. } = &mut self.problem;
        let plain: Vec<bool> =
            elements.iter().map(|element| element.unbuilt.iter().all(|&amount| amount == 0)).collect();
        // What excludes an element that every selection uses is in none.
        let is_certain = |element: &u32| {
            let is_used = |item: &Item| item.uses.contains(element);
            classes.iter().any(|items| !items.is_empty() && items.iter().all(is_used))
        };
        let certain: Vec<u32> = (0..elements.len() as u32)
            .filter(|&at| elements[at as usize].group.is_some())
            .filter(is_certain)
            .collect();
        for items in classes {
            items.retain(|item| {
                let mut costs = item.cost.clone();
                for &element in &item.uses {
                    add(&mut costs, &elements[element as usize].built);
                }
                let mut built = [item.uses.as_slice(), &certain].concat();
                built.sort_unstable();
                built.dedup();
                let mut groups: Vec<u32> =
                    built.iter().filter_map(|&element| elements[element as usize].group).collect();
                groups.sort_unstable();
                let is_possible = groups.windows(2).all(|pair| pair[0] != pair[1]);
                is_possible && costs.iter().zip(limits.iter()).all(|(cost, limit)| cost <= limit)
            });
            let is_dominated = |(at, item): (usize, &Item)| {
                items.iter().enumerate().any(|(other, by)| dominates(by, item, other < at, &plain))
            };
            let dominated: Vec<bool> = items.iter().enumerate().map(is_dominated).collect();
            let mut dominated = dominated.into_iter();
            items.retain(|_| dominated.next() == Some(false));
        }
    }

    fn shrink_values(&mut self) {
        let Problem { classes, goal, modes, .. } = &mut self.problem;
        if *modes > 0 {
            return;
        }
        let mut unit = BigInt::zero();
        for items in classes.iter_mut() {
            let Some(least) = items.iter().map(|item| item.value.clone()).min() else { continue };
            for item in items {
                item.value -= &least;
                unit = unit.gcd(&item.value);
            }
            self.back.value += least;
        }
        if unit.is_zero() {
            unit.set_one();
        }
        classes.iter_mut().flatten().for_each(|item| item.value /= &unit);
        if let Goal::AtLeast(least) = goal {
            *least = (&*least - &self.back.value).div_ceil(&unit).max(BigInt::zero());
        }
        self.back.value_unit = unit;
    }

    fn shrink_costs(&mut self) {
        for resource in 0..self.problem.limits.len() {
            let mut unit = 0;
            self.each_amount(resource, &mut |amount| unit = amount.gcd(&unit));
            let unit = unit.max(1);
            self.each_amount(resource, &mut |amount| *amount /= unit);
            let reach = self.problem.reach(resource);
            let limit = &mut self.problem.limits[resource];
            *limit = (*limit / unit).min(reach);
            self.back.units[resource] = unit;
        }
    }

    fn each_amount(&mut self, resource: usize, change: &mut dyn FnMut(&mut u64)) {
        self.problem.classes.iter_mut().flatten().for_each(|item| change(&mut item.cost[resource]));
        for element in &mut self.problem.elements {
            change(&mut element.built[resource]);
            change(&mut element.unbuilt[resource]);
        }
    }

    /// Removes the resources that cost nothing any more; one objective stays.
    fn drop_resources(&mut self) {
        let costs: Vec<bool> =
            (0..self.problem.limits.len()).map(|resource| self.problem.reach(resource) > 0).collect();
        let objectives = self.problem.objectives;
        let free = costs[..objectives].iter().all(|costs| !costs);
        let stays = |resource: usize| costs[resource] || (free && resource == 0);
        let kept: Vec<usize> = (0..costs.len()).filter(|&resource| stays(resource)).collect();
        let only =
            |amounts: &mut Vec<u64>| *amounts = kept.iter().map(|&resource| amounts[resource]).collect();
        self.problem.objectives = kept.iter().filter(|&&resource| resource < objectives).count();
        only(&mut self.problem.limits);
        self.problem.classes.iter_mut().flatten().for_each(|item| only(&mut item.cost));
        for element in &mut self.problem.elements {
            only(&mut element.built);
            only(&mut element.unbuilt);
        }
        self.back.kept = kept;
    }
}

fn add(amounts: &mut [u64], more: &[u64]) {
    amounts.iter_mut().zip(more).for_each(|(amount, more)| *amount = amount.saturating_add(*more));
}

fn subtract(amounts: &mut [u64], less: &[u64]) {
    amounts.iter_mut().zip(less).for_each(|(amount, less)| *amount -= less);
}

/// Whether an item makes another needless; `plain[element]`: it costs nothing unbuilt.
fn dominates(by: &Item, item: &Item, comes_first: bool, plain: &[bool]) -> bool {
    let no_worse = by.value >= item.value
        && by.cost.iter().zip(&item.cost).all(|(a, b)| a <= b)
        && by.loads.iter().zip(&item.loads).all(|(a, b)| a <= b);
    no_worse
        && (comes_first || by.value > item.value || by.cost != item.cost || by.loads != item.loads)
        && by.uses.iter().all(|element| item.uses.contains(element))
        && item.uses.iter().all(|element| plain[*element as usize] || by.uses.contains(element))
}

#[cfg(test)]
mod tests;
