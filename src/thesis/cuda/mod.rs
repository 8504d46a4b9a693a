//! The thesis's ways of filling a table on a GPU, for comparison with the CUDA engine.
//!
//! `kernels/thesis/` hold the kernels. Those that take the same arguments are bound together, in `row` and `study`; each
//! of the others has a binding under its own stem.

/// A kernel's PTX.
macro_rules! kernel_file {
    ($stem:literal) => {
        &isx_machine::cuda::KernelFile {
            stem: $stem,
            ptx: &[(70, include_str!(concat!("../../../kernels/ptx/", $stem, ".compute_70.ptx")))],
        }
    };
}

mod mckp_prevrow;
mod mckp_sync;
mod row;
mod study;
mod techniques;

pub use study::{Arithmetic, StudyAnswer, StudyTask, least_utilization};
pub use techniques::{Technique, ThesisTable, solve_by};
