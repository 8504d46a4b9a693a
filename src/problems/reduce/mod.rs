//! Reduces problems without losing an answer, one folder per family, and maps answers back.

pub mod knapsack;
pub mod mckp;
pub mod resources;
