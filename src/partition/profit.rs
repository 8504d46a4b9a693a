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

use crate::budget::{Budget, Stopped};
use crate::problem::{Opt, Settled, set_in};
use std::collections::HashMap;

/// What each task is worth.
#[derive(Clone, Debug)]
pub(crate) struct Prices {
    pub worth: Vec<i64>,
    pub shift: u32,
}

impl Prices {
    pub fn scaled(&self, area: i64) -> i64 {
        area << self.shift
    }

    /// No design has less area than this, scaled, if no plan has more profit than `largest`.
    pub fn bound(&self, cores: usize, largest: i64) -> i64 {
        self.worth.iter().sum::<i64>() - cores as i64 * largest
    }

    /// The tasks' options on a core with some blocks, and perhaps free ones, each with its profit.
    pub fn options(&self, settled: &Settled, built: u64, free: u64) -> Vec<Vec<(i64, i64)>> {
        (0..settled.options.len()).map(|task| self.options_of(settled, task, built, free)).collect()
    }

    fn options_of(&self, settled: &Settled, task: usize, built: u64, free: u64) -> Vec<(i64, i64)> {
        let options = allowed(settled, task, built | free);
        options.map(|opt| (opt.size, self.worth[task] - self.scaled(opt.area))).collect()
    }
}

/// A task's options on a core with at most these blocks.
pub(crate) fn allowed(settled: &Settled, task: usize, blocks: u64) -> impl Iterator<Item = &Opt> {
    settled.options[task].iter().filter(move |opt| opt.blocks & !blocks == 0)
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
    let blocks: Vec<u64> = set_in(settled.used).map(|at| 1 << at).collect();
    // What a task's options are depends on few blocks, so its steps are the same for many sets.
    let matters: Vec<u64> =
        settled.options.iter().map(|own| own.iter().fold(0, |all, opt| all | opt.blocks)).collect();
    let mut known: Vec<HashMap<u64, Vec<Step>>> = vec![HashMap::new(); matters.len()];
    let mut all: Vec<Step> = Vec::new();
    let mut sets = Vec::new();
    // Sets with blocks decided up to a place; the others may be used for nothing.
    let mut open = vec![(0u64, 0usize)];
    while let Some((built, decided)) = open.pop() {
        let Some(area) = settled.area_of_blocks(built) else { continue };
        let free: u64 = blocks[decided..].iter().sum();
        all.clear();
        for (task, (matters, known)) in matters.iter().zip(&mut known).enumerate() {
            let made = || steps(&prices.options_of(settled, task, built, free));
            all.extend(known.entry((built | free) & matters).or_insert_with(made).iter());
        }
        budget.spend(20 * (all.len() + matters.len()) as u64)?;
        let most = root(&mut all, settled.capacity) - prices.scaled(area);
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
