//! Solves a plain problem: reduce, plan, run an engine, map its answer back to the original problem, and recheck it.
//! One file per family.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod error;
pub mod knapsack;
pub mod mckp;
mod options;
pub mod resources;

pub use error::SolveError;
pub use mckp::{solve, solve_unchecked, solve_with};
pub use options::{Options, Solution};
