//! Items by falling probability of a flip: the cost of a flip against the linear bound decides when an item is
//! processed.
//!
//! Against the linear bound U of all items, every item flipped away from the relaxed solution has a *loss*, and so
//! has unused room; U minus all losses is the profit of a selection. Items are processed by rising loss. A state is
//! checked as an answer when it is created, so every continuation flips at least one more item, and every remaining
//! item loses at least as much as the next one: a state is dropped if the gap between U and the target is less than
//! its own losses plus one more. The further it is from the capacity, the more it has to lose as well: at least the
//! least loss per unit of weight among the remaining items. When the gap is less than two more losses, one pass over
//! the states and the items finds the best pair, and the search ends.
//!
//! The same states with another bound, of the room modulo the break item's weight, are the search by residues
//! (`residues.rs`). It also takes numbers whose products with the break item's are too large: then the bound has an
//! efficiency near the break item's, and what the items between the two gain is added to it.
//!
//! The bound of `mod.rs` takes into account that a state away from the capacity has to lose something, but not
//! that nearly every state has to flip again, whatever it weighs. That matters if the gap is many times the loss of
//! most items, as with profits that are a concave function of the weight.
//!
//! Worked instance: (profit, weight) = (6,2), (5,3), (8,5), (2,3), C = 6, as in `mod.rs`. U = 11 + 1 * 8/5; with
//! 11 known the target is 12 and the gap 3/5. The losses are 6 - 16/5, 5 - 24/5 = 1/5, 0 and 24/5 - 2: two items are
//! left. With the third the weight is 10; without the second as well it is 7, and no further loss fits the gap.

use crate::core::around_break::loser::{Loser, fraction, times};
use crate::core::around_break::residues::{Needs, Tents, are_many};
use crate::core::around_break::sides::{Turn, flip};
use crate::core::items::number::Number;
use crate::core::items::split::split;
use crate::core::items::{Measure, Piece};
use crate::core::states::complete::complete;
use crate::core::states::goal::{Aim, Budget, Ending, Goal, Incumbent, Limits};
use crate::core::states::trail::BLOCK;
use crate::core::states::{Found, Frontier, Sieve, State};
use isx_engine::EngineError;

/// Lists of fewer states are completed only once per block of items.
const COMPLETE: usize = 16;

/// Items of the sample that shows whether the bound of residues is useful: not if most of them limit it.
const SAMPLE: usize = 1000;

/// With more states than this the bound of residues is too weak for the problem.
const FEW: usize = 5000;

/// Items after which a new bound of residues is made at the earliest, with very many states.
const STEPS: usize = 16;

/// Weights around the break differ by at most this share of them, as a divisor, where residues are used.
const ALIKE: i128 = 4;

/// Products below this can be added without overflow.
const MOST: i128 = 1 << 60;

/// The bound in units that make all losses whole.
struct Scale {
    /// Profit and measure of the break item, or of another one about as efficient.
    edge: (i64, i64),
    price: i64,
    /// What the items whose loss would be negative gain together.
    slack: i64,
    /// Whether the efficiency is not exactly the break item's.
    is_rounded: bool,
}

/// The bound on the losses of the items that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// From the least of them, and the least per unit.
    Loss,
    /// From the residue of the room (`residues.rs`).
    Residue,
}

/// A separate function, since those below are compiled for every number.
fn by_rising_loss(losers: &mut [Loser]) {
    losers.sort_unstable_by_key(|loser| loser.loss);
}

/// Whether the items around the break weigh about the same.
fn are_alike<N: Number>(items: &[Piece<N>]) -> bool {
    let of_one = |item: &Piece<N>| item.weight.wide() / i128::from(item.count);
    let least = items.iter().map(of_one).min().unwrap_or(0);
    items.iter().map(of_one).max().is_some_and(|most| most - least <= least / ALIKE)
}

/// Searches for an improvement on the best known selection; `items` do not all fit and are reordered. `None` if the
/// numbers are too large, or items around the break too different for the bound.
pub fn by_losses<N: Number>(
    items: &mut [Piece<N>],
    limits: Limits<N>,
    (measure, by): (Measure<N>, By),
    best: &mut Incumbent<N>,
    budget: &mut Budget,
) -> Result<Option<Ending>, EngineError> {
    let parts = split(items, measure);
    if by == By::Residue && !are_alike(&items[parts.sorted.clone()]) {
        return Ok(None);
    }
    let mut goal = Goal::beyond(best, limits);
    if goal.is_met(parts.profit, parts.weight) {
        goal.meet(parts.profit, parts.weight);
        best.improve(goal, items[..parts.place].iter().map(|item| item.item));
    }
    let edge = items[parts.place];
    let sum = |part: fn(&Piece<N>) -> i128| items.iter().map(part).sum::<i128>();
    let counts = sum(|item| item.count.into());
    let weights = sum(|item| item.weight.wide()) + measure.price.wide().abs().saturating_mul(counts);
    if weights.max(sum(|item| item.profit.wide())).max(measure.room.wide()) >= MOST {
        return Ok(None);
    }
    let narrow = |number: N| number.wide() as i64;
    let own = |item: &Piece<N>| Piece {
        profit: narrow(item.profit),
        weight: narrow(item.weight),
        count: item.count,
        item: item.item,
    };
    let Some(mut scale) = Scale::of(items.iter().map(own), own(&edge), narrow(measure.price)) else {
        return Ok(None);
    };
    let turn = |at: usize| if at < parts.place { Turn::Before } else { Turn::After };
    if scale.is_rounded {
        if by == By::Loss {
            return Ok(None);
        }
        let below = |(at, item)| scale.loss(&own(item), turn(at)).min(0);
        scale.slack = -items.iter().enumerate().map(below).sum::<i64>();
    }
    let mut search = Search {
        first: State {
            weight: narrow(parts.weight),
            profit: narrow(parts.profit),
            trail: 0,
            count: parts.count,
        },
        room: narrow(measure.room),
        goal: Goal {
            capacity: narrow(goal.capacity),
            target: narrow(goal.target),
            lighter: narrow(goal.lighter),
            lattice: goal.lattice,
        },
        scale,
        found: None,
    };
    let (gap, around) = (search.gap(), narrow(edge.weight));
    let loser = |(at, item): (usize, &Piece<N>)| {
        let (piece, turn) = (Piece { item: at as u32, ..own(item) }, turn(at));
        let loss = search.scale.loss(&piece, turn).max(0);
        let taken = if turn == Turn::After { piece.weight } else { -piece.weight };
        Loser { piece, turn, loss, residue: taken.rem_euclid(around) }
    };
    if by == By::Residue {
        let residue = (search.goal.capacity - search.first.weight).rem_euclid(around);
        let sample = || items.iter().enumerate().step_by((items.len() / SAMPLE).max(1)).map(loser);
        let limiting = sample().filter(|loser| loser.limit(around, residue) <= gap.into()).count();
        if limiting > sample().count() / 4 * 3 {
            return Ok(None);
        }
    }
    let mut losers: Vec<Loser> =
        items.iter().enumerate().map(loser).filter(|loser| loser.loss <= gap).collect();
    let mut states = Frontier::of(search.first);
    let ending = match by {
        By::Loss => {
            by_rising_loss(&mut losers);
            search.run(&losers, &mut states, budget)?
        }
        By::Residue => search.run_by_residue(&mut losers, around, &mut states, budget)?,
    };
    if let Some(Found { mark, beside }) = search.found {
        let mut flipped = vec![false; items.len()];
        let steps = states.trails.flipped(mark).map(|step| losers[step].piece.item);
        steps.chain(beside).for_each(|at| flipped[at as usize] = true);
        let chosen = (0..).zip(items.iter()).filter(|&(at, _)| (at < parts.place) != flipped[at]);
        goal.meet(N::ONE.times(search.goal.target - 1), N::ONE.times(search.goal.lighter + 1));
        best.improve(goal, chosen.map(|(_, item)| item.item));
    }
    Ok(Some(ending))
}

/// The states, and the data of their bound.
struct Search {
    /// The relaxed solution without the part of the break item.
    first: State<i64>,
    /// The capacity in the measure.
    room: i64,
    goal: Goal<i64>,
    scale: Scale,
    /// The best known state, with an additional item if any.
    found: Option<Found<Option<u32>>>,
}

impl Search {
    /// How far the linear bound exceeds the target, in units of the scale.
    fn gap(&self) -> i64 {
        let Aim { target, spare, .. } = self.goal.aim(self.scale.edge);
        let State { profit, weight, count, .. } = self.first;
        self.scale.value(profit - target, self.room - spare - weight - self.scale.price * count)
    }

    /// Searches with the items, by rising loss.
    fn run(
        &mut self,
        losers: &[Loser],
        states: &mut Frontier<i64>,
        budget: &mut Budget,
    ) -> Result<Ending, EngineError> {
        let slopes = slopes(losers, &self.scale);
        let mut completed = COMPLETE;
        for (step, loser) in losers.iter().enumerate() {
            if 2 * loser.loss > self.gap() {
                self.complete(states, &losers[step..]);
                return Ok(Ending::Proved);
            }
            let left = Left::Slopes {
                least: losers.get(step + 1).map_or(i64::MAX, |loser| loser.loss),
                slopes: slopes[step + 1],
            };
            self.flip(loser, left, states, budget)?;
            let list = &states.list;
            if list.len() == 0 {
                return Ok(Ending::Proved);
            }
            if list.len() > completed || step % BLOCK == BLOCK - 1 {
                completed = 2 * list.len();
                self.complete(states, &losers[step + 1..]);
            }
            if budget.is_spent() {
                return Ok(Ending::OutOfBudget);
            }
        }
        Ok(Ending::Proved)
    }

    /// Searches with the items that keep states under the bound of the room's residue; what these leave keeps others,
    /// with other items.
    fn run_by_residue(
        &mut self,
        losers: &mut [Loser],
        around: i64,
        states: &mut Frontier<i64>,
        budget: &mut Budget,
    ) -> Result<Ending, EngineError> {
        // With the break item most selections are one removal away.
        if let Some(edge) = losers.iter().position(|loser| loser.loss == 0) {
            losers.swap(0, edge);
        }
        let Some((edge, mut left)) = losers.split_first_mut() else { return Ok(Ending::Proved) };
        let unused = self.scale.edge.0;
        let mut tents = Tents::of(left, around, unused, 1);
        self.flip(edge, Left::Tents { tents: &tents, twice: false }, states, budget)?;
        self.complete(states, left);
        while states.list.len() > 0 && !left.is_empty() {
            let urgent = self.most_urgent(left, around, states);
            let target = self.goal.target;
            let (mut since, mut step) = (usize::MAX, 0);
            // A better selection lets fewer items keep states.
            while step < urgent && self.goal.target == target {
                if since >= left.len() - step {
                    tents = Tents::of(&left[step..], around, unused, states.list.len());
                    since = 0;
                    if tents.are_sharp() {
                        self.complete_and_drop(states, &left[step..], &tents);
                        if states.list.len() == 0 {
                            return Ok(Ending::Proved);
                        }
                    }
                }
                self.flip(&left[step], Left::Tents { tents: &tents, twice: false }, states, budget)?;
                step += 1;
                since += (4 * states.list.len()).min(left.len() / STEPS + 1);
                if states.list.len() == 0 {
                    return Ok(Ending::Proved);
                }
                if budget.is_spent() || states.list.len() > FEW {
                    return Ok(Ending::OutOfBudget);
                }
            }
            left = &mut left[step..];
        }
        Ok(Ending::Proved)
    }

    /// Completes all states with one more item, and drops those that do not cover two.
    fn complete_and_drop(&mut self, states: &mut Frontier<i64>, losers: &[Loser], tents: &Tents) {
        self.complete(states, losers);
        let sieve = self.sieve(Left::Tents { tents, twice: true });
        states.list.retain(|state| sieve.pays_for(state));
    }

    fn sieve<'a>(&'a self, left: Left<'a>) -> Slopes<'a> {
        Slopes { scale: &self.scale, room: self.room, goal: self.goal, left, found: None }
    }

    /// Sorts the items that keep states before the others, and counts them: all if none does. The most urgent one comes
    /// first, or, with many states, the one with the least residue: without those, two flips more are soon too many.
    fn most_urgent(&self, left: &mut [Loser], around: i64, states: &Frontier<i64>) -> usize {
        let lines = states.list.iter().flat_map(|state| lines(state, &self.goal, &self.scale, self.room));
        let needs =
            Needs::of(lines.map(|(more, room, weight)| (self.scale.value(more, room), weight)), around);
        let mut count = 0;
        for at in 0..left.len() {
            if needs.urgency(&left[at]).is_some() {
                left.swap(at, count);
                count += 1;
            }
        }
        let many = are_many(states.list.len(), left.len());
        left[..count].sort_by_cached_key(|loser| {
            let size = if many { loser.residue.min(around - loser.residue) } else { 0 };
            (size, needs.urgency(loser))
        });
        if count == 0 { left.len() } else { count }
    }

    /// Computes every state with and without a flip.
    fn flip(
        &mut self,
        loser: &Loser,
        left: Left,
        states: &mut Frontier<i64>,
        budget: &mut Budget,
    ) -> Result<(), EngineError> {
        let mut sieve = self.sieve(left);
        states.flip(flip(&loser.piece, loser.turn), &mut sieve, budget)?;
        let Slopes { goal, found, .. } = sieve;
        self.goal = goal;
        if let Some(trail) = found {
            self.found = Some(Found { mark: states.trails.mark(trail), beside: None });
        }
        Ok(())
    }

    /// Searches for the best state with one more item, among those that fit the gap.
    fn complete(&mut self, states: &Frontier<i64>, losers: &[Loser]) {
        let gap = self.gap();
        let pool = |turn| {
            let fits = move |loser: &&Loser| loser.turn == turn && loser.loss <= gap;
            losers.iter().filter(fits).map(|loser| loser.piece)
        };
        let (mut add, mut remove) = (pool(Turn::After).collect(), pool(Turn::Before).collect());
        if let Some(best) = complete(states.list.iter(), self.goal, &mut add, &mut remove) {
            self.goal.meet(best.profit, best.weight);
            self.found = Some(Found { mark: states.trails.mark(best.trail), beside: Some(best.item) });
        }
    }
}

impl Scale {
    /// With the break item's efficiency, or one near it if its products with the items are too large.
    fn of(items: impl Iterator<Item = Piece<i64>>, edge: Piece<i64>, price: i64) -> Option<Self> {
        let mut scale = Self { edge: (edge.profit, 0), price, slack: 0, is_rounded: false };
        scale.edge.1 = scale.measure(&edge);
        let most = items.map(|item| item.profit.max(scale.measure(&item))).max()?;
        let bits = (i128::from(most) * i128::from(edge.profit.max(scale.edge.1)) / MOST).checked_ilog2();
        if let Some(bits) = bits {
            let of = scale.edge.1 >> (bits + 1);
            if of == 0 {
                return None;
            }
            let per = i128::from(scale.edge.0) * i128::from(of) / i128::from(scale.edge.1);
            (scale.edge, scale.is_rounded) = ((i64::try_from(per).ok()?, of), true);
        }
        Some(scale)
    }

    /// The value of this profit and room, and the slack, in units of the scale; the largest number if it is larger.
    #[inline(always)]
    fn value(&self, profit: i64, room: i64) -> i64 {
        let (per, of) = (i128::from(self.edge.0), i128::from(self.edge.1));
        let value = i128::from(profit) * of + i128::from(room) * per + i128::from(self.slack);
        value.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    fn measure(&self, piece: &Piece<i64>) -> i64 {
        piece.weight + self.price * i64::from(piece.count)
    }

    /// The loss of flipping the item, negative only where the efficiency is rounded.
    fn loss(&self, piece: &Piece<i64>, turn: Turn) -> i64 {
        let gain = piece.profit * self.edge.1 - self.measure(piece) * self.edge.0;
        if turn == Turn::Before { gain } else { -gain }
    }
}

/// What a state has for more profit than the best selection, and for equal profit with less weight: its surplus over the
/// target, and the room in the measure and in weight.
#[inline(always)]
fn lines(state: &State<i64>, goal: &Goal<i64>, scale: &Scale, room: i64) -> [(i64, i64, i64); 2] {
    let Goal { capacity, target, lighter, .. } = *goal;
    let room = room - state.weight - scale.price * state.count;
    [
        (state.profit - target, room, capacity - state.weight),
        (state.profit - target + 1, room - (capacity - lighter), lighter - state.weight),
    ]
}

/// For each position, the least loss per unit of the measure, as a fraction, among the items from there on: of those
/// that may be added, or of unused room, and of those that may be removed.
fn slopes(losers: &[Loser], scale: &Scale) -> Vec<(i64, i64)> {
    let mut least = (fraction(scale.edge.0, 1), i64::MAX);
    let mut slopes = vec![least; losers.len() + 1];
    for (slope, loser) in slopes.iter_mut().zip(losers).rev() {
        let own = fraction(loser.loss, scale.measure(&loser.piece));
        match loser.turn {
            Turn::After => least.0 = least.0.min(own),
            Turn::Before => least.1 = least.1.min(own),
        }
        *slope = least;
    }
    slopes
}

/// The bound on the losses of the items that are left.
#[derive(Clone, Copy)]
enum Left<'a> {
    Slopes {
        /// The loss of the next item.
        least: i64,
        slopes: (i64, i64),
    },
    Tents {
        tents: &'a Tents,
        /// Whether every state flips two of them at least.
        twice: bool,
    },
}

/// Keeps the states whose bound covers their further losses.
struct Slopes<'a> {
    scale: &'a Scale,
    room: i64,
    goal: Goal<i64>,
    left: Left<'a>,
    found: Option<u64>,
}

impl Slopes<'_> {
    /// Whether this surplus of profit over the target covers the losses if this room, in the measure and in weight, is
    /// not used.
    #[inline(always)]
    fn pays(&self, (more, room, weight): (i64, i64, i64)) -> bool {
        let gap = self.scale.value(more, room);
        match self.left {
            Left::Slopes { least, slopes } => {
                let slope = if room >= 0 { slopes.0 } else { slopes.1 };
                gap >= least && i128::from(gap) >= times(slope, room.abs())
            }
            Left::Tents { tents, twice } => gap >= 0 && tents.are_covered_by(gap, weight, twice),
        }
    }

    /// Whether the state covers its further losses for either improvement.
    #[inline(always)]
    fn pays_for(&self, state: &State<i64>) -> bool {
        let [more, lighter] = lines(state, &self.goal, self.scale, self.room);
        self.pays(more) || self.pays(lighter)
    }
}

impl Sieve<i64> for Slopes<'_> {
    #[inline(always)]
    fn keep(&mut self, state: &State<i64>) -> bool {
        if self.goal.is_met(state.profit, state.weight) {
            self.goal.meet(state.profit, state.weight);
            self.found = Some(state.trail);
        }
        self.pays_for(state)
    }
}
