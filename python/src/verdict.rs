//! Verdicts at an area budget, handed over as the document that the command prints.

use crate::errors;
use crate::options::{Changes, Options};
use crate::running::run;
use crate::task_set::TaskSet;
use isx::engine::mckp::ENGINES;
use isx::quantity::Rational;
use isx::report::verdict::write_json;
use isx::schedulability::{Effort, SmallestWithin};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A verdict as JSON, why the smallest schedulable area is not known, and what computed it.
type Told<'py> = (Bound<'py, PyBytes>, Option<String>, String);

/// Decides whether a task set is schedulable within an area, or with any area.
#[pyfunction]
pub fn check<'py>(
    py: Python<'py>,
    set: &TaskSet,
    area: Option<Rational>,
    changes: Changes,
    options: Options<'py>,
) -> PyResult<Told<'py>> {
    let set = set.changed(&changes)?;
    let only_within = !set.is_one_area() && area.is_none() && changes.are_limits();
    let (engine, machine) = (options.engine(&ENGINES)?, options.machine()?);
    let decided = run(py, &machine, options.told.as_ref(), move |lent| {
        let heard = lent.heard;
        let options = isx::explore::Options {
            engine,
            machine: lent.machine,
            progress: &*heard,
            ..isx::explore::Options::default()
        };
        let mut effort = Effort::new(options.limits);
        match only_within {
            true => isx::explore::resources::check_costs(&set, false, &options, &mut effort),
            false => isx::explore::check_within(&set, area.as_ref(), &options, &mut effort),
        }
    })?;
    let decided = decided.map_err(|error| errors::explore(&error))?;
    let mut document = Vec::new();
    write_json(&decided, &mut document).map_err(|error| errors::output(&error))?;
    let unknown = match &decided.smallest {
        SmallestWithin::Unknown(why) => Some(why.clone()),
        SmallestWithin::At(_) | SmallestWithin::None => None,
    };
    Ok((PyBytes::new(py, &document), unknown, decided.account.ran_on()))
}
