//! Plain validated knapsack problems and their file formats.

pub mod mckp;
pub mod value;
