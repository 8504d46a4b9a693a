//! Reports in a task set: wherever a number of hardware or time may stand, a mapping may that names reports of it.
//!
//! ```yaml
//! clock: 48 MHz
//! resources: {LUT: SB_LUT4, DSP: [SB_MAC16]}     # names with the cells that count as each, or a list of names
//! base: {reports: [base-s1.json, base-s2.json], timing: [base.pnr.json]}
//! blocks:
//!   - {name: crc, cost: {reports: [crc.json], less: base}, fmax: {timing: [crc.pnr.json]}}
//!   - {name: sha, cost: {reports: [both.json], less: [base, crc]}}
//! tasks:
//!   - name: frame
//!     wcet: {reports: [run.json], name: cycles}
//! ```
//!
//! Tools share and move logic, so a block is the design with it less the design without. Of several reports of a design
//! the best area, the worst clock and the most cycles count. The numbers are put in place of these mappings, each with its
//! source, and the text with them is read as any other: whatever is wrong is shown in the file as it was written.

use std::sync::Arc;

use isx_reports::Files;

use super::measured::{Block, Freezer, Measured, is_measurement};
use super::sums;
use super::tree::{Node, Value};
use crate::diagnostics::{Diagnostic, ReadError, Source, shortened};

/// The text with numbers in place of reports, what these say, and what is doubtful; `None` if the file names none.
/// Fails if a report cannot be read or does not say what it is named for, with the place.
pub fn frozen(
    source: &Arc<Source>,
    root: &Node<'_>,
    files: &Files,
) -> Result<Option<(Source, Measured, Vec<Diagnostic>)>, ReadError> {
    let filled = |key: &str| root.entry(key).is_some_and(|node| !node.is_null());
    let counts_cells = root.entry("resources").is_some_and(|node| matches!(node.value, Value::Map(_)));
    let may_name = source.text.contains("reports") || source.text.contains("timing");
    let first = may_name.then(|| first_measurement(root)).flatten();
    if first.is_none() && !counts_cells && !filled("check") && !filled("merge_above") {
        return Ok(None);
    }
    if let Some(first) = first.filter(|_| !files.are_given()) {
        return Err(Diagnostic::error(source, first.bytes.clone(), "reports are read relative to a file, and this text comes from no file")
            .label("names reports")
            .help("name the file of the task set; or write the numbers into another, `isx import SET.yaml -o FROZEN.yaml`, and read that")
            .into());
    }
    let mut freezer = Freezer::new(source, files);
    freezer.compare(root);
    if !freezer.problems.are_any() {
        set(&mut freezer, root);
    }
    freezer.finish().map(Some)
}

fn first_measurement<'n>(node: &'n Node<'n>) -> Option<&'n Node<'n>> {
    match &node.value {
        Value::Map(_) if is_measurement(node) => Some(node),
        Value::Map(pairs) => pairs.iter().find_map(|(_, value)| first_measurement(value)),
        Value::List(items) => items.iter().find_map(first_measurement),
        Value::Scalar { .. } => None,
    }
}

/// Puts numbers in place of all reports of the set.
fn set(freezer: &mut Freezer<'_>, root: &Node<'_>) {
    let Value::Map(pairs) = &root.value else { return };
    let counted = freezer.count(root).and_then(|()| freezer.read_base(root));
    if freezer.problems.keep(counted).is_none() {
        return;
    }
    // What is less a block may stand above it.
    let (blocks, others): (Vec<_>, Vec<_>) = pairs.iter().partition(|(key, _)| key.text() == Some("blocks"));
    blocks.iter().for_each(|(key, value)| entry(freezer, root, key, value));
    if freezer.has_differences() {
        let words =
            "A block is the design with it less that without it; the best report of each design counts.";
        freezer.measured.notes.push(words.to_owned());
    }
    let doubts = sums::check(freezer, root);
    let doubts = freezer.problems.keep(doubts).unwrap_or_default();
    others.iter().for_each(|(key, value)| entry(freezer, root, key, value));
    let uncounted = freezer.refuse_uncounted();
    freezer.problems.keep(uncounted);
    let doubtful = freezer.warnings.iter().map(|warning| format!("Doubtful: {}.", warning.message()));
    freezer.measured.notes.extend(doubtful);
    freezer.warnings.extend(doubts);
}

/// Puts numbers in place of the reports in an entry of the set.
fn entry(freezer: &mut Freezer<'_>, root: &Node<'_>, key: &Node<'_>, value: &Node<'_>) {
    let name = key.text().unwrap_or_default();
    match (name, &value.value) {
        ("check" | "merge_above", _) => freezer.leave_out(root, key, value),
        ("resources" | "base", _) => {}
        (_, Value::List(items)) => freezer.items(name, items, ""),
        ("cores", Value::Map(pairs)) => {
            pairs.iter().for_each(|(key, value)| single(freezer, key, value, "`cores`"));
        }
        _ => single(freezer, key, value, "the task set"),
    }
}

/// Puts numbers in place of the reports of a value that has no place for its source.
fn single(freezer: &mut Freezer<'_>, key: &Node<'_>, value: &Node<'_>, owner: &str) {
    let name = key.text().unwrap_or_default();
    let (what, mut origins) = (format!("`{}` of {owner}", shortened(name)), Vec::new());
    freezer.value(name, key, value, &what, &mut origins, &mut Block::default());
    freezer.measured.notes.extend(origins.iter().map(|words| format!("{what}: {words}.")));
}
