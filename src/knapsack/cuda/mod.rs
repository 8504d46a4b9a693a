//! The 0-1 knapsack problem on an NVIDIA GPU, which needs only an installed driver.
//!
//! The kernels are in `kernels/knapsack/`; each has a binding of the same name in its engine's folder.

mod losses;

pub use losses::{Cuda, Found, Options, Width, best, front};
