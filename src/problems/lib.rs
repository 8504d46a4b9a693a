//! Plain validated problems, a folder a family: the problem, its text format, its generator, what an answer claims, and
//! the witness that sums a claim again.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod account;
pub mod knapsack;
pub mod lcs;
pub mod mckp;
pub mod mismatch;
pub mod multidim;
pub mod recipe;
pub mod reduce;
pub mod set_union;
pub mod text;
pub mod tsp;
pub mod value;
