//! Times in digits, in tables and as charts.

pub mod dots;
mod legend;
pub mod measured;
