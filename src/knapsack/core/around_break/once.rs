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
//! if it is removed, a room of k a + x needs k items more that are added than that are removed, all with their own u and
//! l ([`Turns`]). Filling x with one item is cheapest where profits are a concave function of the weight, and bounds of
//! what it costs leave states that can only be filled by many; the bound by turns drops those.
//!
//! Worked instance: a = 100, items left with (u, l) = (3, 6), (4, 9) and (8, 20), a unit unused loses 4. For x = 5 the
//! tents have 5 * 2 = 10, and F = 6 + 2 * 9/4 = 10.5. A room of 205 has k = 2, and of two
//! items one has a residue of at most 2: no two items fill it. One of 212 has x = 12; all lose at least 2 per unit, and
//! the items beside the largest 6 - 3 * 2 = 0 and 9 - 4 * 2 = 1, so that two lose at least 12 * 2 + 0 = 24.

use crate::core::around_break::loser::{FRACTION, Loser, fraction, times, whole};
use crate::core::around_break::sides::Turn;
use std::cell::OnceCell;
use std::iter;

/// No more flips of a side are counted.
const MOST: usize = 32;

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
    /// What a state must flip for its turns; `None` if an item takes more than one turn.
    turns: Option<Turns>,
}

impl Once {
    /// Of the items that are left, where a unit of unused room loses `unused`, and a residue below `around` has `shift`
    /// bits within an interval; `up` has the least loss per unit up to the end of an interval.
    pub fn of(losers: &[Loser], (around, shift): (i64, u32), unused: i64, up: &[i64]) -> Self {
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
            turns: forward()
                .all(|loser| loser.turns(around) <= 1)
                .then(|| Turns::of(forward(), (around, shift), up)),
        }
    }

    /// Whether the gap covers the losses that a state with a room of so many turns and this residue has yet to have, if
    /// it flips `twice` or more, or once or more.
    #[inline(always)]
    pub fn is_covered_by(&self, gap: i64, turns: i64, residue: i64, twice: bool) -> bool {
        let at = residue >> self.shift;
        let (loss, slope) = self.lines[at as usize];
        let goes = || i128::from(gap) >= self.round.min(i128::from(self.back) + times(self.flat, residue));
        let has_turns =
            || self.turns.as_ref().is_none_or(|has| has.are_covered_by(gap, turns, residue, twice));
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

/// What is added and removed at least for the turns of a state, if every item takes one or none.
///
/// Of a room k a + x, k are the turns: so many items more are added than removed. If m > 1 flips are needed, all but one of
/// them have at most half of x, and the largest at most x less the least u. With s the least loss per unit up to there,
/// no l_i - s u_i is negative, so that the flips lose at least s x and the sum of the least m - 1 of these.
struct Turns {
    shift: u32,
    /// Residues, losses and numbers of equal items that may be added, and removed, by rising residue.
    sides: [Vec<(i64, i64, usize)>; 2],
    /// Whether every item takes a turn.
    is_each: bool,
    /// The least residue.
    least: i64,
    /// The least loss per unit up to the end of an interval.
    up: Vec<i64>,
    /// For intervals of residues, what is lost beside s per unit; made when it is needed.
    beside: Vec<OnceCell<Beside>>,
}

/// The slope s, and the sums of so many least l_i - s u_i of the items that may be added, and removed.
struct Beside {
    slope: i64,
    sums: [Vec<i64>; 2],
}

impl Turns {
    fn of<'a>(
        losers: impl Iterator<Item = &'a Loser> + Clone,
        (around, shift): (i64, u32),
        up: &[i64],
    ) -> Self {
        let sides = [Turn::After, Turn::Before].map(|turn| {
            let counted = |loser: &&Loser| loser.turn == turn && loser.turns(around) == 1;
            let mut side: Vec<(i64, i64)> =
                losers.clone().filter(counted).map(|loser| (loser.residue, loser.loss)).collect();
            side.sort_unstable();
            side.chunk_by(|a, b| a == b).map(|equal| (equal[0].0, equal[0].1, equal.len())).collect()
        });
        Self {
            shift,
            sides,
            is_each: losers.clone().all(|loser| loser.turns(around) == 1),
            least: losers.clone().map(|loser| loser.residue).min().unwrap_or(0),
            up: up.to_vec(),
            beside: (0..=around >> shift).map(|_| OnceCell::new()).collect(),
        }
    }

    /// How many items a state with so many turns adds and removes at least, if it flips `twice` or more, or once or more.
    fn flips(&self, turns: i64, twice: bool) -> [usize; 2] {
        let both = match turns {
            0 => 1,
            -1 | 1 => usize::from(twice),
            _ => 0,
        };
        let both = if self.is_each { both } else { 0 };
        [turns.max(0) as usize + both, turns.min(0).unsigned_abs() as usize + both]
    }

    #[inline(never)]
    fn are_covered_by(&self, gap: i64, turns: i64, residue: i64, twice: bool) -> bool {
        let flips = self.flips(turns, twice);
        if flips[0] + flips[1] < 2 {
            return true;
        }
        let Beside { slope, sums } = self.beside(residue >> self.shift);
        let sum = |side: usize, count: usize| {
            let sums = &sums[side];
            if count >= MOST { sums.last() } else { sums.get(count) }.copied().map(i128::from)
        };
        // Either side may have the largest.
        let without =
            |side: usize| Some(sum(side, flips[side].checked_sub(1)?)? + sum(1 - side, flips[1 - side])?);
        let least = without(0).into_iter().chain(without(1)).min();
        least.is_some_and(|least| least + times(*slope, residue) <= gap.into())
    }

    fn beside(&self, at: i64) -> &Beside {
        self.beside[at as usize].get_or_init(|| {
            let last = (at << self.shift) + (1 << self.shift) - 1;
            let slope = self.up[((last - self.least).max(0) >> self.shift) as usize];
            let sums = self.sides.each_ref().map(|side| {
                let small = &side[..side.partition_point(|&(residue, ..)| residue <= last / 2)];
                let more =
                    |residue, loss| (whole(loss) - i128::from(slope) * i128::from(residue)) >> FRACTION;
                let mut least: Vec<(i64, usize)> = small
                    .iter()
                    .map(|&(residue, loss, count)| (more(residue, loss).max(0) as i64, count))
                    .collect();
                if least.len() > MOST {
                    least.select_nth_unstable(MOST);
                    least.truncate(MOST);
                }
                least.sort_unstable();
                let each = least.into_iter().flat_map(|(more, count)| iter::repeat_n(more, count));
                let sums = each.take(MOST).scan(0, |sum: &mut i64, more| {
                    *sum = sum.saturating_add(more);
                    Some(*sum)
                });
                [0].into_iter().chain(sums).collect()
            });
            Beside { slope, sums }
        })
    }
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
        let (mut bounds, mut tight, mut turned, mut single) = (0, 0, 0, 0);
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
                assert!(tents.are_covered_by(loss, room, false), "{case}: {set:b} of {around}");
                let twice = tents.are_covered_by(loss, room, true);
                assert!(twice || set.count_ones() < 2, "{case}: {set:b} of {around}");
                single += u32::from(!twice);
                bounds += 1;
                tight += u32::from(!tents.are_covered_by(loss - 1, room, false));
                turned += u32::from(!tents.are_covered_by(loss, room + 9 * around, false));
            }
        }
        assert!(
            bounds > 20_000 && tight > 200 && turned > 400 && single > 100,
            "{tight}, {turned} and {single} of {bounds}"
        );
    }
}
