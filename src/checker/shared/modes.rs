//! The lists of a set with several modes: area against the largest load of a mode.
//!
//! An entry of a list has an area, a *load* in every mode, which is its demand over a hyperperiod of all modes, and the
//! blocks. As soon as no later class has a load in a mode, the mode is *closed*: its load is compared with the largest of
//! those closed before, which is the entry's cost, and is 0 from then on. So an entry of the last list is an area and a
//! largest load.
//!
//! A sum need not be covered if it is *beaten*: whatever the later classes add, some point of the claim has no more area
//! and no larger load. For each mode there is a staircase of what these classes add at least, area against load, where the
//! area of an option is divided among the modes in which its class has loads, and blocks are free. To stay below the load
//! L of a point, each mode needs at least the area of its staircase at L less the load of the sum. If with these areas the
//! sum has no less area than the next point, or than the capacity after the last one, for every point, then it is beaten.
//! After the last class nothing is added, so there every sum must be beaten: then the points are the front.
//!
//! Worked instance: points (0, 9) and (4, 5), capacity 9. The last class adds (0, 3) or (4, 1) in the only mode that is
//! open. The sum (area 1, load 3): to stay below 9 it needs area 1 + 0, which is less than the 4 of the next point: it is not beaten. The sum (1, 6): below 9 it needs 1 + 4, not less than the 4; below 5 it cannot come.

use super::failure::Wrong;
use super::limits::{Meter, times};
use super::scenario::{Claimed, Opt, Scenario};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// Pairs of area and load: areas rise, loads fall.
type Stairs = Vec<(u64, u64)>;

/// The most steps of a staircase; a longer one is replaced by one below it.
const MOST_STEPS: usize = 2_048;

/// What is known of the modes of a scenario with a given order of classes.
#[derive(Clone, Debug)]
pub struct Modes {
    /// For every mode the number of the last list whose class has a load in it.
    last: Vec<usize>,
    /// For every number of lists and every mode the staircase of the classes after them; those of a mode in which the
    /// next class has no load are those after it.
    rest: Vec<Vec<Option<Stairs>>>,
    /// The points of the claim: areas rise, loads fall.
    points: Vec<(u64, u64)>,
    /// The largest load asked about.
    most: Option<u64>,
    capacity: u64,
}

impl Modes {
    /// List k belongs to class `order[k - 1]`; `claimed` are the points of the claim; `most` is the largest load asked
    /// about. `None` if there are no loads. Fails if the meter's limits are exceeded.
    pub fn new(
        scenario: &Scenario,
        order: &[usize],
        claimed: &[Claimed],
        most: Option<&BigUint>,
        meter: &mut Meter,
    ) -> Result<Option<Self>, Wrong> {
        if scenario.loads == 0 {
            return Ok(None);
        }
        let small = |load: &BigUint| load.to_u64().unwrap_or(u64::MAX);
        let classes = || order.iter().map(|&class| &scenario.classes[class]);
        let (modes, first) = (scenario.loads, scenario.limits.len() - scenario.loads);
        let has_load = |class: &[Opt], mode| class.iter().any(|option| option.amounts[first + mode] > 0);
        let mut last = vec![0; modes];
        let mut rest: Vec<Vec<Option<Stairs>>> = vec![vec![Some(vec![(0, 0)]); modes]];
        for (number, class) in (1..=order.len()).zip(classes()) {
            (0..modes).filter(|&mode| has_load(class, mode)).for_each(|mode| last[mode] = number);
        }
        for class in classes().rev() {
            let own: Vec<usize> = (0..modes).filter(|&mode| has_load(class, mode)).collect();
            let mut next = vec![None; modes];
            for (at, &mode) in own.iter().enumerate() {
                let share =
                    |area: u64| area / own.len() as u64 + u64::from(area % own.len() as u64 > at as u64);
                let after = rest.iter().rev().find_map(|stairs| stairs[mode].as_ref());
                let stairs = after.map_or(&[][..], Vec::as_slice);
                let sums = times(&[stairs.len() as u64, class.len() as u64]);
                meter.hold(32 * sums)?;
                meter.work(100 + times(&[sums, 60]))?;
                let pairs = class.iter().flat_map(|option| {
                    let (area, load) = (share(option.amounts[0]), option.amounts[first + mode]);
                    stairs.iter().map(move |pair| (pair.0.saturating_add(area), pair.1 + load))
                });
                let stairs = staircase(pairs.filter(|pair| pair.0 <= scenario.limits[0]).collect());
                meter.release(32 * sums);
                meter.hold(16 * stairs.len() as u64 + 64)?;
                next[mode] = Some(stairs);
            }
            rest.push(next);
        }
        rest.reverse();
        // With several objectives a point of no more area and load may have more of another.
        let claimed = if scenario.objectives == 1 { claimed } else { &[] };
        let point = |(amounts, cost): &Claimed| (amounts[0], small(&scenario.at_least(cost)));
        let (points, capacity) = (claimed.iter().map(point).collect(), scenario.limits[0]);
        Ok(Some(Self { last, rest, points, most: most.map(small), capacity }))
    }

    /// Closes the modes that no class after a list has a load in: their loads become 0; returns the largest load of closed
    /// modes, which was `closed` before.
    pub fn close(&self, list: usize, loads: &mut [u64], closed: u64) -> u64 {
        let mut largest = closed;
        for (load, _) in loads.iter_mut().zip(&self.last).filter(|(_, last)| **last == list) {
            largest = largest.max(std::mem::take(load));
        }
        largest
    }

    /// Whether a sum of a list is beaten; the number of bounds looked at is added to `looks`.
    pub fn is_beaten(&self, list: usize, area: u64, loads: &[u64], closed: u64, looks: &mut u64) -> bool {
        let sum = Sum { list, area, loads, closed };
        self.is_beaten_between(&sum, (0, self.points.len()), looks)
    }

    /// Whether a sum is beaten where its load is to be less than that of the point before `from`, down to less than that of
    /// the point before `to`.
    fn is_beaten_between(&self, sum: &Sum, (from, to): (usize, usize), looks: &mut u64) -> bool {
        *looks += 1;
        let below = from.checked_sub(1).map(|before| self.points[before].1);
        let next = self.points.get(to).map_or(u128::from(self.capacity) + 1, |point| point.0.into());
        if self.least_area(sum, below).is_none_or(|area| area >= next) {
            return true;
        }
        let middle = usize::midpoint(from, to);
        from < to
            && self.is_beaten_between(sum, (from, middle), looks)
            && self.is_beaten_between(sum, (middle + 1, to), looks)
    }

    /// A lower bound on the area of a design that goes on from a sum and has a load below `below`; `None` if there is none.
    fn least_area(&self, sum: &Sum, below: Option<u64>) -> Option<u128> {
        let below = below.map_or(Some(u64::MAX), |below| below.checked_sub(1))?;
        let most = below.min(self.most.unwrap_or(u64::MAX));
        if sum.closed > most {
            return None;
        }
        let mut area = u128::from(sum.area);
        for (mode, load) in sum.loads.iter().enumerate() {
            let left = most.checked_sub(*load)?;
            let stairs = self.rest[sum.list..].iter().find_map(|rest| rest[mode].as_ref())?;
            area += u128::from(stairs.get(stairs.partition_point(|step| step.1 > left))?.0);
        }
        Some(area)
    }

    /// The most steps to look at one bound, of about a nanosecond each.
    pub fn look_steps(&self) -> u64 {
        20 + times(&[self.last.len() as u64, 80 + self.rest.len() as u64])
    }
}

/// A sum of a list.
struct Sum<'a> {
    list: usize,
    area: u64,
    loads: &'a [u64],
    closed: u64,
}

/// The pairs that no other one dominates, or pairs below them if they are too many.
fn staircase(mut pairs: Stairs) -> Stairs {
    pairs.sort_unstable();
    let mut stairs: Stairs = Vec::new();
    for pair in pairs {
        if stairs.last().is_none_or(|last| pair.1 < last.1) {
            stairs.push(pair);
        }
    }
    if stairs.len() <= MOST_STEPS {
        return stairs;
    }
    let together = stairs.len().div_ceil(MOST_STEPS);
    stairs.chunks(together).map(|chunk| (chunk[0].0, chunk[chunk.len() - 1].1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    #[test]
    fn the_worked_instance_is_as_stated() {
        let option = |area, load| Opt {
            option: 0,
            amounts: vec![area, load],
            cost: BigUint::ZERO,
            blocks: Vec::new(),
        };
        let scenario = Scenario {
            classes: vec![vec![option(0, 6), option(1, 3)], vec![option(0, 3), option(4, 1)]],
            blocks: Vec::new(),
            limits: vec![9, 1 << 62],
            objectives: 1,
            loads: 1,
            base: BigInt::ZERO,
            unit: BigUint::from(1u32),
            most: BigUint::from(9u32),
        };
        let costs = [9, 5].map(BigInt::from);
        let points = [(&[0][..], &costs[0]), (&[4], &costs[1])];
        let meter = &mut Meter::new(crate::shared::limits::Limits::NONE);
        let modes = Modes::new(&scenario, &[0, 1], &points, None, meter).unwrap().unwrap();
        assert!(!modes.is_beaten(1, 1, &[3], 0, &mut 0));
        assert!(modes.is_beaten(1, 1, &[6], 0, &mut 0));
        // After the last class the load is compared as it is.
        let mut loads = [9];
        assert_eq!((modes.close(2, &mut loads, 0), loads), (9, [0]));
        assert!(modes.is_beaten(2, 0, &[0], 9, &mut 0) && !modes.is_beaten(2, 0, &[0], 8, &mut 0));
    }

    #[test]
    fn a_staircase_of_too_many_steps_is_replaced_by_one_below_it() {
        let pairs: Stairs = (0..10_000).map(|at| (at, 20_000 - at)).collect();
        let stairs = staircase(pairs.clone());
        assert!(stairs.len() <= MOST_STEPS && stairs.is_sorted_by(|a, b| a.0 < b.0 && a.1 > b.1));
        let least = |stairs: &Stairs, load| stairs.iter().find(|step| step.1 <= load).map(|step| step.0);
        assert!((10_000..20_001).all(|load| least(&stairs, load) <= least(&pairs, load)));
    }
}
