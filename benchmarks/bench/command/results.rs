//! Where the results of a benchmark go.

use crate::charts::dots::draw_dots;
use crate::comparison::Comparison;
use isx_command::failure::{Failure, Outcome};
use isx_command::terminal;
use isx_report::files::write_whole;
use std::io::Write;
use std::path::Path;

/// Writes results.json, table.md and chart.svg to a folder, and prints the tables or the JSON.
/// Fails if they cannot be written.
pub fn deliver(report: &Comparison, folder: &Path, json: bool) -> Result<Outcome, Failure> {
    let mut document = serde_json::to_vec_pretty(report).map_err(std::io::Error::from)?;
    document.push(b'\n');
    let markdown = report.markdown().into_bytes();
    write_whole(&folder.join("results.json"), |out| out.write_all(&document))?;
    write_whole(&folder.join("table.md"), |out| out.write_all(&markdown))?;
    let chart = draw_dots(&report.chart());
    write_whole(&folder.join("chart.svg"), |out| out.write_all(chart.as_bytes()))?;
    let mut out = std::io::stdout().lock();
    out.write_all(if json { &document } else { &markdown })?;
    out.flush()?;
    terminal::note(&format!("wrote results.json, table.md and chart.svg to {}", folder.display()));
    Ok(Outcome::Done)
}
