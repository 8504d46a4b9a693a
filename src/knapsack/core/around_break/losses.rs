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
//! The bound of `mod.rs` takes into account that a state away from the capacity has to lose something, but not
//! that nearly every state has to flip again, whatever it weighs. That matters if the gap is many times the loss of
//! most items, as with profits that are a concave function of the weight.
//!
//! Worked instance: (profit, weight) = (6,2), (5,3), (8,5), (2,3), C = 6, as in `mod.rs`. U = 11 + 1 * 8/5; with
//! 11 known the target is 12 and the gap 3/5. The losses are 6 - 16/5, 5 - 24/5 = 1/5, 0 and 24/5 - 2: two items are
//! left. With the third the weight is 10; without the second as well it is 7, and no further loss fits the gap.

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

/// Fraction bits of losses per unit of weight.
const FRACTION: u32 = 20;

/// Products below this can be added without overflow.
const MOST: i128 = 1 << 60;

/// The bound in units that make all losses whole.
struct Scale {
    /// Profit and measure of the break item.
    edge: (i64, i64),
    price: i64,
}

/// An item that may be flipped, with its loss.
struct Loser {
    piece: Piece<i64>,
    turn: Turn,
    loss: i64,
}

/// A separate function, since those below are compiled for every number.
fn by_rising_loss(losers: &mut [Loser]) {
    losers.sort_unstable_by_key(|loser| loser.loss);
}

/// Searches for an improvement on the best known selection; `items` do not all fit and are reordered. `None` if the
/// numbers are too large.
pub fn by_losses<N: Number>(
    items: &mut [Piece<N>],
    limits: Limits<N>,
    measure: Measure<N>,
    best: &mut Incumbent<N>,
    budget: &mut Budget,
) -> Result<Option<Ending>, EngineError> {
    let parts = split(items, measure);
    let mut goal = Goal::beyond(best, limits);
    if goal.is_met(parts.profit, parts.weight) {
        goal.meet(parts.profit, parts.weight);
        best.improve(goal, items[..parts.place].iter().map(|item| item.item));
    }
    let edge = items[parts.place];
    let most = |part: fn(&Piece<N>) -> i128| items.iter().map(part).sum::<i128>();
    let (profits, counts) = (most(|item| item.profit.wide()), most(|item| item.count.into()));
    let weights = most(|item| item.weight.wide()) + measure.price.wide().abs().saturating_mul(counts);
    let edges = (edge.profit.wide(), measure.of(&edge).wide());
    let sums = [
        profits.checked_mul(edges.1),
        weights.checked_mul(edges.0),
        measure.room.wide().checked_mul(edges.0),
    ];
    if sums.iter().any(|sum| sum.is_none_or(|sum| sum.abs() >= MOST)) {
        return Ok(None);
    }
    let narrow = |number: N| number.wide() as i64;
    let scale = Scale { edge: (edges.0 as i64, edges.1 as i64), price: narrow(measure.price) };
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
    let gap = search.gap();
    let mut losers: Vec<Loser> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let piece = Piece {
            profit: narrow(item.profit),
            weight: narrow(item.weight),
            count: item.count,
            item: at as u32,
        };
        let turn = if at < parts.place { Turn::Before } else { Turn::After };
        let loss = search.scale.loss(&piece);
        if loss <= gap {
            losers.push(Loser { piece, turn, loss });
        }
    }
    by_rising_loss(&mut losers);
    let mut states = Frontier::of(search.first);
    let ending = search.run(&losers, &mut states, budget)?;
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
        self.scale.value(&self.first, self.room - spare) - target * self.scale.edge.1
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
            let mut sieve = Slopes {
                scale: &self.scale,
                room: self.room,
                goal: self.goal,
                least: losers.get(step + 1).map_or(i64::MAX, |loser| loser.loss),
                slopes: slopes[step + 1],
                found: None,
            };
            states.flip(flip(&loser.piece, loser.turn), &mut sieve, budget)?;
            self.goal = sieve.goal;
            if let Some(trail) = sieve.found {
                self.found = Some(Found { mark: states.trails.mark(trail), beside: None });
            }
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

    /// Searches for the best state with one more item, among those that fit the gap.
    fn complete(&mut self, states: &Frontier<i64>, losers: &[Loser]) {
        let gap = self.gap();
        let losers = &losers[..losers.partition_point(|loser| loser.loss <= gap)];
        let pool = |turn| losers.iter().filter(move |loser| loser.turn == turn).map(|loser| loser.piece);
        let (mut add, mut remove) = (pool(Turn::After).collect(), pool(Turn::Before).collect());
        if let Some(best) = complete(states.list.iter(), self.goal, &mut add, &mut remove) {
            self.goal.meet(best.profit, best.weight);
            self.found = Some(Found { mark: states.trails.mark(best.trail), beside: Some(best.item) });
        }
    }
}

impl Scale {
    /// The linear bound of a state, before losses are subtracted.
    #[inline(always)]
    fn value(&self, state: &State<i64>, room: i64) -> i64 {
        state.profit * self.edge.1 + (room - state.weight - self.price * state.count) * self.edge.0
    }

    fn measure(&self, piece: &Piece<i64>) -> i64 {
        piece.weight + self.price * i64::from(piece.count)
    }

    /// The loss of flipping the item.
    fn loss(&self, piece: &Piece<i64>) -> i64 {
        (piece.profit * self.edge.1 - self.measure(piece) * self.edge.0).abs()
    }
}

/// For each position, the least loss per unit of the measure, as a fraction, among the items from there on: of those
/// that may be added, or of unused room, and of those that may be removed.
fn slopes(losers: &[Loser], scale: &Scale) -> Vec<(i64, i64)> {
    let fraction = |loss: i64, measure: i64| {
        i64::try_from((i128::from(loss) << FRACTION) / i128::from(measure)).unwrap_or(i64::MAX)
    };
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

/// Keeps the states whose bound covers their further losses.
struct Slopes<'a> {
    scale: &'a Scale,
    room: i64,
    goal: Goal<i64>,
    /// The loss of the next item.
    least: i64,
    slopes: (i64, i64),
    found: Option<u64>,
}

impl Slopes<'_> {
    /// Whether this surplus of profit over the target covers the losses if this room is not used.
    #[inline(always)]
    fn pays(&self, more: i64, room: i64) -> bool {
        let gap = more * self.scale.edge.1 + room * self.scale.edge.0;
        let slope = if room >= 0 { self.slopes.0 } else { self.slopes.1 };
        gap >= self.least && i128::from(gap) >= (i128::from(slope) * i128::from(room.abs())) >> FRACTION
    }
}

impl Sieve<i64> for Slopes<'_> {
    #[inline(always)]
    fn keep(&mut self, state: &State<i64>) -> bool {
        if self.goal.is_met(state.profit, state.weight) {
            self.goal.meet(state.profit, state.weight);
            self.found = Some(state.trail);
        }
        // More profit, or equal profit with less weight.
        let Goal { capacity, target, lighter, .. } = self.goal;
        let room = self.room - state.weight - self.scale.price * state.count;
        self.pays(state.profit - target, room)
            || self.pays(state.profit - target + 1, room - (capacity - lighter))
    }
}
