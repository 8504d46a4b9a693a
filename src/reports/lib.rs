//! Reports of synthesis and place-and-route tools and of benchmark runs: the hardware that a design takes, and its clocks and times.
//!
//! The kind of a report is found from its content ([`READERS`]). Amounts, clocks and cycles are read exactly, from
//! their text, under the names that the report gives them; [`usual`] knows which of these names make up the usual
//! resources (LUT, FF, DSP, BRAM ..) of an FPGA family.
//!
//! | report | by |
//! |---|---|
//! | Yosys, `stat -json` | `yosys.rs` |
//! | nextpnr, `--report` | `nextpnr.rs` |
//! | OpenROAD, METRICS2.1, and OpenLane's metrics as CSV | `openroad.rs` |
//! | edalize, its summary | `edalize.rs` |
//! | Embench results, and any flat JSON object of numbers | `runs.rs` |
//! | Vivado, `report_utilization` as text or CSV | `vivado.rs` |
//! | Quartus, `.fit.rpt` | `quartus.rs` |
//!
//! Other files of these tools, and reports of tools that are not read, are refused by name (module `others`). Amounts of several
//! tools or families are never compared (module `comparable`).

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod built;
pub mod comparable;
mod content;
pub mod counted;
mod decode;
mod edalize;
mod families;
mod files;
pub mod json;
mod nextpnr;
mod openroad;
mod others;
mod quartus;
mod report;
mod ruled;
mod runs;
pub mod shares;
mod usual;
mod vivado;
mod yosys;

pub use content::Reader;
pub use decode::{MAX_BYTES, decode};
pub use files::Files;
pub use report::Report;
pub use usual::{is_usual, usual};

use content::{Content, Kind};
use isx_text::figures::error;
use isx_text::{Diagnostic, Found, ReadError, Source, shortened};
use jsonc_parser::ast::Value;
use std::borrow::Cow;
use std::sync::Arc;
use usual::families;

/// All kinds of reports; the first that recognizes a file reads it.
pub const READERS: &[Reader] = &[
    yosys::READER,
    nextpnr::READER,
    openroad::READER,
    runs::EMBENCH,
    quartus::READER,
    vivado::READER,
    edalize::READER,
    runs::FLAT,
];

/// Reads a report; `name` names the file in messages.
/// Fails if the file is of no kind in [`READERS`], is damaged, gives a name twice, or has an invalid figure: with its place.
///
/// ```
/// let run = isx_reports::read("fir.json", br#"{"cycles": 13611}"#)?;
/// assert_eq!(run.figures["cycles"].to_string(), "13611");
/// # Ok::<(), isx_text::ReadError>(())
/// ```
pub fn read(name: &str, bytes: &[u8]) -> Result<Report, ReadError> {
    let source = &decode(name, &as_text(bytes))?;
    let value = object(source).transpose()?;
    let content = Content { source, root: value.as_ref().and_then(Value::as_object) };
    let text = &source.text;
    let at = text.len() - text.trim_start().len();
    let refused = || error(source, at..at, "the file is no report that isx reads");
    let reader = match recognized(&content) {
        Some((reader, Kind::Report)) => reader,
        Some((_, Kind::Other { what, instead })) => return Err(refused().label(what).help(instead).into()),
        None => {
            let kinds: Vec<&str> = READERS.iter().map(|reader| reader.what).collect();
            let help = format!("isx reads {}", kinds.join("; "));
            return Err(refused().label("it does not look like one of them").help(help).into());
        }
    };
    let mut report = Report { tool: reader.name, ..Report::default() };
    (reader.read)(&content, &mut report)?;
    if report.families.is_empty() {
        report.families = families(&report);
    }
    Ok(report)
}

/// The error for a report that is given in place of a file with tasks; `None` if the file is no report.
pub fn in_place_of_tasks(name: &str, bytes: &[u8]) -> Option<Box<Diagnostic>> {
    let source = &decode(name, &as_text(bytes)).ok()?;
    let value = object(source).transpose().ok()?;
    let (reader, kind) = recognized(&Content { source, root: value.as_ref().and_then(Value::as_object) })?;
    let file = shortened(source.file_name());
    let way = if [runs::EMBENCH.name, runs::FLAT.name].contains(&reader.name) {
        "a task set names it for the cycles of a task, `wcet: {reports: [FILE], name: ..}`".to_owned()
    } else {
        format!(
            "name it for a block or choice, `isx import tasks.csv --choices choices.csv --area-report NAME={file}`, or in \
             a task set, `cost: {{reports: [{file}], less: base}}`"
        )
    };
    let (what, help) = match kind {
        Kind::Report => (format!("a report of {}", reader.name), way),
        Kind::Other { what, instead } if reader.name == others::READER.name => (what, instead),
        Kind::Other { what, instead } => (what, format!("{instead}; then {}", way.replace(&*file, "FILE"))),
    };
    let at = source.text.len() - source.text.trim_start().len();
    let refused = error(source, at..at, format!("the file has no tasks: it is {what}"));
    Some(refused.label("recognized by its content").help(help))
}

/// The value of a text that looks like a JSON object.
fn object(source: &Arc<Source>) -> Option<Found<Value<'_>>> {
    source.text.trim_start().starts_with('{').then(|| json::parse(source))
}

/// The first reader that recognizes a file.
fn recognized(content: &Content<'_>) -> Option<(&'static Reader, Kind)> {
    let known = READERS.iter().chain([&others::READER]);
    known.into_iter().find_map(|reader| Some((reader, (reader.recognizes)(content)?)))
}

/// The bytes as UTF-8 and without lines of a log: reports in Latin-1 name temperatures, and those in other encodings
/// have paths in them.
fn as_text(bytes: &[u8]) -> Cow<'_, [u8]> {
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            yosys::without_log(text).map_or(Cow::Borrowed(bytes), |text| Cow::Owned(text.into_bytes()))
        }
        Err(_) if bytes.starts_with(b"{") || bytes.starts_with(b"\xFF") || bytes.starts_with(b"\xFE") => {
            Cow::Borrowed(bytes)
        }
        Err(_) => {
            let mut text = String::with_capacity(bytes.len() + 16);
            for chunk in bytes.utf8_chunks() {
                text.push_str(chunk.valid());
                text.extend(chunk.invalid().iter().map(|&byte| char::from(byte)));
            }
            Cow::Owned(text.into_bytes())
        }
    }
}
