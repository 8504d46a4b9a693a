//! A list of states as a row of cells, one per weight, for lists that have states at most weights anyway.
//!
//! If weights are small, the states of a core soon fill the range between the lightest and the heaviest of them.
//! Then a step is one pass over a row on vector units instead of a merge that processes each state separately. A
//! cell contains the greatest profit of its weight and the number of items behind it, packed so that one addition
//! changes both and the larger cell is the better state. Only the ends of the row are checked against the bound; one
//! bit per cell and step serves the traceback.

pub mod bound;
mod cell;

pub use cell::Held;

use bound::Bound;
use cell::{COUNT_BITS, is_reached, pack, unpack};
use isx_machine::cpu::lanes::{Isa, Kernel, Lane, Lanes, Simd};
use std::ops::Range;

const WORD: usize = 64;

/// Profits and counts whose sums are below these fit the cells.
pub const MOST_PROFIT: i128 = 1 << 38;
pub const MOST_ITEMS: i128 = 1 << (COUNT_BITS - 1);

pub struct Band {
    row: Vec<i64>,
    next: Vec<i64>,
    /// The cells of the row in use.
    span: Range<usize>,
    /// Weight of the first of them.
    low: i64,
    steps: Vec<Step>,
    words: usize,
    isa: Isa,
}

struct Step {
    change: i64,
    /// Weights between the first and the last cell that both parts reach.
    both: Range<i64>,
    /// One bit per cell that both reach: whether the part that starts lower was at least as good.
    lower: Vec<u64>,
}

impl Band {
    /// A row of the states, at least one, by rising weight; profits and counts are relative to some state's.
    pub fn of(states: impl Iterator<Item = Held>, cells: usize) -> Self {
        let mut band = Self {
            row: vec![i64::LOWEST; cells],
            next: Vec::new(),
            span: 0..cells,
            low: 0,
            steps: Vec::new(),
            words: 0,
            isa: Isa::best(),
        };
        for (at, state) in states.enumerate() {
            if at == 0 {
                band.low = state.weight;
            }
            band.row[(state.weight - band.low) as usize] = pack(state.profit, state.count);
        }
        band
    }

    pub fn len(&self) -> usize {
        self.span.len()
    }

    pub fn bytes(&self) -> u64 {
        (8 * (self.row.len() + self.next.len() + self.words)) as u64
    }

    /// Computes every state with and without a change of weight, profit and items.
    pub fn flip(&mut self, change: Held) {
        let Held { weight, profit, count } = change;
        let old = &self.row[self.span.clone()];
        let (len, reach) = (old.len(), weight.unsigned_abs() as usize);
        if self.next.len() < len + reach {
            self.next.resize(len + reach, i64::LOWEST);
        }
        let new = &mut self.next[..len + reach];
        let gain = pack(profit, count);
        // One part starts at the first cell, the other `reach` later; one of them is without the change.
        let gains = if weight > 0 { (0, gain) } else { (gain, 0) };
        let (alone, both) = (reach.min(len), len.saturating_sub(reach));
        add(&mut new[..alone], &old[..alone], gains.0);
        new[alone..reach].fill(i64::LOWEST);
        let mut lower = vec![0; both.div_ceil(WORD)];
        let pass = Pass { old, reach, gains, new: &mut new[reach..reach + both], lower: &mut lower };
        self.isa.run(pass);
        add(&mut new[reach + both..], &old[both..], gains.1);
        self.low += weight.min(0);
        let first = self.low + reach as i64;
        self.words += lower.len();
        self.steps.push(Step { change: weight, both: first..first + both as i64, lower });
        std::mem::swap(&mut self.row, &mut self.next);
        self.span = 0..len + reach;
    }

    /// Drops states from both ends until one passes, whole words of cells at a time if 64 bits are enough.
    pub fn trim(&mut self, bound: &Bound) {
        let (cells, low, isa) = (&self.row[self.span.clone()], self.low, self.isa);
        let most = Held {
            weight: low.abs().saturating_add(cells.len() as i64),
            profit: MOST_PROFIT as i64,
            count: MOST_ITEMS as i64,
        };
        let word = if bound.is_narrow(most) { WORD } else { usize::MAX };
        let keeps = |from: usize, to: usize| match to - from {
            1 => is_reached(cells[from]) && bound.holds(unpack(low + from as i64, cells[from])),
            _ => bound.any(isa, &cells[from..to], low + from as i64),
        };
        let (mut from, mut to) = (0, cells.len());
        while to - from >= word && !keeps(from, from + word) {
            from += word;
        }
        while to - from >= word && !keeps(to - word, to) {
            to -= word;
        }
        while from < to && !keeps(from, from + 1) {
            from += 1;
        }
        while to > from && !keeps(to - 1, to) {
            to -= 1;
        }
        self.span = self.span.start + from..self.span.start + to;
        self.low += from as i64;
    }

    /// The most profitable state of weight at most `capacity`, of several the lightest, if there is one.
    pub fn best(&self, capacity: i64) -> Option<Held> {
        let cells = &self.row[self.span.clone()];
        let within = usize::try_from(capacity - self.low + 1).unwrap_or(0).min(cells.len());
        let cells = &cells[..within];
        let most = self.isa.run(Most { cells });
        // Cells of equal profit differ in their numbers of items.
        let least = pack(unpack(0, most).profit, -(1 << (COUNT_BITS - 1)));
        let at = is_reached(most).then(|| cells.iter().position(|&cell| cell >= least))??;
        Some(unpack(self.low + at as i64, cells[at]))
    }

    /// The most profitable state of each weight or less, from the lightest on: the best base for one more change.
    pub fn best_within(&self) -> BestWithin {
        let mut most = i64::LOWEST;
        let rising = self.row[self.span.clone()].iter().map(|&cell| {
            most = most.max(cell);
            most
        });
        BestWithin { low: self.low, cells: rising.collect() }
    }

    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The steps whose change is in the state of this weight after the first `steps` of them, last first, and the
    /// weight of the initial state.
    pub fn trace(&self, mut weight: i64, steps: usize) -> (Vec<usize>, i64) {
        let mut flipped = Vec::new();
        for (number, step) in self.steps[..steps].iter().enumerate().rev() {
            let lower = weight < step.both.start
                || step.both.contains(&weight) && {
                    let at = (weight - step.both.start) as usize;
                    step.lower[at / WORD] >> (at % WORD) & 1 == 1
                };
            // The lower part is the one without the change if the change adds weight.
            if lower != (step.change > 0) {
                flipped.push(number);
                weight -= step.change;
            }
        }
        (flipped, weight)
    }
}

/// The best state of every weight or less.
pub struct BestWithin {
    low: i64,
    cells: Vec<i64>,
}

impl BestWithin {
    /// The profit of the best within that weight.
    pub fn profit(&self, weight: i64) -> Option<i64> {
        let at = usize::try_from(weight - self.low).ok()?.min(self.cells.len().checked_sub(1)?);
        is_reached(self.cells[at]).then(|| unpack(0, self.cells[at]).profit)
    }
}

fn add(new: &mut [i64], old: &[i64], gain: i64) {
    new.iter_mut().zip(old).for_each(|(new, old)| *new = old.wrapping_add(gain));
}

/// The cells that both parts reach.
struct Pass<'a> {
    old: &'a [i64],
    reach: usize,
    gains: (i64, i64),
    new: &'a mut [i64],
    lower: &'a mut [u64],
}

impl Kernel for Pass<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        pass(simd, self);
    }
}

#[inline(always)]
fn pass<S: Lanes<i64>>(simd: S, pass: Pass) {
    let Pass { old, reach, gains, new, lower } = pass;
    let (lows, highs) = (&old[reach.min(old.len())..], &old[..new.len()]);
    let (low_gain, high_gain) = (simd.splat(gains.0), simd.splat(gains.1));
    let whole = new.len() / WORD * WORD;
    for (at, word) in lower[..whole / WORD].iter_mut().enumerate() {
        let cells = at * WORD..(at + 1) * WORD;
        let (low, high) = (&lows[cells.clone()], &highs[cells.clone()]);
        let new = &mut new[cells];
        let mut bits = 0;
        for lane in (0..WORD).step_by(S::WIDTH) {
            let low = simd.add(simd.load(&low[lane..]), low_gain);
            let high = simd.add(simd.load(&high[lane..]), high_gain);
            let most = simd.max(low, high);
            bits |= simd.equal(most, low) << lane;
            simd.store(&mut new[lane..], most);
        }
        *word = bits;
    }
    for at in whole..new.len() {
        let (low, high) = (lows[at] + gains.0, highs[at] + gains.1);
        new[at] = low.max(high);
        lower[at / WORD] |= u64::from(low >= high) << (at % WORD);
    }
}

struct Most<'a> {
    cells: &'a [i64],
}

impl Kernel for Most<'_> {
    type Output = i64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i64 {
        most(simd, self.cells)
    }
}

#[inline(always)]
fn most<S: Lanes<i64>>(simd: S, cells: &[i64]) -> i64 {
    let (whole, rest) = cells.split_at(cells.len() / WORD * WORD);
    let rest = rest.iter().copied().max().unwrap_or(i64::LOWEST);
    let mut most = simd.splat(i64::LOWEST);
    for vector in 0..whole.len() / S::WIDTH {
        most = simd.max(most, simd.load(&whole[vector * S::WIDTH..]));
    }
    let mut cells = [i64::LOWEST; WORD];
    simd.store(&mut cells, most);
    cells.into_iter().max().unwrap_or(i64::LOWEST).max(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::states::goal::Aim;

    fn random(seed: &mut u64, most: u64) -> u64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % most
    }

    #[test]
    fn trimming_keeps_what_holds_and_all_between() {
        let mut seed = 9;
        for (price, wide) in [(0, 0), (7, 0), (-1, 0), (7, 1 << 50)] {
            for _ in 0..100 {
                let mut band = Band::of(std::iter::once(Held { weight: 0, profit: 0, count: 0 }), 1);
                for _ in 0..10 {
                    let weight = 1 + random(&mut seed, 60) as i64;
                    band.flip(Held { weight, profit: 1 + random(&mut seed, 90) as i64, count: 1 });
                }
                let (room, target) = (random(&mut seed, 300) as i64, random(&mut seed, 500) as i64);
                // A common factor only changes the width of the products.
                let spare = random(&mut seed, 3) as i64;
                let aim = |slope: i64| {
                    let (per, of) = (slope + slope * wide, 1 + wide);
                    Aim { per, of, target, spare }
                };
                let bound = Bound { room, price, after: aim(2), before: aim(3) };
                let holds = |held: Held| {
                    let room = room - held.weight - price * held.count;
                    held.profit - target + if room >= 0 { 2 } else { 3 } * (room - spare) >= 0
                };
                let all = || {
                    (0..=600).filter_map(|weight| {
                        let cell = *band
                            .row
                            .get(band.span.clone())?
                            .get(usize::try_from(weight - band.low).ok()?)?;
                        is_reached(cell).then(|| unpack(weight, cell))
                    })
                };
                let kept: Vec<Held> = all().filter(|&held| holds(held)).collect();
                let (first, last) = (kept.first().copied(), kept.last().copied());
                band.trim(&bound);
                assert_eq!(band.len() as i64, first.zip(last).map_or(0, |(a, b)| b.weight - a.weight + 1));
                assert!(first.is_none_or(|first| first.weight == band.low));
            }
        }
    }
}
