//! Compares a task set with the new import that is to replace it, so that nothing that was added by hand is lost.

use crate::figures::error;
use isx_taskset::document::{Node, Value, parse};
use isx_taskset::{Diagnostic, Source, printable, shortened};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The most keys that a message lists.
const MAX_LISTED: usize = 8;

/// Compares a file that is to be replaced with the new text: a sentence on the values that differ, if any do.
/// Fails with a key, a named item or a comment below the head that the new text lacks, at its place; a file that looks like a task set
/// and cannot be parsed. A file of another kind has nothing to lose.
///
/// ```
/// use isx_import::replaced;
/// let old = "name: a\nswitch: 2\ntasks: [{name: t, wcet: 1, period: 9}]\n";
/// assert!(replaced("a.yaml", old.as_bytes(), &old.replace("switch: 2", "")).is_err());
/// let changed = replaced("a.yaml", old.as_bytes(), &old.replace("switch: 2", "switch: 3"));
/// assert_eq!(changed.unwrap().unwrap(), "replaced in a.yaml: `switch` was 2 (line 2) and is 3");
/// ```
pub fn replaced(name: &str, old: &[u8], new: &str) -> Result<Option<String>, Box<Diagnostic>> {
    let decode = |name: &str, bytes: &[u8]| Source::decode(name, bytes.to_vec()).map(Arc::new);
    let (Ok(old), Ok(new)) = (decode(name, old), decode("the new file", new.as_bytes())) else {
        return Ok(None);
    };
    let is_set = old.text.lines().any(|line| line.starts_with("tasks:"));
    let before = match parse(&old) {
        Err(problem) if is_set => {
            return Err(problem.help("mend it, so that isx can compare it with the new file, or remove it"));
        }
        before => before.ok().flatten(),
    };
    let (Some(before), Some(after)) = (before, parse(&new)?) else { return Ok(None) };
    let (held, given) = (flat(&before), flat(&after));
    let given: HashMap<&str, &str> = given.iter().map(|entry| (&*entry.path, &*entry.text)).collect();
    let (mut missing, mut changed): (Vec<&Entry>, Vec<String>) = Default::default();
    for entry in &held {
        let line = old.line(entry.place.start);
        match given.get(&*entry.path) {
            // The contents of a missing key are not listed too.
            None if entry.within.is_some_and(|at| !given.contains_key(&*held[at].path)) => {}
            None => missing.push(entry),
            Some(text) if *text != entry.text && !entry.path.starts_with("`source`") => {
                let (was, is) = (shortened(&entry.text), shortened(text));
                changed.push(format!("{} was {was} (line {line}) and is {is}", entry.path));
            }
            Some(_) => {}
        }
    }
    let kept = comments(&new);
    let is_kept = |comment: &Entry| kept.iter().any(|kept| kept.text == comment.text);
    let comments = comments(&old);
    missing.extend(comments.iter().filter(|comment| !is_kept(comment)));
    let Some(first) = missing.first() else {
        return Ok((!changed.is_empty()).then(|| format!("replaced in {}: {}", old.name, listed(&changed))));
    };
    let line = |entry: &&Entry| format!("{} (line {})", entry.path, old.line(entry.place.start));
    let all: Vec<String> = missing.iter().map(line).collect();
    let message = format!("{} has what the new import does not give: {}", old.name, listed(&all));
    Err(error(&old, first.place.clone(), message)
        .label("this would be lost")
        .help("write it into the file that is imported, as a column of a CSV or a key of a task set; or remove the old file to do without"))
}

/// A key or a named item.
struct Entry {
    /// "`jitter` of task `radio`".
    path: String,
    /// The value, if it is a scalar or a list of them.
    text: String,
    place: Range<usize>,
    /// The number of the key in whose value it stands.
    within: Option<usize>,
}

fn flat(root: &Node<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    flatten(root, "", None, &mut entries);
    entries
}

fn flatten(node: &Node<'_>, of: &str, within: Option<usize>, entries: &mut Vec<Entry>) {
    let Value::Map(pairs) = &node.value else { return };
    for (key, value) in pairs {
        let name = key.text().unwrap_or_default();
        let path = format!("`{}`{of}", printable(name));
        let items: &[Node<'_>] = if let Value::List(items) = &value.value { items } else { &[] };
        let words: Vec<&str> = std::iter::once(value).chain(items).filter_map(Node::text).collect();
        let (at, deeper) = (entries.len(), format!(" of {path}"));
        entries.push(Entry { path, text: words.join(", "), place: key.bytes.clone(), within });
        flatten(value, &deeper, Some(at), entries);
        for item in items {
            if let Some(named) = item.entry("name").and_then(Node::text) {
                let path = format!("{} `{}`{of}", name.trim_end_matches('s'), printable(named));
                let (number, deeper) = (entries.len(), format!(" of {path}"));
                entries.push(Entry { path, text: String::new(), place: item.name_bytes(), within: Some(at) });
                flatten(item, &deeper, Some(number), entries);
            }
        }
    }
}

/// The comments below the head, which no import writes.
fn comments(source: &Source) -> Vec<Entry> {
    let mut lines = source.text.split_inclusive('\n').scan(0, |next, line| {
        let at = *next;
        *next += line.len();
        Some((at, line))
    });
    let is_comment = |line: &str| line.trim_start().starts_with('#');
    let head = lines.by_ref().find(|(_, line)| !is_comment(line) && !line.trim().is_empty());
    let found = lines.filter(|(_, line)| head.is_some() && is_comment(line));
    let entry = |(at, line): (usize, &str)| Entry {
        path: "a comment".to_owned(),
        text: line.trim().to_owned(),
        place: at..at + line.trim_end().len(),
        within: None,
    };
    found.map(entry).collect()
}

fn listed(words: &[String]) -> String {
    let shown = words.iter().take(MAX_LISTED).cloned().collect::<Vec<_>>().join(", ");
    match words.len().saturating_sub(MAX_LISTED) {
        0 => shown,
        more => format!("{shown}, and {more} more"),
    }
}
