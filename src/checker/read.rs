//! Numbers of a certificate, and what can be wrong with one.

use crate::limits::{Limits, Meter};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::io::Read;

/// Bytes that a number may have: 64 kilobits are more than any hyperperiod of a task set that isx reads.
const MOST_BYTES: usize = 9400;

/// What is wrong with a certificate, and where.
#[derive(Debug, thiserror::Error)]
#[error("byte {offset}: {wrong}")]
pub struct Failure {
    /// How far the certificate was read.
    pub offset: u64,
    /// What is wrong.
    pub wrong: Wrong,
}

/// What is wrong with a certificate.
#[derive(Debug, thiserror::Error)]
pub enum Wrong {
    /// It cannot be read.
    #[error("{0}")]
    Read(#[from] std::io::Error),
    /// It ends too early.
    #[error("the file ends in the middle of {0}")]
    Ends(&'static str),
    /// It is no certificate, or one of another version.
    #[error(
        "this is no certificate of isx, or one of another version: it does not begin with `isx certificate 1`"
    )]
    Magic,
    /// A number is not written as it has to be.
    #[error("{what} is {problem}")]
    Number {
        /// Which.
        what: &'static str,
        /// Why not.
        problem: &'static str,
    },
    /// A number is out of its range.
    #[error("{what} is {found}, at most {most} is possible")]
    TooLarge {
        /// Which.
        what: &'static str,
        /// The number.
        found: String,
        /// The largest there can be.
        most: String,
    },
    /// There is more after the end.
    #[error("something follows after the end of the proof")]
    Trailing,
    /// The certificate is about another problem.
    #[error(
        "the certificate is about another input: the SHA-256 of its problem is {found}, of the input's {expected}"
    )]
    OtherInput {
        /// Of the certificate.
        found: String,
        /// Of the input.
        expected: String,
    },
    /// The problem contradicts itself.
    #[error("the problem is none: {0}")]
    Problem(String),
    /// A point or a selection does not exist.
    #[error("point {point}: {problem}")]
    Point {
        /// Its number, from 0.
        point: usize,
        /// Why not.
        problem: String,
    },
    /// The lists are not lists.
    #[error("list {list}: {problem}")]
    List {
        /// Its number, from 1.
        list: usize,
        /// Why not.
        problem: String,
    },
    /// A step of the proof does not hold.
    #[error("list {list} lacks what option {option} of class {class} makes of area {area} and cost {cost}")]
    NotCovered {
        /// Its number, from 1.
        list: usize,
        /// The class, from 0 as in the problem.
        class: usize,
        /// The option; 0 is none.
        option: u32,
        /// The pair of the list before.
        area: u64,
        /// The pair of the list before.
        cost: String,
    },
    /// The last list has a pair that no point explains.
    #[error("area {area} may allow cost {cost}, and no point of the claim has so little")]
    BeyondClaim {
        /// The pair.
        area: u64,
        /// The pair.
        cost: String,
    },
    /// What is claimed to lose too much does not.
    #[error("class {class}: option {option} does not lose enough to be left out")]
    NotBounded {
        /// The class.
        class: usize,
        /// The option.
        option: u32,
    },
    /// A verdict does not hold.
    #[error("{0}")]
    Verdict(String),
    /// It takes more memory than is allowed.
    #[error("to go on, the check needs {needed} bytes of memory, more than the {allowed} that are allowed")]
    Memory {
        /// What it has come to, in bytes.
        needed: u64,
        /// What is allowed, in bytes.
        allowed: u64,
    },
    /// It takes more steps than are allowed.
    #[error("the check takes more than the {allowed} steps that are allowed")]
    Steps {
        /// What is allowed.
        allowed: u64,
    },
}

/// Bytes read at a time.
const BUFFER: usize = 1 << 18;

/// Reads the numbers of a certificate one after another.
pub struct Numbers<R: Read> {
    source: R,
    buffer: Vec<u8>,
    /// Where in the buffer the next byte is.
    at: usize,
    /// How many bytes before the buffer were read.
    before: u64,
    /// What reading and checking may take.
    pub meter: Meter,
}

impl<R: Read> Numbers<R> {
    /// From the beginning, without limits.
    pub fn new(source: R) -> Self {
        Self::metered(source, Meter::new(Limits::NONE))
    }

    /// From the beginning.
    pub fn metered(source: R, meter: Meter) -> Self {
        Self { source, buffer: Vec::new(), at: 0, before: 0, meter }
    }

    /// Bytes read.
    pub fn offset(&self) -> u64 {
        self.before + self.at as u64
    }

    /// Reads more; whether there was any.
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

    /// So many bytes, which are held from then on.
    ///
    /// # Errors
    ///
    /// If the file ends before.
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

    /// Nothing may follow.
    ///
    /// # Errors
    ///
    /// If something does.
    pub fn end(&mut self) -> Result<(), Wrong> {
        if self.byte()?.is_some() { Err(Wrong::Trailing) } else { Ok(()) }
    }

    /// A number below 2^64.
    ///
    /// # Errors
    ///
    /// If it is larger, not in the shortest form, or the file ends.
    #[inline]
    pub fn small(&mut self, what: &'static str) -> Result<u64, Wrong> {
        match self.buffer.get(self.at) {
            Some(&byte) if byte < 128 => {
                self.at += 1;
                Ok(byte.into())
            }
            _ => self.several(what),
        }
    }

    /// A number of several bytes, or at the end of the buffer.
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

    /// A number of any size.
    ///
    /// # Errors
    ///
    /// If it is beyond reason, not in the shortest form, or the file ends.
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

    /// A number of at most `most`.
    ///
    /// # Errors
    ///
    /// As [`Numbers::small`], and if it is larger.
    pub fn within(&mut self, most: usize, what: &'static str) -> Result<usize, Wrong> {
        let found = self.small(what)?;
        found.to_usize().filter(|&found| found <= most).ok_or_else(|| Wrong::TooLarge {
            what,
            found: found.to_string(),
            most: most.to_string(),
        })
    }

    /// 0 or 1.
    ///
    /// # Errors
    ///
    /// If it is neither.
    pub fn flag(&mut self, what: &'static str) -> Result<bool, Wrong> {
        Ok(self.within(1, what)? == 1)
    }
}
