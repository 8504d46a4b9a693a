//! Yosys: the cells of a design by type, as `stat -json` counts them.
//!
//! ```json
//! {"creator": "Yosys 0.70", "modules": {"\\top": {..}}, "design": {"num_cells": 3, "num_cells_by_type": {"SB_LUT4": 2, "SB_DFF": 1}}}
//! ```
//!
//! `design` counts whole designs; it is missing where Yosys knows no top module, and then one module alone is read. With
//! `-hierarchy` a count is an object of texts, `{"count": "2", "area": "0.0", ..}`. Some versions list submodules
//! among the cells: these are no cells, and neither is `$scopeinfo`, which only notes where cells came from. Lines of
//! Yosys's log before and after the object are passed over.

use crate::content::{Content, Kind, Reader};
use crate::json::{Entries, bytes, required};
use crate::report::Report;
use isx_exact::quantity::Rational;
use isx_text::ReadError;
use isx_text::cells::lines;
use isx_text::figures::error;
use isx_text::shortened;
use jsonc_parser::ast::{ObjectProp, Value};
use num_traits::Zero;

pub const READER: Reader = Reader { name: "Yosys", what: "Yosys's `stat -json`", recognizes, read };

const AS_JSON: &str = "write them as JSON: `tee -q -o stat.json stat -json`";

fn recognizes(content: &Content<'_>) -> Option<Kind> {
    if let Some(text) = content.text() {
        let has = |words: &str| text.contains(words);
        let is_total =
            |line: &str| line.trim_end().ends_with(" cells") || line.trim_end().ends_with(" wires");
        let is_table = has("=== ") && text.lines().any(is_total);
        return if has("Number of cells:") || has("Printing statistics.") || is_table {
            Kind::other("Yosys's statistics as text", AS_JSON)
        } else if has("Yosys Open SYnthesis Suite") {
            Kind::other("Yosys's log", AS_JSON)
        } else {
            None
        };
    }
    let by_yosys = content.property("creator").is_some_and(
        |creator| matches!(&creator.value, Value::StringLit(text) if text.value.starts_with("Yosys")),
    );
    let has = |name| content.property(name).is_some();
    let modules = content.property("modules").and_then(|modules| modules.value.as_object());
    let modules = || modules.iter().flat_map(|modules| &modules.properties);
    let is_netlist = |module: &ObjectProp<'_>| {
        module.value.as_object().is_some_and(|module| {
            let has = |key: &str| module.properties.iter().any(|property| property.name.as_str() == key);
            has("cells") || has("ports") || has("netnames")
        })
    };
    if has("creator") && modules().any(is_netlist) {
        let instead = "write statistics in the same run of Yosys: `tee -q -o stat.json stat -json`";
        return Kind::other("a netlist (`write_json`), not statistics", instead);
    }
    // Scripts often keep the totals alone.
    let counts = content.source.text.contains("\"num_cells_by_type\"");
    Kind::report_if(
        (has("modules") && (by_yosys || has("design") || has("invocation")))
            || (counts && (has("modules") || has("design"))),
    )
}

/// The text with the lines of a log before and after Yosys's JSON blanked, so that all places stay.
pub fn without_log(text: &str) -> Option<String> {
    let is_stat = text.contains("\"num_cells_by_type\"") || text.contains("\"creator\": \"Yosys");
    let starts = |line: &str| is_stat && line.starts_with('{');
    let ends = |line: &str| line.starts_with('}') || line.starts_with('{') && line.trim_end().ends_with('}');
    let (first, _) = lines(text, 0).find(|(_, line)| starts(line))?;
    let last = lines(text, first).filter(|(_, line)| ends(line)).last()?;
    let last = last.0 + last.1.len();
    let (log, rest) = (&text[..first], &text[last..]);
    if log.trim().is_empty() && rest.trim().is_empty() {
        return None;
    }
    let blank = |log: &str| -> String {
        log.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }).collect()
    };
    Some(format!("{}{}{}", blank(log), &text[first..last], blank(rest)))
}

fn read(content: &Content<'_>, report: &mut Report) -> Result<(), ReadError> {
    let source = content.source;
    let Some(root) = content.entries() else { return Ok(()) };
    report.is_sparse = true;
    let modules = root.object("modules", "`modules`")?;
    let modules = modules.map_or(&[][..], |modules| &modules.object.properties);
    let design = match (root.once("design")?, modules) {
        (Some(design), _) => design,
        (None, [module]) => module,
        (None, modules) => {
            let place = content.property("modules").map_or(0..0, |modules| bytes(&modules.name));
            let message = format!("the report has {} modules and no `design`, their sum", modules.len());
            let refused = error(source, place, message).label("expected `design` beside them");
            return Err(refused.help("name the top module for Yosys: `stat -top NAME -json`").into());
        }
    };
    let totals = Entries { owner: "`design`", ..Entries::of(source, design, root.owner)? };
    let Some(cells) = totals.object("num_cells_by_type", totals.owner)? else {
        let message = "the report counts no cells by type";
        let refused = error(source, bytes(&design.name), message).label("expected `num_cells_by_type` in it");
        return Err(refused.into());
    };
    for cell in cells.all() {
        let is_module = modules.iter().any(|module| module.name.as_str() == cell.name.as_str());
        if is_module || cell.name.as_str() == "$scopeinfo" {
            continue;
        }
        let name = cell.name.as_str().strip_prefix('\\').unwrap_or(cell.name.as_str());
        let count = count(content, cell, "count", name)?;
        if !count.is_integer() {
            let message = format!("`{}` is no whole number", shortened(name));
            let refused = error(source, bytes(&cell.value), message).label("expected a whole number");
            return Err(refused.into());
        }
        content.put(&mut report.amounts, name, count, bytes(&cell.name))?;
    }
    // With a Liberty file; `-hierarchy` has the area beside the number of cells.
    let area = match (totals.once("area")?, totals.once("num_cells")?) {
        (Some(area), _) => Some(area),
        (None, cells) => cells.filter(|cells| cells.value.as_object().is_some()),
    };
    if let Some(area) = area {
        let amount = count(content, area, "area", "area")?;
        // Without a Liberty file no cell has an area.
        if !amount.is_zero() {
            content.put(&mut report.amounts, "area", amount, bytes(&area.name))?;
        }
    }
    Ok(())
}

/// A count, or the one under `key` of an object of counts.
fn count(
    content: &Content<'_>,
    property: &ObjectProp<'_>,
    key: &str,
    name: &str,
) -> Result<Rational, ReadError> {
    let Value::Object(counts) = &property.value else { return Ok(content.amount(&property.value, name)?) };
    let owner = format!("`{}`", shortened(property.name.as_str()));
    Ok(content.amount(required(content.source, counts, key, &owner)?, name)?)
}
