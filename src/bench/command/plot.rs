//! `isx-bench plot RESULTS.json`: draws the charts of a benchmark again.

use super::results::write_charts;
use crate::comparison::{self, Comparison};
use crate::mckp::{self, MckpReport};
use crate::report::Report;
use crate::thesis::{self, ThesisReport};
use clap::Args;
use isx_command::failure::{Failure, Outcome};
use isx_command::terminal;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Draw the charts of a benchmark again from its results.json
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Plot {
    /// The results.json that a benchmark wrote
    #[arg(value_name = "RESULTS.json")]
    input: PathBuf,

    /// Folder for the charts [default: where the results are]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

impl Plot {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let refused = |problem: &dyn std::fmt::Display| {
            Failure::Usage(format!("{}: not the results of a benchmark: {problem}", self.input.display()))
        };
        let text = std::fs::read(&self.input).map_err(|problem| refused(&problem))?;
        let document: Value = serde_json::from_slice(&text).map_err(|problem| refused(&problem))?;
        let charts = match document["schema"].as_str() {
            Some(mckp::SCHEMA) => read::<MckpReport>(document).map(|report| report.charts()),
            Some(comparison::SCHEMA) => read::<Comparison>(document).map(|report| report.charts()),
            Some(thesis::SCHEMA) => read::<ThesisReport>(document).map(|report| report.charts()),
            _ => return Err(refused(&"its `schema` names none")),
        }
        .map_err(|problem| refused(&problem))?;
        let folder = self.output.as_deref().or(self.input.parent()).unwrap_or(Path::new(""));
        write_charts(&charts, folder)?;
        let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        terminal::note(&format!("wrote {} charts to {}", charts.len(), place.display()));
        Ok(Outcome::Done)
    }
}

fn read<T: DeserializeOwned>(document: Value) -> serde_json::Result<T> {
    serde_json::from_value(document)
}
