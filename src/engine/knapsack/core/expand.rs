//! The core that grows around the break item (minknap).
//!
//! Start from the break solution: items by falling efficiency as long as they fit. Then take in, by turns, the next item
//! after the core, which may be added, and the next before it, which may be removed, and keep the list of all states
//! that no other dominates. A state of weight w and profit p leads at best to p + (C - w) e, where e is the efficiency
//! of the next item after the core if it has room, else of the next before it. States that cannot pass the best profit
//! known go, and so do items whose flip alone cannot, before they are even sorted. With the list the search ends.
//!
//! D. Pisinger, "A minimal algorithm for the 0-1 knapsack problem", Operations Research 45(5), 1997. Bounds use a
//! [`Measure`]; where that has a price for every item, they are the surrogate bounds of combo (S. Martello, D. Pisinger
//! and P. Toth, "Dynamic programming and strong bounds for the 0-1 knapsack problem", Management Science 45(3), 1999),
//! but within the one list, which goes on comparing true weights.
//!
//! Worked instance: (profit, weight) = (6,2), (5,3), (8,5), (2,3), C = 6. The first two fit, the break item is (8,5):
//! at best 11 + 1 * 8/5 = 12. With (8,5) the weight is 10 and the profit 19; without (5,3) instead of it, (14, 7) is too
//! heavy, and 14 - 1 * 3 = 11 is no more than 11. Every state is gone: 11 it is.

use super::band::{Band, Held, MOST_ITEMS, MOST_PROFIT};
use super::complete::complete;
use super::number::Number;
use super::piece::{Measure, Piece};
use super::search::{Budget, Ending, Incumbent};
use super::split::{Split, partition, split};
use super::states::{Flip, List, Sieve, State};
use super::trail::{BLOCK, Mark, Trails};
use crate::engine::EngineError;
use std::ops::Range;

/// So many items of a part in which all are alike are spread.
const SPREAD: usize = 1000;

/// Lists of fewer states stay lists.
const CLOSE: usize = 500;

/// Cells of a row that cost as much as one state of a list.
const SPARSE: i128 = 14;

/// Cells that an item may reach, for each cell of a row to begin with.
const REACH: i128 = 8;

/// Weights below this, in sum, fit the row's numbers.
const MOST_WEIGHT: i128 = 1 << 62;

/// Cells of a row that are a state of the budget.
const CELLS: usize = 64;

/// A row goes on beyond its budget where no more cells a state of the budget are left to do: its end is certain.
const SOON: u64 = 2000;

/// Steps of a row after which its best state is looked for.
const LOOK: usize = 4;

/// Items on either side that are tried as completions.
const POOL: usize = 300;

/// Searches for more than the best known; `items` do not all fit and are put in another order.
pub fn expand<N: Number>(
    items: &mut [Piece<N>],
    capacity: N,
    measure: Measure<N>,
    best: &mut Incumbent<N>,
    budget: &mut Budget,
) -> Result<Ending, EngineError> {
    let parts = split(items, measure);
    let first = State { weight: parts.weight, profit: parts.profit, trail: 0, count: parts.count };
    if first.weight <= capacity && first.profit > best.profit {
        best.improve(first.profit, items[..parts.place].iter().map(|item| item.item));
    }
    let place = parts.place;
    let mut core = Core::new(items, measure, parts);
    let mut trails = Trails::default();
    let mut flipped: Vec<(u32, Turn)> = Vec::new();
    let mut found: Option<Found> = None;
    let mut in_row: Option<Vec<usize>> = None;
    let (mut completed, mut close) = (16, CLOSE);
    let mut target = best.profit + N::ONE;
    let (mut list, mut next) = (List::of(first), List::empty());
    let mut after = true;
    let ending = loop {
        // The sides take turns while both have items.
        let Some(turn) = core.turn(after, target) else { break Ending::Proved };
        let item = core.take(turn);
        if Trails::due(flipped.len()) {
            trails.snapshot(list.trails());
        }
        let flip = flip(&item, turn, Trails::bit(flipped.len()));
        flipped.push((item.item, turn));
        budget.spend(list.len(), trails.bytes(), List::<N>::STATE_BYTES)?;
        let mut sieve = core.slopes(capacity, target);
        list.flip_into(&mut next, flip, &mut sieve);
        target = sieve.target;
        if let Some(trail) = sieve.found {
            found = Some(Found { mark: trails.mark(trail), beside: None });
        }
        std::mem::swap(&mut list, &mut next);
        if list.len() > completed || flipped.len().is_multiple_of(BLOCK) {
            completed = 2 * list.len();
            let (mut add, mut remove) = core.pools();
            if let Some(best) = complete(list.iter(), capacity, target, &mut add, &mut remove) {
                target = best.profit + N::ONE;
                let turn = if best.removed { Turn::Before } else { Turn::After };
                found = Some(Found { mark: trails.mark(best.trail), beside: Some((best.item, turn)) });
            }
        }
        if list.len() == 0 {
            break Ending::Proved;
        }
        if budget.is_spent() {
            break Ending::OutOfBudget;
        }
        after = turn == Turn::Before;
        if list.len() < close || cells(&list).is_none() {
            continue;
        }
        close = 2 * list.len();
        if let Some(row) = Row::of(&list, &core, target) {
            let begun = flipped.len();
            let row = row.search(&mut core, capacity, target, after, &mut flipped, budget)?;
            if let Some((steps, weight, beside)) = row.found {
                let began = list.iter().find(|state| state.weight == weight).map_or(0, |state| state.trail);
                target = row.target;
                found = Some(Found { mark: trails.mark(began), beside });
                in_row = Some(steps.into_iter().map(|step| begun + step).collect());
            }
            break row.ending;
        }
    };
    if let Some(Found { mark, beside }) = found {
        let in_row = in_row.unwrap_or_default();
        let steps = || trails.flipped(mark).chain(in_row.iter().copied());
        let changes = || steps().map(|step| flipped[step]).chain(beside);
        let mut removed: Vec<u32> =
            changes().filter(|(_, turn)| *turn == Turn::Before).map(|(item, _)| item).collect();
        removed.sort_unstable();
        let stay =
            items[..place].iter().map(|item| item.item).filter(|item| removed.binary_search(item).is_err());
        let added = changes().filter(|(_, turn)| *turn == Turn::After).map(|(item, _)| item);
        best.improve(target - N::ONE, stay.chain(added));
    }
    Ok(ending)
}

/// The best state known, and a flip beside the core that completes it.
struct Found {
    mark: Mark,
    beside: Option<(u32, Turn)>,
}

/// On which side of the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Before,
    After,
}

fn flip<N: Number>(item: &Piece<N>, turn: Turn, bit: u64) -> Flip<N> {
    let count = item.count.into();
    match turn {
        Turn::After => Flip { weight: item.weight, profit: item.profit, count, bit },
        Turn::Before => Flip { weight: -item.weight, profit: -item.profit, count: -count, bit },
    }
}

/// The list as a row of cells, which takes the rest of the search over.
struct Row<N> {
    band: Band,
    /// What weights, profits and counts of the row are relative to.
    base: State<N>,
}

/// Cells of a row of the list's states, where they lie so close together that a pass over all weights is cheaper than a
/// merge.
fn cells<N: Number>(list: &List<N>) -> Option<i128> {
    let (first, last) = (list.iter().next()?, list.iter().last()?);
    let cells = (last.weight - first.weight).wide() + 1;
    (cells <= SPARSE * list.len() as i128).then_some(cells)
}

/// How a search in a row ended.
struct RowEnding<N> {
    ending: Ending,
    /// One more than the best profit.
    target: N,
    /// Steps whose items the best state flips, the weight it had in the list, and an item beside the core.
    found: Option<(Vec<usize>, N, Option<(u32, Turn)>)>,
}

impl<N: Number> Row<N> {
    /// Where no item that may be flipped is so heavy that the row would be empty for the most part, and all sums fit.
    fn of(list: &List<N>, core: &Core<N>, target: N) -> Option<Self> {
        let (base, cells) = (*list.iter().next()?, cells(list)?);
        let sum = |part: fn(&Piece<N>) -> i128| core.items.iter().map(part).sum::<i128>();
        let fits = sum(|item| item.profit.wide()) < MOST_PROFIT
            && sum(|item| item.count.into()) < MOST_ITEMS
            && sum(|item| item.weight.wide()) < MOST_WEIGHT
            && core.heaviest(target).wide() <= REACH * cells;
        if !fits {
            return None;
        }
        let held = |state: &State<N>| Held {
            weight: (state.weight - base.weight).wide() as i64,
            profit: (state.profit - base.profit).wide() as i64,
            count: state.count - base.count,
        };
        Some(Self { band: Band::of(list.iter().map(held), cells as usize), base })
    }

    fn search(
        mut self,
        core: &mut Core<N>,
        capacity: N,
        mut target: N,
        mut after: bool,
        flipped: &mut Vec<(u32, Turn)>,
        budget: &mut Budget,
    ) -> Result<RowEnding<N>, EngineError> {
        let base = self.base;
        let room = (capacity - base.weight).wide() as i64;
        let mut best: Option<InRow> = None;
        let (mut completed, mut soon) = (0, false);
        let ending = loop {
            if self.band.steps() >= completed {
                completed = 4 * self.band.steps() + 1;
                if let Some(better) = self.complete(core, room, target) {
                    target = base.profit + N::ONE.times(better.profit + 1);
                    best = Some(better);
                }
            }
            let Some(turn) = core.turn(after, target) else { break Ending::Proved };
            let item = core.take(turn);
            flipped.push((item.item, turn));
            let Flip { weight, profit, count, .. } = flip(&item, turn, 0);
            let change = Held { weight: weight.wide() as i64, profit: profit.wide() as i64, count };
            let cells = self.band.len() + change.weight.unsigned_abs() as usize;
            budget.spend(cells.div_ceil(CELLS), self.band.bytes(), 8 * CELLS)?;
            self.band.flip(change);
            if self.band.steps().is_multiple_of(LOOK)
                && let Some(held) = self.band.best(room)
                && base.profit + N::ONE.times(held.profit) >= target
            {
                target = base.profit + N::ONE.times(held.profit + 1);
                best = Some(InRow::here(held, self.band.steps()));
            }
            let slopes = core.slopes(capacity, target);
            self.band.trim(core.measure.price == N::ZERO, |held| {
                slopes.reach(&State {
                    weight: base.weight + N::ONE.times(held.weight),
                    profit: base.profit + N::ONE.times(held.profit),
                    trail: 0,
                    count: base.count + held.count,
                })
            });
            if self.band.len() == 0 {
                break Ending::Proved;
            }
            if budget.is_spent() {
                if !soon || self.band.steps().is_multiple_of(BLOCK) {
                    soon = self.ends_soon(core, target, budget.allowed());
                }
                if budget.is_late() || !soon {
                    break Ending::OutOfBudgetInRow;
                }
            }
            after = turn == Turn::Before;
        };
        if let Some(held) = self.band.best(room)
            && base.profit + N::ONE.times(held.profit) >= target
        {
            target = base.profit + N::ONE.times(held.profit + 1);
            best = Some(InRow::here(held, self.band.steps()));
        }
        let found = best.map(|InRow { weight, steps, beside, .. }| {
            let (steps, weight) = self.band.trace(weight, steps);
            (steps, base.weight + N::ONE.times(weight), beside)
        });
        Ok(RowEnding { ending, target, found })
    }

    /// Whether all items that are left take little time, compared with what was allowed.
    fn ends_soon(&self, core: &Core<N>, target: N, allowed: u64) -> bool {
        let cells = core.left(target).saturating_mul(self.band.len()) as u64;
        cells <= allowed.saturating_mul(SOON)
    }

    /// The best of all states with one more item beside the core, if it reaches the target.
    fn complete(&self, core: &Core<N>, room: i64, target: N) -> Option<InRow> {
        let goal = (target - self.base.profit).wide();
        let within = self.band.best_within();
        let mut best: Option<(i64, i64, u32, Turn)> = None;
        let (before, after) = core.beside();
        let changes = before
            .iter()
            .map(|item| (item, Turn::Before))
            .chain(after.iter().map(|item| (item, Turn::After)));
        for (item, turn) in changes {
            let Flip { weight, profit, .. } = flip(item, turn, 0);
            let left = room - weight.wide() as i64;
            let Some(held) = within.profit(left) else { continue };
            let profit = held + profit.wide() as i64;
            if i128::from(profit) >= goal && best.is_none_or(|(most, ..)| profit > most) {
                best = Some((profit, left, item.item, turn));
            }
        }
        let (profit, left, item, turn) = best?;
        let weight = self.band.best(left)?.weight;
        Some(InRow { weight, profit, steps: self.band.steps(), beside: Some((item, turn)) })
    }
}

/// The best state of a row so far.
struct InRow {
    /// Its weight without the item beside it.
    weight: i64,
    /// Its profit with that item.
    profit: i64,
    /// After so many steps.
    steps: usize,
    beside: Option<(u32, Turn)>,
}

impl InRow {
    /// A state of the row as it is.
    fn here(held: Held, steps: usize) -> Self {
        Self { weight: held.weight, profit: held.profit, steps, beside: None }
    }
}

/// The items around the core, sorted as far as needed.
struct Core<'a, N> {
    items: &'a mut [Piece<N>],
    measure: Measure<N>,
    /// Items before the core that are sorted; the last is the next.
    before: Range<usize>,
    /// Items after the core that are sorted; the first is the next.
    after: Range<usize>,
    parts: Split<N>,
    edge: Piece<N>,
}

impl<'a, N: Number> Core<'a, N> {
    fn new(items: &'a mut [Piece<N>], measure: Measure<N>, parts: Split<N>) -> Self {
        let Range { start, end } = parts.sorted.clone();
        let edge = items[parts.place];
        let mut core =
            Self { items, measure, before: start..parts.place, after: parts.place..end, parts, edge };
        core.gather_alike();
        core.arrange(core.before.clone(), Turn::Before);
        core.arrange(core.after.clone(), Turn::After);
        core
    }

    /// Adds the parts beside the break item's in which all items are as efficient as it is: their order is free.
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

    /// Puts a part in the order in which its items are taken.
    fn arrange(&mut self, part: Range<usize>, turn: Turn) {
        let measure = self.measure;
        let items = &mut self.items[part];
        if items.first().is_some_and(|first| items.iter().all(|item| measure.alike(item, first))) {
            spread(items, turn);
        } else {
            items.sort_unstable_by(|a, b| measure.mixed_order(a, b));
        }
    }

    /// The side of the next item: the wanted one, or the other where it has none left.
    fn turn(&mut self, after: bool, target: N) -> Option<Turn> {
        let turns = if after { [Turn::After, Turn::Before] } else { [Turn::Before, Turn::After] };
        turns.into_iter().find(|&turn| self.next(turn, target).is_some())
    }

    /// The next item on that side that may be flipped in something better.
    fn next(&mut self, turn: Turn, target: N) -> Option<Piece<N>> {
        loop {
            let at = match turn {
                Turn::Before => self.before.clone().next_back(),
                Turn::After => self.after.clone().next(),
            };
            match at {
                Some(at) if self.may_flip(&self.items[at], turn, target) => return Some(self.items[at]),
                Some(_) => self.drop_next(turn),
                None if !self.sort_next(turn, target) => return None,
                None => {}
            }
        }
    }

    /// The items on either side of the core.
    fn beside(&self) -> (&[Piece<N>], &[Piece<N>]) {
        (&self.items[..self.before.end], &self.items[self.after.start..])
    }

    /// The items on both sides that may be flipped.
    fn may_come(&self, target: N) -> impl Iterator<Item = &Piece<N>> {
        let (before, after) = self.beside();
        let before = before.iter().filter(move |item| self.may_flip(item, Turn::Before, target));
        before.chain(after.iter().filter(move |item| self.may_flip(item, Turn::After, target)))
    }

    /// How many they are.
    fn left(&self, target: N) -> usize {
        self.may_come(target).count()
    }

    /// The heaviest of them.
    fn heaviest(&self, target: N) -> N {
        self.may_come(target).map(|item| item.weight).max().unwrap_or(N::ZERO)
    }

    /// What the next items on both sides let through.
    fn slopes(&mut self, capacity: N, target: N) -> Slopes<N> {
        let after = self.slope(Turn::After, target);
        let before = self.slope(Turn::Before, target);
        Slopes { measure: self.measure, capacity, after, before, target, found: None }
    }

    /// Some of the next items on either side, the one after the core first.
    fn pools(&self) -> (Vec<Piece<N>>, Vec<Piece<N>>) {
        let after = &self.items[self.after.clone()];
        let before = &self.items[self.before.clone()];
        (after[..after.len().min(POOL)].to_vec(), before[before.len().saturating_sub(POOL)..].to_vec())
    }

    /// Profit and measure of the next item on that side.
    fn slope(&mut self, turn: Turn, target: N) -> (N, N) {
        match (self.next(turn, target), turn) {
            (Some(item), _) => (item.profit, self.measure.of(&item)),
            (None, Turn::After) => (N::ZERO, N::ONE),
            (None, Turn::Before) => (N::ONE, N::ZERO),
        }
    }

    /// The item that [`Core::next`] showed goes into the core.
    fn take(&mut self, turn: Turn) -> Piece<N> {
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

    /// Sorts what may be flipped of the next part; false if there is none.
    fn sort_next(&mut self, turn: Turn, target: N) -> bool {
        let part = match turn {
            Turn::Before => self.parts.before.pop(),
            Turn::After => self.parts.after.pop(),
        };
        let Some(part) = part else { return false };
        let items = std::mem::take(&mut self.items);
        let kept = partition(&mut items[part.clone()], |item| self.may_flip(item, turn, target));
        self.items = items;
        let kept = part.start..part.start + kept;
        self.arrange(kept.clone(), turn);
        match turn {
            Turn::Before => self.before = kept,
            Turn::After => self.after = kept,
        }
        true
    }

    /// Whether the break solution with this item flipped may lead to the target, the break item's efficiency being a
    /// bound for both sides (R. S. Dembo and P. L. Hammer, Methods of Operations Research 36, 1980).
    fn may_flip(&self, item: &Piece<N>, turn: Turn, target: N) -> bool {
        let measured = self.measure.of(item);
        let edge = (self.edge.profit, self.measure.of(&self.edge));
        let Split { profit, room, .. } = self.parts;
        match turn {
            Turn::Before => gains(room + measured, edge, target - (profit - item.profit)),
            Turn::After if measured <= room => gains(room - measured, edge, target - (profit + item.profit)),
            Turn::After => pays(measured - room, edge, profit + item.profit - target),
        }
    }
}

/// Brings items from all over the part to the end that is taken first.
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

/// Whether `room` filled at this efficiency gains `profit`.
#[inline(always)]
fn gains<N: Number>(room: N, (per, of): (N, N), profit: N) -> bool {
    N::product_reaches(room, per, profit, of)
}

/// Whether `profit` pays for `lack` at this efficiency.
#[inline(always)]
fn pays<N: Number>(lack: N, (per, of): (N, N), profit: N) -> bool {
    profit >= N::ZERO && N::product_reaches(profit, of, lack, per)
}

/// Keeps the states that may lead to the target, by the slopes on both sides of the core.
struct Slopes<N> {
    measure: Measure<N>,
    capacity: N,
    /// Profit and measure of the next item after the core: where there is none, room gains nothing.
    after: (N, N),
    /// Of the next item before the core: where there is none, nothing pays for room.
    before: (N, N),
    target: N,
    found: Option<u64>,
}

impl<N: Number> Slopes<N> {
    /// Whether the state may lead to the target, or is there.
    #[inline(always)]
    fn reach(&self, state: &State<N>) -> bool {
        let room = self.measure.room - state.weight - self.measure.price.times(state.count);
        if room >= N::ZERO {
            gains(room, self.after, self.target - state.profit)
        } else {
            pays(-room, self.before, state.profit - self.target)
        }
    }
}

impl<N: Number> Sieve<N> for Slopes<N> {
    #[inline(always)]
    fn keep(&mut self, state: &State<N>) -> bool {
        if state.profit >= self.target && state.weight <= self.capacity {
            self.target = state.profit + N::ONE;
            self.found = Some(state.trail);
        }
        self.reach(state)
    }
}
