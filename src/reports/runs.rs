//! Runs of programs: results of Embench, and any flat JSON object of numbers.
//!
//! ```json
//! {"cycles": 13611, "inputs": 1000, "compiler": "gcc 12.2"}
//! {"speed results": {"detailed speed results": {"crc32": 4010}, "speed geometric mean": 1.0}}
//! ```
//!
//! Texts among the numbers are ignored. Embench's numbers are times in ms if it ran with `--absolute`, as in
//! its own `speed.json`, which is flat; otherwise they are ratios.

use crate::content::{Content, Kind, Reader};
use crate::json::{bytes, figure};
use crate::report::Report;
use isx_text::ReadError;
use isx_text::shortened;
use jsonc_parser::ast::{ObjectProp, Value};

const SPEED: &str = "speed results";
const DETAILED: &str = "detailed speed results";

pub const EMBENCH: Reader = Reader {
    name: "Embench",
    what: "Embench's speed results as JSON",
    recognizes: |content| Kind::report_if(content.property(SPEED).is_some()),
    read: |content, report| {
        let results = content.entries().map(|root| root.object(SPEED, "`speed results`")).transpose()?;
        let Some(results) = results.flatten() else { return Ok(()) };
        if let Some(detailed) = results.object(DETAILED, "the detailed results")? {
            numbers(content, report, &detailed.object.properties)?;
        }
        numbers(content, report, &results.object.properties)
    },
};

pub const FLAT: Reader = Reader {
    name: "a run",
    what: "a flat JSON object of numbers, such as {\"cycles\": 13611}",
    recognizes: |content| {
        let properties = content.properties();
        let is_flat =
            |property: &ObjectProp<'_>| !matches!(property.value, Value::Object(_) | Value::Array(_));
        let is_number = |property: &ObjectProp<'_>| matches!(property.value, Value::NumberLit(_));
        Kind::report_if(properties.iter().all(is_flat) && properties.iter().any(is_number))
    },
    read: |content, report| numbers(content, report, content.properties()),
};

fn numbers(
    content: &Content<'_>,
    report: &mut Report,
    properties: &[ObjectProp<'_>],
) -> Result<(), ReadError> {
    for property in properties {
        if matches!(property.value, Value::NumberLit(_)) {
            let name = property.name.as_str();
            let value =
                figure(content.source, &property.value, format!("`{}`", shortened(name)))?.decimal()?;
            content.put(&mut report.figures, name, value, bytes(&property.name))?;
        }
    }
    Ok(())
}
