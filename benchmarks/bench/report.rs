//! What a benchmark found, as text and as charts.

use crate::charts::chart::DotChart;
use serde::Serialize;

/// What a benchmark found.
pub trait Report: Serialize {
    /// The tables.
    fn markdown(&self) -> String;
    /// The charts, each with its file's stem.
    fn charts(&self) -> Vec<(&'static str, DotChart)>;
}
