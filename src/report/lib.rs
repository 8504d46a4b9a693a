//! Reports about a front: one exporter per format, and one module that writes files.
//!
//! | module | content | reader |
//! |---|---|---|
//! | [`json`] | the whole front, exactly, schema `isx.front/1` | [`written`] |
//! | [`csv`] | one row per point, for spreadsheets | |
//! | [`table`] | a summary for the terminal | |
//! | [`html`] | the front as a page for a browser, from an exploration or its JSON; [`origin`] describes its source |
//! |
//! | [`svg`] | the front drawn as steps, from [`plot::PlotData`]; line charts ([`svg::lines`]) | |
//! | [`overview`] | many task sets, one row each, for the terminal and as CSV | |
//! | [`show`] | one design, task by task, as text and as JSON, schema `isx.design/1` | |
//! | [`compare`] | a comparison of two fronts, as text, picture and JSON, schema `isx.comparison/1` | |
//!
//! Exporters write to any [`std::io::Write`] as they go: a front of half a million points makes hundreds of megabytes
//! of JSON, which are never in memory at once. [`files`] provides files that appear complete or not at all.
//!
//! Areas and utilizations are printed from exact numbers. Floats occur only in pictures and in the fields `approx`
//! (JSON) and `utilization` (CSV).

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod answers;
pub mod files;
pub mod formats;
mod front;
#[cfg(feature = "html")]
pub mod html;
pub mod lines;
pub mod origin;
mod pictures;
pub mod solution;
mod text;
pub mod written;

pub use answers::{compare, fit, overview, proof, show, table, verdict};
#[cfg(feature = "parquet")]
pub use front::parquet;
pub use front::{columns, csv, json, read_json};
pub use pictures::plot;
#[cfg(feature = "svg")]
pub use pictures::svg;
#[doc(hidden)]
pub use text::cut;
pub use text::{visible, wrapped};

#[cfg(test)]
mod testing;
