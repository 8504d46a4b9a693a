//! Detects files of isx's own formats given in place of a task set: a front, a verdict, a solution.

use std::ops::Range;
use std::sync::Arc;

use super::tree::Node;
use crate::diagnostics::{Diagnostic, Found, Source, shortened};

/// Rejects a document whose first lines name one of isx's schemas, before a large front is parsed as YAML.
pub fn refuse_by_head(source: &Arc<Source>) -> Found<()> {
    match schema_in_head(&source.text) {
        Some(bytes) => Err(refusal(source, bytes)),
        None => Ok(()),
    }
}

/// Rejects a mapping with an entry `schema: isx...` at any position.
pub fn refuse_by_key(source: &Arc<Source>, root: &Node<'_>) -> Found<()> {
    match root.entry("schema") {
        Some(value) if value.text().is_some_and(|text| text.starts_with("isx.")) => {
            Err(refusal(source, value.bytes.clone()))
        }
        _ => Ok(()),
    }
}

/// The location of the value of `"schema"` in the first lines of a JSON document, if it is one of isx's.
fn schema_in_head(text: &str) -> Option<Range<usize>> {
    const HEAD: usize = 4096;
    if !text.trim_start().starts_with('{') {
        return None;
    }
    let key = text.find("\"schema\"").filter(|&at| at < HEAD)?;
    let after_key = text[key..].strip_prefix("\"schema\"")?.trim_start();
    let value = after_key.strip_prefix(':')?.trim_start();
    let length = value.strip_prefix("\"isx.")?.find('"')? + "\"isx.\"".len();
    let start = text.len() - value.len();
    Some(start..start + length)
}

fn refusal(source: &Arc<Source>, bytes: Range<usize>) -> Box<Diagnostic> {
    let schema = source.text.get(bytes.clone()).unwrap_or_default().trim_matches(['"', '\'']);
    let (what, help) = match schema.split_once('/').map(|(kind, _)| kind) {
        Some("isx.front") => {
            ("a front", "`isx plot` draws a front; a task set is what the front was computed from")
        }
        Some("isx.sweep") => {
            ("a sweep", "`isx sweep run` measures its sets, and `isx sweep show` prints one of them")
        }
        Some("isx.measure") => (
            "a manifest of measurements",
            "a task set names reports itself: \"Manifests of before\" in `docs/measuring.md` says which of its keys becomes what",
        ),
        _ => ("an answer of isx", "a task set is a YAML file with `name` and `tasks`"),
    };
    let is_written_by_hand = matches!(what, "a sweep" | "a manifest of measurements");
    let label = if is_written_by_hand { "not the schema of a task set" } else { "isx wrote this document" };
    let message = format!("this is {what} (schema {}), not a task set", shortened(schema));
    Diagnostic::error(source, bytes, message).label(label).help(help)
}
