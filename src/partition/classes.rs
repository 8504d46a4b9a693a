//! Classes of alike cores, and what the designs on them cost at least.
//!
//! It is branched on how many cores of a class have a block, until all cores of each class have the same blocks. For
//! prices U_k >= 0 of a full core of class k, which n_k cores of capacity C are in, a task takes the option and the class
//! that cost least, and no design has less area than
//!
//! ```text
//! sum over tasks of min over options o and classes k of (area_o + size_o (U_k + sum of the areas of open blocks that o uses) / C)
//!     + sum_k n_k (area of the blocks of class k - U_k)
//! ```
//!
//! since the sizes in class k add up to at most n_k C, and those of tasks that use a block to at most C times its copies.
//! Prices come from the linear program over designs at earlier prices (Kelley's method, as in the module `limits`), and
//! are rounded to integers over 2^shift, for which the bound is exact.
//!
//! Worked instance: two cores of capacity 10, a block of area 6 and three tasks of size 8, or 5 with the block. Without
//! the block they do not fit. With it on one core and U = 0, the area is at least 6; both tasks of size 5 fit it.

use crate::budget::{Budget, Stopped};
use crate::master::Master;
use crate::pricing::Plan;
use crate::problem::{Opt, Settled};

/// Rounds of the linear program.
const MOST_ROUNDS: usize = 80;

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
    /// The price of a full core.
    pub price: i64,
}

/// All cores as one class; where blocks tell cores apart, those to which tasks are pinned are classes of their own.
pub(crate) fn all_cores(settled: &Settled) -> Vec<Class> {
    let class = |cores, pin| Class { cores, built: 0, open: settled.used, pin, price: 0 };
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
    let blocks = (0..64).filter(|at| open >> at & 1 == 1);
    let block: usize = blocks.max_by_key(|&at| (settled.block_areas[at], std::cmp::Reverse(at)))?;
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
    /// Only designs with less area are of use.
    pub cutoff: i64,
}

/// A part of a value in proportion to a size, rounded down.
pub(crate) fn part(value: i64, size: i64, capacity: i64) -> i64 {
    match value.checked_mul(size) {
        Some(product) => product / capacity,
        None => (i128::from(value) * i128::from(size) / i128::from(capacity)) as i64,
    }
}

/// What tasks that take the cheapest options cost.
struct Cheapest {
    /// The bound, over 2^shift.
    bound: i128,
    /// The areas without prices, over 2^shift.
    area: i64,
    /// For each class by how much it is too full, in cores.
    beyond: Vec<f64>,
}

impl Relaxation<'_> {
    /// A lower bound of designs on these classes, whose prices it sets; `None` if it is at least the cutoff, or a task has
    /// no option.
    pub fn bound(&self, classes: &mut [Class], budget: &Budget) -> Result<Option<i64>, Stopped> {
        let settled = self.settled;
        let options: usize = settled.options.iter().map(Vec::len).sum();
        let areas = |mask: u64| settled.area_of_blocks(mask).unwrap_or(0);
        let built: i64 = classes.iter().map(|class| class.cores as i64 * areas(class.built)).sum();
        if built >= self.cutoff {
            return Ok(None);
        }
        let missing = (self.cutoff << self.shift) as f64;
        let mut master = Master::new(1, 1, 1, Vec::new(), classes.len(), missing);
        let mut best: Option<(i128, Vec<i64>)> = None;
        let mut prices: Vec<i64> = classes.iter().map(|class| class.price).collect();
        let whole = |scaled: i128| ((scaled + (1 << self.shift) - 1) >> self.shift) as i64;
        for round in 0..MOST_ROUNDS {
            budget.spend((10 * options * classes.len() + 100 * classes.len() * (round + 1)) as u64)?;
            classes.iter_mut().zip(&prices).for_each(|(class, price)| class.price = *price);
            let Some(Cheapest { bound, area, beyond }) = self.cheapest(classes, built) else {
                return Ok(None);
            };
            if best.as_ref().is_none_or(|best| bound > best.0) {
                best = Some((bound, prices.clone()));
            }
            let Some((most, center)) = &best else { return Ok(None) };
            if whole(*most) >= self.cutoff {
                return Ok(None);
            }
            master.add(Plan { tasks: 1, blocks: round as u64, area }, beyond);
            let (duals, value) = master.solve();
            // Another round would not raise the whole bound, or by little.
            if whole(*most) >= whole((value * (1.0 - 1e-6)) as i128)
                || value - *most as f64 <= 0.02 * (1i64 << self.shift) as f64
            {
                break;
            }
            let next = duals[2..].iter().zip(center).map(|(dual, center)| {
                let price = ((-dual).max(0.0) as i64).min(self.cutoff << self.shift);
                if round % 2 == 0 { price / 2 + center / 2 } else { price }
            });
            let next: Vec<i64> = next.collect();
            if next == prices {
                break;
            }
            prices = next;
        }
        let Some((bound, prices)) = best else { return Ok(None) };
        classes.iter_mut().zip(&prices).for_each(|(class, price)| class.price = *price);
        Ok(Some(whole(bound)))
    }

    fn cheapest(&self, classes: &[Class], built: i64) -> Option<Cheapest> {
        let settled = self.settled;
        let rate = |mask: u64| {
            let areas = settled.block_areas.iter().enumerate();
            areas.filter(|(at, _)| mask >> at & 1 == 1).map(|(_, area)| area << self.shift).sum::<i64>()
        };
        let mut area = built << self.shift;
        let (mut bound, mut beyond) = (i128::from(area), vec![0.0; classes.len()]);
        for (at, class) in classes.iter().enumerate() {
            bound -= class.cores as i128 * i128::from(class.price);
            beyond[at] = -(class.cores as f64);
        }
        for (task, options) in settled.options.iter().enumerate() {
            let mut least: Option<(i64, i64, usize, i64)> = None;
            for opt in options {
                for (at, class) in
                    classes.iter().enumerate().filter(|(_, class)| class.may(settled, task, opt))
                {
                    let open = rate(opt.blocks & class.open);
                    let own = opt.area << self.shift;
                    let cost = own + part(open + class.price, opt.size, settled.capacity);
                    if least.is_none_or(|least| cost < least.0) {
                        least = Some((cost, own + part(open, opt.size, settled.capacity), at, opt.size));
                    }
                }
            }
            let (cost, own, at, size) = least?;
            bound += i128::from(cost);
            area += own;
            beyond[at] += size as f64 / settled.capacity as f64;
        }
        Some(Cheapest { bound, area, beyond })
    }
}
