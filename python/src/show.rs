//! One design, handed over as the document that the command prints.

use crate::errors;
use crate::options::{Changes, Options};
use crate::running::run;
use crate::task_set::TaskSet;
use isx::engine::mckp::ENGINES;
use isx::exploration::Exploration;
use isx::report::front::Front;
use isx::report::show::{Pick, Schedulability, Shown, find, write_json};
use isx::schedulability::{Effort, Limits};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The design asked for, as the command prints it in JSON.
pub fn shown(explored: &Exploration, pick: &Pick) -> PyResult<Vec<u8>> {
    let front = Front::of(explored);
    let found = find(&front, pick).map_err(errors::no_design)?;
    let mut effort = Effort::new(Limits::default());
    let choices = &found.design.choices;
    let formulation = explored.front.formulation_in(found.variant());
    let schedulability =
        Schedulability::of_choices(explored.task_set(), formulation, choices, None, &mut effort);
    let mut document = Vec::new();
    write_json(&Shown::new(&front, pick, &found).with_set(explored, &found, schedulability), &mut document)
        .map_err(|error| errors::output(&error))?;
    Ok(document)
}

/// The design of least utilization within the limits of several resources, as the command prints it in JSON.
#[pyfunction]
pub fn show_least<'py>(
    py: Python<'py>,
    set: &TaskSet,
    changes: Changes,
    options: Options<'py>,
) -> PyResult<Bound<'py, PyBytes>> {
    let set = set.changed(&changes)?;
    let (engine, machine) = (options.engine(&ENGINES)?, options.machine()?);
    let document = run(py, &machine, options.told.as_ref(), move |lent| {
        let (heard, machine) = (lent.heard, lent.machine);
        let options =
            isx::explore::Options { engine, machine, progress: &*heard, ..isx::explore::Options::default() };
        let least = isx::explore::resources::least(&set, &options, &mut Effort::new(options.limits));
        shown(&least.map_err(|error| errors::explore(&error))?, &Pick::Least)
    })??;
    Ok(PyBytes::new(py, &document))
}
