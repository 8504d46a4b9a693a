//! Limits on what designs take of other resources: Lagrangian prices, and branch and bound around the engines.
//!
//! With a price u_r >= 0 per unit of each limited resource, any design within the limits L_r has
//!
//! ```text
//! area >= min over all designs of (area + sum_r u_r amount_r)  -  sum_r u_r L_r
//! ```
//!
//! The minimum is the same problem with other areas, so the engines find it as it is. Prices come from the linear program
//! that mixes the designs known within the limits at the least area (J. E. Kelley, "The cutting-plane method for solving
//! convex programs", 1960), in floats; rounded to integers over a power of two, they give an exact bound. Where a mixture
//! remains, a task takes one of its choices or does not; if all choices are settled, a task goes to one of the cores.
//!
//! Worked instance: one core, area 10 with 3 multipliers or area 16 with none, and 2 multipliers at most. At 2 per multiplier
//! both cost 16, so no design has less area than 16 - 2 * 2 = 12; after branching the second is the least.

use crate::chip::solve_below;
use crate::local::evened;
use crate::master::Master;
use crate::pricing::Plan;
use crate::problem::{Choice, Design, Limit, Problem};
use crate::{Answer, CoreTest, How, Reason, Status};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Binary places of prices; fewer where areas are large.
const PLACES: u32 = 20;
/// All areas together, with the prices in them, are less.
const MOST_AREA: i128 = 1 << 50;
/// Prices tried per node.
const MOST_ROUNDS: usize = 16;
/// Designs remembered.
const MOST_KNOWN: usize = 2_000;
/// A part of a design that is nearer to none or all of it does not count as mixed.
const MIXED: f64 = 1e-3;

/// The design of least area for the number of cores of the problem, within its limits.
pub fn solve(problem: &Problem, how: &How) -> Answer {
    let mut answer = if problem.limits.is_empty() {
        solve_below(problem, i64::MAX, how)
    } else {
        let cutoff = problem.greatest_area() + 1;
        Search { problem, how, left: how.steps, cutoff, best: None, known: Vec::new(), reported: 0 }.run()
    };
    // Where sizes do not decide, a more even design might fail the test of a core.
    if let Some(best) = answer.best.as_mut().filter(|_| how.test.is_none()) {
        evened(problem, best);
    }
    answer.best.iter_mut().for_each(|best| number_cores(problem, best));
    answer
}

/// Numbers the cores to which nothing is pinned by their first tasks.
fn number_cores(problem: &Problem, design: &mut Design) {
    let is_free = |core: &u32| !problem.pins.contains(&Some(*core));
    let mut numbers = (0..problem.cores as u32).filter(is_free);
    let mut new: BTreeMap<u32, u32> = BTreeMap::new();
    for core in design.cores.iter_mut().filter(|core| is_free(core)) {
        *core = *new.entry(*core).or_insert_with(|| numbers.next().unwrap_or(*core));
    }
}

/// A design that some prices led to.
struct Known {
    design: Design,
    /// By how much it is beyond each limit.
    beyond: Vec<i64>,
}

/// Part of the designs.
#[derive(Clone)]
struct Node {
    /// For each task whether it may take each of its choices.
    allowed: Vec<Vec<bool>>,
    pins: Vec<Option<u32>>,
    /// No design has less area.
    bound: i64,
}

/// The factors of areas and of each amount in the weighted problem.
#[derive(Clone, PartialEq, Eq)]
struct Weights {
    area: i64,
    amounts: Vec<i64>,
}

/// How a part of the designs is left.
enum Left {
    Done,
    /// These parts remain.
    Split(Vec<Node>),
    /// The search ended with this bound.
    Open(i64),
}

struct Search<'a> {
    problem: &'a Problem,
    how: &'a How<'a>,
    /// The steps left.
    left: u64,
    /// Only designs with less area are of use.
    cutoff: i64,
    best: Option<Design>,
    known: Vec<Known>,
    /// The largest lower bound reported so far.
    reported: i64,
}

impl Search<'_> {
    fn run(mut self) -> Answer {
        let without = Problem { limits: Vec::new(), ..self.problem.clone() };
        let plain = self.solved(&without, i64::MAX, None);
        if let Status::Infeasible(_) = plain.status {
            return plain;
        }
        let root = Node { bound: plain.bound, ..Node::all(self.problem) };
        if let Some(design) = plain.best {
            self.keep(design);
        }
        let mut nodes = vec![Some(root)];
        // Of equal bounds the newest node is next.
        let mut heap = BinaryHeap::from([Reverse((plain.bound, Reverse(0)))]);
        let mut open = i64::MAX;
        while let Some(Reverse((bound, Reverse(at)))) = heap.pop() {
            if bound >= self.cutoff {
                break;
            }
            self.tell(bound.min(open));
            let Some(node) = nodes[at].take() else { continue };
            match self.decide(&node) {
                Left::Done => {}
                Left::Open(bound) => open = open.min(bound),
                Left::Split(parts) => {
                    for part in parts {
                        heap.push(Reverse((part.bound, Reverse(nodes.len()))));
                        nodes.push(Some(part));
                    }
                }
            }
        }
        let bound = open.min(self.cutoff);
        let (status, bound) = match &self.best {
            Some(best) if bound >= best.area => (Status::Proved, best.area),
            None if open == i64::MAX => (Status::Infeasible(self.reason()), 0),
            _ => (Status::Unknown, bound),
        };
        Answer { status, bound, steps: self.how.steps - self.left, best: self.best }
    }

    fn tell(&mut self, bound: i64) {
        if bound > self.reported {
            self.reported = bound;
            (self.how.report)(bound, self.best.as_ref().map(|best| best.area));
        }
    }

    /// Solves a problem without its limits, with the steps left.
    fn solved(&mut self, problem: &Problem, most: i64, test: Option<&dyn CoreTest>) -> Answer {
        let test = test.or(self.how.test);
        let How { engine, go_on, .. } = *self.how;
        let how = How { engine, steps: self.left, test, report: &|_, _| {}, go_on };
        let answer = solve_below(problem, most, &how);
        self.left -= answer.steps.min(self.left);
        answer
    }

    /// Remembers a design found at some prices, and keeps it if it is within the limits and better than the best.
    fn keep(&mut self, design: Design) {
        let Some((area, beyond)) = self.problem.sums(&design.picks, &design.cores) else { return };
        let design = Design { area, ..design };
        if area < self.cutoff && beyond.iter().all(|beyond| *beyond <= 0) {
            self.cutoff = area;
            self.best = Some(design.clone());
            (self.how.report)(self.reported.min(area), Some(area));
        }
        if self.known.len() == MOST_KNOWN {
            self.known.remove(0);
        }
        self.known.push(Known { design, beyond });
    }

    /// Bounds a part of the designs, and splits it if it may have better ones.
    fn decide(&mut self, node: &Node) -> Left {
        let mut bound = node.bound;
        let mut tried: Vec<Weights> = Vec::new();
        for _ in 0..MOST_ROUNDS {
            self.left -= self.left.min(1_000 + 100 * self.known.len() as u64);
            let (prices, _) = self.mixed(node);
            let (weights, problem, offset) = self.weighted(node, &prices);
            if tried.contains(&weights) {
                break;
            }
            let limits = weights.amounts.iter().zip(&self.problem.limits);
            let rest: i128 =
                limits.map(|(weight, limit)| i128::from(*weight) * i128::from(limit.most)).sum::<i128>()
                    - offset;
            // The area, at these weights, from which on designs are of no use.
            let most = i128::from(self.cutoff - 1) * i128::from(weights.area) + rest + 1;
            if most <= 0 {
                return Left::Done;
            }
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let test = self.how.test.map(|test| test.with_areas(&problem));
            let answer = self.solved(&problem, most, test.as_deref());
            let above = |area: i64| {
                let scaled = i128::from(area) - rest;
                let unit = i128::from(weights.area);
                i64::try_from(scaled.div_euclid(unit) + i128::from(scaled.rem_euclid(unit) > 0)).unwrap_or(0)
            };
            match answer.status {
                Status::Infeasible(_) => return Left::Done,
                _ => bound = bound.max(above(answer.bound)),
            }
            if let Some(design) = answer.best {
                self.keep(design);
            }
            match answer.status {
                _ if bound >= self.cutoff => return Left::Done,
                Status::Unknown => {
                    let is_over = self.left == 0 || !(self.how.go_on)();
                    let parts = if is_over { Vec::new() } else { self.split(node, bound) };
                    return if parts.is_empty() { Left::Open(bound) } else { Left::Split(parts) };
                }
                _ => tried.push(weights),
            }
        }
        Left::Split(self.split(node, bound))
    }

    /// Prices of the limited resources, and how much of each design known there is in the mixture of least area within
    /// the limits.
    fn mixed(&self, node: &Node) -> (Vec<f64>, Vec<(usize, f64)>) {
        let within: Vec<usize> =
            (0..self.known.len()).filter(|&at| node.has(&self.known[at].design)).collect();
        let limits = self.problem.limits.len();
        let largest = |limit: usize| {
            let beyond = within.iter().map(|&at| self.known[at].beyond[limit].unsigned_abs());
            beyond.max().unwrap_or(0).max(1) as f64
        };
        let scales: Vec<f64> = (0..limits).map(largest).collect();
        let mut master = Master::new(1, 1, limits, self.cutoff as f64 + 1.0);
        for &at in &within {
            let Known { design, beyond } = &self.known[at];
            let amounts = beyond.iter().zip(&scales).map(|(beyond, scale)| *beyond as f64 / scale).collect();
            master.add(Plan { tasks: 1, blocks: at as u64, area: design.area }, amounts);
        }
        let (duals, _) = master.solve();
        let prices = duals[2..].iter().zip(&scales).map(|(dual, scale)| (-dual).max(0.0) / scale).collect();
        (prices, master.used().map(|(plan, share)| (plan.blocks as usize, share)).collect())
    }

    /// The problem of a node in which amounts at these prices, or lower ones, are part of the areas, and by how much its
    /// areas are too small.
    fn weighted(&self, node: &Node, prices: &[f64]) -> (Weights, Problem, i128) {
        let area = 1i64 << PLACES;
        let amounts = prices.iter().map(|price| (price * area as f64).round() as i64).collect();
        let mut weights = Weights { area, amounts };
        loop {
            match self.at(node, &weights) {
                Ok((problem, offset)) => return (weights, problem, offset),
                Err(true) if weights.area > 1 => {
                    weights.area /= 2;
                    weights.amounts.iter_mut().for_each(|weight| *weight /= 2);
                }
                Err(_) => weights.amounts.iter_mut().for_each(|weight| *weight /= 2),
            }
        }
    }

    /// The problem at these weights; otherwise whether its areas are too large, or some below 0.
    fn at(&self, node: &Node, weights: &Weights) -> Result<(Problem, i128), bool> {
        let all = self.problem;
        let weighed = |area: i64, of: &dyn Fn(&Limit) -> i64| {
            let own = weights.amounts.iter().zip(&all.limits);
            let amounts: i128 = own.map(|(weight, limit)| i128::from(*weight) * i128::from(of(limit))).sum();
            i128::from(weights.area) * i128::from(area) + amounts
        };
        let (mut offset, mut sum) = (0, 0);
        let mut blocks = all.blocks.clone();
        for (at, block) in blocks.iter_mut().enumerate() {
            let area = weighed(block.area, &|limit| limit.blocks[at]);
            sum += area * if block.on_chip { 1 } else { all.cores as i128 };
            if area < 0 {
                return Err(false);
            }
            block.area = i64::try_from(area).map_err(|_| true)?;
        }
        let mut tasks = all.tasks.clone();
        for (task, choices) in tasks.iter_mut().enumerate() {
            let own: Vec<i128> = choices
                .iter()
                .enumerate()
                .map(|(pick, choice)| weighed(choice.area, &|limit| limit.choices[task][pick]))
                .collect();
            let allowed = || own.iter().zip(&node.allowed[task]).filter(|(_, allowed)| **allowed);
            let least = allowed().map(|(area, _)| *area).min().unwrap_or(0);
            // A test knows no area of software.
            if self.how.test.is_some() && least < 0 {
                return Err(false);
            }
            let least = if self.how.test.is_some() { 0 } else { least };
            offset += least;
            sum += allowed().map(|(area, _)| area - least).max().unwrap_or(0);
            for ((choice, area), allowed) in choices.iter_mut().zip(&own).zip(&node.allowed[task]) {
                *choice = match allowed {
                    true => Choice { area: i64::try_from(area - least).map_err(|_| true)?, ..*choice },
                    false => Choice { area: 0, size: all.capacity + 1, ..*choice },
                };
            }
        }
        let (pins, apart) = (node.pins.clone(), all.apart.clone());
        let problem = Problem { tasks, blocks, pins, apart, limits: Vec::new(), ..*all };
        if sum < MOST_AREA { Ok((problem, offset)) } else { Err(true) }
    }

    /// Parts that together have all designs of a node.
    fn split(&self, node: &Node, bound: i64) -> Vec<Node> {
        let node = Node { bound, ..node.clone() };
        if let Some((task, pick)) = self.mixed_choice(&node) {
            let (mut with, mut without) = (node.clone(), node);
            with.allowed[task].iter_mut().enumerate().for_each(|(other, allowed)| *allowed &= other == pick);
            without.allowed[task][pick] = false;
            return vec![with, without];
        }
        let Some(task) = node.pins.iter().position(Option::is_none) else { return Vec::new() };
        let mut cores: Vec<u32> = node.pins.iter().flatten().copied().collect();
        cores.sort_unstable();
        cores.dedup();
        // Cores without a pinned task are all the same.
        cores.extend((0..self.problem.cores as u32).find(|core| !cores.contains(core)));
        let pinned = |core: u32| {
            let mut part = node.clone();
            part.pins[task] = Some(core);
            part
        };
        cores.into_iter().map(pinned).collect()
    }

    /// A choice that the mixture takes in part; otherwise one of a task that has several.
    fn mixed_choice(&self, node: &Node) -> Option<(usize, usize)> {
        let (_, shares) = self.mixed(node);
        let all: f64 = shares.iter().map(|(_, share)| share).sum();
        let mut best = (MIXED, None);
        let several = |task: &usize| node.allowed[*task].iter().filter(|allowed| **allowed).count() > 1;
        for task in (0..node.allowed.len()).filter(several) {
            for pick in 0..node.allowed[task].len() {
                let with = shares.iter().filter(|(at, _)| self.known[*at].design.picks[task] == pick);
                let share: f64 = with.map(|(_, share)| share).sum();
                let mixed = share.min(all - share);
                if mixed > best.0 {
                    best = (mixed, Some((task, pick)));
                }
            }
        }
        let any = || {
            let task = (0..node.allowed.len()).find(several)?;
            Some((task, node.allowed[task].iter().position(|allowed| *allowed)?))
        };
        best.1.or_else(any)
    }

    /// Why no design is within the limits: one of them alone, where amounts in place of areas show it.
    fn reason(&mut self) -> Reason {
        let (all, root) = (self.problem, Node::all(self.problem));
        let limits = if self.how.test.is_none() { &all.limits[..] } else { &[] };
        for (at, limit) in limits.iter().enumerate() {
            let amounts = (0..all.limits.len()).map(|other| i64::from(other == at)).collect();
            let Ok((problem, offset)) = self.at(&root, &Weights { area: 0, amounts }) else { continue };
            let Answer { status, bound, .. } = self.solved(&problem, i64::MAX, None);
            let least = i128::from(bound) + offset;
            if status == Status::Proved && least > limit.most.into() {
                return Reason::Limit(at, i64::try_from(least).unwrap_or(i64::MAX));
            }
        }
        Reason::Limits
    }
}

impl Node {
    /// All designs.
    fn all(problem: &Problem) -> Self {
        let allowed = problem.tasks.iter().map(|choices| vec![true; choices.len()]).collect();
        Self { allowed, pins: problem.pins.clone(), bound: 0 }
    }

    fn has(&self, design: &Design) -> bool {
        let mut picks = design.picks.iter().zip(&self.allowed);
        let mut cores = design.cores.iter().zip(&self.pins);
        picks.all(|(&pick, allowed)| allowed[pick])
            && cores.all(|(core, pin)| pin.is_none_or(|pin| pin == *core))
    }
}
