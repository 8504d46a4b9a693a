//! The items on both sides of the core, sorted as far as needed, and the bound given by the next of them.
//!
//! Items too far from the break item to be flipped in any better selection are dropped before they are sorted.

use crate::core::cells::bound::Bound;
use crate::core::items::number::Number;
use crate::core::items::split::{Split, partition};
use crate::core::items::{Measure, Piece, sort};
use crate::core::states::goal::{Aim, Goal};
use crate::core::states::{Flip, Sieve, State};
use std::ops::Range;

/// If all items of a part are equally efficient, this many of them are spread.
const SPREAD: usize = 1000;

/// Items on either side that are tried to complete a state.
const POOL: usize = 300;

/// Of the gap between the bound and the target, the share that a flip of one of several items spread over it may cost.
const SHARE: f64 = 3.0;

/// A side of the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Before it: its items may be removed.
    Before,
    /// After it: its items may be added.
    After,
}

pub fn flip<N: Number>(item: &Piece<N>, turn: Turn) -> Flip<N> {
    let count = item.count.into();
    match turn {
        Turn::After => Flip { weight: item.weight, profit: item.profit, count },
        Turn::Before => Flip { weight: -item.weight, profit: -item.profit, count: -count },
    }
}

/// The items around the core, sorted as far as needed.
pub struct Core<'a, N> {
    /// All items; those of the core keep their places.
    pub items: &'a mut [Piece<N>],
    /// The measure of the bounds.
    pub measure: Measure<N>,
    /// The sorted items before the core; the last is the next one.
    before: Range<usize>,
    /// The sorted items after the core; the first is the next one.
    after: Range<usize>,
    parts: Split<N>,
    edge: Piece<N>,
}

impl<'a, N: Number> Core<'a, N> {
    /// From items partitioned at the break item.
    pub fn new(items: &'a mut [Piece<N>], measure: Measure<N>, parts: Split<N>) -> Self {
        let Range { start, end } = parts.sorted.clone();
        let edge = items[parts.place];
        let mut core =
            Self { items, measure, before: start..parts.place, after: parts.place..end, parts, edge };
        core.gather_alike();
        core.arrange(core.before.clone(), Turn::Before);
        core.arrange(core.after.clone(), Turn::After);
        core
    }

    /// Adds the adjacent parts in which all items are as efficient as the break item: their order is arbitrary.
    fn gather_alike(&mut self) {
        let (items, measure, edge) = (&*self.items, self.measure, self.edge);
        let alike = |part: &Range<usize>| items[part.clone()].iter().all(|item| measure.alike(item, &edge));
        while let Some(part) = self.parts.before.pop_if(|part| alike(&(part.start..self.parts.place))) {
            self.before.start = part.start;
        }
        while let Some(part) = self.parts.after.pop_if(|part| alike(&(self.parts.place..part.end))) {
            self.after.end = part.end;
        }
    }

    /// Sorts a part in the order in which its items are taken.
    fn arrange(&mut self, part: Range<usize>, turn: Turn) {
        let measure = self.measure;
        let items = &mut self.items[part];
        if items.first().is_some_and(|first| items.iter().all(|item| measure.alike(item, first))) {
            spread(items, turn);
        } else {
            sort(items, &|a, b| measure.mixed_order(a, b));
        }
    }

    /// The side of the next item: the requested one, or the other one if it has no items left.
    pub fn turn(&mut self, after: bool, goal: Goal<N>) -> Option<Turn> {
        let turns = if after { [Turn::After, Turn::Before] } else { [Turn::Before, Turn::After] };
        let aim = self.aim(goal);
        turns.into_iter().find(|&turn| self.next(turn, aim).is_some())
    }

    /// The line that flips have to reach; the break item's efficiency is a bound for both sides.
    fn aim(&self, goal: Goal<N>) -> Aim<N> {
        goal.aim((self.edge.profit, self.measure.of(&self.edge)))
    }

    /// The next item on that side that may be flipped in a better selection.
    fn next(&mut self, turn: Turn, aim: Aim<N>) -> Option<Piece<N>> {
        loop {
            let at = match turn {
                Turn::Before => self.before.clone().next_back(),
                Turn::After => self.after.clone().next(),
            };
            match at {
                Some(at) if self.may_flip(&self.items[at], turn, aim) => return Some(self.items[at]),
                Some(_) => self.drop_next(turn),
                None if !self.sort_next(turn, aim) => return None,
                None => {}
            }
        }
    }

    /// The items on either side of the core.
    pub fn beside(&self) -> (&[Piece<N>], &[Piece<N>]) {
        (&self.items[..self.before.end], &self.items[self.after.start..])
    }

    /// The items on both sides that may be flipped.
    fn may_come(&self, goal: Goal<N>) -> impl Iterator<Item = &Piece<N>> {
        let ((before, after), aim) = (self.beside(), self.aim(goal));
        let before = before.iter().filter(move |item| self.may_flip(item, Turn::Before, aim));
        before.chain(after.iter().filter(move |item| self.may_flip(item, Turn::After, aim)))
    }

    /// `count` items after the core and before it, in a mixed order, from all over those that many times over may be
    /// flipped together.
    pub fn spread(&self, count: usize, goal: Goal<N>) -> (Vec<Piece<N>>, Vec<Piece<N>>) {
        let ((before, after), aim) = (self.beside(), self.aim(goal));
        let Split { profit, room, .. } = self.parts;
        // Which items these are decides no answer.
        let value = |profit: N, room: N| {
            profit.approximate() + room.approximate() * aim.per.approximate() / aim.of.approximate()
        };
        let gap = value(profit - aim.target, room - aim.spare) / SHARE;
        let pick = |items: &[Piece<N>], turn| {
            let loss = |item: &Piece<N>| value(item.profit, -self.measure.of(item)).abs();
            let mut items: Vec<Piece<N>> = items.iter().filter(|item| loss(item) <= gap).copied().collect();
            spread(&mut items, turn);
            if turn == Turn::Before {
                items.reverse();
            }
            items.truncate(count);
            items
        };
        (pick(after, Turn::After), pick(before, Turn::Before))
    }

    pub fn left(&self, goal: Goal<N>) -> usize {
        self.may_come(goal).count()
    }

    pub fn heaviest(&self, goal: Goal<N>) -> N {
        self.may_come(goal).map(|item| item.weight).max().unwrap_or(N::ZERO)
    }

    /// The slopes of the next items on both sides.
    pub fn slopes(&mut self, goal: Goal<N>) -> Slopes<N> {
        let aim = self.aim(goal);
        let (after, before) = (self.slope(Turn::After, aim), self.slope(Turn::Before, aim));
        let (after, before) = (goal.aim(after), goal.aim(before));
        Slopes { measure: self.measure, goal, after, before, found: None }
    }

    /// The slope of the break item on both sides: a bound with any item, those of the core too.
    pub fn slopes_at_break(&self, goal: Goal<N>) -> Slopes<N> {
        let aim = self.aim(goal);
        Slopes { measure: self.measure, goal, after: aim, before: aim, found: None }
    }

    /// Some of the next items on either side, the one after the core first.
    pub fn pools(&self) -> (Vec<Piece<N>>, Vec<Piece<N>>) {
        let after = &self.items[self.after.clone()];
        let before = &self.items[self.before.clone()];
        (after[..after.len().min(POOL)].to_vec(), before[before.len().saturating_sub(POOL)..].to_vec())
    }

    /// Profit and measure of the next item on that side; without one, room has no profit, or no removal can pay for
    /// it.
    fn slope(&mut self, turn: Turn, aim: Aim<N>) -> (N, N) {
        match (self.next(turn, aim), turn) {
            (Some(item), _) => (item.profit, self.measure.of(&item)),
            (None, Turn::After) => (N::ZERO, N::ONE),
            (None, Turn::Before) => (N::ONE, N::ZERO),
        }
    }

    /// Moves the item returned by [`Core::next`] into the core.
    pub fn take(&mut self, turn: Turn) -> Piece<N> {
        let at = match turn {
            Turn::Before => self.before.end - 1,
            Turn::After => self.after.start,
        };
        self.drop_next(turn);
        self.items[at]
    }

    fn drop_next(&mut self, turn: Turn) {
        match turn {
            Turn::Before => self.before.end -= 1,
            Turn::After => self.after.start += 1,
        }
    }

    /// Sorts the items of the next part that may be flipped; false if there is no such part.
    fn sort_next(&mut self, turn: Turn, aim: Aim<N>) -> bool {
        let part = match turn {
            Turn::Before => self.parts.before.pop(),
            Turn::After => self.parts.after.pop(),
        };
        let Some(part) = part else { return false };
        let items = std::mem::take(&mut self.items);
        let kept = partition(&mut items[part.clone()], |item| self.may_flip(item, turn, aim));
        self.items = items;
        let kept = part.start..part.start + kept;
        self.arrange(kept.clone(), turn);
        match turn {
            Turn::Before => self.before = kept,
            Turn::After => self.after = kept,
        }
        true
    }

    /// Whether the break solution with this item flipped may lead to a better selection, with the break item's
    /// efficiency as a bound for both sides (R. S. Dembo and P. L. Hammer, Methods of Operations Research 36, 1980).
    fn may_flip(&self, item: &Piece<N>, turn: Turn, aim: Aim<N>) -> bool {
        let measured = self.measure.of(item);
        let Split { profit, room, .. } = self.parts;
        match turn {
            Turn::Before => aim.is_reached(profit - item.profit, room + measured),
            Turn::After => aim.is_reached(profit + item.profit, room - measured),
        }
    }
}

/// Moves items from all over the part to the end that is taken first.
fn spread<T>(items: &mut [T], turn: Turn) {
    let len = items.len();
    for at in 0..len.min(SPREAD) {
        let from = at + (at + 1) * 0x9e37_79b9 % (len - at);
        match turn {
            Turn::After => items.swap(at, from),
            Turn::Before => items.swap(len - 1 - at, len - 1 - from),
        }
    }
}

/// Keeps the states that may lead to a better selection, by the slopes on both sides of the core.
pub struct Slopes<N> {
    measure: Measure<N>,
    pub goal: Goal<N>,
    /// With the efficiency of the next item after the core, for states with room.
    after: Aim<N>,
    /// With that of the next item before the core, for states without room. It is at least as high; for a state with
    /// room that later has less, the slope after the core is a bound as well.
    before: Aim<N>,
    /// The trail of the best known state.
    pub found: Option<u64>,
}

impl<N: Number> Slopes<N> {
    /// Whether the state is, or may lead to, a better selection.
    #[inline(always)]
    pub fn reach(&self, state: &State<N>) -> bool {
        let room = self.measure.room - state.weight - self.measure.price.times(state.count);
        let aim = if room >= N::ZERO { &self.after } else { &self.before };
        aim.is_reached(state.profit, room)
    }

    /// Makes the state the best known one.
    #[cold]
    fn meet(&mut self, state: &State<N>) {
        self.goal.meet(state.profit, state.weight);
        let aim = |aim: Aim<N>| self.goal.aim((aim.per, aim.of));
        (self.after, self.before) = (aim(self.after), aim(self.before));
        self.found = Some(state.trail);
    }

    /// The same bound for states relative to this one. All numbers fit.
    pub fn bound(&self, base: &State<N>) -> Bound {
        let narrow = |number: N| number.wide() as i64;
        let line = |aim: Aim<N>| Aim {
            per: narrow(aim.per),
            of: narrow(aim.of),
            target: narrow(aim.target - base.profit),
            spare: narrow(aim.spare),
        };
        Bound {
            room: narrow(self.measure.room - base.weight - self.measure.price.times(base.count)),
            price: narrow(self.measure.price),
            after: line(self.after),
            before: line(self.before),
        }
    }
}

impl<N: Number> Sieve<N> for Slopes<N> {
    #[inline(always)]
    fn keep(&mut self, state: &State<N>) -> bool {
        if self.goal.is_met(state.profit, state.weight) {
            self.meet(state);
        }
        self.reach(state)
    }
}
