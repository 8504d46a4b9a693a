//! The bound of a row's states: whether one of a word of cells may still lead to the target.

use crate::core::cells::{Held, is_reached, unpack};
use crate::core::states::goal::Aim;
use isx_machine::cpu::lanes::{Isa, Kernel, Simd};

/// Products below this can be added in 64 bits.
const MOST: i128 = 1 << 61;

/// A state holds where its profit and its room reach `after` where it has room, else `before`; its room is `room` less
/// its weight and `price` an item.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// Room without any state.
    pub room: i64,
    /// What an item costs of it beside its weight.
    pub price: i64,
    /// At the slope of what fills room.
    pub after: Aim<i64>,
    /// Of what makes room.
    pub before: Aim<i64>,
}

impl Bound {
    pub fn holds(&self, held: Held) -> bool {
        let wide = i128::from;
        let room = wide(self.room) - wide(held.weight) - wide(self.price) * wide(held.count);
        let Aim { per, of, target, spare } = if room >= 0 { self.after } else { self.before };
        (wide(held.profit) - wide(target)) * wide(of) + (room - wide(spare)) * wide(per) >= 0
    }

    /// Whether all goes in 64 bits for states whose weights, profits and counts are at most these in size.
    pub fn is_narrow(&self, most: Held) -> bool {
        let size = |number: i64| i128::from(number).abs();
        let room = size(self.room) + size(most.weight) + size(self.price) * size(most.count);
        [self.after, self.before].iter().all(|&Aim { per, of, target, spare }| {
            (room + size(spare)) * size(per) < MOST && (size(most.profit) + size(target)) * size(of) < MOST
        })
    }

    /// Whether a state of these cells holds, the first of which has this weight. The bound is narrow.
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
        // What is to be reached where nothing is held and no room left.
        let line = |aim: Aim<i64>| (aim.per, aim.of, aim.target * aim.of + aim.spare * aim.per);
        let (after, before) = (line(after), line(before));
        let mut any = 0;
        let mut room = room.wrapping_sub(self.low);
        for &cell in self.cells {
            // What no state stands behind is counted out, so that its sums may be anything.
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
