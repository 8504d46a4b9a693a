//! Resource limits of a check: an input of a few kilobytes must not take a gigabyte, or minutes.
//!
//! Everything that grows with a certificate or its problem is charged to the [`Meter`] first. Memory is counted in
//! bytes, work in steps of about a nanosecond; both counts are upper bounds.

use super::failure::Wrong;
use num_bigint::BigUint;

/// Limits of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum memory in bytes.
    pub memory: u64,
    /// Steps, of about a nanosecond each.
    pub steps: u64,
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self { memory: u64::MAX, steps: u64::MAX };
}

impl Default for Limits {
    /// 128 MiB, and 4 * 10^9 steps.
    fn default() -> Self {
        Self { memory: 128 << 20, steps: 4_000_000_000 }
    }
}

/// Counts the resources of a check.
#[derive(Clone, Debug)]
pub struct Meter {
    limits: Limits,
    held: u64,
    steps: u64,
}

impl Meter {
    /// A meter with nothing counted yet.
    pub fn new(limits: Limits) -> Self {
        Self { limits, held: 0, steps: 0 }
    }

    /// Charges bytes that are about to be allocated. Fails if the limit is exceeded.
    #[inline]
    pub fn hold(&mut self, bytes: u64) -> Result<(), Wrong> {
        let held = self.held.saturating_add(bytes);
        if held > self.limits.memory {
            return Err(Wrong::Memory { needed: held, allowed: self.limits.memory });
        }
        self.held = held;
        Ok(())
    }

    /// The bytes charged and not released yet.
    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    /// Records that bytes were freed.
    pub fn release(&mut self, bytes: u64) {
        self.held = self.held.saturating_sub(bytes);
    }

    /// Charges steps that are about to be made. Fails if the limit is exceeded.
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

/// The product, saturating; what exceeds 64 bits exceeds every limit.
pub(crate) fn times(factors: &[u64]) -> u64 {
    factors.iter().fold(1, |product: u64, &factor| product.saturating_mul(factor))
}
