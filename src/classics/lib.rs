//! Engines for classical dynamic programs: the multi-dimensional knapsack problem, longest common subsequences and
//! shortest tours. One module per family.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod lcs;
pub mod multidim;
pub mod tsp;
