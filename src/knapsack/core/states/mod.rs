//! The list of states and the one step that makes the next list: every state with and without one more item.

pub mod complete;
pub mod goal;
pub mod trail;

use crate::core::items::number::Number;
use goal::Budget;
use isx_engine::EngineError;
use trail::{Mark, Trail, Trails};

/// What a set of decisions weighs and brings.
#[derive(Clone, Copy, Debug)]
pub struct State<N> {
    pub weight: N,
    pub profit: N,
    pub trail: Trail,
    /// Items taken.
    pub count: i64,
}

/// What one more decision changes: an item is added, or one that was taken is removed.
#[derive(Clone, Copy, Debug)]
pub struct Flip<N> {
    pub weight: N,
    /// Change of the profit; of the same sign.
    pub profit: N,
    pub count: i64,
}

/// Decides which states go on.
pub trait Sieve<N> {
    /// Whether the state may lead to something better than what is known. Asked by rising weight.
    fn keep(&mut self, state: &State<N>) -> bool;
}

/// A list of states by rising weight; weights and profits both rise strictly.
///
/// The buffer behind it only grows, so that a step writes every candidate and counts those that stay: which of them do
/// is too irregular to branch on.
#[derive(Clone, Debug)]
pub struct List<N> {
    buffer: Vec<State<N>>,
    len: usize,
}

impl<N: Number> List<N> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn iter(&self) -> impl Iterator<Item = &State<N>> {
        self.buffer[..self.len].iter()
    }

    fn trails(&mut self) -> impl ExactSizeIterator<Item = &mut Trail> {
        self.buffer[..self.len].iter_mut().map(|state| &mut state.trail)
    }

    const STATE_BYTES: usize = size_of::<State<N>>();

    /// Makes the list of the states with and without the flip, in place of what `next` held; what is dominated goes.
    /// States that the sieve drops still dominate: nothing that they dominate leads further than they do.
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

/// Writes states one after the other.
struct Taker<'a, N> {
    out: &'a mut [State<N>],
    len: usize,
    /// The most profit so far.
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

/// The list that a search has come to, and the decisions behind its states.
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

    /// Every state with and without one more item.
    ///
    /// # Errors
    ///
    /// As [`Budget::spend`].
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

/// The best selection of a search so far: a state, and what goes with it beside.
pub struct Found<B> {
    pub mark: Mark,
    /// What is beside it.
    pub beside: B,
}
