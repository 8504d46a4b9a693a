//! Text fit for a screen: names of the user's made harmless, cut to a width, counts with separators.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The name with every character that is invisible, moves the cursor or reorders text written as `\u{..}`.
///
/// A task called `a\u{202e}b` would otherwise turn the rest of its line round, and an escape character would reach
/// the terminal as a command.
///
/// ```
/// assert_eq!(isx::report::visible("a\u{202e}b\n"), "a\\u{202e}b\\u{a}");
/// ```
#[must_use]
pub fn visible(name: &str) -> String {
    let mut shown = String::with_capacity(name.len());
    for c in name.chars() {
        if is_hidden(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    shown
}

fn is_hidden(c: char) -> bool {
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

/// Columns that the text takes in a terminal.
pub(super) fn columns(text: &str) -> usize {
    text.width()
}

/// The text cut to `limit` columns, the last of them an ellipsis where something was cut.
pub(super) fn cut(text: &str, limit: usize) -> String {
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

/// A count with a comma before every third digit.
pub(super) fn count(number: usize) -> String {
    group(&number.to_string())
}

/// Digits with a comma before every third.
pub(super) fn group(digits: &str) -> String {
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
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
    fn counts_are_grouped() {
        assert_eq!([count(0), count(999), count(1000), count(1_234_567)], ["0", "999", "1,000", "1,234,567"]);
    }
}
