//! Decides which blocks the chip builds, by branch and bound, and plans the engines for the rest.
//!
//! A node has some blocks of the chip built and some not; the others may be used for nothing, which can only lower the
//! area of the relaxation in which all cores are one. The node of least bound is split next; a node without open blocks
//! goes to an engine, which looks for a design below the best known.

use crate::aggregate::{aggregate, pack_sizes};
use crate::budget::{Budget, Stopped};
use crate::classes::{Relaxation, all_cores};
use crate::core_design::core_design;
use crate::local::improved;
use crate::plans::{Bounded, MOST_TASKS, PlanSearch, all_tasks};
use crate::pricing::Plan;
use crate::problem::{Design, Problem, Settled, set_in};
use crate::profit::Prices;
use crate::{Answer, Engine, Found, How, LeastOnCore, Reason, Status, TaskPrices};
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Binary places of prices; fewer where areas are large.
const SHIFT: u32 = 20;
/// The part of the steps that the first engine may use where there is another, and these steps at most: what it solves,
/// it solves fast. Half as many for every block of cores.
const SHARE: u64 = 8;
const FIRST_STEPS: u64 = 3_000_000_000;
/// The same before local search has looked for a good design.
const QUICK_STEPS: u64 = 30_000_000;
/// With fewer tasks per core, plans are few and packings scarce: the first engine then may use
/// what it does before a good design is looked for.
const FEW_TASKS: usize = 3;

/// The design of least area below `most` for the number of cores of a problem without limits; it is infeasible if there is
/// none.
pub(crate) fn solve_below(problem: &Problem, most: i64, how: &How) -> Answer {
    let nothing = |reason| Answer { status: Status::Infeasible(reason), bound: 0, best: None, steps: 0 };
    if let Some(reason) = plainly_infeasible(problem) {
        return nothing(reason);
    }
    let all = problem.chip_mask();
    let cutoff = most.min(problem.greatest_area() + 1);
    let mut solver = Solver::new(problem, how, None, cutoff);
    let mut is_packed = None;
    if let Some(settled) = problem.settled(all) {
        is_packed = solver.fastest(&settled);
    }
    if is_packed == Some(false) {
        return nothing(Reason::Packing);
    }
    let (bound, is_complete) = solver.branch(all);
    let (status, bound) = match (&solver.best, is_complete) {
        (Some(best), true) => (Status::Proved, best.area),
        (None, true) => (Status::Infeasible(Reason::EveryDesign), 0),
        (best, false) => {
            let bound = best.as_ref().map_or(bound, |best| best.area.min(bound));
            let is_met = best.as_ref().is_some_and(|best| best.area == bound);
            (if is_met { Status::Proved } else { Status::Unknown }, bound)
        }
    };
    let steps = how.steps - solver.budget.left();
    Answer { status, bound, best: solver.best, steps }
}

/// Prices of the tasks at which the lower bound is the greatest that column generation finds, and the most that a core
/// gains at them. The chip builds the blocks `built` and none of `excluded`; of its other blocks every core bears its part.
/// Tasks pinned to one core need not be together. Without a design areas count nothing: a bound above 0 then shows that
/// there is none. `None` if the steps do not suffice, or a task has no choice.
pub fn prices(
    problem: &Problem,
    design: Option<&Design>,
    (built, excluded): (u64, u64),
    how: &How,
) -> Option<TaskPrices> {
    let mut free = problem.clone();
    for (at, block) in free.blocks.iter_mut().enumerate().filter(|(_, block)| block.on_chip) {
        let is_built = built >> at & 1 == 1;
        block.area = if is_built { 0 } else { block.area / problem.cores as i64 };
        block.slot = block.slot.filter(|_| !is_built).map(|slot| u32::MAX - slot);
        block.on_chip = false;
    }
    free.tasks.iter_mut().for_each(|choices| choices.retain(|choice| choice.blocks & excluded == 0));
    let pinned = |task: usize| Some((task as u32, problem.pins.get(task).copied().flatten()?));
    let pinned: Vec<(u32, u32)> = (0..problem.tasks.len()).filter_map(pinned).collect();
    for (at, (task, pin)) in pinned.iter().enumerate() {
        free.apart.extend(pinned[..at].iter().filter(|other| other.1 != *pin).map(|other| (other.0, *task)));
    }
    free.pins = vec![None; problem.tasks.len()];
    if design.is_none() {
        free.tasks.iter_mut().flatten().for_each(|choice| choice.area = 0);
        free.blocks.iter_mut().for_each(|block| block.area = 0);
    }
    let cutoff = design.map_or(0, |design| design.area) + 1;
    let settled = free.settled(0).filter(|settled| settled.options.len() <= MOST_TASKS)?;
    let solver = Solver::new(&free, how, design.cloned(), cutoff);
    let (start, _) = solver.relaxed(&settled)?;
    let mut search = PlanSearch::new(&settled, solver.plans(&settled), &|_| {}, &solver.budget);
    let Bounded { prices, largest, .. } = search.priced(start, cutoff).ok()?;
    Some(TaskPrices { worth: prices.worth, shift: prices.shift, largest })
}

/// Reasons that need no search.
fn plainly_infeasible(problem: &Problem) -> Option<Reason> {
    let pins = problem.pins.iter().position(|pin| pin.is_some_and(|pin| pin as usize >= problem.cores));
    let least =
        |choices: &Vec<crate::Choice>| choices.iter().map(|choice| choice.size).min().unwrap_or(i64::MAX);
    let large = || problem.tasks.iter().position(|choices| least(choices) > problem.capacity);
    let sum = || problem.tasks.iter().map(least).sum::<i64>();
    if let Some(task) = pins {
        Some(Reason::Pinned(task))
    } else if let Some(task) = large() {
        Some(Reason::TaskTooLarge(task))
    } else {
        (sum() > problem.capacity * problem.cores as i64).then_some(Reason::TooLarge)
    }
}

struct Solver<'a> {
    problem: &'a Problem,
    how: &'a How<'a>,
    budget: Budget<'a>,
    best: Option<Design>,
    /// Only designs with less area are of use.
    cutoff: i64,
    /// Whether the best design was improved by local search.
    has_searched: bool,
    /// The largest lower bound reported so far.
    bound: Cell<i64>,
}

/// How an engine left a node.
enum Left {
    /// No better design is left in it.
    Done,
    /// No design of it has less area than this.
    Open(i64),
}

impl<'a> Solver<'a> {
    fn new(problem: &'a Problem, how: &'a How<'a>, best: Option<Design>, cutoff: i64) -> Self {
        let budget = Budget::new(how.steps, how.go_on);
        Self { problem, how, budget, best, cutoff, has_searched: false, bound: Cell::new(0) }
    }

    fn raise(&self, bound: i64) {
        if bound > self.bound.get() {
            self.bound.set(bound);
            self.tell();
        }
    }

    fn tell(&self) {
        let best = self.best.as_ref().map(|best| best.area);
        (self.how.report)(best.map_or(self.bound.get(), |best| best.min(self.bound.get())), best);
    }

    /// Keeps a design if it is better than the best, after summing it again.
    fn keep(&mut self, picks: Vec<usize>, cores: Vec<u32>) -> bool {
        let Some(area) = self.problem.area_of(&picks, &cores) else { return false };
        if area < self.cutoff {
            self.cutoff = area;
            self.best = Some(Design { area, picks, cores });
            self.tell();
        }
        true
    }

    /// Begins with the fastest choices: whether they can be packed at all, and the least design with their cores.
    fn fastest(&mut self, settled: &Settled) -> Option<bool> {
        let least = |task: usize| {
            let options = settled.options[task].iter().enumerate();
            options.min_by_key(|(_, opt)| (opt.size, opt.area)).map_or(0, |(at, _)| at)
        };
        let taken: Vec<usize> = (0..settled.options.len()).map(least).collect();
        let sizes = taken.iter().zip(&settled.options).map(|(&at, options)| options[at].size).collect();
        let packed = self.budget.share(self.budget.left() / SHARE, |part| pack_sizes(settled, sizes, part));
        let cores = match packed {
            Ok(Some(cores)) => cores,
            Ok(None) => return Some(false),
            Err(Stopped) => return None,
        };
        let mut picks: Vec<usize> =
            taken.iter().zip(&settled.options).map(|(&at, options)| options[at].pick).collect();
        if self.how.test.is_none() {
            self.keep(picks.clone(), cores.clone());
        }
        // The same division with the least design of each core.
        let all = self.problem.chip_mask();
        for core in 0..settled.cores as u32 {
            let tasks: Vec<usize> = (0..cores.len()).filter(|&task| cores[task] == core).collect();
            if tasks.is_empty() {
                continue;
            }
            let own = match self.how.test {
                Some(test) => test.picks(&tasks, all, all),
                None => {
                    let part = self.budget.left() / SHARE;
                    self.budget.share(part, |part| least_picks(settled, &tasks, part))
                }
            };
            let Some(own) = own else { return Some(true) };
            tasks.iter().zip(own).for_each(|(&task, pick)| picks[task] = pick);
        }
        self.keep(picks, cores);
        Some(true)
    }

    /// Improves the best design by local search.
    fn search_locally(&mut self) {
        let Some(best) = self.best.as_ref().filter(|_| !self.has_searched) else { return };
        self.has_searched = true;
        let part = self.budget.left() / SHARE;
        let found = self.budget.share(part, |part| improved(self.problem, best, part));
        if let Ok(Design { picks, cores, .. }) = found {
            self.keep(picks, cores);
        }
    }

    /// Branches on the blocks of the chip; the least bound of what is left, and whether nothing is.
    fn branch(&mut self, all: u64) -> (i64, bool) {
        let mut heap = BinaryHeap::new();
        let mut undecided = i64::MAX;
        if let Some(bound) = self.bound(0, all) {
            heap.push(Reverse((bound, 0u64, all)));
        }
        while let Some(Reverse((bound, built, open))) = heap.pop() {
            if bound >= self.cutoff {
                break;
            }
            if self.budget.spend(1_000).is_err() {
                return (bound.min(undecided), false);
            }
            self.raise(bound.min(undecided));
            if open == 0 {
                let others = heap.peek().map_or(i64::MAX, |Reverse((bound, ..))| *bound).min(undecided);
                if let Left::Open(bound) = self.settle(built, others) {
                    undecided = undecided.min(bound);
                }
                continue;
            }
            let largest = set_in(open).max_by_key(|&at| (self.problem.blocks[at].area, Reverse(at)));
            let Some(largest) = largest else { continue };
            let open = open & !(1 << largest);
            for built in [built, built | 1 << largest] {
                if let Some(bound) = self.bound(built, open) {
                    heap.push(Reverse((bound, built, open)));
                }
            }
        }
        (undecided, undecided == i64::MAX || undecided >= self.cutoff)
    }

    /// A lower bound with these blocks built and those free; `None` if there is no design.
    fn bound(&self, built: u64, open: u64) -> Option<i64> {
        let area = self.problem.area_of_blocks(built)?;
        let settled = self.problem.settled(built | open)?;
        Some(area + self.relaxed(&settled)?.1).filter(|bound| *bound < self.cutoff)
    }

    /// The prices of tasks at which all cores together are, and the bound. `None` if a task has no option.
    fn relaxed(&self, settled: &Settled) -> Option<(Prices, i64)> {
        let relaxation = self.relaxation(settled);
        let classes = all_cores(settled);
        let (bound, price) = relaxation.bound(&classes, &self.budget).unwrap_or(Some((0, 0)))?;
        Some((Prices { worth: relaxation.worth(&classes, price)?, shift: relaxation.shift }, bound))
    }

    fn relaxation<'s>(&self, settled: &'s Settled) -> Relaxation<'s> {
        let most = self.problem.greatest_area() + 1;
        // Prices of all tasks together must fit the integers.
        let bits = |value: u64| u64::BITS - value.leading_zeros();
        let used = bits(most as u64) + bits(settled.options.len() as u64);
        Relaxation { settled, shift: SHIFT.min(61u32.saturating_sub(used)).max(1), most }
    }

    /// Looks for a better design with exactly these blocks of the chip; `others` bounds all others.
    fn settle(&mut self, built: u64, others: i64) -> Left {
        let (Some(area), Some(settled)) = (self.problem.area_of_blocks(built), self.problem.settled(built))
        else {
            return Left::Done;
        };
        let plans_can = settled.options.len() <= MOST_TASKS;
        let aggregate_can = self.how.test.is_none();
        let engine = self.how.engine;
        let mut bound = area;
        if aggregate_can && engine != Some(Engine::Plans) {
            let is_last = engine == Some(Engine::Aggregate) || !plans_can;
            let is_few = settled.options.len() < FEW_TASKS * settled.cores;
            let first = FIRST_STEPS >> settled.used.count_ones();
            let first = if is_few { 0 } else { first.min(self.budget.left() / SHARE) };
            let part = if is_last { self.budget.left() } else { first };
            // Most sets are decided at once; a good design helps with the others.
            for part in [QUICK_STEPS, part] {
                let cutoff = self.cutoff - area;
                let relaxation = self.relaxation(&settled);
                match self.budget.share(part, |part| aggregate(&relaxation, cutoff, part)) {
                    Ok(found) => {
                        let is_kept = self.found(&settled, built, found);
                        return if is_kept { Left::Done } else { Left::Open(bound) };
                    }
                    Err((found, least)) => {
                        if let Some(found) = found {
                            self.found(&settled, built, found);
                        }
                        bound = bound.max(area + least);
                    }
                }
                self.search_locally();
            }
            if is_last {
                return Left::Open(bound);
            }
        }
        if !plans_can || engine == Some(Engine::Aggregate) {
            return Left::Open(bound);
        }
        if let (Some(test), 1) = (self.how.test, settled.cores) {
            let tasks: Vec<usize> = (0..settled.options.len()).collect();
            return match test.least(&tasks, self.problem.chip_mask(), built) {
                LeastOnCore::Area(_)
                    if self.found(&settled, built, Found::Plans(vec![all_tasks(tasks.len())])) =>
                {
                    Left::Done
                }
                LeastOnCore::Nothing => Left::Done,
                _ => Left::Open(bound),
            };
        }
        let Some((prices, least)) = self.relaxed(&settled) else { return Left::Done };
        let report = |bound: i64| self.raise((area + bound).min(others));
        let pool = self.plans(&settled);
        let mut search = PlanSearch {
            test: self.how.test,
            chip: self.problem.chip_mask(),
            built,
            ..PlanSearch::new(&settled, pool, &report, &self.budget)
        };
        let found = search.run(prices, self.cutoff - area);
        let undecided = search.undecided;
        let least = least.max(0) + area;
        match found {
            Ok(found) => {
                let is_kept = self.found(&settled, built, found);
                if is_kept && !undecided { Left::Done } else { Left::Open(bound.max(least)) }
            }
            Err(known) => {
                if let Some(best) = known.best {
                    self.found(&settled, built, Found::Plans(best));
                }
                Left::Open(bound.max(if undecided { least } else { known.bound + area }))
            }
        }
    }

    /// The plans of the best design.
    fn plans(&self, settled: &Settled) -> Vec<Plan> {
        let Some(best) = &self.best else { return Vec::new() };
        let mut plans = Vec::new();
        for core in 0..settled.cores as u32 {
            let tasks: Vec<usize> = (0..best.cores.len()).filter(|&task| best.cores[task] == core).collect();
            if let Ok(Some((area, options))) = core_design(settled, &tasks, i64::MAX, &self.budget) {
                let tasks = tasks.iter().fold(0, |mask, task| mask | 1u128 << task);
                let blocks = options.iter().fold(0, |mask, opt| mask | opt.blocks);
                plans.extend((tasks != 0).then_some(Plan { tasks, blocks, area }));
            }
        }
        plans
    }

    /// Turns what an engine found into a design and keeps it; false if it breaks a rule, which no engine should find.
    fn found(&mut self, settled: &Settled, built: u64, found: Found) -> bool {
        let plans = match found {
            Found::Nothing => return true,
            Found::Design { taken, cores } => {
                let picks =
                    taken.iter().zip(&settled.options).map(|(&at, options)| options[at].pick).collect();
                return self.keep(picks, cores);
            }
            Found::Plans(plans) => plans,
        };
        let count = settled.options.len();
        let (mut picks, mut cores) = (vec![0; count], vec![0u32; count]);
        let mut listed: Vec<Vec<usize>> =
            plans.iter().map(|tasks| (0..count).filter(|task| tasks >> task & 1 == 1).collect()).collect();
        listed.sort();
        let pinned = |tasks: &Vec<usize>| tasks.iter().find_map(|&task| settled.pins[task]);
        let taken: Vec<u32> = listed.iter().filter_map(pinned).collect();
        let mut free = (0..settled.cores as u32).filter(|core| !taken.contains(core));
        for tasks in &listed {
            let Some(core) = pinned(tasks).or_else(|| free.next()) else { return false };
            let own = match self.how.test {
                Some(test) => test.picks(tasks, self.problem.chip_mask(), built),
                None => least_picks(settled, tasks, &Budget::new(u64::MAX, &|| true)),
            };
            let Some(own) = own else { return false };
            for (&task, pick) in tasks.iter().zip(own) {
                (picks[task], cores[task]) = (pick, core);
            }
        }
        self.keep(picks, cores)
    }
}

/// The choices of the least design of a core.
fn least_picks(settled: &Settled, tasks: &[usize], budget: &Budget) -> Option<Vec<usize>> {
    let design = core_design(settled, tasks, i64::MAX, budget);
    let (_, options) = design.ok().flatten()?;
    Some(options.iter().map(|opt| opt.pick).collect())
}
