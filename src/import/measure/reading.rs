//! The parts of a manifest that have no fixed keys: mappings and lists of names, and paths of reports.

use crate::counted::Placed;
use crate::draft::{Handed, More};
use crate::figures::{Found, error};
use crate::write::{as_written, scalar};
use isx_taskset::document::{Field, Fields, Keys, Node, Value};
use isx_taskset::{Source, name_problem, shortened};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The entries of a mapping from names to what is said of each, in file order; `due` says what a name is.
pub fn entries<'n>(
    source: &Arc<Source>,
    field: Field<'n>,
    due: &str,
) -> Found<Vec<(Placed<'n>, &'n Node<'n>)>> {
    let Value::Map(pairs) = &field.node.value else {
        return Err(field
            .error("is not a mapping")
            .label(format!("{due} is due here, then `:` and its keys")));
    };
    let mut seen: HashMap<&str, &Node<'_>> = HashMap::with_capacity(pairs.len());
    let mut entries = Vec::with_capacity(pairs.len());
    for (key, value) in pairs {
        let name = name(source, key, &field, due)?;
        if let Some(first) = seen.insert(name.text, key) {
            return Err(twice(source, &field, &name, first.bytes.clone()));
        }
        entries.push((name, value));
    }
    if entries.is_empty() {
        return Err(field.error("is empty").label(format!("{due} is due here")));
    }
    Ok(entries)
}

/// The keys beyond these, which the task set has as they are written here.
pub fn more(fields: &Fields<'_>, own: &Keys) -> More {
    let further = fields.all().filter(|field| !own.names.contains(&field.key));
    More(further.map(|field| handed(field.key, field.node, field.place())).collect())
}

/// The keys of a part of a task set but for the manifest's own and these.
pub fn rest(keys: &Keys, own: &Keys, but: &[&str]) -> Vec<&'static str> {
    keys.names.iter().copied().filter(|key| !own.names.contains(key) && !but.contains(key)).collect()
}

/// A value under a key of the task set.
pub fn handed(key: &str, node: &Node<'_>, place: Range<usize>) -> Handed {
    Handed { key: key.to_owned(), yaml: in_a_line(node), place }
}

fn in_a_line(node: &Node<'_>) -> String {
    match &node.value {
        _ if node.is_null() => "~".to_owned(),
        Value::Scalar { text, .. } if text.starts_with(['{', '[']) => scalar(text),
        Value::Scalar { text, .. } => as_written(text),
        Value::List(items) => format!("[{}]", items.iter().map(in_a_line).collect::<Vec<_>>().join(", ")),
        Value::Map(pairs) => {
            let pair =
                |(key, value): &(Node<'_>, Node<'_>)| format!("{}: {}", in_a_line(key), in_a_line(value));
            format!("{{{}}}", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
    }
}

/// The names of a list, each once, at least one of them.
pub fn names<'n>(source: &Arc<Source>, field: Field<'n>, due: &str) -> Found<Vec<Placed<'n>>> {
    let items = field.list().map_err(|error| match field.node.text() {
        Some(text) if shortened(text) == text => error.help(format!("write `{}: [{text}]`", field.key)),
        _ => error,
    })?;
    let mut seen: HashMap<&str, &Node<'_>> = HashMap::with_capacity(items.len());
    let mut names = Vec::with_capacity(items.len());
    for item in items {
        let name = name(source, item, &field, due)?;
        if let Some(first) = seen.insert(name.text, item) {
            return Err(twice(source, &field, &name, first.bytes.clone()));
        }
        names.push(name);
    }
    if names.is_empty() {
        return Err(field.error("is empty").label(format!("{due} is due here")));
    }
    Ok(names)
}

fn name<'n>(source: &Arc<Source>, node: &'n Node<'n>, field: &Field<'_>, due: &str) -> Found<Placed<'n>> {
    let refused = |what: String| {
        error(source, node.bytes.clone(), format!("{field}: {what}")).label(format!("{due} is due here"))
    };
    let text = node.text().filter(|_| !node.is_null());
    let text = text.ok_or_else(|| refused("an entry is not a name".to_owned()))?;
    match name_problem(text) {
        Some(problem) => Err(refused(format!("`{}` {problem}", shortened(text)))),
        None => Ok(Placed { text, place: node.bytes.clone() }),
    }
}

fn twice(
    source: &Arc<Source>,
    field: &Field<'_>,
    again: &Placed<'_>,
    first: Range<usize>,
) -> Box<isx_taskset::Diagnostic> {
    let line = source.line(first.start);
    let message = format!("{field} names `{}` twice, first in line {line}", shortened(again.text));
    error(source, again.place.clone(), message)
        .label("named again here")
        .also(first, "first named here")
        .help("leave one of them out, or rename it")
}
