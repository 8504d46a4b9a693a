//! Reads the numbers of a certificate.

use super::failure::Wrong;
use crate::shared::limits::{Limits, Meter};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{ToPrimitive, Zero};
use std::io::Read;

/// Maximum bytes of a number: 64 kilobits exceed any hyperperiod of a task set that isx reads.
const MOST_BYTES: usize = 9400;

/// Bytes read at a time.
const BUFFER: usize = 1 << 18;

/// Reads the numbers of a certificate in sequence.
pub struct Numbers<'a> {
    source: Box<dyn Read + 'a>,
    buffer: Vec<u8>,
    /// The position of the next byte in the buffer.
    at: usize,
    /// The number of bytes read before the buffer.
    before: u64,
    /// The resource limits for reading and checking.
    pub meter: Meter,
}

impl<'a> Numbers<'a> {
    /// Starts at the beginning, without limits.
    pub fn new(source: impl Read + 'a) -> Self {
        Self::metered(source, Meter::new(Limits::NONE))
    }

    /// Starts at the beginning, with limits.
    pub fn metered(source: impl Read + 'a, meter: Meter) -> Self {
        Self { source: Box::new(source), buffer: Vec::new(), at: 0, before: 0, meter }
    }

    /// Bytes read.
    pub fn offset(&self) -> u64 {
        self.before + self.at as u64
    }

    /// Refills the buffer; returns whether there was more data.
    fn fill(&mut self) -> Result<bool, Wrong> {
        self.before += self.buffer.len() as u64;
        self.at = 0;
        self.buffer.clear();
        self.source.by_ref().take(BUFFER as u64).read_to_end(&mut self.buffer)?;
        Ok(!self.buffer.is_empty())
    }

    /// The next byte; `None` at the end.
    #[inline]
    fn byte(&mut self) -> Result<Option<u8>, Wrong> {
        if self.at == self.buffer.len() && !self.fill()? {
            return Ok(None);
        }
        self.at += 1;
        Ok(Some(self.buffer[self.at - 1]))
    }

    /// Reads this many bytes; the meter is charged for them. Fails if the file ends early.
    pub fn exactly(&mut self, length: usize, what: &'static str) -> Result<Vec<u8>, Wrong> {
        self.meter.hold(length as u64)?;
        let mut bytes = Vec::new();
        while bytes.len() < length {
            if self.at == self.buffer.len() && !self.fill()? {
                return Err(Wrong::Ends(what));
            }
            let end = self.buffer.len().min(self.at + length - bytes.len());
            bytes.reserve_exact(if bytes.is_empty() { length.min(BUFFER) } else { length - bytes.len() });
            bytes.extend_from_slice(&self.buffer[self.at..end]);
            self.at = end;
        }
        Ok(bytes)
    }

    /// Checks that the input ends here. Fails if more data follows.
    pub fn end(&mut self) -> Result<(), Wrong> {
        if self.byte()?.is_some() { Err(Wrong::Trailing) } else { Ok(()) }
    }

    /// Reads a number below 2^64. Fails if it is larger, not in the shortest form, or the file ends.
    #[inline]
    pub fn small(&mut self, what: &'static str) -> Result<u64, Wrong> {
        match self.buffer[self.at..] {
            [byte, ..] if byte < 128 => {
                self.at += 1;
                Ok(byte.into())
            }
            [first, last @ 1..128, ..] => {
                self.at += 2;
                Ok(u64::from(first & 127) | u64::from(last) << 7)
            }
            [first, second @ 128..=255, last @ 1..128, ..] => {
                self.at += 3;
                Ok(u64::from(first & 127) | u64::from(second & 127) << 7 | u64::from(last) << 14)
            }
            _ => self.several(what),
        }
    }

    /// Reads a number of several bytes, or at the end of the buffer.
    fn several(&mut self, what: &'static str) -> Result<u64, Wrong> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?.ok_or(Wrong::Ends(what))?;
            let part = u64::from(byte & 127);
            if shift == 63 && part > 1 {
                break;
            }
            value |= part << shift;
            if byte & 128 == 0 {
                if byte == 0 && shift > 0 {
                    return Err(Wrong::Number { what, problem: "not in the shortest form" });
                }
                return Ok(value);
            }
        }
        Err(Wrong::Number { what, problem: "beyond 64 bits" })
    }

    /// Reads a number of any size. Fails if it exceeds the size limit, is not in the shortest form, or the file ends.
    pub fn big(&mut self, what: &'static str) -> Result<BigUint, Wrong> {
        let mut digits = Vec::new();
        loop {
            let byte = self.byte()?.ok_or(Wrong::Ends(what))?;
            digits.push(byte & 127);
            if byte & 128 == 0 {
                if byte == 0 && digits.len() > 1 {
                    return Err(Wrong::Number { what, problem: "not in the shortest form" });
                }
                return BigUint::from_radix_le(&digits, 128)
                    .ok_or(Wrong::Number { what, problem: "no number" });
            }
            if digits.len() == MOST_BYTES {
                return Err(Wrong::Number { what, problem: "too long" });
            }
        }
    }

    /// Reads a number of at most `most`. Fails as [`Numbers::small`] does, and if it is larger.
    pub fn within(&mut self, most: usize, what: &'static str) -> Result<usize, Wrong> {
        let found = self.small(what)?;
        found.to_usize().filter(|&found| found <= most).ok_or_else(|| Wrong::TooLarge {
            what,
            found: found.to_string(),
            most: most.to_string(),
        })
    }

    /// Reads 0 or 1. Fails if it is neither 0 nor 1.
    pub fn flag(&mut self, what: &'static str) -> Result<bool, Wrong> {
        Ok(self.within(1, what)? == 1)
    }

    /// Reads a number above 0. Fails as [`Numbers::big`] does, and if it is 0.
    pub fn positive(&mut self, what: &'static str) -> Result<BigUint, Wrong> {
        let number = self.big(what)?;
        if number.is_zero() { Err(Wrong::Problem(format!("{what} is 0"))) } else { Ok(number) }
    }

    /// Reads a number of any sign and size. Fails as [`Numbers::big`] does, and for -0.
    pub fn signed(&mut self, what: &'static str) -> Result<BigInt, Wrong> {
        let doubled = self.big(what)?;
        let half: BigUint = &doubled >> 1u32;
        match (doubled.bit(0), half.is_zero()) {
            (false, _) => Ok(half.into()),
            (true, false) => Ok(BigInt::from_biguint(Sign::Minus, half)),
            (true, true) => Err(Wrong::Number { what, problem: "-0" }),
        }
    }

    /// Reads a number of any sign below 2^63, which is added to `before`. Fails as [`Numbers::small`] does, and if the
    /// sum is negative or too large.
    #[inline]
    pub fn after(&mut self, before: u64, what: &'static str) -> Result<u64, Wrong> {
        let doubled = self.small(what)?;
        if doubled == 1 {
            return Err(Wrong::Number { what, problem: "-0" });
        }
        let half = doubled >> 1;
        let sum = if doubled & 1 == 0 { before.checked_add(half) } else { before.checked_sub(half) };
        sum.ok_or(Wrong::Number { what, problem: "out of range" })
    }
}
