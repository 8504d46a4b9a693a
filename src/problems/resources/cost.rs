//! What labels are compared by last: whole numbers of 64, 128 or more bits, as wide as the problem needs.

use num_bigint::BigUint;
use std::fmt;

/// A cost, or the load of a mode. No sum reaches half of what the type holds.
pub trait Cost: Copy + Ord + Send + Sync + fmt::Debug + 'static {
    /// Nothing.
    const ZERO: Self;
    /// More than every sum.
    const MOST: Self;
    /// Bits of the type.
    const BITS: u64;
    /// Whether it saves time to compare the leading digits alone first.
    const WIDE: bool;
    /// The sum.
    fn plus(self, other: Self) -> Self;
    /// A number that fits.
    fn of(big: &BigUint) -> Self;
    /// The same number.
    fn big(self) -> BigUint;
    /// The leading 64 bits: never greater for a smaller cost. The sum of the leading bits of two costs is at most that of
    /// their sum.
    fn rough(self) -> u64;
}

impl Cost for u64 {
    const ZERO: Self = 0;
    const MOST: Self = Self::MAX;
    const BITS: u64 = 64;
    const WIDE: bool = false;
    #[inline]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    fn of(big: &BigUint) -> Self {
        big.iter_u64_digits().next().unwrap_or(0)
    }
    fn big(self) -> BigUint {
        self.into()
    }
    #[inline]
    fn rough(self) -> u64 {
        self
    }
}

impl Cost for u128 {
    const ZERO: Self = 0;
    const MOST: Self = Self::MAX;
    const BITS: u64 = 128;
    const WIDE: bool = false;
    #[inline]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    fn of(big: &BigUint) -> Self {
        big.iter_u64_digits().take(2).zip([0, 64]).fold(0, |all, (digit, at)| all | Self::from(digit) << at)
    }
    fn big(self) -> BigUint {
        self.into()
    }
    #[inline]
    fn rough(self) -> u64 {
        (self >> 64) as u64
    }
}

/// A number of 64-bit digits, the most significant first, so that the derived order is that of numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Wide<const N: usize>([u64; N]);

impl<const N: usize> Cost for Wide<N> {
    const ZERO: Self = Self([0; N]);
    const MOST: Self = Self([u64::MAX; N]);
    const BITS: u64 = 64 * N as u64;
    const WIDE: bool = true;
    #[inline]
    fn plus(self, other: Self) -> Self {
        let (mut sum, mut carry) = ([0; N], false);
        for at in (0..N).rev() {
            let (digit, over) = self.0[at].overflowing_add(other.0[at]);
            let (digit, again) = digit.overflowing_add(carry.into());
            sum[at] = digit;
            carry = over | again;
        }
        Self(sum)
    }
    fn of(big: &BigUint) -> Self {
        let mut digits = [0; N];
        digits.iter_mut().rev().zip(big.iter_u64_digits()).for_each(|(own, digit)| *own = digit);
        Self(digits)
    }
    fn big(self) -> BigUint {
        let bytes: Vec<u8> = self.0.iter().flat_map(|digit| digit.to_be_bytes()).collect();
        BigUint::from_bytes_be(&bytes)
    }
    #[inline]
    fn rough(self) -> u64 {
        self.0[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adds<C: Cost>(bits: u64) {
        let all = (BigUint::from(1u8) << bits) - 1u8;
        let third = &all / 3u8;
        let sum = C::of(&all).plus(C::of(&third));
        assert_eq!(sum.big(), &all + &third);
        assert!(C::of(&third) < C::of(&all) && C::of(&all) < C::MOST && C::of(&third).rough() <= sum.rough());
        assert_eq!(C::of(&BigUint::ZERO), C::ZERO);
    }

    #[test]
    fn sums_of_every_width_are_exact_and_in_order() {
        adds::<u64>(62);
        adds::<u128>(126);
        adds::<Wide<4>>(254);
        adds::<Wide<20>>(1278);
    }
}
