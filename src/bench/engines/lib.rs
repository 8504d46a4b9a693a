//! Engines that the planner never selects: methods from papers, implemented for comparison with the product's own.
//!
//! One folder per family, each with its own registry (`thesis`: techniques and float tables of B. Suri's thesis); `isx-bench` measures them together with the product's registry.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod knapsack;
pub mod lcs;
pub mod multidim;
pub mod thesis;
pub mod wave;
