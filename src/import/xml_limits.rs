//! Limits of an XML text, checked before parsing: no DTD, and no more depth, attributes or namespaces than task files
//! have. With more of them parsers take quadratic time or memory.

use std::sync::Arc;

use crate::figures::{Found, error};
use isx_taskset::Source;

/// The maximum nesting depth of elements.
pub(super) const MAX_DEPTH: usize = 100;

/// The maximum number of attributes per element.
pub(super) const MAX_ATTRIBUTES: usize = 200;

/// The maximum number of namespace declarations in a file.
pub(super) const MAX_NAMESPACES: usize = 50;

/// The maximum number of elements, texts and comments in a file.
pub(super) const MAX_NODES: u32 = 2_000_000;

/// A piece of markup.
struct Tag<'t> {
    at: usize,
    /// From `<` to `>`, or to the end of the text if unclosed.
    text: &'t str,
    /// The number of `=` outside quotes.
    attributes: usize,
}

/// The markup of a text; comments, CDATA and processing instructions are skipped.
fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        loop {
            let at = next + text.get(next..)?.find('<')?;
            let rest = &text[at..];
            let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
            let Some((open, close)) = skipped.into_iter().find(|(open, _)| rest.starts_with(open)) else {
                let (length, attributes) = extent(rest);
                next = at + length;
                return Some(Tag { at, text: &rest[..length], attributes });
            };
            next = at + open.len() + rest[open.len()..].find(close)? + close.len();
        }
    })
}

/// The length of a tag, up to its `>` outside quotes, and its number of `=`.
fn extent(tag: &str) -> (usize, usize) {
    let (mut quote, mut attributes) = (None, 0);
    for (at, byte) in tag.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'=') => attributes += 1,
            (None, b'>') => return (at + 1, attributes),
            (None, _) => {}
        }
    }
    (tag.len(), attributes)
}

/// Rejects a text that exceeds a limit.
pub(super) fn check(source: &Arc<Source>) -> Found<()> {
    let refuse = |tag: &Tag<'_>, message: String| error(source, tag.at..tag.at + tag.text.len(), message);
    let (mut depth, mut namespaces) = (0_usize, 0);
    for tag in tags(&source.text) {
        if tag.text.starts_with("<!") {
            let message = "the file has a DTD (`<!DOCTYPE ..>`), which may define entities without end";
            return Err(refuse(&tag, message.into())
                .label("not read")
                .help("files of tasks need none: remove it, with the entities it defines"));
        }
        if tag.attributes > MAX_ATTRIBUTES {
            return Err(refuse(&tag, format!("an element has more than {MAX_ATTRIBUTES} attributes")));
        }
        namespaces += tag.text.matches("xmlns").count();
        if namespaces > MAX_NAMESPACES {
            return Err(refuse(&tag, format!("the file names namespaces more than {MAX_NAMESPACES} times")));
        }
        if tag.text.starts_with("</") {
            depth = depth.saturating_sub(1);
        } else if !tag.text.ends_with("/>") {
            depth += 1;
            if depth > MAX_DEPTH {
                let message = format!("elements are nested more than {MAX_DEPTH} deep");
                return Err(refuse(&tag, message).label("one too many"));
            }
        }
    }
    Ok(())
}

/// The name of the root element without its prefix, if the text looks like XML.
pub(crate) fn root_name(text: &str) -> Option<&str> {
    if !text.starts_with('<') {
        return None;
    }
    let tag = tags(text).find(|tag| !tag.text.starts_with("<!"))?;
    let inside = tag.text.strip_prefix('<')?;
    let name = inside.split(|c: char| c.is_whitespace() || matches!(c, '/' | '>')).next()?;
    Some(name.rsplit(':').next().unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        let source = Arc::new(Source::decode("x.xml", text.as_bytes().to_vec()).unwrap());
        check(&source).map_or_else(|error| error.message().to_owned(), |()| String::new())
    }

    #[test]
    fn each_limit_holds_at_its_end() {
        let deep = |depth: usize| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
        assert_eq!(message(&deep(MAX_DEPTH)), "");
        assert_eq!(message(&deep(MAX_DEPTH + 1)), "elements are nested more than 100 deep");
        let wide = |count: usize| format!("<a{}/>", " b='='".repeat(count));
        assert_eq!(message(&wide(MAX_ATTRIBUTES)), "");
        assert_eq!(message(&wide(MAX_ATTRIBUTES + 1)), "an element has more than 200 attributes");
        let named = |count: usize| "<a xmlns='b'/>".repeat(count);
        assert_eq!(message(&named(MAX_NAMESPACES)), "");
        assert_eq!(message(&named(MAX_NAMESPACES + 1)), "the file names namespaces more than 50 times");
        assert!(message("<!DOCTYPE a><a/>").starts_with("the file has a DTD"));
        assert_eq!(message("<!-- <!DOCTYPE a> --><?x <!DOCTYPE a> ?><a><![CDATA[<!DOCTYPE a>]]></a>"), "");
    }

    #[test]
    fn the_root_is_found_behind_what_may_stand_before_it() {
        assert_eq!(root_name("<?xml version='1.0'?><!-- <x> --><am:Amalthea xmi:v='2'>"), Some("Amalthea"));
        assert_eq!(root_name("<taskset/>"), Some("taskset"));
        assert_eq!(root_name("<!-- "), None);
        assert_eq!(root_name("name,period"), None);
    }
}
