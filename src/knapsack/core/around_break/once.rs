//! A bound on further losses from the room modulo the weight of the break item, with every item at most once.
//!
//! The tents of `residues.rs` take the item with the least loss per unit as often as they like. If the gap does not
//! cover going round, that is moving the residue x by more than a half of a, or by an item that moves it back, then the
//! flips that are left have residues u_i below a half that add up to x, less what stays unused. So they lose at least
//!
//! ```text
//! F(x) = min { sum l_i y_i : sum u_i y_i = x, 0 <= y_i <= 1 }
//! ```
//!
//! which takes items by rising l_i / u_i, as the linear bound of a knapsack does. And where an item weighs a + u, or a - u
//! if it is removed, a room of k a + x needs k items, so that x is at least the sum of the k least u.
//!
//! Worked instance: a = 100, items left with (u, l) = (3, 6), (4, 9) and (8, 20), a unit unused loses 4. For x = 5 the
//! tents have 5 * 2 = 10, and F = 6 + 2 * 9/4 = 10.5. A room of 205 has k = 2, and the two least residues are 7: no two
//! items fill it.

use crate::core::around_break::loser::{Loser, fraction, times};
use crate::core::around_break::sides::Turn;

/// The bound of the items that are left.
pub struct Once {
    /// Bits of a residue within an interval.
    shift: u32,
    /// For intervals of residues up to a half, F at the first of them and its slope there; the slope is 0 where F is
    /// not known.
    lines: Vec<(i64, i64)>,
    /// The least loss of an item that moves residues back.
    back: i64,
    /// The least loss per unit of one that does not.
    flat: i64,
    /// What going round loses.
    round: i128,
    /// The least sums of residues of so many items that are added, and removed; `None` if an item takes more than one
    /// turn.
    sums: Option<[Vec<i64>; 2]>,
}

impl Once {
    /// Of the items that are left, where a unit of unused room loses `unused`, and a residue below `around` has `shift`
    /// bits within an interval.
    pub fn of(losers: &[Loser], (around, shift): (i64, u32), unused: i64) -> Self {
        let half = around / 2;
        let forward = || losers.iter().filter(|loser| loser.residue < half);
        let backward = || losers.iter().filter(|loser| loser.residue >= half);
        let mut slopes: Vec<(i64, i64, i64)> = forward()
            .filter(|loser| loser.residue > 0)
            .map(|loser| (fraction(loser.loss, loser.residue), loser.residue, loser.loss))
            .collect();
        // No sum of residues below a half exceeds what may stay unused.
        slopes.push((fraction(unused, 1), around, unused.saturating_mul(around)));
        slopes.sort_unstable();
        let flat = slopes[0].0;
        let steep = backward().map(|loser| fraction(loser.loss, around - loser.residue)).min();
        Self {
            shift,
            lines: lines(&slopes, (around, shift)),
            back: backward().map(|loser| loser.loss).min().unwrap_or(i64::MAX),
            flat,
            round: times(flat.min(steep.unwrap_or(i64::MAX)), half),
            sums: forward().all(|loser| loser.turns(around) <= 1).then(|| {
                [Turn::After, Turn::Before].map(|turn| {
                    let counted = |loser: &&Loser| loser.turn == turn && loser.turns(around) == 1;
                    let mut residues: Vec<i64> =
                        forward().filter(counted).map(|loser| loser.residue).collect();
                    residues.sort_unstable();
                    let sums = residues.iter().scan(0, |sum, residue| {
                        *sum += residue;
                        Some(*sum)
                    });
                    [0].into_iter().chain(sums.take_while(|&sum| sum < half)).collect()
                })
            }),
        }
    }

    /// Whether the gap covers the losses that a state with a room of so many turns and this residue has yet to have.
    #[inline(always)]
    pub fn is_covered_by(&self, gap: i64, turns: i64, residue: i64) -> bool {
        let at = residue >> self.shift;
        let (loss, slope) = self.lines[at as usize];
        let goes = || i128::from(gap) >= self.round.min(i128::from(self.back) + times(self.flat, residue));
        let has_turns = || {
            self.sums.as_ref().is_none_or(|sums| {
                let sum = sums[usize::from(turns < 0)].get(turns.unsigned_abs() as usize);
                sum.is_some_and(|&sum| sum <= residue)
            })
        };
        let beyond = times(slope, residue - (at << self.shift));
        slope == 0 || (i128::from(loss) + beyond <= gap.into() && has_turns()) || goes()
    }
}

/// F at the first residue of every interval, and its slope there, of (slope, residue, loss) by rising slope. Items that
/// move further than twice the residue are left out of it.
fn lines(slopes: &[(i64, i64, i64)], (around, shift): (i64, u32)) -> Vec<(i64, i64)> {
    let mut lines = vec![(0, 0); (around >> shift) as usize + 1];
    let (mut bits, mut near) = (0, Vec::new());
    let (mut next, mut moved, mut lost) = (0, 0, 0);
    for (at, line) in (0..).zip(&mut lines) {
        let (first, last) = (at << shift, (at << shift) + (1 << shift) - 1);
        if last >= around / 2 {
            break;
        }
        if last >> bits > 0 {
            bits = i64::BITS - i64::leading_zeros(last);
            let is_near = |&&(_, residue, _): &&(i64, i64, i64)| residue >> bits == 0 || residue == around;
            near = slopes.iter().filter(is_near).collect();
            (next, moved, lost) = (0, 0, 0);
        }
        while let Some(&&(_, residue, loss)) = near.get(next)
            && moved + residue <= first
        {
            (moved, lost, next) = (moved + residue, lost + loss, next + 1);
        }
        if let Some(&&(slope, ..)) = near.get(next) {
            *line = (lost + times(slope, first - moved) as i64, slope);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::around_break::residues::Tents;
    use crate::core::items::Piece;

    #[test]
    fn no_items_fill_a_room_for_less_than_the_bounds_say() {
        let mut seed = 5u64;
        let mut random = |most: i64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % most as u64) as i64
        };
        let (mut bounds, mut tight, mut turned) = (0, 0, 0);
        for case in 0..400 {
            let around = [40, 600, 5000][case % 3] + random(50);
            let unused = 1 + random(9);
            // Near the break item, or anywhere, or of several turns.
            let spread = [9, around, 3 * around][case / 3 % 3];
            let losers: Vec<Loser> = (0..1 + random(9) as u32)
                .map(|item| {
                    let turn = if random(2) == 0 { Turn::After } else { Turn::Before };
                    let weight = (around + random(2 * spread + 1) - spread).max(1);
                    let taken = if turn == Turn::After { weight } else { -weight };
                    let (residue, loss) = (taken.rem_euclid(around), (weight - around).abs() + random(5));
                    Loser { piece: Piece { profit: 1, weight, count: 1, item }, turn, loss, residue }
                })
                .collect();
            let tents = Tents::of(&losers, around, unused, losers.len());
            for set in 1u32..1 << losers.len() {
                let chosen = || losers.iter().filter(|loser| set >> loser.piece.item & 1 == 1);
                let left = random(4);
                let taken =
                    |loser: &Loser| if loser.turn == Turn::After { 1 } else { -1 } * loser.piece.weight;
                let room = left + chosen().map(taken).sum::<i64>();
                let loss = left * unused + chosen().map(|loser| loser.loss).sum::<i64>();
                assert!(tents.are_covered_by(loss, room), "{case}: {set:b} of {around}");
                bounds += 1;
                tight += u32::from(!tents.are_covered_by(loss - 1, room));
                turned += u32::from(!tents.are_covered_by(loss, room + 9 * around));
            }
        }
        assert!(bounds > 20_000 && tight > 200 && turned > 400, "{tight} and {turned} of {bounds}");
    }
}
