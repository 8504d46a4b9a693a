//! A state packed into a cell, so that one addition changes profit and count.

use isx_machine::cpu::lanes::Lane;

/// Bits of a cell that count items; the others contain the profit.
pub const COUNT_BITS: u32 = 22;

/// A state in the bound's format: weight, profit and items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    pub weight: i64,
    pub profit: i64,
    pub count: i64,
}

pub fn pack(profit: i64, count: i64) -> i64 {
    (profit << COUNT_BITS) + count
}

/// The state behind a cell.
#[inline(always)]
pub fn unpack(weight: i64, cell: i64) -> Held {
    let half = 1 << (COUNT_BITS - 1);
    let profit = cell.wrapping_add(half) >> COUNT_BITS;
    Held { weight, profit, count: cell.wrapping_sub(profit << COUNT_BITS) }
}

/// Whether the cell has a state.
#[inline(always)]
pub fn is_reached(cell: i64) -> bool {
    cell > i64::LOWEST / 2
}
