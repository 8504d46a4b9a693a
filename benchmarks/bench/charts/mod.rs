//! Measured times as figures, tables and charts.

pub mod chart;
pub mod dots;
mod legend;
pub mod measured;
