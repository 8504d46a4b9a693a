//! The 0-1 knapsack on an NVIDIA GPU, with nothing but a driver installed.
//!
//! `kernels/knapsack/` hold the kernels; each has its binding under the same stem beside its engine.

mod grouped;
mod losses;

pub use grouped::{Grouped, grouped};
pub use losses::{Cuda, Found, Options, Width, best, front};
