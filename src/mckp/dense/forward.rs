//! One layer of the dynamic program, strip by strip.
//!
//! A strip is computed in tiles of a few vectors that stay in registers while the items stream past. So an update
//! costs one load, one addition and one maximum per vector, and nothing is written until the tile is done.
//!
//! A strip uses 16-bit lanes if that is exact: as differences from a base, twice as many cells per load. Let `g` be
//! the strip's first cell in the previous row, `d` how much higher its last cell is there, `v` the class's largest
//! value. Every new cell lies within `g ..= g + d + v`. With the base `g + 2^15 - 1 - v` a cell that saturates at
//! the lower end would have to gain more than `v` to matter, and the upper end is not reached if `d + 2 v < 2^16 -
//! 2`. This is checked for every strip. (32-bit lanes for 64-bit cells: base `g`, `d + 2 v < 2^30`.)
//!
//! If a [`Tangent`] bounds the strip, items are tried cheapest first and a tile ends when none of the remaining ones
//! can raise any of its cells. A strip whose cells have all reached the bound is copied.

use super::bound::Tangent;
use super::row::{Cell, Narrow};
use super::scratch::{Buffers, Scratch, Step};
use super::strip::{Items, LaneWidth, Strip, View, fill_bound, pack_halo, pack_strip, price_items};
use isx_machine::cpu::lanes::{Kernel, Lane, Lanes, Simd};
use std::mem::take;

/// Vectors per tile.
const VECTORS: usize = 8;
/// Items between two checks of the bound.
const BATCH: usize = 8;
/// Items sorted at first; the others only if a tile needs them.
const FIRST: usize = 32;

/// Computes a strip of the next row; returns the number of candidates computed.
pub struct Forward<'a, V> {
    /// The strip and its class.
    pub strip: Strip<'a, V>,
    /// The strip's cells in the new row.
    pub out: &'a mut [V],
    /// Temporary buffers.
    pub scratch: &'a mut Scratch,
}

macro_rules! kernel {
    ($cell:ty, $middle:ty) => {
        impl Kernel for Forward<'_, $cell> {
            type Output = u64;

            #[inline(always)]
            fn run<S: Simd>(self, simd: S) -> u64 {
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
fn native<S: Lanes<V>, V: Cell>(simd: S, job: Forward<'_, V>) -> u64 {
    let Forward { strip, out, scratch } = job;
    let mut buffers = take(V::buffers(scratch));
    let Buffers { bound, steps, .. } = &mut buffers;
    let tangent = fill_bound(&strip, V::of(0), bound);
    let view = strip.native();
    let updates = if is_met(simd, tangent, bound, &view.cells[view.origin..][..strip.len]) {
        out.copy_from_slice(&view.cells[view.origin..][..strip.len]);
        0
    } else {
        let mut order = ItemOrder::new(strip.items, tangent, &mut scratch.costs, steps);
        relax(simd, view, bound, &mut order, out)
    };
    *V::buffers(scratch) = buffers;
    updates
}

#[inline(always)]
fn narrow<S: Lanes<N>, V: Cell, N: Narrow<V>>(simd: S, job: Forward<'_, V>) -> u64 {
    let Forward { strip, out, scratch } = job;
    let mut buffers = take(N::buffers(scratch));
    let Buffers { window, bound, result, steps } = &mut buffers;
    let base = strip.base::<N>();
    let halo = strip.halo();
    pack_strip(&strip, base, window);
    let tangent = fill_bound(&strip, base, bound);
    let updates = if is_met(simd, tangent, bound, &window[halo..]) {
        out.copy_from_slice(&strip.native().cells[strip.native().origin..][..strip.len]);
        0
    } else {
        pack_halo(&strip, base, window);
        result.resize(strip.len, N::LOWEST);
        let mut order = ItemOrder::new(strip.items, tangent, &mut scratch.costs, steps);
        let view = View { cells: window, origin: halo };
        let updates = relax(simd, view, bound, &mut order, &mut result[..]);
        for (out, &cell) in out.iter_mut().zip(&result[..]) {
            *out = cell.unpack(base);
        }
        updates
    };
    *N::buffers(scratch) = buffers;
    updates
}

/// Whether all cells have reached their bound, so that no item can raise any.
#[inline(always)]
fn is_met<S: Lanes<N>, N: Lane>(simd: S, tangent: Option<Tangent>, bound: &[N], cells: &[N]) -> bool {
    if tangent.is_none() {
        return false;
    }
    let mut widest = simd.splat(N::LOWEST);
    for first in (0..bound.len() / S::WIDTH).map(|vector| vector * S::WIDTH) {
        widest = simd.max(widest, simd.sub(simd.load(&bound[first..]), simd.load(&cells[first..])));
    }
    simd.highest(widest).wide() <= 0
}

/// The items in the order they are tried, sorted as far as needed.
struct ItemOrder<'a, N> {
    items: &'a Items,
    /// 2^f if there are costs, to compare them with.
    unit: Option<u32>,
    costs: &'a mut Vec<(i64, u32)>,
    steps: &'a mut Vec<Step<N>>,
}

impl<'a, N: Lane> ItemOrder<'a, N> {
    #[inline(always)]
    fn new(
        items: &'a Items,
        tangent: Option<Tangent>,
        costs: &'a mut Vec<(i64, u32)>,
        steps: &'a mut Vec<Step<N>>,
    ) -> Self {
        steps.clear();
        let unit = tangent.filter(|tangent| price_items(items, tangent, costs)).map(|tangent| tangent.shift);
        let mut order = Self { items, unit, costs, steps };
        if order.unit.is_some() {
            order.put_in_order(FIRST);
        } else {
            // Tiles start from the zero item.
            let steps = items.all.iter().filter(|item| item.weight > 0 || item.value > 0).map(Step::of);
            order.steps.extend(steps);
        }
        order
    }

    /// Sorts the cheapest `count` items to the front.
    fn put_in_order(&mut self, count: usize) {
        let ready = self.steps.len();
        let rest = &mut self.costs[ready..];
        let count = count.min(rest.len());
        if count < rest.len() {
            rest.select_nth_unstable(count);
        }
        rest[..count].sort_unstable();
        let step = |&(_, at): &(i64, u32)| Step::of(&self.items.all[at as usize]);
        self.steps.extend(rest[..count].iter().map(step));
    }

    /// The next items, after the first `done`, that may raise a cell `gap` below its bound.
    #[inline(always)]
    fn next(&mut self, done: usize, gap: i64) -> std::ops::Range<usize> {
        let Some(shift) = self.unit else { return done..self.steps.len() };
        // The cheapest of the unsorted items is in its correct place already.
        let Some(&(cost, _)) = self.costs.get(done) else { return done..done };
        if cost >> shift >= gap && gap < N::HIGHEST {
            return done..done;
        }
        if done == self.steps.len() {
            self.put_in_order(usize::MAX);
        }
        done..(done + BATCH).min(self.steps.len())
    }
}

/// Relaxes a strip's cells over all items, tile by tile; returns the number of candidates computed.
#[inline(always)]
fn relax<S: Lanes<N>, N: Lane>(
    simd: S,
    view: View<'_, N>,
    bound: &[N],
    order: &mut ItemOrder<'_, N>,
    result: &mut [N],
) -> u64 {
    let tile = VECTORS * S::WIDTH;
    let mut looked_at = 0;
    for (number, best) in result.chunks_exact_mut(tile).enumerate() {
        let at = number * tile;
        best.copy_from_slice(&view.cells[view.origin + at..][..tile]);
        let mut done = 0;
        loop {
            let gap = if order.unit.is_some() { widest_gap(simd, best, &bound[at..]) } else { i64::MAX };
            let batch = order.next(done, gap);
            if batch.is_empty() {
                break;
            }
            done = batch.end;
            stream(simd, &view.cells[..view.origin + at + tile], &order.steps[batch], best);
        }
        looked_at += (done * tile) as u64;
    }
    looked_at
}

/// Raises a tile's cells to what the items make of the previous row, given up to the tile's end. The tile is in
/// registers within this function only: if it lived on beyond it, across calls, the compiler would keep it in memory.
#[inline(always)]
fn stream<S: Lanes<N>, N: Lane>(simd: S, cells: &[N], steps: &[Step<N>], best: &mut [N]) {
    let mut raised: [S::Reg; VECTORS] = simd.load_all(best);
    let last = cells.len() - VECTORS * S::WIDTH;
    for step in steps {
        // An item that reads before the first cell reaches nothing of this tile, since a tile of unreachable cells precedes
        // the row.
        let Some(first) = last.checked_sub(step.back) else { continue };
        let from = &cells[first..][..VECTORS * S::WIDTH];
        let gain = simd.splat(step.gain);
        for (vector, cells) in raised.iter_mut().enumerate() {
            let candidate = simd.add(simd.load(&from[vector * S::WIDTH..]), gain);
            *cells = simd.max(*cells, candidate);
        }
    }
    for (vector, &raised) in raised.iter().enumerate() {
        simd.store(&mut best[vector * S::WIDTH..], raised);
    }
}

/// The largest distance of a cell to its bound.
#[inline(always)]
fn widest_gap<S: Lanes<N>, N: Lane>(simd: S, best: &[N], bound: &[N]) -> i64 {
    let mut widest = simd.splat(N::LOWEST);
    for first in (0..VECTORS).map(|vector| vector * S::WIDTH) {
        widest = simd.max(widest, simd.sub(simd.load(&bound[first..]), simd.load(&best[first..])));
    }
    simd.highest(widest).wide()
}
