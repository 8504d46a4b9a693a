//! Aggregate and pack: for blocks of the chip, or none.
//!
//! All cores together hold no more than m times the capacity of one. The least area with which all tasks together fit
//! that room is a lower bound; it comes from the front of all tasks. Designs are then tried by rising area, front points or not,
//! until one can be packed into the cores; the fronts of the tasks still undecided cut the search. A design whose sizes are
//! all at least those of a design that could not be packed cannot be packed either.

use crate::Found;
use crate::budget::{Budget, Stopped};
use crate::packing::{Items, pack};
use crate::problem::Settled;
use crate::suffixes::Suffixes;

/// Steps to pack one design.
const PACK_STEPS: u64 = 1_500_000_000;
/// Designs that could not be packed and are remembered.
const MOST_FAILED: usize = 500;

/// The least area below `cutoff`; or, if that is not decided, a design if one was found, and a lower bound.
pub(crate) fn aggregate(
    settled: &Settled,
    cutoff: i64,
    budget: &Budget,
) -> Result<Found, (Option<Found>, i64)> {
    let mut order: Vec<usize> = (0..settled.options.len()).collect();
    let largest = |task: usize| settled.options[task].iter().map(|opt| opt.size).max().unwrap_or(0);
    order.sort_by_key(|&task| (-largest(task), task));
    let suffixes = Suffixes::new(&settled.options, &order, settled.room(), budget);
    let suffixes = suffixes.map_err(|Stopped| (None, 0))?;
    let Some(mut area) = suffixes.area(0, settled.room()) else { return Ok(Found::Nothing) };
    let mut search = Search {
        settled,
        order,
        suffixes,
        taken: vec![0; settled.options.len()],
        failed: Vec::new(),
        done_to: i64::MIN,
        area,
        next: i64::MAX,
        unsure: None,
        budget,
    };
    while area < cutoff {
        search.area = area;
        search.next = i64::MAX;
        match search.decide(0, 0, 0) {
            Ok(Some(cores)) => {
                let found = Found::Design { taken: search.taken, cores };
                return if search.unsure.is_none_or(|unsure| unsure == area) {
                    Ok(found)
                } else {
                    Err((Some(found), search.unsure.unwrap_or(area)))
                };
            }
            Ok(None) => {}
            Err(Stopped) => return Err((None, search.unsure.unwrap_or(area))),
        }
        search.done_to = area;
        area = search.next;
    }
    search.unsure.map_or(Ok(Found::Nothing), |unsure| Err((None, unsure)))
}

struct Search<'a> {
    settled: &'a Settled,
    order: Vec<usize>,
    suffixes: Suffixes,
    /// For each task the option taken.
    taken: Vec<usize>,
    /// For each design that could not be packed its sizes: sorted, unless a task is pinned or kept apart.
    failed: Vec<Vec<i64>>,
    /// Designs up to this area have been tried.
    done_to: i64,
    /// The greatest area tried now.
    area: i64,
    /// The least area above it that a design may have.
    next: i64,
    /// The least area of a design whose packing was not decided.
    unsure: Option<i64>,
    budget: &'a Budget<'a>,
}

impl Search<'_> {
    fn decide(&mut self, decided: usize, area: i64, size: i64) -> Result<Option<Vec<u32>>, Stopped> {
        self.budget.spend(20)?;
        let Some(&task) = self.order.get(decided) else {
            return if area > self.done_to { self.packed() } else { Ok(None) };
        };
        for at in 0..self.settled.options[task].len() {
            let opt = self.settled.options[task][at];
            let (area, size) = (area + opt.area, size + opt.size);
            let Some(rest) = self.suffixes.area(decided + 1, self.settled.room() - size) else { continue };
            if area + rest > self.area {
                self.next = self.next.min(area + rest);
                continue;
            }
            self.taken[task] = at;
            if let Some(cores) = self.decide(decided + 1, area, size)? {
                return Ok(Some(cores));
            }
        }
        Ok(None)
    }

    fn packed(&mut self) -> Result<Option<Vec<u32>>, Stopped> {
        let sizes: Vec<i64> =
            self.taken.iter().zip(&self.settled.options).map(|(&at, options)| options[at].size).collect();
        let mut key = sizes.clone();
        if !self.settled.is_constrained() {
            key.sort_unstable();
        }
        self.budget.spend(4 * self.failed.len() as u64)?;
        let is_as_large = |failed: &Vec<i64>| failed.iter().zip(&key).all(|(small, large)| small <= large);
        if self.failed.iter().any(is_as_large) {
            return Ok(None);
        }
        let part = PACK_STEPS.min(self.budget.left() / 2);
        let packed = self.budget.share(part, |part| pack_sizes(self.settled, sizes, part));
        let Ok(packed) = packed else {
            self.unsure.get_or_insert(self.area);
            return Ok(None);
        };
        if packed.is_none() {
            if self.failed.len() == MOST_FAILED {
                self.failed.remove(0);
            }
            self.failed.push(key);
        }
        Ok(packed)
    }
}

/// Packs tasks of these sizes.
pub(crate) fn pack_sizes(
    settled: &Settled,
    sizes: Vec<i64>,
    budget: &Budget,
) -> Result<Option<Vec<u32>>, Stopped> {
    let (pins, conflicts) = (&settled.pins, &settled.conflicts);
    pack(&Items { sizes, pins, conflicts, capacity: settled.capacity, cores: settled.cores }, budget)
}
