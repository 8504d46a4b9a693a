//! What serves only the comparison with B. Suri's thesis, "Accelerating the knapsack problem on GPUs", Linköping
//! University, 2011: its tables in floating point and its techniques on a GPU.
//!
//! Nothing that isx answers comes from here, unless the thesis's arithmetic is asked for by name; what it gives then is
//! labelled inexact.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[cfg(feature = "cuda")]
pub mod cuda;
pub mod float_front;
