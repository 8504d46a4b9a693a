//! Lines of a text and the cells in them, each with its place.
//!
//! RFC 4180, but a quoted cell must end in its line.

use crate::figures::error;
use crate::{Found, Source};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// A cell: its text without quotes and surrounding white space, and its location.
#[derive(Clone)]
pub struct Cell<'t> {
    /// The text.
    pub text: Cow<'t, str>,
    /// Where it stands.
    pub place: Range<usize>,
}

/// The separator of a line: the most frequent one outside quotes.
pub fn separator_of(line: &str) -> char {
    let count = |separator: &char| {
        line.split('"').step_by(2).map(|part| part.matches(*separator).count()).sum::<usize>()
    };
    // On a tie the last wins: a line without separators is one cell in any case.
    [';', '\t', ','].into_iter().max_by_key(count).unwrap_or(',')
}

/// The first line that is neither empty nor a comment, with its offset and its separator.
pub fn head_line(text: &str) -> Option<(usize, &str, char)> {
    let mut filled = lines(text, 0).filter(|(_, line)| is_filled(line));
    let (start, line) = filled.next()?;
    let said = line.strip_prefix("sep=").and_then(|said| said.chars().next());
    match said.filter(|said| [';', '\t', ','].contains(said)) {
        Some(said) => filled.next().map(|(start, line)| (start, line, said)),
        None => Some((start, line, separator_of(line))),
    }
}

/// Whether a line is neither empty nor a comment.
pub fn is_filled(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with('#')
}

/// The lines from byte `from` on, without their line endings; LF, CR LF and CR end a line.
pub fn lines(text: &str, from: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut at = from;
    // The next LF at or behind `at`: most files have no other line ending, and one byte is found fast.
    let mut feed = None;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let feed = match feed.filter(|&feed| feed >= at) {
            Some(feed) => feed,
            None => *feed.insert(rest.find('\n').map_or(text.len(), |length| at + length)),
        };
        let length = rest[..feed - at].find('\r').unwrap_or(feed - at);
        let (start, line) = (at, &rest[..length]);
        at += length + if rest[length..].starts_with("\r\n") { 2 } else { 1 };
        Some((start, line))
    })
}

/// Splits a line into cells.
pub fn cells<'t>(
    source: &'t Arc<Source>,
    start: usize,
    line: &'t str,
    separator: char,
) -> Found<Vec<Cell<'t>>> {
    let mut cells = Vec::new();
    let mut at = 0;
    loop {
        let rest = &line[at..];
        let skipped = rest.len() - rest.trim_start_matches(' ').len();
        let (cell, length) = if rest[skipped..].starts_with('"') {
            quoted(source, start, line, at + skipped, separator)?
        } else {
            let length = rest.find(separator).unwrap_or(rest.len());
            let text = rest[..length].trim();
            let from = start + at + (rest.len() - rest.trim_start().len()).min(length);
            (Cell { text: Cow::Borrowed(text), place: from..from + text.len() }, length)
        };
        cells.push(cell);
        at += length;
        if at >= line.len() {
            return Ok(cells);
        }
        at += separator.len_utf8();
    }
}

/// The quoted cell that opens at `from`, and the number of bytes it takes from its leading white space on.
fn quoted<'t>(
    source: &'t Arc<Source>,
    start: usize,
    line: &'t str,
    from: usize,
    separator: char,
) -> Found<(Cell<'t>, usize)> {
    let skipped = line[..from].len() - line[..from].trim_end_matches(' ').len();
    let mut text = String::new();
    let mut at = from + 1;
    loop {
        let Some(length) = line.get(at..).and_then(|rest| rest.find('"')) else {
            let message = "a quoted cell does not end in its line";
            return Err(error(source, start + from..start + line.len(), message)
                .label("the quotes open here")
                .help("close them; a double quote inside them is written twice"));
        };
        text.push_str(&line[at..at + length]);
        at += length + 1;
        if !line[at..].starts_with('"') {
            break;
        }
        text.push('"');
        at += 1;
    }
    let rest = &line[at..];
    let gap = rest.find(separator).unwrap_or(rest.len());
    if !rest[..gap].trim().is_empty() {
        let place = start + at..start + at + gap;
        return Err(error(source, place, "text follows the quotes of a cell")
            .label("expected a separator")
            .help("a double quote inside quotes is written twice"));
    }
    let text = Cow::Owned(text.trim().to_owned());
    Ok((Cell { text, place: start + from..start + at }, at + gap + skipped - from))
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_end_in_any_of_three_ways() {
        let all: Vec<_> = lines("a\rb\r\nc\n\nd\r", 0).collect();
        assert_eq!(all, [(0, "a"), (2, "b"), (5, "c"), (7, ""), (8, "d")]);
        assert_eq!(lines("a\nb\r\r", 1).collect::<Vec<_>>(), [(1, ""), (2, "b"), (4, "")]);
    }
}
