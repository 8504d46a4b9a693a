//! Which search runs, and for how long: the core first, then all alternate with growing budgets until one of them
//! proves the optimum.
//!
//! The time of no search is known beforehand, and where one is hopeless another is often quick. So each has a
//! budget of states; when all are spent the budgets are multiplied by a factor. The time wasted is a fixed share of
//! what the quicker one needs. Each search starts from the best selection found by the other.

use crate::core::around_break::expand;
use crate::core::around_break::losses::{By, by_losses};
use crate::core::heaviest_first::descend;
use crate::core::heaviest_first::fill::Fill;
use crate::core::items::bundle::Bundled;
use crate::core::items::lattice::Lattice;
use crate::core::items::number::Number;
use crate::core::items::{Measure, Piece};
use crate::core::price::{Relaxation, price};
use crate::core::states::goal::{Budget, Ending, Goal, Incumbent, Limits};
use isx_engine::EngineError;

/// States of the first budget; the core alone starts with half of it.
const FIRST: u64 = 50_000;

/// States that are enough for the core if its bound is good.
const SHORT: u64 = 5_000;

/// States of the search by losses, whose purpose is to find good selections.
const LOSSES: u64 = 20_000;

/// There are few bundles if they are at most this share of the items, as a divisor.
const BUNDLED: usize = 16;

/// The growth factor of the budgets.
const GROWTH: u64 = 4;

/// The lightest of the best selections of the items, or one of several; `None` if the time ran out.
pub fn solve<N: Number>(
    mut items: Vec<Piece<N>>,
    capacity: N,
    budget: &mut Budget,
) -> Result<Option<Incumbent<N>>, EngineError> {
    let mut best = Incumbent::nothing();
    let limits = Limits { capacity, lattice: Lattice::of(&items) };
    if take_all(&items, limits, &mut best) {
        return Ok(Some(best));
    }
    let plain = Measure::weights(capacity);
    let first = expand(&mut items, limits, plain, &mut best, budget.renew_strictly(FIRST / 2))?;
    if first == Ending::Proved {
        return Ok(Some(best));
    }
    let by = (plain, By::Residue);
    let residues = by_losses(&mut items, limits, by, &mut best, budget.renew_strictly(FIRST))?;
    if residues == Some(Ending::Proved) {
        return Ok(Some(best));
    }
    let Some(bundled) = Bundled::of(&items, capacity) else {
        return priced(items, limits, (first, residues.is_some(), false), best, budget);
    };
    // Few bundles are soon searched by other means. Many help them little, and the search by residues not at all.
    if residues.is_some() && bundled.pieces.len() * BUNDLED > items.len() {
        let budget = budget.renew_strictly(GROWTH * GROWTH * FIRST);
        if by_losses(&mut items, limits, by, &mut best, budget)? == Some(Ending::Proved) {
            return Ok(Some(best));
        }
    }
    let mut found = Incumbent { chosen: Vec::new(), ..best };
    if !take_all(&bundled.pieces, limits, &mut found) {
        let Some(better) = priced(bundled.pieces.clone(), limits, (first, false, true), found, budget)?
        else {
            return Ok(None);
        };
        found = better;
    }
    if best.is_worse_than(found.profit, found.weight) {
        best = Incumbent { chosen: bundled.unpack(&found.chosen), ..found };
    }
    Ok(Some(best))
}

/// Takes all items if they fit.
fn take_all<N: Number>(items: &[Piece<N>], limits: Limits<N>, best: &mut Incumbent<N>) -> bool {
    let (mut weight, mut profit) = (N::ZERO, N::ZERO);
    for item in items {
        weight += item.weight;
        profit += item.profit;
    }
    let fits = weight <= limits.capacity;
    if fits && best.is_worse_than(profit, weight) {
        let goal = Goal::better_than(profit, weight, limits);
        best.improve(goal, items.iter().map(|item| item.item));
    }
    fits
}

/// The search with a price on every item, if the number of items is limiting, and then any search that proves the
/// best known selection. `first` is how the search without a price ended, and `by_residues` whether the search by
/// residues applies. If there are few types of items, many
/// selections are nearly as good: then the search by losses finds a very good one soon, and the core's list becomes
/// a row that proves it to be the best.
fn priced<N: Number>(
    mut items: Vec<Piece<N>>,
    limits: Limits<N>,
    (mut first, by_residues, few_types): (Ending, bool, bool),
    mut best: Incumbent<N>,
    budget: &mut Budget,
) -> Result<Option<Incumbent<N>>, EngineError> {
    let Limits { capacity, .. } = limits;
    let plain = Measure::weights(capacity);
    let priced = price(&mut items, limits, &best);
    let measure = priced.map_or(plain, |(measure, _)| measure);
    let proves = |best: &Incumbent<N>| priced.is_some_and(|(_, relaxation)| relaxation.proves(best, limits));
    if proves(&best) {
        return Ok(Some(best));
    }
    if priced.is_some() || first == Ending::OutOfBudgetInRow {
        let budget = if few_types { budget.renew_strictly(SHORT) } else { budget.renew(FIRST) };
        first = expand(&mut items, limits, measure, &mut best, budget)?;
        if first == Ending::Proved || proves(&best) {
            return Ok(Some(best));
        }
    }
    if few_types {
        let by = (measure, By::Loss);
        let ending = by_losses(&mut items, limits, by, &mut best, budget.renew_strictly(LOSSES))?;
        if ending == Some(Ending::Proved) || proves(&best) {
            return Ok(Some(best));
        }
        first = expand(&mut items, limits, measure, &mut best, budget.renew(GROWTH * FIRST))?;
        if first == Ending::Proved || proves(&best) {
            return Ok(Some(best));
        }
    }
    let targets = Targets::new(&items, capacity, priced.map(|(_, relaxation)| relaxation));
    let mut turns = vec![Search::Descend, Search::Expand];
    if first == Ending::OutOfBudgetInRow {
        turns.reverse();
    }
    if by_residues {
        turns.insert(0, Search::Residues);
    }
    by_turns(items, limits, (measure, turns), targets, best, budget)
}

/// One of the searches.
#[derive(Clone, Copy)]
enum Search {
    Residues,
    Descend,
    Expand,
}

/// Alternates the searches until one proves the best known selection.
fn by_turns<N: Number>(
    mut items: Vec<Piece<N>>,
    limits: Limits<N>,
    (measure, turns): (Measure<N>, Vec<Search>),
    mut targets: Targets<N>,
    mut best: Incumbent<N>,
    budget: &mut Budget,
) -> Result<Option<Incumbent<N>>, EngineError> {
    let mut limit = FIRST;
    let mut failed: Vec<Option<EngineError>> = turns.iter().map(|_| None).collect();
    let plain = Measure::weights(limits.capacity);
    loop {
        for (search, failed) in turns.iter().zip(&mut failed) {
            if failed.is_some() {
                continue;
            }
            budget.renew(limit);
            let ending = match search {
                Search::Residues => {
                    let by = (plain, By::Residue);
                    let ending = by_losses(&mut items, limits, by, &mut best, budget);
                    ending.map(|ending| ending.unwrap_or(Ending::OutOfBudget))
                }
                Search::Descend => targets.search(limits, &mut best, budget),
                Search::Expand => expand(&mut items, limits, measure, &mut best, budget),
            };
            match ending {
                Ok(Ending::Proved) => return Ok(Some(best)),
                Ok(_) if targets.prove(&best, limits) => return Ok(Some(best)),
                Ok(_) => {}
                Err(EngineError::Cancelled) => return Err(EngineError::Cancelled),
                Err(error) => *failed = Some(error),
            }
            if budget.is_late() {
                return Ok(None);
            }
        }
        // The search by residues never runs short of memory, but need not end either.
        let ends = |(search, failed): (&Search, &Option<EngineError>)| {
            matches!(search, Search::Residues) || failed.is_some()
        };
        if turns.iter().zip(&failed).all(ends) {
            return failed.into_iter().flatten().next_back().map_or(Ok(None), Err);
        }
        limit = limit.saturating_mul(GROWTH);
    }
}

/// The targets of the descent, starting from the bound.
struct Targets<N> {
    fill: Fill<N>,
    priced: Option<Relaxation<N>>,
    /// An upper bound on the profit.
    bound: N,
    /// How far the next target is below the bound.
    gap: N,
}

impl<N: Number> Targets<N> {
    fn new(items: &[Piece<N>], capacity: N, priced: Option<Relaxation<N>>) -> Self {
        let fill = Fill::sorted(items.to_vec());
        let linear = fill.bound(capacity);
        let bound = priced.map_or(linear, |relaxation| relaxation.bound().min(linear));
        Self { fill, priced, bound, gap: N::ONE }
    }

    /// Whether a relaxation proves the best known selection.
    fn prove(&self, best: &Incumbent<N>, limits: Limits<N>) -> bool {
        let Limits { capacity, .. } = limits;
        let aims = self.fill.aims(Goal::beyond(best, limits));
        !self.fill.reaches(&aims, self.fill.place(capacity), capacity, N::ZERO)
            || self.priced.is_some_and(|relaxation| relaxation.proves(best, limits))
    }

    fn search(
        &mut self,
        limits: Limits<N>,
        best: &mut Incumbent<N>,
        budget: &mut Budget,
    ) -> Result<Ending, EngineError> {
        loop {
            let target = self.bound - self.gap;
            let is_last = target <= best.profit + N::ONE;
            let goal = if is_last {
                Goal::beyond(best, limits)
            } else {
                Goal { target, lighter: -N::ONE, ..Goal::beyond(best, limits) }
            };
            if descend(&self.fill, goal, best, budget)? == Ending::OutOfBudget {
                return Ok(Ending::OutOfBudget);
            }
            if is_last || best.profit >= target {
                return Ok(Ending::Proved);
            }
            self.bound = target - N::ONE;
            for _ in 0..3 {
                self.gap = self.gap.min(self.bound) + self.gap.min(self.bound);
            }
        }
    }
}
