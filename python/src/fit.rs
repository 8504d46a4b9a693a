//! FPGAs, and how a task set fits them.

use crate::errors;
use crate::options::{Changes, Options};
use crate::running::run;
use crate::task_set::TaskSet;
use isx::engine::mckp::ENGINES;
use isx::explore::resources::{Fit, fit_each};
use isx::report::fit::{Fits, Row, write_json};
use isx::taskset::{self, Device};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Name, other names, for every resource its names and how many there are, the document with the figures.
type DeviceParts = (&'static str, Vec<&'static str>, Vec<(Vec<&'static str>, u64)>, &'static str);

/// The known FPGAs.
#[pyfunction]
pub fn fpga_devices() -> Vec<DeviceParts> {
    let parts = |device: &Device| {
        let resources = device.resources().map(|(names, amount)| (names.to_vec(), amount)).collect();
        (device.name, device.also.to_vec(), resources, device.source)
    };
    taskset::devices().iter().map(parts).collect()
}

/// Decides on which FPGAs a task set is schedulable, and returns what the command prints as JSON.
#[pyfunction]
pub fn fit<'py>(
    py: Python<'py>,
    set: &TaskSet,
    devices: Vec<String>,
    all_families: bool,
    changes: Changes,
    options: Options<'py>,
) -> PyResult<Bound<'py, PyBytes>> {
    let sets = set.on_devices(&changes, &devices, all_families)?;
    let own = set.own_device();
    let (engine, machine) = (options.engine(&ENGINES)?, options.machine()?);
    let fits = run(py, &machine, options.told.as_ref(), move |lent| {
        let (heard, machine) = (lent.heard, lent.machine);
        let options =
            isx::explore::Options { engine, machine, progress: &*heard, ..isx::explore::Options::default() };
        fit_each(sets, &options)
    })?;
    let fits = fits.map_err(|error| errors::explore(&error))?;
    let fits = fits.ok_or_else(|| errors::input("no device is known"))?;
    let row = |Fit { task_set, verdict, binding }| Row { task_set, verdict, binding };
    let fits = Fits { rows: fits.rows.into_iter().map(row).collect(), unlimited: fits.unlimited, own };
    let mut document = Vec::new();
    write_json(&fits, &mut document).map_err(|error| errors::output(&error))?;
    Ok(PyBytes::new(py, &document))
}
