//! Reports about a front, for the terminal and as JSON: its table, one design, a verdict, a comparison of two fronts,
//! what a certificate proves.

mod changes;
pub mod compare;
pub mod core_front;
pub(crate) mod document;
pub mod fit;
mod lines;
pub mod overview;
pub mod partition;
pub mod proof;
pub(crate) mod response;
pub mod show;
pub mod table;
pub mod verdict;
pub(crate) mod words;
