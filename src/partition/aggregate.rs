//! Aggregate and pack: the cores of a class as one.
//!
//! All cores together hold no more than m times the capacity of one. The least area with which all tasks together fit
//! that room is a lower bound; it comes from the front of all tasks. Designs are then tried by rising area, front points or not,
//! until one can be packed into the cores; the fronts of the tasks still undecided cut the search. A design whose sizes are
//! all at least those of a design that could not be packed cannot be packed either.
//!
//! Where cores have blocks of their own it is first branched on how many have which (module `classes`). What is of the
//! least bound is tried next, whichever the classes.

use crate::Found;
use crate::budget::{Budget, Stopped};
use crate::classes::{Class, Relaxation, all_cores, branched, class_of_cores};
use crate::packing::{Items, pack};
use crate::problem::{Opt, Settled, set_in};
use crate::suffixes::Suffixes;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Steps to pack one design.
const PACK_STEPS: u64 = 1_500_000_000;
/// Designs that could not be packed and are remembered.
const MOST_FAILED: usize = 500;
/// Classes at most.
const MOST_CLASSES: usize = 64;
/// The least area below `cutoff`; or, if that is not decided, a design if one was found, and a lower bound.
pub(crate) fn aggregate(
    relaxation: &Relaxation,
    mut cutoff: i64,
    budget: &Budget,
) -> Result<Found, (Option<Found>, i64)> {
    let settled = relaxation.settled;
    let mut best = None;
    let mut unsure = i64::MAX;
    let mut heap = BinaryHeap::from([Reverse((0, Reverse(0)))]);
    let mut nodes = vec![Some(Node { classes: all_cores(settled), step: 0 })];
    // The walk of the node looked at last, to go on with.
    let mut last: Option<(usize, Walk)> = None;
    while let Some(Reverse((bound, Reverse(at)))) = heap.pop() {
        if bound >= cutoff {
            break;
        }
        let Some(mut node) = nodes[at].take() else { continue };
        if node.step == 0 {
            let parts = match node.parts(relaxation, budget) {
                Ok(parts) => parts,
                Err(Stopped) => return Err((best, bound.min(unsure))),
            };
            for (own, node) in parts {
                if own >= cutoff {
                    continue;
                }
                if node.classes.len() > MOST_CLASSES {
                    unsure = own.max(bound).min(unsure);
                    continue;
                }
                heap.push(Reverse((own.max(bound), Reverse(nodes.len()))));
                nodes.push(Some(node));
            }
            continue;
        }
        let kept = last.take().filter(|(node, _)| *node == at);
        let walk = kept.map_or_else(|| Walk::new(settled, &node.classes, budget), |(_, walk)| Ok(walk));
        let looked = walk.and_then(|mut walk| {
            walk.look(bound, (bound - 1 + node.step).min(cutoff - 1))?;
            Ok(walk)
        });
        let mut walk = match looked {
            Ok(walk) => walk,
            Err(Stopped) => return Err((best, bound.min(unsure))),
        };
        unsure = walk.unsure.min(unsure);
        if let Some((area, taken, cores)) = walk.best.take() {
            cutoff = area;
            best = Some(Found::Design { taken, cores });
        } else if walk.next < cutoff {
            node.step += node.step / 4 + 1;
            heap.push(Reverse((walk.next, Reverse(at))));
            nodes[at] = Some(node);
            last = Some((at, walk));
        }
    }
    if unsure < cutoff { Err((best, unsure)) } else { Ok(best.unwrap_or(Found::Nothing)) }
}

/// The designs on some classes.
struct Node {
    classes: Vec<Class>,
    /// How far the next look for designs goes beyond the bound; 0 if something may be open.
    step: i64,
}

impl Node {
    /// Branches, and bounds the parts.
    fn parts(&mut self, relaxation: &Relaxation, budget: &Budget) -> Result<Vec<(i64, Self)>, Stopped> {
        budget.spend(200)?;
        let settled = relaxation.settled;
        let is_settled = |classes: &[Class]| classes.iter().all(|class| class.open == 0);
        let mut left = Vec::new();
        for classes in branched(settled, &self.classes).unwrap_or_else(|| vec![self.classes.clone()]) {
            if let Some((bound, _)) = relaxation.bound(&classes, budget)? {
                left.push((bound, Self { step: i64::from(is_settled(&classes)), classes }));
            }
        }
        Ok(left)
    }
}

/// Walks the designs on some classes whose areas are in a range.
struct Walk<'a> {
    settled: &'a Settled,
    /// For each core its class, and the area of the blocks of all cores.
    class_of: Vec<u32>,
    blocks: i64,
    order: Vec<usize>,
    /// For each option of each task the classes it can be on, a bit for each.
    allowed: Vec<Vec<u64>>,
    suffixes: Suffixes,
    /// Sets of classes to which some options are bound, with the size that is left on them.
    scarce: Vec<(u64, i64)>,
    /// For each task the option taken.
    taken: Vec<usize>,
    /// For each design that could not be packed its sizes and classes: sorted, unless a task is pinned or kept apart.
    failed: Vec<Vec<(u64, i64)>>,
    /// The least and the greatest area tried.
    from: i64,
    to: i64,
    /// The least area above that a design may have.
    next: i64,
    /// The least area of a design whose packing was not decided.
    unsure: i64,
    /// The best design with its area.
    best: Option<(i64, Vec<usize>, Vec<u32>)>,
    budget: &'a Budget<'a>,
}

impl<'a> Walk<'a> {
    fn new(settled: &'a Settled, classes: &[Class], budget: &'a Budget) -> Result<Self, Stopped> {
        let mut options: Vec<Vec<Opt>> = Vec::with_capacity(settled.options.len());
        let mut allowed: Vec<Vec<u64>> = Vec::with_capacity(settled.options.len());
        for (task, own) in settled.options.iter().enumerate() {
            let on = |opt: &Opt| {
                let may = classes.iter().enumerate().filter(|(_, class)| class.may(settled, task, opt));
                may.fold(0, |mask, (at, _)| mask | 1u64 << at)
            };
            let masks: Vec<u64> = own.iter().map(on).collect();
            let kept = own.iter().zip(&masks).filter(|(_, mask)| **mask != 0);
            options.push(kept.map(|(opt, _)| *opt).collect());
            allowed.push(masks);
        }
        let built = |class: &Class| class.cores as i64 * settled.area_of_blocks(class.built).unwrap_or(0);
        let blocks = classes.iter().map(built).sum();
        let mut order: Vec<usize> = (0..options.len()).collect();
        let largest = |task: usize| options[task].iter().map(|opt| opt.size).max().unwrap_or(0);
        order.sort_by_key(|&task| (-largest(task), task));
        let suffixes = Suffixes::new(&options, &order, settled.room(), budget)?;
        let all = (1u64 << (classes.len() - 1) << 1).wrapping_sub(1);
        let mut sets: Vec<u64> = allowed.iter().flatten().copied().filter(|mask| *mask != 0).collect();
        sets.sort_unstable();
        sets.dedup();
        for at in 0..sets.len() {
            for other in 0..at {
                let both = sets[at] | sets[other];
                if sets.len() < 32 && !sets.contains(&both) {
                    sets.push(both);
                }
            }
        }
        let room =
            |mask: u64| set_in(mask).map(|at| classes[at].cores as i64).sum::<i64>() * settled.capacity;
        let scarce = sets.into_iter().filter(|mask| *mask != all).map(|mask| (mask, room(mask))).collect();
        Ok(Self {
            settled,
            class_of: class_of_cores(settled, classes),
            blocks,
            order,
            allowed,
            suffixes,
            scarce,
            taken: vec![0; options.len()],
            failed: Vec::new(),
            from: 0,
            to: 0,
            next: i64::MAX,
            unsure: i64::MAX,
            best: None,
            budget,
        })
    }

    /// Looks for the design of least area in a range.
    fn look(&mut self, from: i64, to: i64) -> Result<(), Stopped> {
        (self.from, self.to, self.next) = (from, to, i64::MAX);
        self.decide(0, self.blocks, 0)
    }

    /// Decides for the tasks from `decided` on, after others with this area and size.
    fn decide(&mut self, decided: usize, area: i64, size: i64) -> Result<(), Stopped> {
        self.budget.spend(20)?;
        let Some(&task) = self.order.get(decided) else {
            return self.pack(area);
        };
        for at in 0..self.allowed[task].len() {
            let (opt, mask) = (self.settled.options[task][at], self.allowed[task][at]);
            if mask == 0 {
                continue;
            }
            let (area, size) = (area + opt.area, size + opt.size);
            let Some(rest) = self.suffixes.area(decided + 1, self.settled.room() - size) else { continue };
            if area + rest > self.to {
                self.next = self.next.min(area + rest);
                continue;
            }
            let bound_to = |scarce: &(u64, i64)| mask & !scarce.0 == 0;
            if self.scarce.iter().any(|scarce| bound_to(scarce) && scarce.1 < opt.size) {
                continue;
            }
            self.scarce.iter_mut().filter(|scarce| bound_to(scarce)).for_each(|scarce| scarce.1 -= opt.size);
            self.taken[task] = at;
            self.decide(decided + 1, area, size)?;
            self.scarce.iter_mut().filter(|scarce| bound_to(scarce)).for_each(|scarce| scarce.1 += opt.size);
        }
        Ok(())
    }

    /// Packs the design taken, if its area is in the range.
    fn pack(&mut self, area: i64) -> Result<(), Stopped> {
        let settled = self.settled;
        if area < self.from || area > self.to {
            return Ok(());
        }
        let taken = self.taken.iter().zip(&settled.options).zip(&self.allowed);
        let own: Vec<(u64, i64)> =
            taken.map(|((&at, options), allowed)| (allowed[at], options[at].size)).collect();
        let mut key = own.clone();
        if !settled.is_constrained() {
            key.sort_unstable();
        }
        self.budget.spend(4 * self.failed.len() as u64)?;
        let is_as_large = |failed: &Vec<(u64, i64)>| {
            failed.iter().zip(&key).all(|(small, large)| small.1 <= large.1 && large.0 & !small.0 == 0)
        };
        if self.failed.iter().any(is_as_large) {
            return Ok(());
        }
        let share = PACK_STEPS.min(self.budget.left() / 2);
        let (allowed, sizes) = own.into_iter().unzip();
        let on = (allowed, self.class_of.clone());
        let packed = self.budget.share(share, |part| packed(settled, sizes, on, part));
        match packed {
            Err(Stopped) => {
                self.budget.spend(0)?;
                self.unsure = self.unsure.min(area);
            }
            Ok(None) => {
                if self.failed.len() == MOST_FAILED {
                    self.failed.remove(0);
                }
                self.failed.push(key);
            }
            Ok(Some(cores)) => {
                self.to = area - 1;
                self.best = Some((area, self.taken.clone(), cores));
            }
        }
        Ok(())
    }
}

/// Packs tasks of these sizes, each on cores of the classes allowed.
fn packed(
    settled: &Settled,
    sizes: Vec<i64>,
    (allowed, class_of): (Vec<u64>, Vec<u32>),
    budget: &Budget,
) -> Result<Option<Vec<u32>>, Stopped> {
    let (pins, conflicts) = (&settled.pins, &settled.conflicts);
    pack(&Items { sizes, allowed, class_of, pins, conflicts, capacity: settled.capacity }, budget)
}

/// Packs tasks of these sizes on cores that are all alike.
pub(crate) fn pack_sizes(
    settled: &Settled,
    sizes: Vec<i64>,
    budget: &Budget,
) -> Result<Option<Vec<u32>>, Stopped> {
    let alike = (vec![1; sizes.len()], vec![0; settled.cores]);
    packed(settled, sizes, alike, budget)
}
