//! `isx._isx`: what the Python package `isx` is built on. It calls the library in process; the package's own modules make
//! of what stands here what users see, so nothing here is public in Python.
//!
//! A question takes options as texts, as the command's flags have them, and is answered with the document that the command
//! writes. Columns of numbers cross the border as the bytes of arrays or as Arrow tables.

mod answer;
mod arrow;
mod ask;
mod errors;
mod options;
mod running;
mod solve;
mod sweep;
mod task_set;

/// The module.
#[pyo3::pymodule]
mod _isx {
    #[pymodule_export]
    use crate::answer::Answer;
    #[pymodule_export]
    use crate::ask::{check, compare, explore, fit, fpga_devices, generate, partition, show_least};
    #[pymodule_export]
    use crate::options::{engines, format_exact, parse_exact};
    #[pymodule_export]
    use crate::solve::{Solution, solve};
    #[pymodule_export]
    use crate::sweep::{sweep_chunk, sweep_chunks, sweep_missing};
    #[pymodule_export]
    use crate::task_set::{TaskSet, from_tables};

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "so Python calls it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    const TASK_SET_SCHEMA: &str = isx::taskset::SCHEMA;
}
