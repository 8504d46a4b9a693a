//! nextpnr: what is used of the device after packing, and the frequency of each clock, from `--report FILE.json`.
//!
//! ```json
//! {"utilization": {"ICESTORM_LC": {"used": 1681, "available": 5280}}, "fmax": {"clk": {"achieved": 27.55, "constraint": 24}}}
//! ```
//!
//! Frequencies are in MHz.

use crate::content::{Content, Kind, Reader};
use crate::json::{Entries, bytes, required};
use crate::report::Report;
use isx_exact::quantity::Rational;
use isx_text::shortened;
use isx_text::{Found, ReadError};
use jsonc_parser::ast::{ObjectProp, Value};

pub const READER: Reader = Reader {
    name: "nextpnr",
    what: "nextpnr's `--report`",
    recognizes: |content| {
        if content.text().is_some_and(|text| text.contains("Info: Device utilisation:")) {
            return Kind::other("nextpnr's log", "let nextpnr write its report: `--report FILE.json`");
        }
        let holds_objects = |key: &str| {
            let group = content.property(key).and_then(|property| property.value.as_object());
            group.is_some_and(|group| group.properties.iter().all(|entry| entry.value.as_object().is_some()))
        };
        Kind::report_if(holds_objects("utilization") || holds_objects("fmax"))
    },
    read,
};

fn read(content: &Content<'_>, report: &mut Report) -> Result<(), ReadError> {
    let Some(root) = content.entries() else { return Ok(()) };
    if let Some(group) = root.object("utilization", "the report")? {
        for entry in group.all() {
            let used = within(content, entry, "used")?;
            let amount = content.amount(used, entry.name.as_str())?;
            content.put(&mut report.amounts, entry.name.as_str(), amount, bytes(&entry.name))?;
        }
    }
    if let Some(group) = root.object("fmax", "the report")? {
        for entry in group.all() {
            let achieved = within(content, entry, "achieved")?;
            // A clock without a path between two registers has no limit.
            if matches!(achieved, Value::NullKeyword(_)) {
                continue;
            }
            let megahertz = content.amount(achieved, entry.name.as_str())?;
            let figure = content.figure("", bytes(achieved), entry.name.as_str());
            let hertz = figure.above_zero(megahertz * Rational::from_integer(1_000_000.into()))?;
            content.put(&mut report.clocks, entry.name.as_str(), hertz, bytes(&entry.name))?;
        }
    }
    if report.amounts.is_empty() && report.clocks.is_empty() {
        return Err(
            content.lacks("resources and no clocks", "give nextpnr `--report FILE` in the run that routes")
        );
    }
    Ok(())
}

/// The value under a key of an entry.
fn within<'v>(content: &'v Content<'_>, entry: &'v ObjectProp<'v>, key: &str) -> Found<&'v Value<'v>> {
    let owner = format!("`{}`", shortened(entry.name.as_str()));
    required(content.source, Entries::of(content.source, entry, "the report")?.object, key, &owner)
}
