//! The bound of a row's states: whether a state in a word of cells may still lead to the target.

use crate::core::cells::cell::{Held, is_reached, unpack};
use crate::core::states::goal::Aim;
use isx_machine::cpu::lanes::{Isa, Kernel, Simd};

/// Products below this can be added in 64 bits.
const MOST: i128 = 1 << 61;

/// A state passes if its profit and its room reach `after` if it has room, else `before`; its room is `room` minus
/// its weight and `price` per item.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The room of an empty state.
    pub room: i64,
    /// The cost of an item in addition to its weight.
    pub price: i64,
    /// With the slope of items that fill room.
    pub after: Aim<i64>,
    /// With the slope of items that free room.
    pub before: Aim<i64>,
}

impl Bound {
    pub fn holds(&self, held: Held) -> bool {
        let wide = i128::from;
        let room = wide(self.room) - wide(held.weight) - wide(self.price) * wide(held.count);
        let Aim { per, of, target, spare } = if room >= 0 { self.after } else { self.before };
        (wide(held.profit) - wide(target)) * wide(of) + (room - wide(spare)) * wide(per) >= 0
    }

    /// Whether 64 bits are enough for states whose weights, profits and counts have at most these absolute values.
    pub fn is_narrow(&self, most: Held) -> bool {
        let size = |number: i64| i128::from(number).abs();
        let room = size(self.room) + size(most.weight) + size(self.price) * size(most.count);
        [self.after, self.before].iter().all(|&Aim { per, of, target, spare }| {
            (room + size(spare)) * size(per) < MOST && (size(most.profit) + size(target)) * size(of) < MOST
        })
    }

    /// Whether a state in these cells passes, the first of which has weight `low`. The bound is narrow.
    pub fn any(self, isa: Isa, cells: &[i64], low: i64) -> bool {
        isa.run(Any { bound: self, cells, low })
    }
}

struct Any<'a> {
    bound: Bound,
    cells: &'a [i64],
    low: i64,
}

impl Kernel for Any<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> bool {
        let Bound { room, price, after, before } = self.bound;
        // The line for no profit, no items and no room.
        let line = |aim: Aim<i64>| (aim.per, aim.of, aim.target * aim.of + aim.spare * aim.per);
        let (after, before) = (line(after), line(before));
        let mut any = 0;
        let mut room = room.wrapping_sub(self.low);
        for &cell in self.cells {
            // Cells without a state are masked out, so their sums are irrelevant.
            let Held { profit, count, .. } = unpack(0, cell);
            let left = room.wrapping_sub(price.wrapping_mul(count));
            let (per, of, least) = if left >= 0 { after } else { before };
            let sum = profit.wrapping_mul(of).wrapping_add(left.wrapping_mul(per));
            any |= i64::from((sum >= least) & is_reached(cell));
            room = room.wrapping_sub(1);
        }
        any != 0
    }
}
