//! The picture of README.md, the program of the book, and the recipes of CONTRIBUTING.md, each implemented in a few lines
//! with only the public parts of the library: an engine, a family of problems, an output format.

// Helpers of a test are tests, too.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../common/random.rs"]
mod random;

mod mckp_engine;
mod output_format;
mod problem_family;
mod readme;
