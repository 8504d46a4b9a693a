//! The list of states and the one step that makes the next list: every state with and without one more item.

use super::number::Number;
use super::trail::Trail;

/// What a set of decisions weighs and brings.
#[derive(Clone, Copy, Debug)]
pub struct State<N> {
    /// Weight.
    pub weight: N,
    /// Profit.
    pub profit: N,
    /// The decisions.
    pub trail: Trail,
    /// Items taken.
    pub count: i64,
}

/// What one more decision changes: an item is added, or one that was taken is removed.
#[derive(Clone, Copy, Debug)]
pub struct Flip<N> {
    /// Change of the weight.
    pub weight: N,
    /// Change of the profit; of the same sign.
    pub profit: N,
    /// Change of the number of items.
    pub count: i64,
    /// The decision's bit in the trails.
    pub bit: Trail,
}

/// Decides which states go on.
pub trait Sieve<N> {
    /// Whether the state may lead to something better than what is known. Asked by rising weight.
    fn keep(&mut self, state: &State<N>) -> bool;
}

/// Merges the states with and without the flip into `next`, by rising weight; weights and profits both rise strictly,
/// what is dominated goes. States that the sieve drops still dominate: nothing that they dominate leads further than
/// they do.
pub fn merge<N: Number>(list: &[State<N>], flip: Flip<N>, sieve: &mut impl Sieve<N>, next: &mut Vec<State<N>>) {
    next.clear();
    let mut most = None;
    let mut take = |state: State<N>| {
        if most.is_none_or(|most| state.profit > most) {
            most = Some(state.profit);
            if sieve.keep(&state) {
                next.push(state);
            }
        }
    };
    let flipped = |state: &State<N>| State {
        weight: state.weight + flip.weight,
        profit: state.profit + flip.profit,
        trail: state.trail | flip.bit,
        count: state.count + flip.count,
    };
    let (mut stays, mut moves) = (list.iter(), list.iter().map(flipped));
    let (mut stay, mut moved) = (stays.next(), moves.next());
    while let (Some(a), Some(b)) = (stay, &moved) {
        if a.weight < b.weight || (a.weight == b.weight && a.profit >= b.profit) {
            take(*a);
            stay = stays.next();
        } else {
            take(*b);
            moved = moves.next();
        }
    }
    stay.into_iter().chain(stays).copied().for_each(&mut take);
    moved.into_iter().chain(moves).for_each(&mut take);
}
