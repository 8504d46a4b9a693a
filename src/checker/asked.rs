//! Reads and checks the lists of a scenario of one area, and compares the last with what is claimed.

use crate::bound::Bound;
use crate::cost::{Cost, Width};
use crate::failure::Wrong;
use crate::layers::Lists;
use crate::limits::{times, words};
use crate::read::Numbers;
use crate::scenario::Scenario;
use num_bigint::{BigInt, BigUint};

/// What the lists of a scenario must show.
pub(crate) struct Asked<'a> {
    pub scenario: &'a Scenario<'a>,
    /// The queried cost, above the minimum, if pairs may be missing.
    pub target: Option<BigUint>,
    /// The claimed pairs, with areas increasing and full costs decreasing: each pair of the last list must have at
    /// least the area and the cost of one of them.
    pub floor: Vec<(u64, &'a BigInt)>,
}

impl Asked<'_> {
    /// Reads and checks the lists, and that the last one improves on no claimed pair; returns the number of pairs.
    pub fn lists(&self, numbers: &mut Numbers) -> Result<u64, Wrong> {
        let bound = match (numbers.flag("whether pairs are left out")?, &self.target) {
            (false, _) => None,
            (true, Some(target)) => Some(Bound::read(numbers, self.scenario, target)?),
            (true, None) => {
                return Err(Wrong::List {
                    list: 0,
                    problem: "pairs may not be left out of a front's".into(),
                });
            }
        };
        if bound.as_ref().is_some_and(|bound| bound.room.is_none()) {
            return Ok(0);
        }
        if let Some(bound) = &bound {
            let products =
                times(&[words(&bound.numerator) + words(&bound.denominator), self.scenario.words()]);
            numbers.meter.work(times(&[self.scenario.options(), 100 + 8 * products]))?;
        }
        let largest = bound.as_ref().map(|bound| bound.largest(self.scenario));
        match Width::of(largest.as_ref().unwrap_or(&self.scenario.most)) {
            Width::Bits32 => self.lists_in::<u32>(numbers, bound),
            Width::Bits64 => self.lists_in::<u64>(numbers, bound),
            Width::Bits128 => self.lists_in::<u128>(numbers, bound),
            Width::Any => self.lists_in::<BigUint>(numbers, bound),
        }
    }

    fn lists_in<C: Cost>(&self, numbers: &mut Numbers, bound: Option<Bound>) -> Result<u64, Wrong> {
        let (last, pairs) = Lists::<C>::read(numbers, self.scenario, bound)?.finish(numbers)?;
        // A floor above all possible costs is undercut by any pair.
        let floor = |&(area, full): &(u64, &BigInt)| (area, C::from_big(&self.scenario.at_least(full)));
        let floor: Vec<(u64, Option<C>)> = self.floor.iter().map(floor).collect();
        let mut at = 0;
        for (&area, cost) in last.areas.iter().zip(&last.costs) {
            while floor.get(at + 1).is_some_and(|(next, _)| *next <= area) {
                at += 1;
            }
            let holds = |(own, least): &(u64, Option<C>)| {
                *own <= area && least.as_ref().is_some_and(|least| least <= cost)
            };
            if !floor.get(at).is_some_and(holds) {
                let cost = self.scenario.full(&cost.to_big()).to_string();
                return Err(Wrong::BeyondClaim { area, cost });
            }
        }
        Ok(pairs)
    }
}
