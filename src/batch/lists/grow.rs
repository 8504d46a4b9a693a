//! Pareto lists over the classes that still have a choice.
//!
//! A state is a selection's weight, gain and key; a list contains the states that no other state dominates, lightest
//! first. The next list merges shifted copies of the last one, one copy per item of the class. A key contains, for
//! every class so far, the rank of its item in canonical order, with the last class in the highest bits: among
//! selections of equal weight and value the one with the smallest key is canonical, and two that differ in nothing
//! else have the same continuations.

use super::left::{Class, Left};
use super::prune::Pruned;

/// Candidates per problem; a problem with more is left to engines that fill tables.
const MOST_CANDIDATES: u64 = 1 << 17;

/// A selection from the classes so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    pub weight: u64,
    pub gain: i64,
    pub key: u128,
}

/// The lists of a problem.
#[derive(Debug, Default)]
pub(super) struct Grown {
    list: Vec<State>,
    next: Vec<State>,
    joined: Vec<State>,
    candidates: u64,
    /// The bit position in keys of the class that [`Grown::number`] reads next.
    read: u32,
}

/// Bits needed to distinguish this many items.
fn bits(items: usize) -> u32 {
    usize::BITS - (items - 1).leading_zeros()
}

/// The rank of an item in canonical order among the remaining items of its class.
fn rank(class: &[Left], item: &Left) -> u128 {
    class.iter().filter(|other| other.number < item.number).count() as u128
}

impl Grown {
    /// Clears the state of the previous problem.
    pub fn begin(&mut self) {
        self.candidates = 0;
        self.read = 0;
    }

    /// Candidates examined for the last problem.
    pub fn candidates(&self) -> u64 {
        self.candidates
    }

    /// The best state; `None` if lists or keys grow too long.
    pub fn best(
        &mut self,
        items: &[Left],
        classes: &[Class],
        pruned: &Pruned,
        capacity: u64,
    ) -> Option<State> {
        self.list.clear();
        self.list.push(State::default());
        let (mut shift, mut most) = (0, 0);
        for class in classes.iter().filter(|class| class.end - class.start > 1) {
            let class = &items[class.start..class.end];
            self.candidates += self.list.len() as u64 * class.len() as u64;
            if self.candidates > MOST_CANDIDATES || shift + bits(class.len()) > u128::BITS {
                return None;
            }
            most += class.iter().map(|item| pruned.worth(item)).max()?;
            // A state with less gain has lost too much.
            let least = most - pruned.gap;
            self.next.clear();
            for item in class {
                let key = rank(class, item) << shift;
                self.joined.clear();
                let shifted = shifted(&self.list, item, key, capacity);
                join(
                    &self.next,
                    shifted,
                    |gain, weight| pruned.worth_of(gain, weight) >= least,
                    &mut self.joined,
                );
                std::mem::swap(&mut self.next, &mut self.joined);
            }
            std::mem::swap(&mut self.list, &mut self.next);
            shift += bits(class.len());
        }
        self.list.last().copied()
    }

    /// The index of the item that the next class with a choice contributes to the state with this key.
    pub fn number(&mut self, class: &[Left], key: u128) -> u32 {
        let wanted = key >> self.read & ((1 << bits(class.len())) - 1);
        self.read += bits(class.len());
        class.iter().find(|item| rank(class, item) == wanted).map_or(0, |item| item.number)
    }
}

/// The list with an item added to every state, up to the capacity.
fn shifted<'a>(
    list: &'a [State],
    item: &'a Left,
    key: u128,
    capacity: u64,
) -> impl Iterator<Item = State> + 'a {
    let add = move |state: &State| State {
        weight: state.weight + item.weight,
        gain: state.gain + item.gain,
        key: state.key | key,
    };
    list.iter().map(add).take_while(move |state| state.weight <= capacity)
}

/// The undominated states of two lists; a state of the second must first pass `may`.
fn join(
    ours: &[State],
    theirs: impl Iterator<Item = State>,
    may: impl Fn(i64, u64) -> bool,
    joined: &mut Vec<State>,
) {
    let mut most = i64::MIN;
    let mut push = |state: State| {
        if state.gain > most {
            most = state.gain;
            joined.push(state);
        }
    };
    let mut ours = ours.iter();
    let mut next = ours.next();
    for state in theirs.filter(|state| may(state.gain, state.weight)) {
        let rank = |one: &State| (one.weight, std::cmp::Reverse(one.gain), one.key);
        while let Some(&own) = next
            && rank(&own) < rank(&state)
        {
            push(own);
            next = ours.next();
        }
        push(state);
    }
    for &own in next.into_iter().chain(ours) {
        push(own);
    }
}
