//! Heavy items first, each state bounded by the linear relaxation of all lighter ones.
//!
//! If items come in groups of nearly equal weights, each group half as heavy as the previous one (J. Jooken, P.
//! Leyman and P. De Causmaecker, "A new class of hard problem instances for the 0-1 knapsack problem", European
//! Journal of Operational Research 301, 2022), a core around the break item has to try all sums of all groups
//! together. In order of falling weight there are few sums at first, and the lighter items determine how well a sum
//! can still be filled: their relaxation has one breakpoint per item, not the two slopes of a core, and states that
//! cannot be filled well are dropped.
//!
//! The bound is only as good as the profit to be beaten, so the search first tries one that is too high: all states
//! that may reach a *target* are kept. If some state reaches it, the best such state is the optimum; if none does,
//! the optimum is less, and the next target is lower. Few states are kept while the target is too high, so the
//! failed attempts cost less than the last one. For each target, items whose flip leaves the relaxation below it are
//! fixed first.

pub mod fill;

use crate::core::heaviest_first::fill::{Aims, Fill};
use crate::core::items::number::Number;
use crate::core::items::{Piece, sort};
use crate::core::states::goal::{Budget, Ending, Goal, Incumbent};
use crate::core::states::trail::Trails;
use crate::core::states::{Flip, Found, Frontier, Sieve, State};
use isx_engine::EngineError;

/// The items not fixed for a target, and the totals of the fixed ones.
struct Open<N> {
    /// Items to decide, by falling efficiency.
    fill: Fill<N>,
    taken: Vec<u32>,
    weight: N,
    profit: N,
}

impl<N: Number> Open<N> {
    /// The goal reduced by the taken items.
    fn without_taken(&self, goal: Goal<N>) -> Goal<N> {
        Goal {
            capacity: goal.capacity - self.weight,
            target: goal.target - self.profit,
            lighter: goal.lighter - self.weight,
            ..goal
        }
    }

    /// The goal with the taken items added again.
    fn with_taken(&self, goal: Goal<N>) -> Goal<N> {
        Goal {
            capacity: goal.capacity + self.weight,
            target: goal.target + self.profit,
            lighter: goal.lighter + self.weight,
            ..goal
        }
    }
}

/// Searches for selections that meet the goal, which excludes only selections worse than the best known one.
/// [`Ending::Proved`] means that the best known selection is now the best of those that meet the goal, if any does.
pub fn descend<N: Number>(
    fill: &Fill<N>,
    goal: Goal<N>,
    best: &mut Incumbent<N>,
    budget: &mut Budget,
) -> Result<Ending, EngineError> {
    let Some(open) = fix(fill, goal) else { return Ok(Ending::Proved) };
    let mut order: Vec<Piece<N>> = open.fill.items.clone();
    sort(&mut order, &|a, b| (b.weight, a.profit, a.item).cmp(&(a.weight, b.profit, b.item)));
    let mut left = Left { fill: open.fill.clone(), undecided: vec![], stale: 0, since: 0 };
    left.undecided = vec![true; order.iter().map(|item| item.item as usize + 1).max().unwrap_or(0)];
    let mut states = Frontier::of(State { weight: N::ZERO, profit: N::ZERO, trail: 0, count: 0 });
    // A state and the items that complete it.
    let mut found: Option<Found<Vec<u32>>> = None;
    let mut goal = open.without_taken(goal);
    for item in &order {
        left.decide(item, states.list.len());
        let flip = Flip { weight: item.weight, profit: item.profit, count: item.count.into() };
        let place = left.fill.items.len();
        let (fill, fresh, aims) = (&left.fill, left.stale == 0, left.fill.aims(goal));
        let mut sieve = Relaxed { fill, fresh, place, goal, aims, found: None };
        states.flip(flip, &mut sieve, budget)?;
        goal = sieve.goal;
        if let Some((trail, place)) = sieve.found {
            let beside = left.fill.items[..place].iter().map(|item| item.item).collect();
            found = Some(Found { mark: states.trails.mark(trail), beside });
        }
        if states.list.len() == 0 {
            break;
        }
        if budget.is_spent() {
            accept(best, &open, &order, &states.trails, found, goal);
            return Ok(Ending::OutOfBudget);
        }
    }
    accept(best, &open, &order, &states.trails, found, goal);
    Ok(Ending::Proved)
}

/// Stores the selection found; the goal becomes an improvement on it.
fn accept<N: Number>(
    best: &mut Incumbent<N>,
    open: &Open<N>,
    order: &[Piece<N>],
    trails: &Trails,
    found: Option<Found<Vec<u32>>>,
    goal: Goal<N>,
) {
    if let Some(Found { mark, beside }) = found {
        let flipped = trails.flipped(mark).map(|step| order[step].item);
        best.improve(open.with_taken(goal), open.taken.iter().copied().chain(flipped).chain(beside));
    }
}

/// Fixes the items whose flip leaves the relaxation below the goal; `None` if no selection reaches it.
fn fix<N: Number>(fill: &Fill<N>, goal: Goal<N>) -> Option<Open<N>> {
    let (capacity, aims) = (goal.capacity, fill.aims(goal));
    let place = fill.place(capacity);
    if !fill.reaches(&aims, place, capacity, N::ZERO) {
        return None;
    }
    let (mut items, mut taken) = (Vec::new(), Vec::new());
    let (mut weight, mut profit) = (N::ZERO, N::ZERO);
    for (at, item) in fill.items.iter().enumerate() {
        let may_flip = if at < place {
            let more = capacity + item.weight;
            fill.reaches(&aims, fill.place(more), more, -item.profit)
        } else if item.weight > capacity {
            false
        } else {
            let less = capacity - item.weight;
            at == place || fill.reaches(&aims, fill.place(less), less, item.profit)
        };
        if may_flip {
            items.push(*item);
        } else if at < place {
            taken.push(item.item);
            weight += item.weight;
            profit += item.profit;
        }
    }
    Some(Open { fill: Fill::new(items), taken, weight, profit })
}

/// The relaxation of the undecided items. Computing its sums again costs time proportional to the number of items,
/// so for short lists it may still contain decided items; then it is too high, but still a bound.
struct Left<N> {
    fill: Fill<N>,
    /// Indexed by the item's number.
    undecided: Vec<bool>,
    /// Items in the relaxation that are decided.
    stale: usize,
    /// States processed since the last computation of the sums.
    since: usize,
}

impl<N: Number> Left<N> {
    fn decide(&mut self, item: &Piece<N>, states: usize) {
        self.undecided[item.item as usize] = false;
        self.stale += 1;
        self.since += 4 * states;
        if self.since >= self.fill.items.len() {
            let undecided = &self.undecided;
            self.fill.retain(|item| undecided[item.item as usize]);
            (self.stale, self.since) = (0, 0);
        }
    }
}

/// Keeps the states whose relaxation reaches the goal.
struct Relaxed<'a, N> {
    fill: &'a Fill<N>,
    /// Whether the relaxation contains undecided items only.
    fresh: bool,
    place: usize,
    goal: Goal<N>,
    aims: Aims<N>,
    found: Option<(u64, usize)>,
}

impl<N: Number> Sieve<N> for Relaxed<'_, N> {
    #[inline(always)]
    fn keep(&mut self, state: &State<N>) -> bool {
        let room = self.goal.capacity - state.weight;
        if room < N::ZERO {
            return false;
        }
        self.fill.sink(&mut self.place, room);
        let place = if self.fresh { self.place } else { 0 };
        let (profit, weight) = self.fill.taken(place);
        let (profit, weight) = (state.profit + profit, state.weight + weight);
        if self.goal.is_met(profit, weight) {
            self.goal.meet(profit, weight);
            self.aims = self.fill.aims(self.goal);
            self.found = Some((state.trail, place));
        }
        self.fill.reaches(&self.aims, self.place, room, state.profit)
    }
}
