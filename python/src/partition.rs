//! Task sets on several cores.

use crate::errors;
use crate::front::Source;
use crate::options::{Changes, Options};
use crate::running::run;
use crate::task_set::TaskSet;
use isx::engine::Progress;
use isx::explore::partition::{CORES, PartitionOptions, STEPS, partition as distribute};
use isx::partition::{Partitions as Found, Row};
use isx::quantity::Rational;
use isx::report::html::write_partitions;
use isx::report::partition::write_json;
use isx::report::svg::draw_cores;
use isx::schedulability::Limits;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::time::Duration;

/// A task set on several numbers of cores.
#[pyclass(frozen, module = "isx._isx")]
pub struct Partitions {
    found: Found,
}

/// Distributes the tasks of a set among each number of cores.
#[pyfunction]
pub fn partition(
    py: Python<'_>,
    set: &TaskSet,
    cores: Option<(u32, u32)>,
    max_time: Option<f64>,
    changes: Changes,
    options: Options<'_>,
) -> PyResult<Partitions> {
    let set = set.changed_with_limits(&changes)?;
    let max_time = max_time.map(Duration::try_from_secs_f64).transpose();
    let max_time = max_time.map_err(|error| errors::input(format!("max_time: {error}")))?;
    let of_file = set.cores.as_ref().and_then(|cores| cores.count);
    let cores = cores.or(of_file).unwrap_or(CORES);
    let found = run(py, &options.machine()?, options.told.as_ref(), move |lent| {
        lent.heard.begin("distributing", u64::from(cores.1 - cores.0 + 1));
        let told = |_: &Row| lent.heard.advance(1);
        let steps = if max_time.is_some() { u64::MAX } else { STEPS };
        let limits = Limits::default();
        let go_on = || !lent.machine.is_cancelled();
        let searching = |_: u32, _: &Rational, _: Option<&Rational>| {};
        let options = PartitionOptions {
            cores,
            engine: None,
            steps,
            max_time,
            limits,
            go_on: &go_on,
            searching: &searching,
            told: &told,
        };
        distribute(&set, &options)
    })?;
    Ok(Partitions { found: found.map_err(|error| errors::explore(&error))? })
}

#[pymethods]
impl Partitions {
    /// The document that the command prints with `--json`.
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut document = Vec::new();
        write_json(&self.found, &mut document).map_err(|error| errors::output(&error))?;
        Ok(PyBytes::new(py, &document))
    }

    /// The cheapest design, a column per core; none if there is no design.
    fn svg<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        Some(PyBytes::new(py, draw_cores(&self.found)?.as_bytes()))
    }

    /// The page with every number of cores.
    fn html<'py>(&self, py: Python<'py>, from: Source) -> PyResult<Bound<'py, PyBytes>> {
        let mut page = Vec::new();
        write_partitions(&self.found, &from.into(), &mut page).map_err(|error| errors::output(&error))?;
        Ok(PyBytes::new(py, &page))
    }
}
