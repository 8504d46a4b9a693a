//! What the documents at the root show: the picture and the program of README.md, and the recipes of CONTRIBUTING.md, each
//! carried out in a few lines by somebody who sees only what the library makes public: an engine, a family of problems, an
//! output format.

// Helpers of a test are tests, too.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../common/random.rs"]
mod random;

mod mckp_engine;
mod output_format;
mod problem_family;
mod readme;
