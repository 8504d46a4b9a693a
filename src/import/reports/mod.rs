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

mod edalize;
mod nextpnr;
mod openroad;
mod quartus;
mod ruled;
mod runs;
mod usual;
mod vivado;
mod yosys;

pub use usual::usual;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::decode::decode;
use crate::figures::{Figure, Found, error};
use crate::json::{self, bytes};
use crate::refusal::Refusal;
use isx_exact::quantity::Rational;
use isx_taskset::{Source, printable, shortened};
use jsonc_parser::ast::{Object, ObjectProp, Value};

/// What a report of a synthesis or place-and-route tool, or of a benchmark run, says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The tool in words, such as "Yosys".
    pub tool: &'static str,
    /// The amount of each cell type, resource row or metric, by the name in the report, without escapes.
    pub amounts: BTreeMap<String, Rational>,
    /// The frequency that each clock reaches, in hertz.
    pub clocks: BTreeMap<String, Rational>,
    /// Figures that are no amounts, such as cycles and times.
    pub figures: BTreeMap<String, Rational>,
}

/// A kind of report.
pub struct Reader {
    /// The tool in words; also [`Report::tool`].
    pub name: &'static str,
    /// What its reports are, in words.
    pub what: &'static str,
    recognizes: fn(&Content<'_>) -> bool,
    read: fn(&Content<'_>, &mut Report) -> Result<(), Refusal>,
}

/// All kinds of reports; the first that recognizes a file reads it.
pub const READERS: &[Reader] = &[
    yosys::READER,
    nextpnr::READER,
    openroad::READER,
    edalize::READER,
    runs::EMBENCH,
    runs::FLAT,
    vivado::READER,
    quartus::READER,
];

/// A decoded report.
struct Content<'t> {
    source: &'t Arc<Source>,
    /// The file's object, if it is JSON.
    root: Option<&'t Object<'t>>,
}

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

impl Content<'_> {
    /// The property of the file's object with this name.
    fn property(&self, key: &str) -> Option<&ObjectProp<'_>> {
        self.root?.properties.iter().find(|property| property.name.as_str() == key)
    }

    /// The properties of the file's object.
    fn properties(&self) -> &[ObjectProp<'_>] {
        self.root.map_or(&[], |root| &root.properties)
    }

    /// Stores a figure under a name, which a report gives once.
    fn put(
        &self,
        figures: &mut BTreeMap<String, Rational>,
        name: &str,
        value: Rational,
        place: Range<usize>,
    ) -> Found<()> {
        // Names are printed, and may hold anything.
        match figures.insert(printable(name), value) {
            None => Ok(()),
            Some(_) => {
                let message = format!("the report gives `{}` twice", shortened(name));
                Err(error(self.source, place, message).label("given again here").help("keep one of them"))
            }
        }
    }

    /// A number of things: not negative, perhaps half a one.
    fn amount(&self, value: &Value<'_>, name: &str) -> Found<Rational> {
        json::figure(self.source, value, format!("`{}`", shortened(name)))?.not_negative()
    }

    /// The error for a report without what it is read for.
    fn lacks(&self, what: &str, help: &str) -> Refusal {
        let text = &self.source.text;
        let at = text.len() - text.trim_start().len();
        error(self.source, at..at, format!("the report has no {what}"))
            .label("none in the whole file")
            .help(help)
            .into()
    }

    /// The figure of a cell of a table.
    fn figure<'f>(&'f self, text: &'f str, place: Range<usize>, name: &str) -> Figure<'f> {
        Figure { source: self.source, text, place, what: format!("`{}`", shortened(name)) }
    }
}

/// The place of a property's name.
fn name_place(property: &ObjectProp<'_>) -> Range<usize> {
    bytes(&property.name)
}
