//! Reports of synthesis and place-and-route tools and of benchmark runs: what a design takes, how fast it is.
//!
//! The kind of a report is found from its content ([`READERS`]). Amounts, clocks and cycles are read exactly, from
//! their text, under the names that the report gives them; [`usual`] knows which of these names make up the usual
//! resources (LUT, FF, DSP, BRAM ..) of an FPGA family.
//!
//! | report | by |
//! |---|---|
//! | Yosys, `stat -json` | `yosys.rs` |
//! | nextpnr, `--report` | `nextpnr.rs` |
//! | OpenROAD, METRICS2.1 | `openroad.rs` |
//! | edalize, its summary | `edalize.rs` |
//! | Embench results, and any flat JSON object of numbers | `runs.rs` |
//! | Vivado, `report_utilization` as text or CSV | `vivado.rs` |
//! | Quartus, `.fit.rpt` | `quartus.rs` |

mod content;
mod edalize;
mod nextpnr;
mod openroad;
mod quartus;
mod ruled;
mod runs;
mod vivado;
mod yosys;

pub use crate::report::Report;
pub use crate::usual::usual;
pub use content::Reader;

use crate::decode::decode;
use crate::figures::error;
use crate::json;
use crate::refusal::Refusal;
use content::Content;
use jsonc_parser::ast::Value;

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
///
/// # Errors
///
/// If the file is of no kind in [`READERS`], is damaged, gives a name twice, or has an invalid figure: with its place.
///
/// ```
/// let run = isx_import::reports::read("fir.json", br#"{"cycles": 13611}"#)?;
/// assert_eq!(run.figures["cycles"].to_string(), "13611");
/// # Ok::<(), isx_import::Refusal>(())
/// ```
pub fn read(name: &str, bytes: &[u8]) -> Result<Report, Refusal> {
    let source = &decode(name, &quartus::as_utf8(bytes))?;
    let value = if source.text.trim_start().starts_with('{') { Some(json::parse(source)?) } else { None };
    let root = value.as_ref().and_then(Value::as_object);
    let content = Content { source, root };
    let Some(reader) = READERS.iter().find(|reader| (reader.recognizes)(&content)) else {
        return Err(unknown(&content).into());
    };
    let mut report = Report { tool: reader.name, ..Report::default() };
    (reader.read)(&content, &mut report)?;
    Ok(report)
}

/// The error for a file of no known kind.
fn unknown(content: &Content<'_>) -> Box<isx_taskset::Diagnostic> {
    let text = &content.source.text;
    let at = text.len() - text.trim_start().len();
    let refused = error(content.source, at..at, "the file is no report that isx reads");
    if text.contains("Number of cells:") {
        return refused
            .label("Yosys's statistics as text")
            .help("write them as JSON: `tee -q -o stat.json stat -json`");
    }
    let kinds: Vec<&str> = READERS.iter().map(|reader| reader.what).collect();
    refused.label("it does not look like one of them").help(format!("isx reads {}", kinds.join("; ")))
}
