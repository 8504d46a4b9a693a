//! Decimal points and decimal commas: the figures of a table decide which of them it has, or the user does.
//!
//! Spreadsheets write numbers as their country does: `2.5` or `2,5`. One mark in a figure is a decimal mark, unless
//! three digits follow and at most three precede it, without a leading 0: `1.500` may be one and a half or fifteen
//! hundred. Such a figure is read only if another one shows the mark (`0.5`, `12.25`), and refused otherwise, since a
//! wrong guess is wrong by a factor of 1000. An exception are points in a table with commas between its cells: the
//! programs that write those have decimal points. Numbers with thousands separators are always refused.

use std::ops::Range;
use std::sync::Arc;

use super::figures::error;
use super::refusal::{Need, Refusal};
use isx_taskset::{Diagnostic, Source, shortened};

/// The character between the whole part of a number and its fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalMark {
    /// `2.5`
    Point,
    /// `2,5`
    Comma,
}

impl DecimalMark {
    /// The mark of this name, `point` or `comma`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "point" => Some(DecimalMark::Point),
            "comma" => Some(DecimalMark::Comma),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            DecimalMark::Point => "decimal point",
            DecimalMark::Comma => "decimal comma",
        }
    }

    fn of(c: char) -> Option<Self> {
        match c {
            '.' => Some(DecimalMark::Point),
            ',' => Some(DecimalMark::Comma),
            _ => None,
        }
    }
}

/// What the marks of one number say.
enum Marks {
    None,
    /// This is the decimal mark.
    Shows(DecimalMark),
    /// It is the decimal mark or separates thousands.
    Either(DecimalMark),
    /// Thousands are separated.
    Thousands,
}

/// The number at the beginning of a figure, before an exponent, a unit or the other part of a fraction, and the rest.
fn number_of(figure: &str) -> (&str, &str) {
    let unsigned = figure.trim_start_matches(['+', '-']);
    let end = unsigned.find(|c: char| !c.is_ascii_digit() && !is_separator(c)).unwrap_or(unsigned.len());
    let number = unsigned[..end].trim_end();
    (number, &unsigned[number.len()..])
}

fn marks(figure: &str) -> Marks {
    let (number, rest) = number_of(figure);
    let mut found = number.char_indices().filter(|&(_, c)| is_separator(c));
    let Some((at, c)) = found.next() else { return Marks::None };
    let Some(mark) = DecimalMark::of(c).filter(|_| found.next().is_none()) else { return Marks::Thousands };
    let (whole, fraction) = (&number[..at], &number[at + 1..]);
    let is_grouped = fraction.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0');
    // `1.500e3` is no grouping: a number with an exponent has no thousands separators.
    if is_grouped && !rest.starts_with(['e', 'E']) { Marks::Either(mark) } else { Marks::Shows(mark) }
}

/// Decimal marks, and what separates thousands in some country.
fn is_separator(c: char) -> bool {
    matches!(c, '.' | ',' | '\'' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}

/// The mark of a table with this separator between its cells, from its figures with their places; a figure whose mark
/// is ambiguous, or differs from that of the others, is refused.
pub(super) fn of_table<'t>(
    source: &Arc<Source>,
    separator: char,
    asked: Option<DecimalMark>,
    figures: impl Iterator<Item = (&'t str, Range<usize>)>,
) -> Result<DecimalMark, Refusal> {
    let mut shown: Option<(DecimalMark, Range<usize>)> = None;
    let mut either: Vec<(DecimalMark, String, Range<usize>)> = Vec::new();
    for (text, place) in figures {
        match marks(text) {
            Marks::None => {}
            Marks::Thousands => return Err(thousands(source, text, place).into()),
            Marks::Shows(mark) => match &shown {
                Some((first, at)) if *first != mark => {
                    return Err(mixed(source, text, place, *first, at).into());
                }
                Some(_) => {}
                None => shown = Some((mark, place)),
            },
            // Of each mark the first is enough: all have the same fate.
            Marks::Either(mark) if either.iter().all(|(other, ..)| *other != mark) => {
                either.push((mark, text.to_owned(), place));
            }
            Marks::Either(_) => {}
        }
    }
    if let (Some(asked), Some((mark, place))) = (asked, &shown)
        && asked != *mark
    {
        let message = format!("the figures have a {}, not a {}", mark.name(), asked.name());
        return Err(error(source, place.clone(), message).label("the first of them").into());
    }
    let usual = (separator == ',').then_some(DecimalMark::Point);
    let known = asked.or(shown.as_ref().map(|(mark, _)| *mark));
    for (mark, text, place) in &either {
        match (known.or(usual), &shown) {
            (Some(known), _) if known == *mark => {}
            (_, Some((first, at))) => return Err(mixed(source, text, place.clone(), *first, at).into()),
            _ if asked.is_some() => return Err(thousands(source, text, place.clone()).into()),
            _ => return Err(ambiguous(source, text, place.clone())),
        }
    }
    Ok(known.unwrap_or(DecimalMark::Point))
}

fn thousands(source: &Arc<Source>, text: &str, place: Range<usize>) -> Box<Diagnostic> {
    error(source, place, format!("`{}` has thousands separators", shortened(text)))
        .label("write the number without them")
        .help("in a spreadsheet, give the column the plain number format before it is saved as CSV")
}

fn mixed(
    source: &Arc<Source>,
    text: &str,
    place: Range<usize>,
    first: DecimalMark,
    at: &Range<usize>,
) -> Box<Diagnostic> {
    let message = format!("`{}` is mixed with figures that have a {}", shortened(text), first.name());
    error(source, place, message)
        .label(format!("expected a number with a {} and without thousands separators", first.name()))
        .also(at.clone(), "the first of them")
}

fn ambiguous(source: &Arc<Source>, text: &str, place: Range<usize>) -> Refusal {
    let number = number_of(text).0;
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let decimal = number.replace(',', ".");
    let decimal = decimal.trim_end_matches('0').trim_end_matches('.');
    let message =
        format!("`{number}` may be {decimal} or {digits}: no figure of the file shows its decimal mark");
    let refused = error(source, place, message)
        .label("a decimal mark, or a thousands separator?")
        .help("write one figure so that it is plain, such as 1.5 or 1,5, and none with thousands separators");
    Refusal::needs(Need::Decimal, refused)
}
