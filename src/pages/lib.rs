//! What isx shows: tables and answers as text and as JSON, SVG pictures, and HTML pages.
//!
//! | module | content |
//! |---|---|
//! | [`table`] | a summary of a front for the terminal |
//! | [`html`] | a front as a page for a browser, from an exploration or its JSON |
//! | [`svg`] | a front drawn as steps, from [`plot::PlotData`]; line charts ([`svg::lines`]) |
//! | [`overview`] | many task sets, one row each, for the terminal and as CSV |
//! | [`show`] | one design, task by task, as text and as JSON, schema `isx.design/1` |
//! | [`compare`] | a comparison of two fronts, as text, picture and JSON, schema `isx.comparison/1` |
//! | [`formats`] | the list of all formats in which a front is written to a file |
//!
//! Areas and utilizations are printed from exact numbers. Floats occur only in pictures.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod answers;
pub mod formats;
#[cfg(feature = "html")]
pub mod html;
mod pictures;

pub use answers::{compare, core_front, fit, overview, partition, proof, show, table, verdict};
pub use pictures::plot;
#[cfg(feature = "svg")]
pub use pictures::svg;

#[cfg(test)]
#[allow(dead_code, reason = "two crates share it")]
#[path = "../report/testing.rs"]
mod testing;
