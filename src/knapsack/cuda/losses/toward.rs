//! Two sweeps that go towards each other, from the first item and from the last, and meet where each has made about the same
//! effort.
//!
//! Where that is depends on the cells that losses kill, so it is not known before: a sweep counts the blocks that are alive,
//! and of the two the one with less effort so far takes the next items. That order depends on counts alone and not on
//! time: one GPU that takes them in turn and two that work at the same time meet at the same item.

use super::cell::Cell;
use super::effort;
use super::passes::Pass;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A sweep counts again after about this effort, in picoseconds of an H200,
const EFFORT: u64 = 2_000_000_000;
/// after so many passes,
const PASSES: usize = 12;
/// and after this part of the items that are left.
const SHARE: usize = 4;

/// How far a sweep is.
#[derive(Clone, Copy, Default)]
struct Sweep {
    /// Items that it has taken,
    items: usize,
    /// and its effort with them.
    effort: u64,
}

#[derive(Default)]
struct Sweeps {
    each: [Sweep; 2],
    has_failed: bool,
}

/// Where two sweeps over two or more items are.
pub(super) struct Toward {
    items: usize,
    sweeps: Mutex<Sweeps>,
    changed: Condvar,
}

impl Toward {
    /// Two sweeps that have not begun, over so many items.
    pub fn new(items: usize) -> Self {
        Self { items, sweeps: Mutex::default(), changed: Condvar::new() }
    }

    fn sweeps(&self) -> MutexGuard<'_, Sweeps> {
        self.sweeps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Items of the first sweep.
    pub fn half(&self) -> usize {
        self.sweeps().each[0].items
    }

    /// The sweep whose turn it is; `None` if all items are taken.
    pub fn next(&self) -> Option<usize> {
        let sweeps = self.sweeps();
        (0..2).find(|&sweep| self.is_next(&sweeps, sweep))
    }

    /// Waits until it is a sweep's turn, and takes the next of its passes, the last of them perhaps cut short. `live` is the
    /// number of live blocks of its row. Takes nothing if the other sweep has what is left, or has failed.
    pub fn take<C: Cell>(&self, sweep: usize, passes: &[Pass], live: u64) -> Vec<Pass> {
        let waits = |sweeps: &mut Sweeps| self.left(sweeps, sweep) > 0 && !self.is_next(sweeps, sweep);
        let sweeps = self.changed.wait_while(self.sweeps(), waits);
        let mut sweeps = sweeps.unwrap_or_else(PoisonError::into_inner);
        let end = sweeps.each[sweep].items + self.left(&sweeps, sweep).div_ceil(SHARE);
        let own = &mut sweeps.each[sweep];
        let (mut taken, mut effort) = (Vec::new(), 0u64);
        let first = passes.partition_point(|pass| pass.items.end <= own.items);
        for pass in passes[first..].iter().take(PASSES) {
            let items = pass.items.start.max(own.items)..pass.items.end.min(end);
            if items.is_empty() || effort >= EFFORT {
                break;
            }
            effort = effort.saturating_add(effort::of_pass::<C>(pass, live.min(pass.len())));
            own.items = items.end;
            taken.push(Pass { items, ..pass.clone() });
        }
        own.effort = own.effort.saturating_add(effort);
        self.changed.notify_all();
        taken
    }

    /// A guard that marks a sweep as failed when it is dropped, so that the other sweep does not wait for it.
    pub fn fail_on_drop(&self) -> impl Drop + '_ {
        struct Failed<'t>(&'t Toward);
        impl Drop for Failed<'_> {
            fn drop(&mut self) {
                self.0.sweeps().has_failed = true;
                self.0.changed.notify_all();
            }
        }
        Failed(self)
    }

    /// The items that a sweep can still take: each leaves one to the other.
    fn left(&self, sweeps: &Sweeps, sweep: usize) -> usize {
        let [own, other] = [sweep, 1 - sweep].map(|sweep| sweeps.each[sweep].items);
        if sweeps.has_failed { 0 } else { self.items.saturating_sub(own + other.max(1)) }
    }

    fn is_next(&self, sweeps: &Sweeps, sweep: usize) -> bool {
        let key = |sweep: usize| (sweeps.each[sweep].effort, sweep);
        self.left(sweeps, sweep) > 0 && (self.left(sweeps, 1 - sweep) == 0 || key(sweep) < key(1 - sweep))
    }
}

#[cfg(test)]
mod tests {
    use super::super::passes::{Target, passes};
    use super::super::problem::Step;
    use super::*;

    fn steps(weights: &[u64]) -> Vec<Step> {
        weights.iter().map(|&weight| Step { weight, leave: 1, take: 0 }).collect()
    }

    /// Passes of both sweeps, and what a row of either has alive after so many of its items.
    fn both(weights: &[u64]) -> [Vec<Pass>; 2] {
        let (forwards, target) = (steps(weights), Target { weight: 1 << 34, slack: 1 << 34 });
        let backwards: Vec<Step> = forwards.iter().rev().copied().collect();
        [forwards, backwards].map(|steps| passes::<u16>(&steps, target, 0..steps.len()))
    }

    fn live(sweep: usize, items: usize) -> u64 {
        1 << (items / (4 + 5 * sweep)).min(22)
    }

    /// Makes the passes taken; every one begins with the item after the last.
    fn make(taken: &[Pass], items: &mut usize) {
        for pass in taken {
            assert_eq!(pass.items.start, *items);
            *items = pass.items.end;
        }
    }

    #[test]
    fn in_turn_and_at_the_same_time_they_meet_at_the_same_item() {
        let many: Vec<u64> = (0..300).map(|item| (300 - item) << 20).collect();
        let light: Vec<u64> = (1..700).collect();
        for weights in [&many[..], &light, &[1, 1], &[1 << 30, 1], &[9, 9, 9]] {
            let passes = both(weights);
            let (alone, mut items) = (Toward::new(weights.len()), [0, 0]);
            while let Some(sweep) = alone.next() {
                let taken = alone.take::<u16>(sweep, &passes[sweep], live(sweep, items[sweep]));
                assert!(!taken.is_empty());
                make(&taken, &mut items[sweep]);
            }
            assert_eq!((items[0], items[0] + items[1]), (alone.half(), weights.len()));
            assert!(items[0].min(items[1]) > 0);
            let toward = Toward::new(weights.len());
            let met = std::thread::scope(|scope| {
                let go = |sweep: usize| {
                    let (toward, passes) = (&toward, &passes[sweep]);
                    move || {
                        let mut items = 0;
                        loop {
                            let taken = toward.take::<u16>(sweep, passes, live(sweep, items));
                            if taken.is_empty() {
                                return items;
                            }
                            make(&taken, &mut items);
                        }
                    }
                };
                let back = scope.spawn(go(1));
                [go(0)(), back.join().unwrap()]
            });
            assert_eq!(met, items);
        }
    }

    #[test]
    fn the_sweep_with_fewer_live_blocks_takes_more_items() {
        let weights: Vec<u64> = (0..300).map(|item| (300 - item) << 20).collect();
        let (passes, toward, mut items) = (both(&weights), Toward::new(300), [0, 0]);
        while let Some(sweep) = toward.next() {
            make(&toward.take::<u16>(sweep, &passes[sweep], live(sweep, items[sweep])), &mut items[sweep]);
        }
        assert!(items[0] < items[1], "{items:?}");
    }

    #[test]
    fn where_no_effort_differs_each_takes_about_half() {
        let (passes, toward, mut items) = (both(&[1 << 20; 60]), Toward::new(60), [0, 0]);
        while let Some(sweep) = toward.next() {
            make(&toward.take::<u16>(sweep, &passes[sweep], 1), &mut items[sweep]);
        }
        assert!(items[0].abs_diff(items[1]) <= 15, "{items:?}");
    }

    #[test]
    fn no_sweep_waits_for_one_that_failed() {
        let passes = both(&[5, 4, 3, 2, 1]);
        let toward = Toward::new(5);
        drop(toward.fail_on_drop());
        assert_eq!(toward.take::<u16>(1, &passes[1], 1), []);
        assert_eq!(toward.next(), None);
    }
}
