//! The thesis's methods of filling a table on a GPU, for comparison with the CUDA engine.
//!
//! The kernels are in `kernels/papers/`. Those with the same arguments share the bindings `row` and `study`; each of
//! the others has a binding with its own stem.

mod mckp_prevrow;
mod mckp_sync;
mod occupancy;
mod row;
mod study;
mod techniques;

pub use mckp_prevrow::mean_references_per_access;
pub use occupancy::Occupancy;
pub use study::{Arithmetic, StudyAnswer, StudyTask, least_utilization};
pub use techniques::{Technique, ThesisTable, solve_by};
