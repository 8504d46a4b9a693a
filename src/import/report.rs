//! What a report of a tool says.

use isx_exact::quantity::Rational;
use std::collections::BTreeMap;

/// What a report of a synthesis or place-and-route tool, or of a benchmark run, says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The tool in words, such as "Yosys".
    pub tool: &'static str,
    /// The amount of each cell type, resource row or metric, by the name in the report, without escapes.
    pub amounts: BTreeMap<String, Rational>,
    /// The frequency that each clock reaches, in hertz.
    pub clocks: BTreeMap<String, Rational>,
    /// Figures that are no amounts, such as cycles and times.
    pub figures: BTreeMap<String, Rational>,
}
