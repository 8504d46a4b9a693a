//! What a check may take: an input of a few kilobytes must not take a gigabyte, or minutes.
//!
//! Whatever grows with a certificate, or with the problem that it is about, asks the [`Meter`] before it grows. Memory is
//! counted in bytes, work in steps of about a nanosecond, both from above.

use crate::read::Wrong;
use num_bigint::BigUint;

/// What a check may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory at a time.
    pub memory: u64,
    /// Steps, of about a nanosecond each.
    pub steps: u64,
}

impl Limits {
    /// Whatever it takes.
    pub const NONE: Self = Self { memory: u64::MAX, steps: u64::MAX };
}

impl Default for Limits {
    /// 128 MiB, and 10^9 steps.
    fn default() -> Self {
        Self { memory: 128 << 20, steps: 1_000_000_000 }
    }
}

/// Counts what a check takes.
#[derive(Clone, Debug)]
pub struct Meter {
    limits: Limits,
    held: u64,
    steps: u64,
}

impl Meter {
    /// Nothing is taken yet.
    pub fn new(limits: Limits) -> Self {
        Self { limits, held: 0, steps: 0 }
    }

    /// So many more bytes are about to be held.
    ///
    /// # Errors
    ///
    /// If that is more than is allowed.
    #[inline]
    pub fn hold(&mut self, bytes: u64) -> Result<(), Wrong> {
        let held = self.held.saturating_add(bytes);
        if held > self.limits.memory {
            return Err(Wrong::Memory { needed: held, allowed: self.limits.memory });
        }
        self.held = held;
        Ok(())
    }

    /// So many bytes are held no more.
    pub fn release(&mut self, bytes: u64) {
        self.held = self.held.saturating_sub(bytes);
    }

    /// So many steps are about to be made.
    ///
    /// # Errors
    ///
    /// If there have been more than is allowed.
    #[inline]
    pub fn work(&mut self, steps: u64) -> Result<(), Wrong> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.limits.steps {
            return Err(Wrong::Steps { allowed: self.limits.steps });
        }
        Ok(())
    }
}

/// The machine words of a number.
pub(crate) fn words(number: &BigUint) -> u64 {
    number.bits() / 64 + 1
}

/// The product; what passes 64 bits passes every limit.
pub(crate) fn times(factors: &[u64]) -> u64 {
    factors.iter().fold(1, |product: u64, &factor| product.saturating_mul(factor))
}
