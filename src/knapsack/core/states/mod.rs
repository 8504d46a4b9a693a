//! The list of states and the step that computes the next list: every state with and without one more item.

pub mod complete;
pub mod goal;
pub mod trail;

use crate::core::items::number::Number;
use crate::core::items::split::partition;
use goal::Budget;
use isx_engine::EngineError;
use trail::{Mark, Trail, Trails};

/// The weight and the profit of a set of decisions.
#[derive(Clone, Copy, Debug)]
pub struct State<N> {
    pub weight: N,
    pub profit: N,
    pub trail: Trail,
    /// Number of items taken.
    pub count: i64,
}

/// The change by one more decision: an item is added, or one that was taken is removed.
#[derive(Clone, Copy, Debug)]
pub struct Flip<N> {
    pub weight: N,
    /// Change of the profit; of the same sign.
    pub profit: N,
    pub count: i64,
}

/// Decides which states are kept.
pub trait Sieve<N> {
    /// Whether the state may lead to an improvement. Called in order of rising weight.
    fn keep(&mut self, state: &State<N>) -> bool;
}

/// A list of states by rising weight; weights and profits both rise strictly.
///
/// The buffer behind it only grows, so that a step writes every candidate and counts those that are kept: this is
/// too irregular for branch prediction.
#[derive(Clone, Debug)]
pub struct List<N> {
    buffer: Vec<State<N>>,
    len: usize,
}

impl<N: Number> List<N> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &State<N>> {
        self.buffer[..self.len].iter()
    }

    fn trails(&mut self) -> impl ExactSizeIterator<Item = &mut Trail> {
        self.buffer[..self.len].iter_mut().map(|state| &mut state.trail)
    }

    /// Drops the states that do not hold.
    pub fn retain(&mut self, holds: impl Fn(&State<N>) -> bool) {
        self.len = partition(&mut self.buffer[..self.len], holds);
    }

    const STATE_BYTES: usize = size_of::<State<N>>();

    /// Writes the list of the states with and without the flip to `next`, without dominated states. States that the
    /// sieve drops still dominate others: nothing that they dominate leads further than they do.
    fn flip_into(&self, next: &mut Self, flip: Flip<N>, bit: Trail, sieve: &mut impl Sieve<N>) {
        let list = &self.buffer[..self.len];
        let Some(&first) = list.first() else {
            next.len = 0;
            return;
        };
        if next.buffer.len() < 2 * list.len() {
            next.buffer.resize(2 * list.len(), first);
        }
        let mut taker =
            Taker { out: &mut next.buffer, len: 0, most: first.profit + flip.profit.min(N::ZERO) - N::ONE };
        let flipped = |state: &State<N>| State {
            weight: state.weight + flip.weight,
            profit: state.profit + flip.profit,
            trail: state.trail | bit,
            count: state.count + flip.count,
        };
        let (mut stay, mut moved) = (0, 0);
        while let (Some(a), Some(b)) = (list.get(stay), list.get(moved)) {
            let b = flipped(b);
            let first = (a.weight < b.weight) | ((a.weight == b.weight) & (a.profit >= b.profit));
            taker.take(if first { *a } else { b }, sieve);
            stay += usize::from(first);
            moved += usize::from(!first);
        }
        list[stay..].iter().for_each(|state| taker.take(*state, sieve));
        list[moved..].iter().for_each(|state| taker.take(flipped(state), sieve));
        next.len = taker.len;
    }
}

/// Appends states one after the other.
struct Taker<'a, N> {
    out: &'a mut [State<N>],
    len: usize,
    /// The greatest profit so far.
    most: N,
}

impl<N: Number> Taker<'_, N> {
    #[inline(always)]
    fn take(&mut self, state: State<N>, sieve: &mut impl Sieve<N>) {
        if state.profit > self.most {
            self.most = state.profit;
            self.out[self.len] = state;
            self.len += usize::from(sieve.keep(&state));
        }
    }
}

/// The current list of a search, and the decisions behind its states.
pub struct Frontier<N> {
    pub list: List<N>,
    next: List<N>,
    pub trails: Trails,
    steps: usize,
}

impl<N: Number> Frontier<N> {
    pub fn of(state: State<N>) -> Self {
        let list = |buffer: Vec<State<N>>| List { len: buffer.len(), buffer };
        Self { list: list(vec![state]), next: list(Vec::new()), trails: Trails::default(), steps: 0 }
    }

    /// Computes every state with and without one more item.
    pub fn flip(
        &mut self,
        flip: Flip<N>,
        sieve: &mut impl Sieve<N>,
        budget: &mut Budget,
    ) -> Result<(), EngineError> {
        if Trails::due(self.steps) {
            self.trails.snapshot(self.list.trails());
        }
        budget.spend(self.list.len(), self.trails.bytes(), List::<N>::STATE_BYTES)?;
        self.list.flip_into(&mut self.next, flip, Trails::bit(self.steps), sieve);
        std::mem::swap(&mut self.list, &mut self.next);
        self.steps += 1;
        Ok(())
    }
}

/// The best selection of a search so far: a state, and additional data.
pub struct Found<B> {
    pub mark: Mark,
    /// The additional data.
    pub beside: B,
}
