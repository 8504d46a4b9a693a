//! Values and weights in the scale of their file.

use super::fields::Fields;
use isx_exact::quantity::Scaled;
use isx_exact::quantity::{Rational, format_decimal};
use isx_problems::text::is_stated;
use num_bigint::BigInt;
use serde_json::json;
use std::fmt::{Display, Write};
use std::io;

/// A number that was multiplied by that power of ten.
pub(super) fn unscaled(number: &BigInt, places: u32) -> String {
    if places == 0 {
        return number.to_string();
    }
    format_decimal(&Rational::new(number.clone(), BigInt::from(10).pow(places)))
}

/// A weight as a number if JavaScript and jq read it exactly, else as a string.
///
/// They store numbers as doubles, which represent every integer up to 2^53 and reproduce every decimal of up to 15
/// digits.
pub(super) fn weight_json(weight: u64, places: u32) -> String {
    let text = unscaled(&weight.into(), places);
    let most = if text.contains('.') { 10_u64.pow(15) - 1 } else { 1 << 53 };
    let digits = text.replace('.', "").parse::<u64>();
    if digits.is_ok_and(|digits| digits <= most) { text } else { format!("\"{text}\"") }
}

/// The optimum that a file states, compared with the one found.
pub(super) struct Stated {
    stated: String,
    found: String,
    agrees: bool,
}

impl Stated {
    /// `value` was multiplied by 10^`places`.
    pub(super) fn of(stated: Scaled, value: &BigInt, places: u32) -> Self {
        Self {
            stated: unscaled(&stated.digits.into(), stated.places),
            found: unscaled(value, places),
            agrees: is_stated(stated, value, places),
        }
    }

    /// Writes the stated optimum, and whether it is the optimum found.
    pub(super) fn write_fields(&self, fields: &mut Fields<'_>) -> io::Result<()> {
        fields.put("stated_optimum", json!(self.stated))?;
        fields.put("agrees", self.agrees)
    }

    /// Prints the stated optimum, and whether it is the optimum found.
    pub(super) fn write_text(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let Self { stated, agrees, .. } = self;
        writeln!(out, "stated     {stated}, {}", if *agrees { "the same" } else { "which differs" })
    }

    /// How it differs from the optimum found, for the end of a line with that optimum; empty if they agree.
    pub(super) fn difference_in_line(&self) -> String {
        if self.agrees { String::new() } else { format!(", the file states {}", self.stated) }
    }

    /// How it differs from the optimum found, as a sentence without its full stop.
    pub(super) fn difference(&self) -> Option<String> {
        let Self { stated, found, agrees } = self;
        (!agrees).then(|| format!("the file states the optimum {stated}, but {found} was found"))
    }
}

/// Numbers with a separator between them.
pub(super) fn joined(numbers: impl Iterator<Item = impl Display>, between: &str) -> String {
    let mut text = String::new();
    for number in numbers {
        if !text.is_empty() {
            text.push_str(between);
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{number}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::weight_json;

    #[test]
    fn weights_are_numbers_only_where_every_reader_gets_them_right() {
        assert_eq!(weight_json(0, 0), "0");
        assert_eq!(weight_json(1 << 53, 0), "9007199254740992");
        assert_eq!(weight_json((1 << 53) + 1, 0), "\"9007199254740993\"");
        assert_eq!(weight_json(u64::MAX, 0), "\"18446744073709551615\"");
        assert_eq!(weight_json(125, 2), "1.25");
        assert_eq!(weight_json(999_999_999_999_999, 3), "999999999999.999");
        assert_eq!(weight_json(1_000_000_000_000_001, 3), "\"1000000000000.001\"");
        assert_eq!(weight_json(1_000_000_000_000_000, 3), "1000000000000");
        assert_eq!(weight_json(5, 18), "0.000000000000000005");
    }
}
