//! Numbers in the text formats of plain problems: words, decimals, and possible errors.
//!
//! Numbers are separated by any white space. All may be decimals: numbers of the same kind are scaled to integers by
//! the smallest sufficient power of ten, so nothing is rounded.

use isx_exact::quantity::{QuantityError, Scaled, shortened, without_mark};
use std::num::IntErrorKind;

/// Why a text is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum TextError {
    #[error("line {line}: `{text}` is not {wanted}")]
    Number { line: usize, text: String, wanted: &'static str },
    #[error("the file ends where {wanted} should stand")]
    End { wanted: &'static str },
    #[error("line {line}: `{text}` stands after {last}")]
    Rest { line: usize, text: String, last: &'static str },
    #[error("line {line}: `{text}` has more than {MAX_PLACES} decimals")]
    Decimals { line: usize, text: String },
    #[error("the {what} span too many digits: scaled to whole numbers they pass 2^{bits}")]
    Range { what: &'static str, bits: u32 },
    #[error("there are to be more than {most} {what}; no more can be numbered")]
    Many { what: &'static str, most: u32 },
}

/// The maximum number of decimals.
const MAX_PLACES: u32 = 18;

/// Scaled weights stay below 2^62.
const WEIGHT_BITS: u32 = 62;
/// Scaled values stay below 2^120.
pub(super) const VALUE_BITS: u32 = 120;
/// Weights out of range.
pub(super) const WEIGHTS: TextError = TextError::Range { what: "weights", bits: WEIGHT_BITS };
/// A capacity out of range.
pub(super) const CAPACITY: TextError =
    TextError::Range { what: "weights and the capacity", bits: WEIGHT_BITS };

/// The number of classes or items for which memory is reserved initially, regardless of the count in the file.
pub(super) const FIRST_ROOM: usize = 1 << 16;

/// Reads a capacity given outside the file, in the file's scale; further decimals than those of the weights are cut
/// off. Fails with [`TextError::Number`] with line 0, or [`TextError::Range`].
pub fn parse_capacity(text: &str, weight_places: u32) -> Result<u64, TextError> {
    let wrong = || TextError::Number { line: 0, text: shortened(text), wanted: "a capacity" };
    let capacity = match Scaled::parse(text) {
        Ok(capacity) if capacity.digits >= 0 => capacity,
        Err(QuantityError::TooWide(_)) => return Err(CAPACITY),
        _ => return Err(wrong()),
    };
    let whole = match capacity.places.checked_sub(weight_places) {
        // A power beyond 128 bits exceeds any possible digits.
        Some(finer) => {
            let digits = 10i128.checked_pow(finer).map_or(0, |power| capacity.digits / power);
            Scaled { digits, places: weight_places }
        }
        None => capacity,
    };
    scaled_weight(whole, weight_places).ok_or(CAPACITY)
}

/// The number in units of 10^-`places`, at least its own decimals, if it fits this many bits.
pub(super) fn scaled(number: Scaled, places: u32, bits: u32) -> Option<i128> {
    let scaled = number.digits.checked_mul(10i128.checked_pow(places - number.places)?)?;
    (scaled.unsigned_abs() < 1 << bits).then_some(scaled)
}

/// The number as a weight, in units of 10^-`places`.
pub(super) fn scaled_weight(number: Scaled, places: u32) -> Option<u64> {
    u64::try_from(scaled(number, places, WEIGHT_BITS)?).ok()
}

/// Splits a text into words, and tracks the line of the last one.
#[derive(Clone)]
pub(super) struct Words<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    words: std::str::SplitAsciiWhitespace<'a>,
    line: usize,
    last: &'a str,
}

impl<'a> Words<'a> {
    /// The words of this text, without a byte-order mark.
    pub(super) fn new(text: &'a str) -> Self {
        let text = without_mark(text);
        Self { lines: text.lines().enumerate(), words: "".split_ascii_whitespace(), line: 0, last: "" }
    }

    /// The next word.
    pub(super) fn next(&mut self) -> Option<&'a str> {
        loop {
            if let Some(word) = self.words.next() {
                self.last = word;
                return Some(word);
            }
            let (index, line) = self.lines.next()?;
            self.line = index + 1;
            self.words = line.split_ascii_whitespace();
        }
    }

    /// The error for an unexpected last word.
    pub(super) fn wrong(&self, wanted: &'static str) -> TextError {
        TextError::Number { line: self.line, text: shortened(self.last), wanted }
    }

    /// Whether the line of the last word ends with it.
    pub(super) fn at_line_end(&self) -> bool {
        self.words.clone().next().is_none()
    }

    /// Checks that nothing follows `last`.
    pub(super) fn end(&mut self, last: &'static str) -> Result<(), TextError> {
        match self.next() {
            Some(text) => Err(TextError::Rest { line: self.line, text: shortened(text), last }),
            None => Ok(()),
        }
    }

    /// A non-negative number.
    pub(super) fn natural(
        &mut self,
        wanted: &'static str,
        negative: &'static str,
        range: &TextError,
    ) -> Result<Scaled, TextError> {
        let number = self.decimal(wanted, range)?;
        if number.digits < 0 { Err(self.wrong(negative)) } else { Ok(number) }
    }

    /// A number; `range` is the error for too many digits.
    pub(super) fn decimal(&mut self, wanted: &'static str, range: &TextError) -> Result<Scaled, TextError> {
        let word = self.next().ok_or(TextError::End { wanted })?;
        match Scaled::parse(word) {
            Ok(number) if number.places <= MAX_PLACES => Ok(number),
            Ok(_) => Err(TextError::Decimals { line: self.line, text: shortened(word) }),
            Err(QuantityError::TooWide(_)) => Err(range.clone()),
            Err(_) => Err(self.wrong(wanted)),
        }
    }

    /// A count; one beyond the machine's integers exceeds any real file.
    pub(super) fn count(&mut self, wanted: &'static str) -> Result<usize, TextError> {
        let word = self.next().ok_or(TextError::End { wanted })?;
        match word.parse() {
            Ok(count) => Ok(count),
            Err(error) if *error.kind() == IntErrorKind::PosOverflow => Ok(usize::MAX),
            Err(_) => Err(self.wrong(wanted)),
        }
    }
}
