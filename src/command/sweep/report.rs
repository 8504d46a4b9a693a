//! `isx sweep report`: the curves of a merged sweep.

use super::{CurveFormat, Report};
use crate::failure::{Failure, Outcome};
use crate::files::deliver;
use crate::files::origin::{file_name, origin, written};
use isx_report::files::check_place;
use isx_sweep::curves::Curves;
use isx_sweep::report::{MOST_CELLS, document, table, write_page};
use std::path::PathBuf;

impl Report {
    pub fn run(self) -> Result<Outcome, Failure> {
        let named = self.output.as_ref().and_then(|file| file.extension()).and_then(|ending| ending.to_str());
        let format = self.format.unwrap_or(match named {
            Some("json") => CurveFormat::Json,
            Some("csv") => CurveFormat::Csv,
            Some("parquet") => CurveFormat::Parquet,
            _ => CurveFormat::Html,
        });
        let ending = match format {
            CurveFormat::Html => "html",
            CurveFormat::Json => "curves.json",
            CurveFormat::Csv => "curves.csv",
            CurveFormat::Parquet => "curves.parquet",
        };
        let output = self.output.unwrap_or_else(|| self.sweep.with_extension(ending));
        let same = |file: &PathBuf| file.canonicalize().ok();
        if same(&output).is_some_and(|file| same(&self.sweep) == Some(file)) {
            let why = format!("`{}` is the sweep itself: name another file with -o", output.display());
            return Err(Failure::Usage(why));
        }
        check_place(&output)?;
        let (spec, curves) = Curves::read(&self.sweep)?;
        if curves.cells.len() > MOST_CELLS && matches!(format, CurveFormat::Html) {
            return Err(Failure::Usage(format!(
                "{} points and paired values are too many for a page, which shows up to {MOST_CELLS}: take --format csv",
                curves.cells.len()
            )));
        }
        let mut bytes = Vec::new();
        match format {
            CurveFormat::Html => {
                let origin = origin(written(&self.sweep).into_iter().collect(), Vec::new());
                let stem = self.sweep.with_extension("");
                let title = self.title.unwrap_or_else(|| file_name(&stem));
                write_page(&title, &spec, &curves, &origin, &mut bytes)?;
            }
            CurveFormat::Json => {
                bytes = format!("{:#}\n", document(&spec, &curves)).into_bytes();
            }
            CurveFormat::Csv => table(&spec, &curves).write_csv(&mut bytes)?,
            CurveFormat::Parquet => table(&spec, &curves).write_parquet(&mut bytes)?,
        }
        deliver(Some(&output), |out| out.write_all(&bytes))?;
        Ok(Outcome::Done)
    }
}
