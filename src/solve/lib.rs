//! Solves a plain problem: reduce, plan, run an engine, read its answer in the problem's own terms, and sum it again. A
//! file a family.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod batch;
mod error;
pub mod knapsack;
pub mod lcs;
pub mod mckp;
pub mod multidim;
pub mod set_union;
pub mod tsp;

pub use error::SolveError;
pub use mckp::{Options, Solution, solve, solve_unchecked, solve_with};
