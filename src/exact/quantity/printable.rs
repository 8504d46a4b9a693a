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

/// [`printable`], cut to a length fit for a message: at most 60 characters, escapes counted as they are shown.
pub fn shortened(text: &str) -> String {
    const LENGTH: usize = 60;
    let (mut shown, mut length) = (String::new(), 0);
    for c in text.chars() {
        let more = printable(c.encode_utf8(&mut [0; 4]));
        length += more.chars().count();
        if length > LENGTH {
            return shown + "…";
        }
        shown += &more;
    }
    shown
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_by_what_is_shown_and_never_within_an_escape() {
        let plain = "é".repeat(60);
        assert_eq!(shortened(&plain), plain);
        assert_eq!(shortened(&(plain.clone() + "x")), plain + "…");
        assert_eq!(shortened(&"\u{2068}".repeat(8)), "\\u{2068}".repeat(7) + "…");
    }
}
