//! Engines that the planner never takes: methods from papers, kept to be measured beside the product's own.
//!
//! A folder per family, each with a registry of its own; `isx-bench` measures them together with the product's registry.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod knapsack;
pub mod lcs;
pub mod multidim;
pub mod wave;
