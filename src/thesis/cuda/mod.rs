//! The thesis's ways of filling a table on a GPU, one kernel a file, for comparison with the CUDA engine.
//!
//! `kernels/thesis/` hold the kernels; each has its binding here under the same stem.

mod mckp_global;
mod mckp_multicell;
mod mckp_prevrow;
mod mckp_reduction;
mod mckp_shared;
mod mckp_sync;
mod row;
mod study;
mod techniques;
mod utilization_division;
mod utilization_exact;
mod utilization_reciprocal;

pub use study::{Arithmetic, StudyAnswer, StudyTask, least_utilization};
pub use techniques::{Technique, ThesisTable, solve_by};
