//! Price, branch and enumerate: plans for a core as columns, for blocks of cores and for few tasks per core.
//!
//! Column generation gives prices of the tasks and with them a lower bound (module `profit`). For a target area A, all
//! plans are listed that a design of at most that area can use: those whose profit is within A minus the bound of the
//! largest. If some of them cover every task once, the cheapest such cover is optimal; if none do, every design is
//! larger than A, and the target rises. The idea is that of route enumeration (R. Baldacci, N. Christofides, A. Mingozzi,
//! "An exact algorithm for the vehicle routing problem based on the set partitioning formulation", Mathematical
//! Programming 115, 2008); on one core a design is found by the modules `pricing` and `core_design`.

use crate::budget::{Budget, Stopped};
use crate::cover::{Priced, Room, cover};
use crate::master::Master;
use crate::pricing::{Plan, Rules, best_plans};
use crate::problem::Settled;
use crate::profit::{Bounds, Prices, allowed, block_sets, clear_first};
use crate::{CoreTest, Found, LeastOnCore};
use std::collections::HashMap;
use std::ops::Range;

/// The maximum number of tasks: a set of tasks is a word of as many bits.
pub(crate) const MOST_TASKS: usize = 128;
/// Plans listed at most.
const MOST_PLANS: usize = 3_000_000;
/// The parts of the gap up to which plans are listed: those nearer to the largest profit come first, and one design of
/// them is often enough.
const PARTS: [i64; 4] = [16, 6, 2, 1];
/// The part of the steps left that one choice among plans may use.
const COVER_SHARE: u64 = 4;
/// Rounds of column generation at most.
const MOST_ROUNDS: usize = 400;
/// How far below that of the relaxation a bound may stay, in area.
const TIGHT: f64 = 0.05;
/// What a search knows when it is stopped.
#[derive(Default)]
pub(crate) struct Known {
    /// No design has less area.
    pub bound: i64,
    /// The tasks of each core of the best design found.
    pub best: Option<Vec<u128>>,
}

/// The design of least area below `cutoff`.
pub(crate) struct PlanSearch<'a> {
    pub settled: &'a Settled,
    pub rules: Rules,
    pub test: Option<&'a dyn CoreTest>,
    /// The blocks of the chip, and those of them that are built.
    pub chip: u64,
    pub built: u64,
    /// The least areas by the test, of sets of tasks asked before.
    pub tested: HashMap<u128, Option<i64>>,
    /// Sets of tasks whose test was not decided.
    pub undecided: bool,
    /// Plans known.
    pub pool: Vec<Plan>,
    /// Called with lower bounds.
    pub report: &'a dyn Fn(i64),
    pub budget: &'a Budget<'a>,
}

/// Prices with their bound.
pub(crate) struct Bounded {
    pub prices: Prices,
    /// The largest profit of a plan.
    pub largest: i64,
    /// No design has less area, scaled and in whole units.
    below: i64,
    bound: i64,
}

impl Bounded {
    /// The greatest cost of a design with less area.
    fn gap(&self, area: i64) -> i64 {
        self.prices.scaled(area - 1) - self.below
    }
}

impl<'a> PlanSearch<'a> {
    /// A search in which sizes decide what a core holds.
    pub fn new(
        settled: &'a Settled,
        pool: Vec<Plan>,
        report: &'a dyn Fn(i64),
        budget: &'a Budget<'a>,
    ) -> Self {
        let (rules, tested) = (Rules::of(settled), HashMap::new());
        Self { settled, rules, test: None, chip: 0, built: 0, tested, undecided: false, pool, report, budget }
    }

    pub fn run(&mut self, prices: Prices, cutoff: i64) -> Result<Found, Known> {
        let mut known = Known::default();
        match self.raise(prices, cutoff, &mut known) {
            Ok(true) => Ok(known.best.map_or(Found::Nothing, Found::Plans)),
            Ok(false) | Err(Stopped) => Err(known),
        }
    }

    /// Looks for designs of ever more area; whether the best design known, if any, is the least below the cutoff.
    fn raise(&mut self, prices: Prices, mut cutoff: i64, known: &mut Known) -> Result<bool, Stopped> {
        let node = self.priced(prices, cutoff)?;
        let (mut target, mut step) = (node.bound, (node.bound / 1024).max(1));
        known.bound = node.bound.min(cutoff);
        while known.bound < cutoff {
            (self.report)(known.bound);
            target = target.min(cutoff - 1);
            if !self.decide(&node, target, &mut cutoff, known)? {
                return Ok(false);
            }
            known.bound = (target + 1).min(cutoff);
            target += step;
            step += step / 2 + 1;
        }
        Ok(true)
    }

    /// Looks for a design of a node with at most an area; whether it was decided.
    fn decide(
        &mut self,
        node: &Bounded,
        target: i64,
        cutoff: &mut i64,
        known: &mut Known,
    ) -> Result<bool, Stopped> {
        let share = self.budget.left() / COVER_SHARE;
        for part in PARTS {
            let mut below = (target + 1).min(*cutoff);
            if below <= node.bound {
                return Ok(true);
            }
            let gap = node.gap(below);
            let Some(plans) = self.listed(node, gap, gap / part)? else {
                return Ok(false);
            };
            let covered =
                self.budget.share(share, |part| self.covered(node, &plans, &mut below, known, part));
            if covered.is_err() {
                self.budget.spend(0)?;
                return Ok(false);
            }
            if below <= target {
                *cutoff = below;
            }
        }
        Ok(true)
    }

    /// Chooses among plans a design below the cutoff, which it lowers.
    fn covered(
        &self,
        node: &Bounded,
        plans: &[Priced],
        cutoff: &mut i64,
        known: &mut Known,
        budget: &Budget,
    ) -> Result<(), Stopped> {
        let room = Room { empty: node.largest, most: &|area| node.gap(area), cutoff: *cutoff };
        if let Some((area, chosen)) =
            cover(plans, all_tasks(self.settled.options.len()), self.settled.cores, &room, budget)?
        {
            *cutoff = area;
            known.best = Some(chosen.into_iter().map(|at| plans[at].tasks).collect());
        }
        Ok(())
    }

    /// The least area of the tasks on a core by the exact test; `None` if they do not fit there.
    fn tested_area(&mut self, tasks: u128, area: i64) -> Option<i64> {
        let Some(test) = self.test else { return Some(area) };
        if let Some(known) = self.tested.get(&tasks) {
            return *known;
        }
        let listed: Vec<usize> = (0..MOST_TASKS).filter(|task| tasks >> task & 1 == 1).collect();
        let least = match test.least(&listed, self.chip, self.built) {
            LeastOnCore::Area(area) => Some(area),
            LeastOnCore::Nothing => None,
            LeastOnCore::Undecided => {
                self.undecided = true;
                None
            }
        };
        self.tested.insert(tasks, least);
        least
    }

    /// Prices by column generation.
    pub fn priced(&mut self, start: Prices, cutoff: i64) -> Result<Bounded, Stopped> {
        let (cores, tasks, shift) = (self.settled.cores, self.settled.options.len(), start.shift);
        let scale = (1u64 << shift) as f64;
        let mut master = Master::new(tasks, cores, 0, cutoff as f64 + 1.0);
        self.pool.drain(..).for_each(|plan| master.add(plan, Vec::new()));
        let most_known = |master: &Master, prices: &Prices| {
            master.plans().iter().map(|plan| plan.profit(prices)).max().unwrap_or(0).max(0)
        };
        let known = most_known(&master, &start);
        let (mut largest, found) = best_plans(self.settled, &start, &self.rules, known, self.budget)?;
        found.into_iter().for_each(|plan| master.add(plan, Vec::new()));
        let mut center = start;
        let mut best = center.bound(cores, largest);
        let mut part = 0.5;
        for _ in 0..MOST_ROUNDS {
            self.budget.spend((tasks * tasks * 20) as u64)?;
            let (duals, value) = master.solve();
            if best > center.scaled(cutoff - 1) || best as f64 >= (value - TIGHT) * scale {
                break;
            }
            let most = center.scaled(cutoff + 1);
            let mixed = |dual: f64, own: i64| {
                let mixed = part * own as f64 + (1.0 - part) * dual * scale;
                (mixed.round() as i64).clamp(-most, most)
            };
            let worth =
                duals.iter().zip(&center.worth).map(|(dual, &own)| mixed(dual.max(0.0), own)).collect();
            let prices = Prices { worth, ..center.clone() };
            let known = most_known(&master, &prices);
            let (most, plans) = best_plans(self.settled, &prices, &self.rules, known, self.budget)?;
            let own = prices.bound(cores, most);
            if own > best {
                (best, largest, center) = (own, most, prices);
            }
            let is_new =
                plans.iter().any(|plan| master.gain_of(plan, &duals) > 1e-7 * (1.0 + plan.area as f64));
            plans.into_iter().for_each(|plan| master.add(plan, Vec::new()));
            if is_new {
                part = 0.5;
            } else if part > 0.0 {
                // The prices of the center hid the plans that the program lacks.
                part = 0.0;
            } else {
                break;
            }
        }
        self.pool.extend(master.plans());
        let bound = ((best + (1 << shift) - 1) >> shift).max(0);
        Ok(Bounded { prices: center, largest, below: best, bound })
    }

    /// Every set of tasks on a core that costs at most `most`, and at most `gap` with its least area by the test. `None`
    /// if there are too many.
    fn listed(&mut self, node: &Bounded, gap: i64, most: i64) -> Result<Option<Vec<Priced>>, Stopped> {
        let budget = self.budget;
        let (prices, largest) = (&node.prices, node.largest);
        let floor = largest - most;
        // For each set of tasks its least area and largest profit.
        let mut sets: HashMap<u128, (i64, i64)> = HashMap::new();
        for (blocks, _) in block_sets(self.settled, prices, floor, budget)? {
            let Some(block_area) = self.settled.area_of_blocks(blocks) else { continue };
            let all = prices.options(self.settled, blocks, 0);
            let order = clear_first(&all, self.settled.capacity);
            let bounds = Bounds::new(&order.iter().map(|&task| all[task].clone()).collect::<Vec<_>>());
            let allowed = |&task: &usize| -> Vec<(i64, i64)> {
                allowed(self.settled, task, blocks).map(|opt| (opt.size, opt.area)).collect()
            };
            let options: Vec<Vec<(i64, i64)>> = order.iter().map(allowed).collect();
            let stack = vec![(0, block_area)];
            let (search, sets) = (&*self, &mut sets);
            let mut listing = Listing { search, prices, floor, order, options, bounds, stack, sets };
            if !listing.decide(0, (0, 0), 0, 0)? {
                return Ok(None);
            }
        }
        let mut listed: Vec<(u128, (i64, i64))> = sets.into_iter().collect();
        listed.sort_unstable();
        let mut plans = Vec::with_capacity(listed.len());
        for (tasks, (least, profit)) in listed {
            let Some(area) = self.tested_area(tasks, least) else { continue };
            let cost = largest - profit + prices.scaled(area - least);
            if cost <= gap {
                plans.push(Priced { tasks, cost, area });
            }
        }
        Ok(Some(plans))
    }
}

/// Lists the plans with one set of blocks.
struct Listing<'a> {
    search: &'a PlanSearch<'a>,
    prices: &'a Prices,
    floor: i64,
    /// The tasks in the order in which they are decided.
    order: Vec<usize>,
    /// For each of them its sizes and areas.
    options: Vec<Vec<(i64, i64)>>,
    bounds: Bounds,
    /// Sizes and areas of the tasks chosen, one undominated list after another.
    stack: Vec<(i64, i64)>,
    sets: &'a mut HashMap<u128, (i64, i64)>,
}

impl Listing<'_> {
    /// Decides for the tasks from `decided` on whether they are on the core, after the earlier ones, of which some were
    /// chosen; the sizes and areas of these are in `stack` from `start` on. False if there are too many plans.
    fn decide(
        &mut self,
        decided: usize,
        (earlier, tasks): (u128, u128),
        worth: i64,
        start: usize,
    ) -> Result<bool, Stopped> {
        let end = self.stack.len();
        let Some(&task) = self.order.get(decided) else {
            if let (true, Some(&(_, area))) = (tasks != 0, self.stack.last()) {
                let profit = worth - self.prices.scaled(area);
                let known = self.sets.entry(tasks).or_insert((area, profit));
                *known = (area.min(known.0), profit.max(known.1));
            }
            return Ok(self.sets.len() <= MOST_PLANS);
        };
        let (may_stay, may_join) = self.search.rules.may(task, earlier, tasks);
        let earlier = earlier | 1 << task;
        if may_stay {
            self.promising(decided, worth, &[(0, 0)], start..end)?;
            if self.stack.len() > end && !self.decide(decided + 1, (earlier, tasks), worth, end)? {
                return Ok(false);
            }
            self.stack.truncate(end);
        }
        if may_join {
            let worth = worth + self.prices.worth[task];
            let own = std::mem::take(&mut self.options[decided]);
            let grown = self.promising(decided, worth, &own, start..end);
            self.options[decided] = own;
            grown?;
            self.stack[end..].sort_unstable();
            let (mut kept, mut least) = (end, i64::MAX);
            for at in end..self.stack.len() {
                let point = self.stack[at];
                if point.1 < least {
                    least = point.1;
                    self.stack[kept] = point;
                    kept += 1;
                }
            }
            self.stack.truncate(kept);
            if kept > end && !self.decide(decided + 1, (earlier, tasks | 1 << task), worth, end)? {
                return Ok(false);
            }
            self.stack.truncate(end);
        }
        Ok(true)
    }

    /// Adds to the stack the points of a part of it with each of the options, as far as they can still reach the floor.
    fn promising(
        &mut self,
        decided: usize,
        worth: i64,
        options: &[(i64, i64)],
        part: Range<usize>,
    ) -> Result<(), Stopped> {
        self.search.budget.spend(20 + 20 * (part.len() * options.len()) as u64)?;
        let capacity = self.search.settled.capacity;
        for at in part {
            let (size, area) = self.stack[at];
            for own in options {
                let (size, area) = (size + own.0, area + own.1);
                let profit = worth - self.prices.scaled(area);
                let may_reach = || profit + self.bounds.most(decided + 1, capacity - size) >= self.floor;
                if size <= capacity && may_reach() {
                    self.stack.push((size, area));
                }
            }
        }
        Ok(())
    }
}

/// A bit for each of this many tasks.
pub(crate) fn all_tasks(count: usize) -> u128 {
    (0..count).fold(0, |mask, task| mask | 1 << task)
}
