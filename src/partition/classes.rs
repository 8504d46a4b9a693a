//! Classes of alike cores, and what the designs on them cost at least.
//!
//! It is branched on how many cores of a class have a block, until all cores of each class have the same blocks. For a
//! price U >= 0 of a full core, of which there are m of capacity C, a task takes the option and the class that cost least,
//! and no design has less area than
//!
//! ```text
//! sum over tasks of min over options o and classes k of (area_o + size_o (U + areas of the blocks o uses that are open in k) / C)
//!     + areas of the blocks built - m U
//! ```
//!
//! since all sizes add up to at most m C, and those of tasks that use a block to at most C times its copies. The best
//! price is where the lines of two choices of options meet; prices are integers over 2^shift, for which the bound is exact.
//!
//! Worked instance: two cores of capacity 10, a block of area 6 and three tasks of size 8, or 5 with the block. They do
//! not fit without it. With open blocks and U = 0, the area is at least 0; at U = 10 it is at least
//! 3 min(8, 5 + 3) - 2 * 10 = 4. Without the block it is unbounded, and with it on one core 6, which is the least.

use crate::budget::{Budget, Stopped};
use crate::problem::{Opt, Settled, set_in};

/// Prices tried at most.
const MOST_PRICES: usize = 60;

/// Cores that are alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Class {
    pub cores: usize,
    /// The blocks of each.
    pub built: u64,
    /// The blocks that each of them may have or not.
    pub open: u64,
    /// The core that this is, if tasks are pinned to it.
    pin: Option<u32>,
}

/// All cores as one class; where blocks tell cores apart, those to which tasks are pinned are classes of their own.
pub(crate) fn all_cores(settled: &Settled) -> Vec<Class> {
    let class = |cores, pin| Class { cores, built: 0, open: settled.used, pin };
    let pinned: Vec<u32> = match settled.used {
        0 => Vec::new(),
        _ => (0..settled.cores as u32).filter(|core| settled.pins.contains(&Some(*core))).collect(),
    };
    let rest = Some(settled.cores - pinned.len()).filter(|rest| *rest > 0);
    pinned.iter().map(|&core| class(1, Some(core))).chain(rest.map(|rest| class(rest, None))).collect()
}

/// For each core its class: cores with blocks come first.
pub(crate) fn class_of_cores(settled: &Settled, classes: &[Class]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..classes.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(classes[at].built.count_ones()), at));
    let free = order.iter().filter(|&&at| classes[at].pin.is_none());
    let mut free = free.flat_map(|&at| std::iter::repeat_n(at as u32, classes[at].cores));
    let pinned = |core| classes.iter().position(|class| class.pin == Some(core));
    let cores = 0..settled.cores as u32;
    cores.map(|core| pinned(core).map_or_else(|| free.next().unwrap_or(0), |at| at as u32)).collect()
}

impl Class {
    /// Whether a task may take an option on one of these cores.
    pub fn may(&self, settled: &Settled, task: usize, opt: &Opt) -> bool {
        opt.blocks & !(self.built | self.open) == 0
            && settled.pins[task].is_none_or(|pin| settled.used == 0 || self.pin == Some(pin))
    }
}

/// The classes that remain where it is branched on a block of a class: one way for each number of its cores that have it.
/// `None` if nothing is open.
pub(crate) fn branched(settled: &Settled, classes: &[Class]) -> Option<Vec<Vec<Class>>> {
    let open = classes.iter().fold(0, |all, class| all | class.open);
    let block: usize = set_in(open).max_by_key(|&at| (settled.block_areas[at], std::cmp::Reverse(at)))?;
    let at = classes.iter().position(|class| class.open >> block & 1 == 1)?;
    let class = classes[at];
    let slot = settled.slots.iter().find(|slot| **slot >> block & 1 == 1).copied().unwrap_or(0);
    let without = Class { open: class.open & !(1 << block), ..class };
    let with = Class { built: class.built | 1 << block, open: without.open & !slot, ..class };
    let most = if settled.area_of_blocks(with.built).is_some() { class.cores } else { 0 };
    let split = |count: usize| {
        let mut parts = classes.to_vec();
        parts.remove(at);
        let two = [Class { cores: count, ..with }, Class { cores: class.cores - count, ..without }];
        parts.extend(two.into_iter().filter(|class| class.cores > 0));
        parts
    };
    Some((0..=most).map(split).collect())
}

/// The relaxation of designs on some classes.
pub(crate) struct Relaxation<'a> {
    pub settled: &'a Settled,
    pub shift: u32,
    /// At least the area of any design.
    pub most: i64,
}

/// A part of a value in proportion to a size, rounded down.
fn part(value: i64, size: i64, capacity: i64) -> i64 {
    match value.checked_mul(size) {
        Some(product) => product / capacity,
        None => (i128::from(value) * i128::from(size) / i128::from(capacity)) as i64,
    }
}

/// What tasks that take the cheapest options at a price come to.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cheapest {
    /// Their area with that of blocks, without the price, over 2^shift.
    area: i64,
    size: i64,
}

impl Relaxation<'_> {
    /// A lower bound of designs on these classes, and the price it comes from; `None` if a task has no option.
    pub fn bound(&self, classes: &[Class], budget: &Budget) -> Result<Option<(i64, i64)>, Stopped> {
        let settled = self.settled;
        let options: usize = settled.options.iter().map(Vec::len).sum();
        let built = |class: &Class| class.cores as i64 * settled.area_of_blocks(class.built).unwrap_or(0);
        let built: i64 = classes.iter().map(built).sum::<i64>() << self.shift;
        let mut best: Option<(i128, i64)> = None;
        let mut at = |price: i64| {
            budget.spend((10 * options * classes.len()) as u64)?;
            let mut sum = Cheapest { area: built, size: 0 };
            let mut bound = i128::from(built) - settled.cores as i128 * i128::from(price);
            for task in 0..settled.options.len() {
                let Some((cost, own)) = self.cheapest(classes, task, price) else { return Ok(None) };
                bound += i128::from(cost);
                sum = Cheapest { area: sum.area + own.area, size: sum.size + own.size };
            }
            best = best.max(Some((bound, price)));
            Ok(Some(sum))
        };
        let (Some(mut slow), Some(mut fast)) = (at(0)?, at(self.most << self.shift)?) else {
            return Ok(None);
        };
        for _ in 0..MOST_PRICES {
            if slow.size <= settled.room() || fast.size > settled.room() {
                break;
            }
            let price = i128::from(fast.area - slow.area) * i128::from(settled.capacity)
                / i128::from(slow.size - fast.size);
            let Some(next) = at(i64::try_from(price).unwrap_or(0))? else { break };
            if next == slow || next == fast {
                break;
            }
            *(if next.size > settled.room() { &mut slow } else { &mut fast }) = next;
        }
        let whole = |scaled: i128| ((scaled + (1 << self.shift) - 1) >> self.shift) as i64;
        Ok(best.map(|(bound, price)| (whole(bound), price)))
    }

    /// What each task is worth at a price: what its cheapest option costs.
    pub fn worth(&self, classes: &[Class], price: i64) -> Option<Vec<i64>> {
        let tasks = 0..self.settled.options.len();
        tasks.map(|task| self.cheapest(classes, task, price).map(|cheapest| cheapest.0)).collect()
    }

    /// The cost of a task's cheapest option.
    fn cheapest(&self, classes: &[Class], task: usize, price: i64) -> Option<(i64, Cheapest)> {
        let settled = self.settled;
        let open_area = |mask: u64| set_in(mask).map(|at| settled.block_areas[at]).sum::<i64>() << self.shift;
        let costs = settled.options[task].iter().flat_map(|opt| {
            let own = classes.iter().filter(|class| class.may(settled, task, opt));
            own.map(move |class| {
                let (own, open) = (opt.area << self.shift, open_area(opt.blocks & class.open));
                let part = |area: i64| part(area, opt.size, settled.capacity);
                (own + part(open + price), Cheapest { area: own + part(open), size: opt.size })
            })
        });
        costs.min_by_key(|cost| cost.0)
    }
}
