//! Code that serves only the comparison with B. Suri's thesis, "Accelerating the knapsack problem on GPUs", Linköping
//! University, 2011: its tables in floating point and its techniques on a GPU.
//!
//! No answer of isx comes from here: `isx-papers` measures it, and reports how far its floats are from the exact
//! fronts.

pub mod cuda;
pub mod float_front;
