//! Finds the unclosed bracket or quote that causes a YAML error further down.
//!
//! A parser notices a missing `}` only where the text stops making sense, lines later. This module looks back from
//! there:
//!
//! ```text
//! - {name: a, wcet: 1      <- this brace is still open
//! - {name: b, wcet: 1}     <- where the parser gives up, at the dash
//! ```
//!
//! It handles only brackets, quotes and comments, and runs only after the parser has rejected the text, so a wrong
//! guess changes the reported location, never the verdict.

/// The offset of the bracket or quote that is open at `error` and never closed, if there is one; scanning begins at
/// `start`, outside of any bracket or quote.
pub fn unclosed(text: &str, start: usize, error: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut open: Vec<usize> = Vec::new();
    // The kind of the last character of this line that is not a space; at its start a line counts as the start of an
    // entry.
    let mut before = b',';
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        if at >= error && open.iter().all(|&opened| opened >= error) {
            return None;
        }
        let after_space = at == 0 || bytes[at - 1].is_ascii_whitespace();
        // Dashes and colons precede a value only if a space follows them.
        let value_begins = matches!(before, b',' | b'[' | b'{') || (after_space && b":-?".contains(&before));
        match byte {
            b'#' if after_space => at += line_length(&bytes[at..]),
            b'"' | b'\'' if value_begins => {
                let Some(length) = quoted_length(&bytes[at..]) else { return Some(at) };
                if (at..at + length).contains(&error) {
                    return Some(at);
                }
                at += length;
                before = byte;
                continue;
            }
            b'[' | b'{' if value_begins || !open.is_empty() => open.push(at),
            b']' | b'}' if !open.is_empty() => {
                let opened = open.pop()?;
                let matching = if bytes[opened] == b'[' { b']' } else { b'}' };
                if byte != matching {
                    return Some(opened);
                }
            }
            b'\n' | b'\r' if open.is_empty() => before = b',',
            _ => {}
        }
        match bytes.get(at) {
            Some(&byte) if !byte.is_ascii_whitespace() => before = byte,
            _ => {}
        }
        at += 1;
    }
    open.into_iter().rev().find(|&opened| opened < error)
}

/// The distance to the end of the line.
fn line_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| byte == b'\n' || byte == b'\r').unwrap_or(bytes.len())
}

/// The length of a quoted text including its quotes; `None` if it is unterminated.
fn quoted_length(bytes: &[u8]) -> Option<usize> {
    let (&quote, rest) = bytes.split_first()?;
    let mut at = 0;
    loop {
        match *rest.get(at)? {
            b'\\' if quote == b'"' => at += 2,
            b'\'' if quote == b'\'' && rest.get(at + 1) == Some(&b'\'') => at += 2,
            byte if byte == quote => return Some(at + 2),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unclosed;

    /// The text with the error marked by `!` and the expected location by `@`, both removed.
    #[track_caller]
    fn found(marked: &str) {
        let text = marked.replace(['@', '!'], "");
        let error = marked.replace('@', "").find('!').unwrap();
        assert_eq!(unclosed(&text, 0, error), marked.replace('!', "").find('@'), "{marked}");
    }

    #[test]
    fn what_is_open_at_the_error_is_found_and_nothing_where_all_is_closed() {
        found("t: [a, @{b: [1], c\nclock!: 1\n");
        found("- {a: don't, b: \"}\"}\n- @{c: 'it''s }', d\n- !{}\n");
        found("t: @[1 # ]\n# ]\nu!: 1\n");
        found("- {a: 1,\n   b: 1!: x}\n- {c\n");
        found("a: b [c: !d\n");
        found("a: it's !: x\n");
        found("a: {}\nb: c!: d\n");
        found("a: \"[\\\"\"\nb!: : c\n");
    }
}
