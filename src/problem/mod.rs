//! Plain validated knapsack problems and their file formats.

pub mod generate;
pub mod mckp;
pub mod mckp_text;
pub mod value;
