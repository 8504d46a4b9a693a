//! The text format of multiple-choice knapsack problems.
//!
//! ```text
//! m C                 number of classes, capacity
//! n                   then for each class: number of items,
//! value weight        and a line an item
//! ```
//!
//! Numbers are separated by any white space. Values may be negative; weights and the capacity may not. All may be
//! decimals: they are scaled to integers by the power of ten that makes them whole, so nothing is rounded.

use super::{Choice, Item, Mckp};

/// A problem in integers and the scale of its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MckpText {
    /// The problem, values times 10^`value_places`, weights and capacity times 10^`weight_places`.
    pub problem: Mckp<i128>,
    /// Decimals of the values.
    pub value_places: u32,
    /// Decimals of the weights.
    pub weight_places: u32,
}

/// Why a text is no problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MckpTextError {
    /// A number is wrong.
    #[error("line {line}: `{text}` is not {wanted}")]
    Number {
        /// Line, from 1.
        line: usize,
        /// The text as written, cut.
        text: String,
        /// What was wanted there.
        wanted: &'static str,
    },
    /// The text ends too early.
    #[error("the file ends where {wanted} should stand")]
    End {
        /// What was wanted there.
        wanted: &'static str,
    },
    /// Something follows the last item.
    #[error("line {line}: `{text}` stands after the last item of the last class")]
    Rest {
        /// Line, from 1.
        line: usize,
        /// The text as written, cut.
        text: String,
    },
    /// The weights are too fine or too large for 62 bits, or the values for 120.
    #[error("the {what} span too many digits: scaled to whole numbers they pass 2^{bits}")]
    Range {
        /// "weights" or "values".
        what: &'static str,
        /// The limit.
        bits: u32,
    },
}

/// A decimal: `digits / 10^places`.
#[derive(Clone, Copy)]
struct Decimal {
    digits: i128,
    places: u32,
}

/// More decimals than this are refused.
const MAX_PLACES: u32 = 18;

/// Scaled weights stay below 2^62, scaled values below 2^120.
const WEIGHT_BITS: u32 = 62;
const VALUE_BITS: u32 = 120;

/// Reads a problem, with exactly-one or optional choice.
///
/// # Errors
///
/// [`MckpTextError`], with the line.
///
/// ```
/// use isx::problem::mckp::{Choice, text::parse};
/// let text = "2 12\n3\n3 2\n2 2\n9 6\n2\n1 4\n5 8\n";
/// let problem = parse(text, Choice::ExactlyOne).unwrap().problem;
/// assert_eq!((problem.classes.len(), problem.capacity), (2, 12));
/// ```
pub fn parse(text: &str, choice: Choice) -> Result<MckpText, MckpTextError> {
    let mut words = Words::new(text);
    let classes = words.count("the number of classes")?;
    let capacity = words.decimal("the capacity")?;
    if capacity.digits < 0 {
        return Err(words.wrong("a capacity (it may not be negative)"));
    }
    // A count is only believed as far as the text goes: it may be any number.
    let mut raw: Vec<Vec<(Decimal, Decimal)>> = Vec::with_capacity(classes.min(text.len()));
    let (mut value_places, mut weight_places) = (0, capacity.places);
    for _ in 0..classes {
        let count = words.count("the number of items of a class")?;
        let mut items = Vec::with_capacity(count.min(text.len()));
        for _ in 0..count {
            let value = words.decimal("the value of an item")?;
            let weight = words.decimal("the weight of an item")?;
            if weight.digits < 0 {
                return Err(words.wrong("a weight (it may not be negative)"));
            }
            value_places = value_places.max(value.places);
            weight_places = weight_places.max(weight.places);
            items.push((value, weight));
        }
        raw.push(items);
    }
    if let Some(text) = words.next() {
        return Err(MckpTextError::Rest { line: words.line, text: shorten(text) });
    }
    let item = |&(value, weight): &(Decimal, Decimal)| {
        Ok(Item { value: scaled_value(value, value_places)?, weight: scaled_weight(weight, weight_places)? })
    };
    let class = |items: &Vec<(Decimal, Decimal)>| items.iter().map(item).collect::<Result<Vec<_>, _>>();
    let classes = raw.iter().map(class).collect::<Result<Vec<_>, MckpTextError>>()?;
    let capacity = scaled_weight(capacity, weight_places)?;
    Ok(MckpText { problem: Mckp { classes, capacity, choice }, value_places, weight_places })
}

/// Reads a capacity given beside the file, in the file's scale; what is finer than the weights is cut off.
///
/// # Errors
///
/// [`MckpTextError::Number`] with line 0, or [`MckpTextError::Range`].
pub fn parse_capacity(text: &str, weight_places: u32) -> Result<u64, MckpTextError> {
    let wrong = || MckpTextError::Number { line: 0, text: shorten(text), wanted: "a capacity" };
    let capacity = decimal(text).filter(|capacity| capacity.digits >= 0).ok_or_else(wrong)?;
    match capacity.places.checked_sub(weight_places) {
        Some(finer) => scaled_weight(Decimal { digits: capacity.digits / 10i128.pow(finer), places: 0 }, 0),
        None => scaled_weight(capacity, weight_places),
    }
}

fn scaled(number: Decimal, places: u32, bits: u32) -> Option<i128> {
    let scaled = number.digits.checked_mul(10i128.pow(places - number.places))?;
    (scaled.unsigned_abs() < 1 << bits).then_some(scaled)
}

fn scaled_value(number: Decimal, places: u32) -> Result<i128, MckpTextError> {
    scaled(number, places, VALUE_BITS).ok_or(MckpTextError::Range { what: "values", bits: VALUE_BITS })
}

fn scaled_weight(number: Decimal, places: u32) -> Result<u64, MckpTextError> {
    let range = MckpTextError::Range { what: "weights", bits: WEIGHT_BITS };
    let scaled = scaled(number, places, WEIGHT_BITS).ok_or_else(|| range.clone())?;
    u64::try_from(scaled).map_err(|_| range)
}

fn shorten(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_default).collect()
}

/// `-12.50` as digits and places, trailing zeros dropped; `None` if it is no plain decimal of at most 36 digits.
fn decimal(text: &str) -> Option<Decimal> {
    // Nearly every number of a large file is a plain integer.
    if let Ok(digits) = text.parse::<i64>() {
        return Some(Decimal { digits: digits.into(), places: 0 });
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits_only = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let plain =
        !unsigned.starts_with('.') && digits_only(whole) && digits_only(fraction) && !whole.is_empty();
    let places = u32::try_from(fraction.len()).ok().filter(|&places| places <= MAX_PLACES)?;
    if !plain || whole.len() + fraction.len() > 36 {
        return None;
    }
    let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
    Some(Decimal { digits: if text.starts_with('-') { -digits } else { digits }, places })
}

/// The words of a text, with the line of the last one.
struct Words<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    words: std::str::SplitAsciiWhitespace<'a>,
    line: usize,
    last: &'a str,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        Self { lines: text.lines().enumerate(), words: "".split_ascii_whitespace(), line: 0, last: "" }
    }

    fn next(&mut self) -> Option<&'a str> {
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

    fn wrong(&self, wanted: &'static str) -> MckpTextError {
        MckpTextError::Number { line: self.line, text: shorten(self.last), wanted }
    }

    fn decimal(&mut self, wanted: &'static str) -> Result<Decimal, MckpTextError> {
        let word = self.next().ok_or(MckpTextError::End { wanted })?;
        decimal(word).ok_or_else(|| self.wrong(wanted))
    }

    fn count(&mut self, wanted: &'static str) -> Result<usize, MckpTextError> {
        let word = self.next().ok_or(MckpTextError::End { wanted })?;
        word.parse().map_err(|_| self.wrong(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_become_integers_of_one_scale() {
        let read = parse("1 2.5\n2\n-1.25 0.5\n3 2.500\n", Choice::Optional).unwrap();
        assert_eq!((read.value_places, read.weight_places), (2, 1));
        assert_eq!(read.problem.capacity, 25);
        let expected = [Item { value: -125, weight: 5 }, Item { value: 300, weight: 25 }];
        assert_eq!(read.problem.classes, [expected]);
        assert_eq!(parse_capacity("1.99", read.weight_places), Ok(19));
        assert_eq!(parse_capacity("3", read.weight_places), Ok(30));
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let message = |text| parse(text, Choice::ExactlyOne).unwrap_err().to_string();
        assert_eq!(message("2 x"), "line 1: `x` is not the capacity");
        assert_eq!(message("1 5\n1\n\n3 -2"), "line 4: `-2` is not a weight (it may not be negative)");
        assert_eq!(message("1 5\n2\n3 2\n"), "the file ends where the value of an item should stand");
        assert_eq!(message("1 5\n1\n3 2\n7"), "line 4: `7` stands after the last item of the last class");
        assert_eq!(message("1 5\n1\n1e3 2"), "line 3: `1e3` is not the value of an item");
        assert!(message("99999999999999 5\n").contains("ends where the number of items"));
        assert!(message("1 0.000000000000000001\n1\n1 9000000000\n").contains("2^62"));
        assert_eq!(message(""), "the file ends where the number of classes should stand");
    }
}
