//! edalize: the summary of its reporting module, written as JSON or as YAML.
//!
//! ```yaml
//! lut: 1009
//! reg: 920
//! blkmem: 0
//! dsp: 0
//! constraint:
//!   clk: 200.0
//! fmax:
//!   clk: 215.9
//! ```
//!
//! Frequencies are in MHz. `constraint` is what was asked for, and is not read.

use crate::content::{Content, Kind, Reader};
use crate::json::{self, bytes};
use crate::report::Report;
use isx_exact::quantity::Rational;
use isx_text::ReadError;
use isx_text::cells::lines;
use isx_text::figures::error;
use isx_text::shortened;
use jsonc_parser::ast::{ObjectProp, Value};
use std::ops::Range;

const AMOUNTS: &[&str] = &["lut", "reg", "blkmem", "dsp"];

pub const READER: Reader = Reader {
    name: "edalize",
    what: "edalize's summary as JSON or YAML",
    recognizes: |content| {
        let has = |name: &&str| match content.text() {
            None => content.property(name).is_some(),
            Some(text) => {
                let is_its_line =
                    |line: &str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'));
                text.lines().any(is_its_line)
            }
        };
        Kind::report_if(AMOUNTS[..2].iter().all(has))
    },
    read,
};

/// A figure and the names above it, such as `fmax` and a clock.
struct Entry<'t> {
    group: &'t str,
    name: &'t str,
    text: &'t str,
    place: Range<usize>,
    line: Range<usize>,
}

fn read(content: &Content<'_>, report: &mut Report) -> Result<(), ReadError> {
    let entries = match content.root {
        Some(root) => in_json(content, &root.properties)?,
        None => in_yaml(content)?,
    };
    for entry in entries {
        let Entry { group, name, text, place, line } = entry;
        let is_amount = group.is_empty() && AMOUNTS.contains(&name);
        if !is_amount && group != "fmax" || ["null", "~", "None"].contains(&text) {
            continue;
        }
        let figure = content.figure(text, place, name);
        if is_amount {
            let amount = figure.not_negative()?;
            content.put(&mut report.amounts, name, amount, line)?;
        } else {
            let hertz = figure.not_negative()? * Rational::from_integer(1_000_000.into());
            let hertz = figure.above_zero(hertz)?;
            content.put(&mut report.clocks, name, hertz, line)?;
        }
    }
    Ok(())
}

/// The entries of an object and of the objects in it.
fn in_json<'t>(content: &Content<'t>, properties: &'t [ObjectProp<'t>]) -> Result<Vec<Entry<'t>>, ReadError> {
    let mut entries = Vec::new();
    for outer in properties {
        let (group, members) = match &outer.value {
            Value::Object(group) => (outer.name.as_str(), group.properties.as_slice()),
            _ => ("", std::slice::from_ref(outer)),
        };
        for property in members {
            let (name, place) = (property.name.as_str(), bytes(&property.value));
            let text = match &property.value {
                Value::NullKeyword(_) => "null",
                value => json::figure(content.source, value, format!("`{}`", shortened(name)))?.text,
            };
            entries.push(Entry { group, name, text, place, line: bytes(&property.name) });
        }
    }
    Ok(entries)
}

/// The lines `name: number`; those that are indented belong to the line `name:` above them.
fn in_yaml<'t>(content: &Content<'t>) -> Result<Vec<Entry<'t>>, ReadError> {
    let mut entries = Vec::new();
    let mut group = "";
    for (start, whole) in lines(&content.source.text, 0) {
        let line = whole.trim_end();
        let key = line.trim_start();
        if key.is_empty() || key.starts_with('#') || key == "---" {
            continue;
        }
        let at = start + line.len() - key.len();
        let place = at..at + key.len();
        // A clock's name may hold a colon; the space behind the last one makes it YAML's.
        let parts = key.rsplit_once(": ").or_else(|| key.strip_suffix(':').map(|name| (name, "")));
        let Some((name, text)) = parts else {
            let refused = error(content.source, place, "this is no line `name: number`");
            return Err(refused.label("expected a name, a colon and a space").into());
        };
        let name = name.trim().trim_matches(['\'', '"']);
        let number = text.trim();
        if line.len() == key.len() {
            group = if number.is_empty() { name } else { "" };
            if number.is_empty() {
                continue;
            }
        }
        let end = start + line.len();
        entries.push(Entry { group, name, text: number, place: end - number.len()..end, line: place });
    }
    Ok(entries)
}
