//! Plain validated problems, one folder per family: the problem, its text format, its generator, the claim of an
//! answer, and the witness that recomputes a claim.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod account;
pub mod knapsack;
pub mod looks;
pub mod mckp;
pub mod mismatch;
pub mod recipe;
pub mod reduce;
pub mod resources;
pub mod set_union;
pub mod text;
pub mod value;
