//! A bound on further losses from the room modulo the weight of the break item.
//!
//! If the items around the break weigh about the same, their flips change the room by about a multiple of that weight
//! a, whatever their number. Against the linear bound they cost nearly nothing, but they leave the room's residue
//! modulo a where it was. Every flip i moves the residue by some u_i and has the loss l_i; a unit of unused room
//! moves it by 1. A concave function f on 0..a with f(0) = f(a) = 0 and f(u_i) <= l_i for all items that are left is
//! subadditive modulo a, so moving a residue x to 0 costs at least f(x). The largest f(x) has a function that is a tent
//! with its top at x:
//!
//! ```text
//! f(x) = min { l_i x / u_i : u_i <= x;  l_i (a - x) / (a - u_i) : u_i >= x }
//! ```
//!
//! If profits are a concave function of the weight ("circle" instances), that is the loss of the one flip that fills
//! the room, and few other states are left. Subadditive functions bound group relaxations of integer programs since
//! R. E. Gomory, "Some polyhedra related to combinatorial problems", Linear Algebra and its Applications 2, 1969.
//!
//! Items that limit f(x) to less than the gap for the x of some state come first. Without them these states are dropped,
//! and what their flips left behind needs other items; most items are never flipped.
//!
//! Worked instance: a = 10, items left with (u, l) = (3, 6) and (8, 4), a unit unused loses 2. For the residue 4, f = min
//! { 2 * 4, 6 * 4/3, 4 * 6/2 } = 8: no way is cheaper than four units unused, or u = 3 and one of them.

use crate::core::around_break::loser::{Loser, fraction, times};
use crate::core::around_break::once::Once;

/// About this many intervals of residues share the smallest slopes in them.
const INTERVALS: u32 = 1024;

/// With fewer states than this share of the items the sharper bound takes longer than it saves, as a divisor.
const MANY: usize = 64;

/// The bits of a residue within an interval, and the number of intervals.
fn intervals(around: i64) -> (u32, usize) {
    let shift = (i64::BITS - around.leading_zeros()).saturating_sub(INTERVALS.ilog2());
    (shift, (around >> shift) as usize + 1)
}

/// Whether there are so many states that a sharper bound saves more than it takes.
pub fn are_many(states: usize, items: usize) -> bool {
    states * MANY >= items
}

/// For intervals of residues, the slopes of the tents with their top there.
pub struct Tents {
    /// a.
    around: i64,
    /// Bits of a residue within an interval.
    shift: u32,
    /// Least loss.
    least: i64,
    /// Least loss per unit up to this interval, as a fraction.
    up: Vec<i64>,
    /// Least loss per unit below a from this interval on.
    down: Vec<i64>,
    /// The bound with every item at most once.
    once: Option<Once>,
}

impl Tents {
    /// Of the items that are left, where a unit of unused room loses `unused`; sharper, and slower to make, for many
    /// `states`.
    pub fn of(losers: &[Loser], around: i64, unused: i64, states: usize) -> Self {
        let (shift, intervals) = intervals(around);
        let least = losers.iter().map(|loser| loser.loss).min().unwrap_or(i64::MAX);
        let (up, down) = (vec![i64::MAX; intervals], vec![i64::MAX; intervals]);
        let mut tents = Self { around, shift, least, up, down, once: None };
        tents.up[0] = fraction(unused, 1);
        for &Loser { loss, residue, .. } in losers {
            let at = (residue >> shift) as usize;
            if residue > 0 {
                tents.up[at] = tents.up[at].min(fraction(loss, residue));
                tents.down[at] = tents.down[at].min(fraction(loss, around - residue));
            }
        }
        for at in 1..intervals {
            tents.up[at] = tents.up[at].min(tents.up[at - 1]);
            tents.down[intervals - 1 - at] = tents.down[intervals - 1 - at].min(tents.down[intervals - at]);
        }
        tents.once =
            are_many(states, losers.len()).then(|| Once::of(losers, (around, shift), unused, &tents.up));
        tents
    }

    /// Whether they have the sharper bound.
    pub fn are_sharp(&self) -> bool {
        self.once.is_some()
    }

    /// Whether the gap covers the losses that a state with this room has yet to have if it flips again, or `twice` at
    /// least.
    #[inline(always)]
    pub fn are_covered_by(&self, gap: i64, room: i64, twice: bool) -> bool {
        let residue = room.rem_euclid(self.around);
        let at = (residue >> self.shift) as usize;
        gap >= self.least
            && (times(self.up[at], residue) <= gap.into()
                || times(self.down[at], self.around - residue) <= gap.into())
            && self
                .once
                .as_ref()
                .is_none_or(|once| once.is_covered_by(gap, room.div_euclid(self.around), residue, twice))
    }
}

/// Which of the items that are left keep states: the others can be left for later, when no state may be left.
pub struct Needs {
    around: i64,
    shift: u32,
    /// For intervals of residues, the most loss per unit that a state with its residue there or above covers.
    up: Vec<i64>,
    /// The same per unit below a, of states with their residue there or below.
    down: Vec<i64>,
}

impl Needs {
    /// Of states, by the gap and the room of each.
    pub fn of(states: impl Iterator<Item = (i64, i64)>, around: i64) -> Self {
        let (shift, intervals) = intervals(around);
        let mut needs = Self { around, shift, up: vec![-1; intervals], down: vec![-1; intervals] };
        for (gap, room) in states.filter(|(gap, _)| *gap >= 0) {
            let residue = room.rem_euclid(around);
            let at = (residue >> shift) as usize;
            needs.up[at] = needs.up[at].max(fraction(gap, residue.max(1)));
            needs.down[at] = needs.down[at].max(fraction(gap, around - residue));
        }
        for at in 1..intervals {
            needs.down[at] = needs.down[at].max(needs.down[at - 1]);
            needs.up[intervals - 1 - at] = needs.up[intervals - 1 - at].max(needs.up[intervals - at]);
        }
        needs
    }

    /// How far the item is from being of no use to any state, least first; `None` if it is of none.
    pub fn urgency(&self, loser: &Loser) -> Option<i128> {
        let Loser { loss, residue, .. } = *loser;
        let at = (residue >> self.shift) as usize;
        let share = |size: i64, most: i64| {
            let cost = fraction(loss, size);
            (cost <= most).then(|| (i128::from(cost) << 20) / i128::from(most.max(1)))
        };
        let (up, down) = (share(residue.max(1), self.up[at]), share(self.around - residue, self.down[at]));
        up.into_iter().chain(down).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_moves_of_a_residue_to_zero_lose_less_than_the_tents_say() {
        let mut seed = 21u64;
        let mut random = |most: i64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % most as u64) as i64
        };
        let (mut bounds, mut tight) = (0, 0);
        for case in 0..400 {
            let around = [7, 60, 5000][case % 3] + random(50);
            let unused = 1 + random(9);
            let moves: Vec<(i64, i64)> = (0..1 + random(5))
                .map(|_| random(around))
                .map(|residue| (residue, residue.min(around - residue) / (1 + residue % 3)))
                .collect();
            let losers: Vec<Loser> =
                moves.iter().map(|&(residue, loss)| Loser::alone(loss, residue)).collect();
            let tents = Tents::of(&losers, around, unused, 0);
            // The least loss from each residue to 0, by one move or more, which may be repeated.
            let mut least = vec![i64::MAX; around as usize];
            let mut next: BTreeSet<(i64, i64)> =
                moves.iter().map(|&(residue, loss)| (loss, residue)).collect();
            while let Some((loss, residue)) = next.pop_first() {
                if least[residue as usize] != i64::MAX {
                    continue;
                }
                least[residue as usize] = loss;
                for (by, more) in moves.iter().copied().chain([(1, unused)]) {
                    next.insert((loss + more, (residue + by) % around));
                }
            }
            for (residue, &loss) in (0..).zip(&least) {
                assert!(loss < i64::MAX);
                let room = residue - around * random(3);
                assert!(tents.are_covered_by(loss, room, false), "{moves:?} {around}: {residue} at {loss}");
                bounds += 1;
                tight += u32::from(loss > 0 && !tents.are_covered_by(loss - 1, room, false));
            }
        }
        assert!(bounds > 100_000 && tight > 1_000, "{tight} of {bounds}");
    }
}
