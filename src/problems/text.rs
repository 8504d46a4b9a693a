//! Numbers in the text formats of plain problems: words, decimals, and possible errors.
//!
//! Numbers are separated by any white space. All may be decimals: numbers of the same kind are scaled to integers by
//! the smallest sufficient power of ten, so nothing is rounded. A `#` and what follows it on its line are a comment; a
//! byte-order mark is skipped, and lines may end with CR LF.

use isx_exact::quantity::{QuantityError, Scaled, shortened, without_mark};
use num_bigint::BigInt;
use std::num::IntErrorKind;

/// Why a text is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum TextError {
    /// A number is invalid.
    #[error("line {line}, column {column}: `{text}` is not {wanted}")]
    Number {
        /// Line, 1-based.
        line: usize,
        /// Column in characters, 1-based.
        column: usize,
        /// The text as written, truncated.
        text: String,
        /// What was expected.
        wanted: &'static str,
    },
    /// The text ends prematurely.
    #[error("line {line}: the file ends where {wanted} is expected")]
    End {
        /// Its last line, 1-based.
        line: usize,
        /// What was expected.
        wanted: &'static str,
    },
    /// The numbers stand on lines as in no layout of the format.
    #[error("line {line}: {problem}")]
    Layout {
        /// Line, 1-based.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// Unexpected text follows the end.
    #[error("line {line}, column {column}: `{text}` stands after {last}")]
    Rest {
        /// Line, 1-based.
        line: usize,
        /// Column in characters, 1-based.
        column: usize,
        /// The text as written, truncated.
        text: String,
        /// What the text should end with.
        last: &'static str,
    },
    /// A number has more decimals than the format allows.
    #[error("line {line}, column {column}: `{text}` has more than {MAX_PLACES} decimals")]
    Decimals {
        /// Line, 1-based.
        line: usize,
        /// Column in characters, 1-based.
        column: usize,
        /// The text as written, truncated.
        text: String,
    },
    /// The weights do not fit 62 bits after scaling, or the values 120 bits.
    #[error(
        "the {what} are too large, or have too many digits: as multiples of their last decimal place they reach 2^{bits}"
    )]
    Range { what: &'static str, bits: u32 },
    #[error("there are more than {most} {what}, which is the maximum")]
    Many {
        /// "items".
        what: &'static str,
        /// The maximum number.
        most: u32,
    },
    /// A file of several problems, where one is expected.
    #[error("the file has {count} problems, and one is expected here")]
    Several {
        /// How many it has.
        count: usize,
    },
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
    let wrong = || TextError::Number { line: 0, column: 0, text: shortened(text), wanted: "a capacity" };
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
pub fn scaled(number: Scaled, places: u32, bits: u32) -> Option<i128> {
    let scaled = number.digits.checked_mul(10i128.checked_pow(places - number.places)?)?;
    (scaled.unsigned_abs() < 1 << bits).then_some(scaled)
}

/// The number as a weight, in units of 10^-`places`.
pub(super) fn scaled_weight(number: Scaled, places: u32) -> Option<u64> {
    u64::try_from(scaled(number, places, WEIGHT_BITS)?).ok()
}

/// The part of a line before its comment.
pub(super) fn without_comment(line: &str) -> &str {
    line.split_once('#').map_or(line, |(before, _)| before)
}

/// The lines that have words, by number, and how many each has.
pub(super) fn words_per_line(text: &str) -> Vec<(usize, u64)> {
    let widths =
        without_mark(text).lines().map(|line| without_comment(line).split_ascii_whitespace().count() as u64);
    (1..).zip(widths).filter(|(_, width)| *width > 0).collect()
}

/// Splits a text into words, and tracks the place of the last one.
#[derive(Clone)]
pub struct Words<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    words: std::str::SplitAsciiWhitespace<'a>,
    line: usize,
    /// The line of the last word, without its comment.
    around: &'a str,
    last: &'a str,
}

impl<'a> Words<'a> {
    /// The words of this text, without a byte-order mark and comments.
    pub fn new(text: &'a str) -> Self {
        let lines = without_mark(text).lines().enumerate();
        Self { lines, words: "".split_ascii_whitespace(), line: 0, around: "", last: "" }
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
            self.around = without_comment(line);
            self.words = self.around.split_ascii_whitespace();
        }
    }

    /// The next word; `wanted` is what is expected there.
    fn next_or(&mut self, wanted: &'static str) -> Result<&'a str, TextError> {
        self.next().ok_or(TextError::End { wanted, line: self.line.max(1) })
    }

    /// The line of the last word, 1-based.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// The next word, without moving past it.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// The line of the last word, from its first word to its last; the next word is on another line.
    pub(super) fn whole_line(&mut self) -> &'a str {
        self.words = "".split_ascii_whitespace();
        self.around.trim_ascii()
    }

    /// The line of the last word, without its comment.
    pub(super) fn around(&self) -> &'a str {
        self.around
    }

    /// The number of words that follow the last one on its line.
    pub(super) fn left_on_line(&self) -> usize {
        self.words.clone().count()
    }

    /// The column of the last word, 1-based.
    fn column(&self) -> usize {
        // The word is a part of its line.
        let before = (self.last.as_ptr() as usize).saturating_sub(self.around.as_ptr() as usize);
        self.around.get(..before).map_or(0, |before| before.chars().count()) + 1
    }

    /// The error for an unexpected last word.
    pub fn wrong(&self, wanted: &'static str) -> TextError {
        TextError::Number { line: self.line, column: self.column(), text: shortened(self.last), wanted }
    }

    /// Whether the line of the last word ends with it.
    pub(super) fn at_line_end(&self) -> bool {
        self.words.clone().next().is_none()
    }

    /// Checks that nothing follows `last`.
    pub fn end(&mut self, last: &'static str) -> Result<(), TextError> {
        match self.next() {
            Some(_) => Err(self.rest(last)),
            None => Ok(()),
        }
    }

    /// The error for a word after what should be the end of the text, `last`.
    pub(super) fn rest(&self, last: &'static str) -> TextError {
        TextError::Rest { line: self.line, column: self.column(), text: shortened(self.last), last }
    }

    /// A non-negative number.
    pub fn natural(
        &mut self,
        wanted: &'static str,
        negative: &'static str,
        range: &TextError,
    ) -> Result<Scaled, TextError> {
        let number = self.decimal(wanted, range)?;
        if number.digits < 0 { Err(self.wrong(negative)) } else { Ok(number) }
    }

    /// A number; `range` is the error for too many digits.
    pub fn decimal(&mut self, wanted: &'static str, range: &TextError) -> Result<Scaled, TextError> {
        let word = self.next_or(wanted)?;
        match Scaled::parse(word) {
            Ok(number) if number.places <= MAX_PLACES => Ok(number),
            Ok(_) => {
                Err(TextError::Decimals { line: self.line, column: self.column(), text: shortened(word) })
            }
            Err(QuantityError::TooWide(_)) => Err(range.clone()),
            Err(_) => Err(self.wrong(wanted)),
        }
    }

    /// A count; one beyond the machine's integers exceeds any real file.
    pub fn count(&mut self, wanted: &'static str) -> Result<usize, TextError> {
        let word = self.next_or(wanted)?;
        match word.parse() {
            Ok(count) => Ok(count),
            Err(error) if *error.kind() == IntErrorKind::PosOverflow => Ok(usize::MAX),
            Err(_) => Err(self.wrong(wanted)),
        }
    }

    /// A whole number that names something.
    pub(super) fn id(&mut self, wanted: &'static str) -> Result<u64, TextError> {
        let word = self.next_or(wanted)?;
        word.parse().map_err(|_| self.wrong(wanted))
    }

    /// The optimum that a file states; 0 stands for an unknown one.
    pub(super) fn stated(&mut self, range: &TextError) -> Result<Option<Scaled>, TextError> {
        let stated = self.decimal("the optimum of the problem (0 where it is unknown)", range)?;
        Ok(Some(stated).filter(|stated| stated.digits != 0))
    }
}

/// Whether a profit in units of 10^-`places` is the one stated.
pub fn is_stated(stated: Scaled, profit: &BigInt, places: u32) -> bool {
    let power = |places| BigInt::from(10).pow(places);
    profit * power(stated.places) == BigInt::from(stated.digits) * power(places)
}
