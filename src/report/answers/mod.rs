//! What is told of a front, in the terminal and as JSON: its table, one design, a verdict, two fronts compared, what a
//! certificate proves.

pub mod compare;
pub mod proof;
pub(crate) mod response;
pub mod show;
pub mod table;
pub mod verdict;
pub(crate) mod words;
