//! Prices of tasks, and how much a plan for one core can gain at them.
//!
//! If task i is worth y_i, a *plan*, the tasks of one core with their choices, has the profit sum of y_i minus its area.
//! Every design covers each task once with at most m plans, so for any prices y
//!
//! ```text
//! area >= sum_i y_i - m max(0, largest profit of a plan)
//! ```
//!
//! and a design of area A can only use plans whose profit is within A minus this bound of the largest one. Prices are
//! integers over 2^shift, so both hold exactly, whatever floats the prices came from.
//!
//! Where it is branched on how many cores have some blocks, a limit "at least k" has a bonus b >= 0 that every such core
//! earns, and k b is added to the bound; "at most k" has a bonus b <= 0.

use crate::budget::{Budget, Stopped};
use crate::problem::{Opt, Settled};
use std::collections::HashMap;

/// A limit on the number of cores that have all of these blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Copies {
    pub blocks: u64,
    pub count: u32,
    /// Whether this many are the least, or the most.
    pub is_least: bool,
}

/// What each task is worth, and what a core earns for blocks that are limited.
#[derive(Clone, Debug)]
pub(crate) struct Prices {
    pub worth: Vec<i64>,
    pub bonuses: Vec<(Copies, i64)>,
    /// Blocks that no core has together.
    pub banned: Vec<u64>,
    /// Tasks that must be on a core with a block, or must not.
    pub placed: Vec<(usize, u64, bool)>,
    pub shift: u32,
}

impl Prices {
    pub fn new(shift: u32) -> Self {
        Self { worth: Vec::new(), bonuses: Vec::new(), banned: Vec::new(), placed: Vec::new(), shift }
    }

    pub fn scaled(&self, area: i64) -> i64 {
        area << self.shift
    }

    /// Limits the copies of blocks too.
    pub fn limit(&mut self, copies: Copies) {
        if copies.is_least || copies.count > 0 {
            self.bonuses.push((copies, 0));
        } else {
            self.bonuses.retain(|(other, _)| other.blocks != copies.blocks);
            self.banned.push(copies.blocks);
        }
    }

    pub fn allows(&self, blocks: u64) -> bool {
        self.banned.iter().all(|banned| banned & !blocks != 0)
    }

    /// Whether a task may be on a core with some blocks, and perhaps free ones.
    pub fn may(&self, task: usize, built: u64, free: u64) -> bool {
        let may = |&(_, block, must): &(usize, u64, bool)| match must {
            true => (built | free) & block != 0,
            false => built & block == 0,
        };
        self.placed.iter().filter(|placed| placed.0 == task).all(may)
    }

    /// What a core earns for these blocks.
    pub fn bonus(&self, blocks: u64) -> i64 {
        let earned = self.bonuses.iter().filter(|(copies, _)| copies.blocks & !blocks == 0);
        earned.map(|(_, bonus)| bonus).sum()
    }

    /// What a core with some blocks, and perhaps free ones, earns at most.
    fn most_bonus(&self, built: u64, free: u64) -> i64 {
        let may_earn = |(copies, bonus): &&(Copies, i64)| {
            copies.blocks & !built == 0 || (*bonus > 0 && copies.blocks & !(built | free) == 0)
        };
        self.bonuses.iter().filter(may_earn).map(|(_, bonus)| bonus).sum()
    }

    /// No design has less area than this, scaled, if no plan has more profit than `largest`.
    pub fn bound(&self, cores: usize, largest: i64) -> i64 {
        let limits = self.bonuses.iter().map(|(copies, bonus)| i64::from(copies.count) * bonus);
        self.worth.iter().sum::<i64>() + limits.sum::<i64>() - cores as i64 * largest
    }

    /// The tasks' options on a core with some blocks, and perhaps free ones, each with its profit.
    pub fn options(&self, settled: &Settled, built: u64, free: u64) -> Vec<Vec<(i64, i64)>> {
        (0..settled.options.len()).map(|task| self.options_of(settled, task, built, free)).collect()
    }

    fn options_of(&self, settled: &Settled, task: usize, built: u64, free: u64) -> Vec<(i64, i64)> {
        let options = self.allowed(settled, task, built, free);
        options.map(|opt| (opt.size, self.worth[task] - self.scaled(opt.area))).collect()
    }

    /// A task's options on such a core.
    pub fn allowed<'s>(
        &self,
        settled: &'s Settled,
        task: usize,
        built: u64,
        free: u64,
    ) -> impl Iterator<Item = &'s Opt> {
        let options = if self.may(task, built, free) { &settled.options[task][..] } else { &[] };
        options.iter().filter(move |opt| opt.blocks & !(built | free) == 0)
    }
}

/// A step on the concave hull of a task's options: more size for more profit.
#[derive(Clone, Copy)]
struct Step {
    size: i64,
    profit: i64,
}

impl Step {
    fn is_steeper(&self, other: &Self) -> bool {
        i128::from(self.profit) * i128::from(other.size) > i128::from(other.profit) * i128::from(self.size)
    }
}

/// The steps of a task's options from nothing, the steepest first.
fn steps(options: &[(i64, i64)]) -> Vec<Step> {
    let mut sorted = options.to_vec();
    sorted.sort_unstable_by_key(|&(size, profit)| (size, -profit));
    let mut hull = vec![(0i64, 0i64)];
    for (size, profit) in sorted {
        if profit <= hull[hull.len() - 1].1 {
            continue;
        }
        while let [.., before, last] = hull[..] {
            let step = Step { size: last.0 - before.0, profit: last.1 - before.1 };
            if step.is_steeper(&Step { size: size - last.0, profit: profit - last.1 }) {
                break;
            }
            hull.pop();
        }
        hull.push((size, profit));
    }
    hull.windows(2).map(|two| Step { size: two[1].0 - two[0].0, profit: two[1].1 - two[0].1 }).collect()
}

/// For each number of tasks decided, the most profit that those left add within a room, by the linear relaxation.
pub(crate) struct Bounds {
    /// For each number of tasks decided the sums of size and profit of the steps of those left, the steepest first.
    sums: Vec<Vec<(i64, i64)>>,
}

impl Bounds {
    /// The bounds for options in the order in which they are decided.
    pub fn new(options: &[Vec<(i64, i64)>]) -> Self {
        let mut all: Vec<Step> = Vec::new();
        let mut sums = vec![vec![(0, 0)]; options.len() + 1];
        for (at, options) in options.iter().enumerate().rev() {
            let own = steps(options);
            let mut merged = Vec::with_capacity(all.len() + own.len());
            let mut own = own.into_iter().peekable();
            for step in all {
                while let Some(first) = own.next_if(|first| first.is_steeper(&step)) {
                    merged.push(first);
                }
                merged.push(step);
            }
            merged.extend(own);
            all = merged;
            let mut sum = (0, 0);
            let add = |step: &Step| {
                sum = (sum.0 + step.size, sum.1 + step.profit);
                sum
            };
            sums[at].extend(all.iter().map(add));
        }
        Self { sums }
    }

    /// The most profit of the options from `decided` on within `room`, rounded up.
    pub fn most(&self, decided: usize, room: i64) -> i64 {
        let sums = &self.sums[decided];
        let whole = sums.partition_point(|sum| sum.0 <= room);
        let Some(&before) = whole.checked_sub(1).and_then(|at| sums.get(at)) else { return 0 };
        let Some(&after) = sums.get(whole) else { return before.1 };
        let (size, profit, room) = (after.0 - before.0, after.1 - before.1, room - before.0);
        before.1 + part_of(profit, room, size)
    }
}

/// The tasks in an order in which those come first for which the linear relaxation loses most if they are decided otherwise.
pub(crate) fn clear_first(options: &[Vec<(i64, i64)>], room: i64) -> Vec<usize> {
    let mut all: Vec<Step> = options.iter().flat_map(|options| steps(options)).collect();
    all.sort_by(|a, b| b.is_steeper(a).cmp(&a.is_steeper(b)));
    let mut size = 0;
    let last = all.iter().find(|step| {
        size += step.size;
        size > room
    });
    let rate = last.map_or(0.0, |step| step.profit as f64 / step.size as f64);
    let loss = |task: &usize| {
        let gains = options[*task].iter().map(|&(size, profit)| profit as f64 - rate * size as f64);
        gains.fold(f64::NEG_INFINITY, f64::max).abs()
    };
    let mut order: Vec<usize> = (0..options.len()).collect();
    order.sort_by(|a, b| loss(b).total_cmp(&loss(a)).then(a.cmp(b)));
    order
}

/// The sets of blocks with which a plan may have a profit of at least `floor`, with its bound; the best first. `floor` and
/// the bounds count what the blocks cost.
pub(crate) fn block_sets(
    settled: &Settled,
    prices: &Prices,
    floor: i64,
    budget: &Budget,
) -> Result<Vec<(u64, i64)>, Stopped> {
    let blocks: Vec<u64> = (0..64).filter(|at| settled.used >> at & 1 == 1).map(|at| 1 << at).collect();
    // What a task's options are depends on few blocks, so its steps are the same for many sets.
    let matters: Vec<u64> = (0..settled.options.len())
        .map(|task| {
            let placed = prices.placed.iter().filter(|placed| placed.0 == task).map(|placed| placed.1);
            settled.options[task]
                .iter()
                .map(|opt| opt.blocks)
                .chain(placed)
                .fold(0, |all, blocks| all | blocks)
        })
        .collect();
    let mut known: Vec<HashMap<(u64, u64), Vec<Step>>> = vec![HashMap::new(); matters.len()];
    let mut all: Vec<Step> = Vec::new();
    let mut sets = Vec::new();
    // Sets with blocks decided up to a place; the others may be used for nothing.
    let mut open = vec![(0u64, 0usize)];
    while let Some((built, decided)) = open.pop() {
        let Some(area) = settled.area_of_blocks(built).filter(|_| prices.allows(built)) else { continue };
        let free: u64 = blocks[decided..].iter().sum();
        all.clear();
        for (task, (matters, known)) in matters.iter().zip(&mut known).enumerate() {
            let made = || steps(&prices.options_of(settled, task, built, free));
            all.extend(known.entry((built & matters, free & matters)).or_insert_with(made).iter());
        }
        budget.spend(20 * (all.len() + matters.len()) as u64)?;
        let most = root(&mut all, settled.capacity) + prices.most_bonus(built, free) - prices.scaled(area);
        if most < floor {
            continue;
        }
        match blocks.get(decided) {
            None => sets.push((built, most)),
            Some(block) => open.extend([(built, decided + 1), (built | block, decided + 1)]),
        }
    }
    sets.sort_by_key(|&(built, most)| (-most, built));
    Ok(sets)
}

/// The part `room` of `size` of a profit, rounded up.
fn part_of(profit: i64, room: i64, size: i64) -> i64 {
    match profit.checked_mul(room).and_then(|product| product.checked_add(size - 1)) {
        Some(product) => product / size,
        None => ((i128::from(profit) * i128::from(room) + i128::from(size) - 1) / i128::from(size)) as i64,
    }
}

/// The most profit of all steps within a room, as [`Bounds::most`] without anything decided.
fn root(all: &mut [Step], room: i64) -> i64 {
    all.sort_unstable_by(|a, b| b.is_steeper(a).cmp(&a.is_steeper(b)));
    let (mut room, mut profit) = (room, 0);
    for step in all {
        if step.size > room {
            return profit + part_of(step.profit, room, step.size);
        }
        room -= step.size;
        profit += step.profit;
    }
    profit
}

/// The prices of the linear relaxation in which all cores are one: a task is worth its area and size at one rate. `None` if not
/// even that can hold all tasks. `most` is at least the area of any design.
pub(crate) fn aggregate_prices(settled: &Settled, shift: u32, most: i64) -> Option<(Prices, i64)> {
    let least = |options: &Vec<Opt>| options.iter().map(|opt| opt.size).min().unwrap_or(0);
    let least_sizes: i64 = settled.options.iter().map(least).sum();
    if least_sizes > settled.room() {
        return None;
    }
    // Seen from the fastest options, area is saved for size: steps of the hull, the most saving first.
    let savings = |options: &Vec<Opt>| {
        let least = least(options);
        let dearest = options.iter().filter(|opt| opt.size == least).map(|opt| opt.area).min().unwrap_or(0);
        let saving = |opt: &Opt| (opt.size - least, dearest - opt.area);
        (dearest, options.iter().map(saving).filter(|saving| saving.1 > 0).collect::<Vec<_>>())
    };
    let all: Vec<(i64, Vec<(i64, i64)>)> = settled.options.iter().map(savings).collect();
    let mut order: Vec<Step> = all.iter().flat_map(|(_, savings)| steps(savings)).collect();
    order.sort_by(|a, b| b.is_steeper(a).cmp(&a.is_steeper(b)));
    let mut room = settled.room() - least_sizes;
    let mut rate = Step { size: 1, profit: 0 };
    let mut area = all.iter().map(|(dearest, _)| i128::from(*dearest) << shift).sum::<i128>();
    for step in order {
        let part = step.size.min(room);
        area -= (i128::from(step.profit) << shift) * i128::from(part) / i128::from(step.size);
        room -= part;
        if part < step.size {
            rate = step;
            break;
        }
    }
    let worth = |options: &Vec<Opt>| {
        let own = |opt: &Opt| {
            let size = (i128::from(rate.profit) << shift) * i128::from(opt.size) / i128::from(rate.size);
            (i128::from(opt.area) << shift) + size
        };
        // No task is worth more than all areas together.
        let least = options.iter().map(own).min().unwrap_or(0);
        least.min(i128::from(most) << shift) as i64
    };
    let worth = settled.options.iter().map(worth).collect();
    // Rounded up, from a value that is at most one unit of 2^-shift too large.
    let bound = (area + (1 << shift) - 2) >> shift;
    Some((Prices { worth, ..Prices::new(shift) }, bound as i64))
}
