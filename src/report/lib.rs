//! What a user gets to read of a front: one exporter a format, and one place that writes files.
//!
//! | file | writes | reads it again |
//! |---|---|---|
//! | [`json`] | the whole front, exactly, schema `isx.front/1` | [`exact`] |
//! | [`csv`] | a row a point, for spreadsheets | |
//! | [`table`] | a summary for the terminal | |
//! | [`html`] | the front as a page for a browser, from an exploration or its JSON; [`origin`] is what it names as its source | |
//! | [`svg`] | the front drawn as steps, from [`plot::PlotData`]; lines ([`svg::lines`]) | |
//! | [`show`] | one design, task by task, as text and as JSON, schema `isx.design/1` | |
//! | [`compare`] | two fronts against each other, as text, picture and JSON, schema `isx.comparison/1` | |
//!
//! Exporters write to any [`std::io::Write`] as they go: a front of half a million points makes hundreds of
//! megabytes of JSON, which is never held as a whole. [`files`] gives them files that appear complete or not at all.
//!
//! Areas and utilizations are printed from exact numbers. Only what is drawn, and the fields named `approx` (JSON)
//! and `utilization` (CSV), are floats.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod blocks;
mod chunks;
mod clock;
pub mod columns;
pub mod compare;
pub mod csv;
pub mod exact;
mod figures;
pub mod files;
pub mod formats;
#[cfg(feature = "html")]
pub mod html;
pub mod json;
pub mod lcs;
pub mod lines;
pub mod multidim;
pub mod origin;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod plot;
pub mod proof;
mod response;
pub mod show;
pub mod solution;
#[cfg(feature = "svg")]
pub mod svg;
pub mod table;
mod text;
pub mod tsp;
mod unreadable;
pub mod verdict;

#[doc(hidden)]
pub use text::cut;
pub use text::{visible, wrapped};

#[cfg(test)]
mod testing;
