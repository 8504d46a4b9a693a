//! Fronts compared, as the command compares them.

use crate::errors;
use isx::report::compare::{Comparison as Compared, Options, Side, write_line, write_text};
use isx::report::svg::fronts::draw_fronts;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io::Cursor;

/// A comparison.
#[pyclass(frozen, module = "isx._isx")]
pub struct Comparison {
    compared: Compared,
}

/// Compares fronts, each a name and the front as JSON or Parquet.
#[pyfunction]
pub fn compare(py: Python<'_>, fronts: Vec<(String, Vec<u8>)>) -> PyResult<Comparison> {
    let side = |(name, document): (String, Vec<u8>)| {
        let wrong = format!("{name}: ");
        Side::from_written(name, Cursor::new(document))
            .map_err(|problem| errors::input(wrong + &problem.to_string()))
    };
    py.detach(|| {
        let sides = fronts.into_iter().map(side).collect::<PyResult<_>>()?;
        Ok(Comparison { compared: Compared::new(sides).map_err(errors::input)? })
    })
}

#[pymethods]
impl Comparison {
    /// The document that the command prints with `--json`.
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut document = Vec::new();
        self.compared.write_json(&mut document).map_err(|error| errors::output(&error))?;
        Ok(PyBytes::new(py, &document))
    }

    /// The text that the command prints on a terminal of that many columns.
    fn text(&self, width: usize) -> PyResult<String> {
        let mut text = Vec::new();
        write_text(&self.compared, &Options { width, max_rows: usize::MAX }, &mut text)
            .map_err(|error| errors::output(&error))?;
        String::from_utf8(text).map_err(errors::input)
    }

    /// Which front is better, in one line.
    fn line(&self) -> PyResult<String> {
        let mut line = Vec::new();
        write_line(&self.compared, &mut line).map_err(|error| errors::output(&error))?;
        String::from_utf8(line).map(|line| line.trim_end().to_owned()).map_err(errors::input)
    }

    /// All fronts in one picture.
    fn svg<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let picture = py.detach(|| draw_fronts(&self.compared)).map_err(errors::input)?;
        Ok(PyBytes::new(py, picture.as_bytes()))
    }
}
