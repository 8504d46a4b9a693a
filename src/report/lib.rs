//! Fronts and solutions as files: one exporter per format, and one module that writes files. Texts for
//! terminals, pictures and pages are made in `isx-pages`.
//!
//! | module | content | reader |
//! |---|---|---|
//! | [`json`] | the whole front, exactly, schema `isx.front/3` | [`front`] |
//! | [`csv`] | one row per point, for spreadsheets | |
//! | [`solution`] | answers to plain problems | |
//! | [`files`] | files that appear complete or not at all | |
//!
//! Exporters write to any [`std::io::Write`] as they go: a front of half a million points makes hundreds of megabytes
//! of JSON, which are never in memory at once.
//!
//! Areas and utilizations are printed from exact numbers. Floats occur only in pictures and in the fields `approx`
//! (JSON) and `utilization` (CSV).

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod files;
#[doc(hidden)]
pub mod front;
pub mod lines;
pub mod origin;
pub mod solution;
#[doc(hidden)]
pub mod text;

#[cfg(feature = "parquet")]
pub use front::parquet;
pub use front::wanted as written;
pub use front::{columns, csv, json};
#[doc(hidden)]
pub use text::{cut, listed};
pub use text::{visible, wrapped};

#[cfg(test)]
#[allow(dead_code, reason = "two crates share it")]
mod testing;
