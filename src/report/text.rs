//! Text for terminals: escapes user-supplied names, cuts them to a width, adds separators to counts.

use isx_exact::quantity::{Rational, format_decimal};
use std::borrow::Borrow;
use std::io::{self, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The name with every character that is invisible, moves the cursor or reorders text written as `\u{..}`.
///
/// A task called `a\u{202e}b` would otherwise reverse the rest of its line, and the terminal would execute an escape
/// sequence.
///
/// ```
/// assert_eq!(isx_report::visible("a\u{202e}b\n"), "a\\u{202e}b\\u{a}");
/// ```
pub fn visible(name: &str) -> String {
    if name.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return name.to_owned();
    }
    let mut shown = String::with_capacity(name.len());
    for c in name.chars() {
        if is_hidden(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    shown
}

/// Whether a character is invisible, moves the cursor or reorders text.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // Bidirectional marks, embeddings, overrides and isolates.
            '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // Line and paragraph separators, zero-width characters, soft hyphen, byte-order mark, annotations.
            | '\u{2028}' | '\u{2029}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{00ad}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            // Not characters; XML 1.0 forbids the first two.
            | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}

/// Width of the text in terminal columns.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The text cut to `limit` columns, with an ellipsis as the last of them if something was cut.
pub fn cut(text: &str, limit: usize) -> String {
    if columns(text) <= limit {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = 0;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used >= limit {
            break;
        }
        kept.push(c);
    }
    if limit > 0 {
        kept.push('…');
    }
    kept
}

/// The words after a label, broken at spaces; later lines begin under the first word, or two columns in if the label
/// takes more than half of the width. A word wider than a line extends beyond it.
///
/// ```
/// assert_eq!(isx_report::wrapped("note: ", "not used by fir: mac", 18), "note: not used by\n      fir: mac");
/// ```
pub fn wrapped(label: &str, text: &str, width: usize) -> String {
    let indent = indent(label, width);
    let mut lines = label.to_owned();
    let mut used = columns(label);
    let mut at_start = true;
    for word in text.split(' ') {
        let needed = columns(word) + usize::from(!at_start);
        if used + needed > width && used > indent {
            // A label that ends its line needs no space after it.
            lines.truncate(lines.trim_end_matches(' ').len());
            lines.push('\n');
            lines.extend(std::iter::repeat_n(' ', indent));
            used = indent + columns(word);
        } else {
            if !at_start {
                lines.push(' ');
            }
            used += needed;
        }
        lines.push_str(word);
        at_start = false;
    }
    lines
}

/// Writes words after a label as [`wrapped`] does; a word wider than a line is cut.
pub fn write_fitting(label: &str, text: &str, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let room = width - indent(label, width);
    let words = joined(&mut text.split(' ').map(|word| cut(word, room)), " ");
    writeln!(out, "{}", wrapped(label, &words, width))
}

/// The indentation of the later lines of [`wrapped`].
fn indent(label: &str, width: usize) -> usize {
    match columns(label) {
        columns if columns > width / 2 => 2,
        columns => columns,
    }
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed<S: Borrow<str>>(names: &[S]) -> String {
    match names {
        [most @ .., last] if !most.is_empty() => format!("{} and {}", most.join(", "), last.borrow()),
        names => names.concat(),
    }
}

/// Pieces with something between them.
pub fn joined(pieces: &mut dyn Iterator<Item = String>, between: &str) -> String {
    let mut text = pieces.next().unwrap_or_default();
    for piece in pieces {
        text += between;
        text += &piece;
    }
    text
}

/// A number of things: `1 design`, `1,200 designs`.
pub fn counted(number: usize, thing: &str) -> String {
    format!("{} {thing}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A count with thousands separators.
pub fn count(number: usize) -> String {
    group(&number.to_string())
}

/// Digits with a comma before every group of three.
pub fn group(digits: &str) -> String {
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number with its unit, if it has one: `120 NAND2`.
pub fn with_unit(area: &Rational, unit: &str) -> String {
    let unit = visible(unit);
    format!("{}{}{unit}", format_decimal(area), if unit.is_empty() { "" } else { " " })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        assert_eq!(visible("aes \u{202e}x\u{1b}[31m"), "aes \\u{202e}x\\u{1b}[31m");
        assert_eq!(visible("Übung 日本 <b>"), "Übung 日本 <b>");
    }

    #[test]
    fn cutting_counts_columns_not_characters() {
        assert_eq!(cut("日本語", 6), "日本語");
        assert_eq!(cut("日本語", 5), "日本…");
        assert_eq!(cut("日本語", 4), "日…");
        assert_eq!(cut("abc", 0), "");
    }

    #[test]
    fn text_is_broken_at_spaces_and_nothing_is_lost() {
        let text = "one two  three four five";
        for width in 1..40 {
            for label in ["", "note: ", "a label of some length: "] {
                let broken = wrapped(label, text, width);
                let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
                assert_eq!(words(&broken), words(&format!("{label}{text}")), "{width}");
                for (at, line) in broken.lines().enumerate() {
                    assert!(columns(line) <= width || words(line).len() == 1 || at == 0, "{width}: {broken}");
                }
            }
        }
        assert_eq!(wrapped("Smallest: ", "300 NAND2", 16), "Smallest: 300\n  NAND2");
        assert_eq!(wrapped("Smallest: ", "300 NAND2", 12), "Smallest:\n  300 NAND2");
        assert_eq!(wrapped("", "", 16), "");
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!([count(0), count(999), count(1000), count(1_234_567)], ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([counted(1, "point"), counted(1000, "point")], ["1 point", "1,000 points"]);
    }
}
