//! `isx._isx`: what the Python package `isx` is built on. It calls the library in process; the package's own modules make
//! of what stands here what users see, so nothing here is public in Python.
//!
//! Numbers cross the border exactly: as Python integers and `fractions.Fraction`, or as the bytes of arrays.

mod arrow;
mod compare;
mod errors;
mod fit;
mod front;
mod generate;
mod many;
mod options;
mod partition;
mod running;
mod show;
mod solve;
mod sweep;
mod task_set;
mod verdict;

use isx::quantity::Rational;
use pyo3::prelude::*;

/// The exact number that a text stands for: a decimal, or a fraction of whole numbers.
#[pyfunction]
fn parse_exact(text: &str) -> PyResult<Rational> {
    isx::quantity::parse_fraction(text).map_err(errors::input)
}

/// An exact number as the command writes it.
#[pyfunction]
fn format_exact(value: Rational) -> String {
    isx::quantity::format_decimal(&value)
}

#[pymodule]
fn _isx(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("TASK_SET_SCHEMA", isx::taskset::SCHEMA)?;
    module.add_class::<task_set::TaskSet>()?;
    module.add_class::<front::Front>()?;
    module.add_class::<solve::Solution>()?;
    module.add_class::<compare::Comparison>()?;
    module.add_class::<partition::Partitions>()?;
    module.add_function(wrap_pyfunction!(parse_exact, module)?)?;
    module.add_function(wrap_pyfunction!(format_exact, module)?)?;
    module.add_function(wrap_pyfunction!(front::explore, module)?)?;
    module.add_function(wrap_pyfunction!(front::explore_many, module)?)?;
    module.add_function(wrap_pyfunction!(show::show_least, module)?)?;
    module.add_function(wrap_pyfunction!(fit::fit, module)?)?;
    module.add_function(wrap_pyfunction!(partition::partition, module)?)?;
    module.add_function(wrap_pyfunction!(fit::fpga_devices, module)?)?;
    module.add_function(wrap_pyfunction!(compare::compare, module)?)?;
    module.add_function(wrap_pyfunction!(verdict::check, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve_mckp, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve_knapsack, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve_many, module)?)?;
    module.add_function(wrap_pyfunction!(generate::generate, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::sweep_chunks, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::sweep_missing, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::sweep_chunk, module)?)?;
    module.add_function(wrap_pyfunction!(options::engines, module)?)?;
    Ok(())
}
