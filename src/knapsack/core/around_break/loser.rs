//! An item that may be flipped, with its loss against the linear bound, and losses per unit of a size.

use crate::core::around_break::sides::Turn;
use crate::core::items::Piece;

/// Fraction bits of losses per unit of weight.
pub const FRACTION: u32 = 20;

/// An item that may be flipped, with its loss.
pub struct Loser {
    pub piece: Piece<i64>,
    pub turn: Turn,
    pub loss: i64,
    /// What a flip takes from the room, modulo the weight of the break item.
    pub residue: i64,
}

impl Loser {
    /// What the item lets the bound of a room's residue be at most.
    pub fn limit(&self, around: i64, residue: i64) -> i128 {
        if self.residue <= residue {
            times(fraction(self.loss, self.residue.max(1)), residue)
        } else {
            times(fraction(self.loss, around - self.residue), around - residue)
        }
    }

    /// How often a flip takes the weight of the break item from the room, or gives it back, beside the residue.
    pub fn turns(&self, around: i64) -> i64 {
        match self.turn {
            Turn::After => self.piece.weight / around,
            Turn::Before => (self.piece.weight + self.residue) / around,
        }
    }
}

#[cfg(test)]
impl Loser {
    /// An item of which only the loss and the residue matter.
    pub fn alone(loss: i64, residue: i64) -> Self {
        let piece = Piece { profit: 1, weight: 1, count: 1, item: 0 };
        Self { piece, turn: Turn::After, loss, residue }
    }
}

/// The loss per unit of a size, as a fraction.
pub fn fraction(loss: i64, size: i64) -> i64 {
    // Short divisions take a fraction of the time.
    if let Some(product) = loss.checked_mul(1 << FRACTION) {
        return product / size;
    }
    i64::try_from((i128::from(loss) << FRACTION) / i128::from(size)).unwrap_or(i64::MAX)
}

/// The integer part of a fraction times a size.
#[inline(always)]
pub fn times(fraction: i64, size: i64) -> i128 {
    (i128::from(fraction) * i128::from(size)) >> FRACTION
}

/// A number as a fraction.
pub fn whole(number: i64) -> i128 {
    i128::from(number) << FRACTION
}
