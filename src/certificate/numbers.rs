//! Writes the numbers of a certificate, see [`isx_checker`].

use isx_checker::shared::cost::Cost;
use isx_exact::quantity::Rational;
use num_bigint::{BigInt, BigUint, Sign};
use std::io::{self, Write};

/// Bytes written at a time.
const BUFFER: usize = 1 << 16;

/// Writes numbers in sequence.
pub(super) struct Numbers<'a> {
    buffer: Vec<u8>,
    /// Where full buffers go.
    out: &'a mut dyn Write,
}

impl<'a> Numbers<'a> {
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { buffer: Vec::new(), out }
    }

    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() < BUFFER { Ok(()) } else { self.flush() }
    }

    /// Writes out the buffer.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    pub fn small(&mut self, number: u64) -> io::Result<()> {
        let (mut bytes, mut length, mut left) = ([0u8; 10], 0, number);
        loop {
            let part = (left & 127) as u8;
            left >>= 7;
            bytes[length] = if left > 0 { part | 128 } else { part };
            length += 1;
            if left == 0 {
                return self.bytes(&bytes[..length]);
            }
        }
    }

    pub fn count(&mut self, count: usize) -> io::Result<()> {
        self.small(count as u64)
    }

    pub fn big(&mut self, number: &BigUint) -> io::Result<()> {
        if let Ok(small) = u64::try_from(number) {
            return self.small(small);
        }
        let mut digits = number.to_radix_le(128);
        let last = digits.len() - 1;
        digits[..last].iter_mut().for_each(|digit| *digit |= 128);
        self.bytes(&digits)
    }

    pub fn cost(&mut self, cost: &impl Cost) -> io::Result<()> {
        match cost.to_u64() {
            Some(small) => self.small(small),
            None => self.big(&cost.clone().into()),
        }
    }

    pub fn signed(&mut self, number: &BigInt) -> io::Result<()> {
        let negative = u32::from(number.sign() == Sign::Minus);
        self.big(&(number.magnitude() * 2u32 + negative))
    }

    /// Numerator and denominator of a positive number.
    pub fn ratio(&mut self, ratio: &Rational) -> io::Result<()> {
        self.big(ratio.numer().magnitude())?;
        self.big(ratio.denom().magnitude())
    }

    pub fn amounts(&mut self, amounts: &[u64]) -> io::Result<()> {
        amounts.iter().try_for_each(|&amount| self.small(amount))
    }

    /// A number as the signed difference from the one before; both are below 2^62.
    pub fn after(&mut self, before: u64, number: u64) -> io::Result<()> {
        self.small(2 * number.abs_diff(before) + u64::from(number < before))
    }

    /// A cost as the signed difference from the one before.
    pub fn cost_after<C: Cost>(&mut self, before: &C, cost: &C) -> io::Result<()> {
        let doubled = |more: &C, less: &C| more.checked_sub(less).map(|change| change.plus(&change));
        match doubled(cost, before) {
            Some(doubled) => self.cost(&doubled),
            None => self.cost(&doubled(before, cost).unwrap_or_else(C::zero).plus(&C::one())),
        }
    }

    pub fn flag(&mut self, flag: bool) -> io::Result<()> {
        self.small(flag.into())
    }
}
