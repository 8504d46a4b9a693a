//! Text of a file as messages show it: it is escaped before it reaches a terminal, and otherwise unchanged.

/// The text with control characters, line breaks and marks that reorder text replaced by escapes.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_control(c) || reorders_text(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// [`printable`], cut to a length fit for a message.
pub fn shortened(text: &str) -> String {
    const LENGTH: usize = 60;
    match text.char_indices().nth(LENGTH) {
        None => printable(text),
        Some((end, _)) => printable(&text[..end]) + "…",
    }
}

/// Control characters, separators that some programs break a line at, and the byte-order mark, which is invisible.
pub fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{FEFF}')
}

/// The bidirectional formatting characters of Unicode Standard Annex 9.
pub fn reorders_text(c: char) -> bool {
    matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The text without a leading byte-order mark, which some editors write.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}
