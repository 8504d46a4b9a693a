//! The items at the cells of a layer that tracebacks visit, and the cells of the previous layer that they lead to.
//!
//! All tracebacks run together: they visit at most as many cells of a layer as it has. Neighboring cells are
//! compared with what an item makes of the cells it reads, 64 at a time, item by item in canonical order, until each
//! cell has found its first matching item. Cells that one item explains are adjacent in the previous layer as well,
//! so the marks of up to 64 cells move there in two words.
//!
//! If a [`Tangent`] bounds the strip, only items are tried that are possible given the cells' distances to the
//! bound.
//!
//! [`Tangent`]: super::bound::Tangent

use super::bound::Tangent;
use super::row::{Cell, Narrow, STRIP, TILE};
use super::scratch::{Buffers, CellItem, Scratch, Step};
use super::strip::{LaneWidth, Strip, View, fill_bound, pack, pack_halo, pack_strip, price_items};
use crate::cell_picks::{BLOCK_WORDS, Writer};
use isx_machine::cpu::lanes::{Kernel, Lane, Lanes, Simd};
use std::mem::take;

/// Up to this many marked cells of a word are processed one by one.
const FEW: u32 = 4;
/// Cells in a word of marks.
const WORD: usize = 64;

/// Finds the items of a strip's marked cells.
pub struct Trace<'a, 'w, V> {
    /// The strip and its class.
    pub strip: Strip<'a, V>,
    /// The strip's cells in the new row.
    pub new: &'a [V],
    /// The strip's marks, one bit per cell.
    pub marks: &'a [u64],
    /// Receives the items.
    pub writer: &'a mut Writer<'w>,
    /// Receives the marks of the previous row.
    pub reached: Reached<'a>,
    /// Working memory.
    pub scratch: &'a mut Scratch,
}

/// Marks of some cells of the previous row.
pub struct Reached<'a> {
    /// One bit per cell.
    pub words: &'a mut [u64],
    /// The position of the first word among the row's marks.
    pub first: usize,
}

macro_rules! kernel {
    ($cell:ty, $middle:ty) => {
        impl Kernel for Trace<'_, '_, $cell> {
            type Output = ();

            #[inline(always)]
            fn run<S: Simd>(self, simd: S) {
                match self.strip.width {
                    LaneWidth::Own => native(simd, self),
                    LaneWidth::Bits16 => narrow::<S, $cell, i16>(simd, self),
                    LaneWidth::Bits32 => narrow::<S, $cell, $middle>(simd, self),
                }
            }
        }
    };
}
kernel!(i32, i16);
kernel!(i64, i32);

#[inline(always)]
fn native<S: Lanes<V>, V: Cell>(simd: S, job: Trace<'_, '_, V>) {
    let Trace { strip, new, marks, writer, reached, scratch } = job;
    let mut buffers = take(V::buffers(scratch));
    let Buffers { bound, steps, .. } = &mut buffers;
    let tangent = fill_bound(&strip, V::of(0), bound);
    let lanes = Lanewise { view: strip.native(), new, bound };
    Finder { strip, new, lanes, tangent, writer, reached, scratch }.run(simd, marks, steps);
    *V::buffers(scratch) = buffers;
}

#[inline(always)]
fn narrow<S: Lanes<N>, V: Cell, N: Narrow<V>>(simd: S, job: Trace<'_, '_, V>) {
    let Trace { strip, new, marks, writer, reached, scratch } = job;
    let mut buffers = take(N::buffers(scratch));
    let Buffers { window, bound, result, steps } = &mut buffers;
    let base = strip.base::<N>();
    pack_strip(&strip, base, window);
    pack_halo(&strip, base, window);
    result.resize(strip.len, N::LOWEST);
    pack(new, base, result);
    let tangent = fill_bound(&strip, base, bound);
    let lanes =
        Lanewise { view: View { cells: window, origin: strip.halo() }, new: &result[..strip.len], bound };
    Finder { strip, new, lanes, tangent, writer, reached, scratch }.run(simd, marks, steps);
    *N::buffers(scratch) = buffers;
}

/// A strip in the format of its lanes.
struct Lanewise<'a, N> {
    view: View<'a, N>,
    new: &'a [N],
    bound: &'a [N],
}

struct Finder<'a, 'b, 'w, V, N> {
    strip: Strip<'a, V>,
    new: &'a [V],
    lanes: Lanewise<'b, N>,
    tangent: Option<Tangent>,
    writer: &'b mut Writer<'w>,
    reached: Reached<'b>,
    scratch: &'b mut Scratch,
}

impl<V: Cell, N: Lane> Finder<'_, '_, '_, V, N> {
    #[inline(always)]
    fn run<S: Lanes<N>>(mut self, simd: S, marks: &[u64], steps: &mut Vec<Step<N>>) {
        let gaps = self.gaps(simd, marks);
        self.choose_items(gaps.iter().copied().max().unwrap_or(0), steps);
        let mut picked = [0u32; WORD];
        for (word, &marked) in marks.iter().enumerate() {
            if marked.count_ones() <= FEW {
                self.look_up(word, marked, &mut picked);
            } else {
                let left = self.compare(simd, word, marked, gaps[word], steps, &mut picked);
                self.look_up(word, left, &mut picked);
            }
            let count = close_ranks(&mut picked, marked);
            self.writer.push_all(&picked[..count]);
            if word % BLOCK_WORDS == BLOCK_WORDS - 1 {
                self.writer.end_block();
            }
        }
        self.writer.end_block();
    }

    /// For every word of marks, an upper bound on the distance of its marked cells to their bounds (other cells may
    /// be included).
    #[inline(always)]
    fn gaps<S: Lanes<N>>(&self, simd: S, marks: &[u64]) -> [i64; STRIP / WORD] {
        let mut gaps = [0; STRIP / WORD];
        if self.tangent.is_none() {
            return gaps;
        }
        for ((word, gap), &marked) in gaps.iter_mut().enumerate().zip(marks) {
            let cells = word * WORD;
            if marked.count_ones() <= FEW {
                let mut widest = 0;
                for_bits(marked, |bit| {
                    let (bound, new) = (self.lanes.bound[cells + bit], self.lanes.new[cells + bit]);
                    widest = widest.max(bound.minus(new).wide());
                });
                *gap = widest;
            } else {
                let mut widest = simd.splat(N::LOWEST);
                for at in (cells..cells + WORD).step_by(S::WIDTH) {
                    let bound = simd.load(&self.lanes.bound[at..]);
                    widest = simd.max(widest, simd.sub(bound, simd.load(&self.lanes.new[at..])));
                }
                *gap = simd.highest(widest).wide();
            }
            if *gap >= N::HIGHEST {
                *gap = i64::MAX;
            }
        }
        gaps
    }

    /// Prepares, in canonical order, the items that may explain a cell `gap` below its bound.
    #[inline(always)]
    fn choose_items(&mut self, gap: i64, steps: &mut Vec<Step<N>>) {
        let items = self.strip.items;
        let costs = &mut self.scratch.costs;
        match self.tangent {
            Some(tangent) if price_items(items, &tangent, costs) => {
                costs.retain_mut(|(cost, _)| {
                    *cost >>= tangent.shift;
                    *cost <= gap
                });
            }
            _ => {
                costs.clear();
                costs.extend((0..).zip(&items.all).map(|(at, _)| (0, at)));
            }
        }
        steps.clear();
        steps.extend(costs.iter().map(|&(_, at)| Step::of(&items.all[at as usize])));
    }

    /// Finds the items of a word's marked cells by comparing vectors; returns the cells for which none was found.
    #[inline(always)]
    fn compare<S: Lanes<N>>(
        &mut self,
        simd: S,
        word: usize,
        marked: u64,
        gap: i64,
        steps: &[Step<N>],
        picked: &mut [u32; WORD],
    ) -> u64 {
        let at = word * WORD;
        let cell = self.strip.start + at;
        let new = &self.lanes.new[at..at + WORD];
        let mut left = marked;
        for (step, &(cost, index)) in steps.iter().zip(&self.scratch.costs) {
            if cost > gap || step.back >= cell + WORD {
                continue;
            }
            let from = &self.lanes.view.cells[self.lanes.view.origin + at - step.back..][..WORD];
            let gain = simd.splat(step.gain);
            let mut found = 0;
            for vector in 0..WORD / S::WIDTH {
                let candidate = simd.add(simd.load(&from[vector * S::WIDTH..]), gain);
                found |= simd.equal(candidate, simd.load(&new[vector * S::WIDTH..])) << (vector * S::WIDTH);
            }
            found &= left;
            if found != 0 {
                pick(picked, found, index);
                self.reached.mark(found, cell, step.back);
                left &= !found;
                if left == 0 {
                    break;
                }
            }
        }
        left
    }

    /// Finds the items of marked cells one by one.
    #[inline(always)]
    fn look_up(&mut self, word: usize, marked: u64, picked: &mut [u32; WORD]) {
        let items = self.strip.items;
        for_bits(marked, |bit| {
            let at = word * WORD + bit;
            let new = self.new[at].wide();
            let explains = |item: &CellItem| {
                self.strip.start + at >= item.weight
                    && self.strip.old[TILE + self.strip.start + at - item.weight].wide() + item.value == new
            };
            let found = self.scratch.costs.iter().find(|&&(_, index)| explains(&items.all[index as usize]));
            // There always is one, since the cell is the maximum over the items.
            let index = found.map_or(items.zero, |&(_, index)| index);
            let weight = items.all[index as usize].weight;
            picked[bit] = index;
            self.reached.mark(1 << bit, self.strip.start + word * WORD, weight);
        });
    }
}

impl Reached<'_> {
    /// Marks the predecessors, `back` cells to the left, of the `marked` cells of the word at `cell`.
    #[inline(always)]
    fn mark(&mut self, marked: u64, cell: usize, back: usize) {
        // Cells left of cell 0 are never marked, so shifting them out loses nothing.
        let (marked, first) = match cell.checked_sub(back) {
            Some(first) => (marked, first),
            None => (marked >> (back - cell), 0),
        };
        let (word, bit) = (first / WORD - self.first, first % WORD);
        self.words[word] |= marked << bit;
        self.words[word + 1] |= (marked >> 1) >> (WORD - 1 - bit);
    }
}

/// Stores the item at the places whose bit is set.
#[inline(always)]
fn pick(picked: &mut [u32; WORD], found: u64, item: u32) {
    if found.count_ones() <= WORD as u32 / 8 {
        for_bits(found, |bit| picked[bit] = item);
    } else {
        // Without branches, so that the compiler vectorizes it.
        for (bit, picked) in picked.iter_mut().enumerate() {
            *picked = if found & (1 << bit) == 0 { *picked } else { item };
        }
    }
}

/// Moves the marked entries to the front; returns their number.
#[inline(always)]
fn close_ranks(picked: &mut [u32; WORD], marked: u64) -> usize {
    if marked != u64::MAX {
        let mut count = 0;
        for_bits(marked, |bit| {
            picked[count] = picked[bit];
            count += 1;
        });
    }
    marked.count_ones() as usize
}

/// Calls `each` with the position of every set bit, lowest first.
#[inline(always)]
fn for_bits(mut bits: u64, mut each: impl FnMut(usize)) {
    while bits != 0 {
        each(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}
