//! What a unit of each kind of work takes on this machine: the constants behind every expected time.
//!
//! The expected time of a plan is a sum of amounts of work, each times its rate:
//!
//! ```text
//! seconds = sum over r of  amount_r * rate_r
//! ```
//!
//! The amounts depend on the problem and are counted by the engines; the rates depend on the machine and stand in one
//! table ([`ROWS`]). A calibration replaces them by measured ones ([`Rates::with`], [`crate::calibration`]). Rates decide which
//! engine runs and among how many threads work is divided, never an answer. To this crate they are names and numbers.

mod table;

pub use table::{ROWS, ROWS_COUNT, Rate, Row};

use std::ops::Index;

/// The rates of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Rates([f64; ROWS_COUNT]);

impl Rates {
    /// Without a calibration.
    pub const DEFAULT: Self = Self(table::DEFAULTS);

    /// With another figure of one rate.
    #[must_use]
    pub fn with(mut self, rate: Rate, figure: f64) -> Self {
        self.0[rate as usize] = figure;
        self
    }

    /// With all rates of a group multiplied by `factor`.
    #[must_use]
    pub fn scaled(mut self, group: &str, factor: f64) -> Self {
        for row in ROWS.iter().filter(|row| row.group() == group) {
            self.0[row.rate as usize] *= factor;
        }
        self
    }
}

impl Default for Rates {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Index<Rate> for Rates {
    type Output = f64;

    fn index(&self, rate: Rate) -> &f64 {
        &self.0[rate as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_rate_has_a_name_of_its_own_a_unit_and_a_figure() {
        let names: BTreeSet<&str> = ROWS.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), ROWS.len());
        for (at, row) in ROWS.iter().enumerate() {
            assert_eq!(row.rate as usize, at, "{}", row.name);
            assert!(row.name.contains('.') && row.unit.contains('/') && !row.about.is_empty(), "{row:?}");
            assert!(row.default > 0.0 && row.default.is_finite(), "{row:?}");
            assert_eq!(Rates::DEFAULT[row.rate], row.default);
        }
    }

    #[test]
    fn a_group_is_scaled_without_its_neighbors() {
        let rates = Rates::default().scaled("mckp.dense", 2.0);
        assert_eq!(rates[Rate::MckpCell], 2.0 * Rates::DEFAULT[Rate::MckpCell]);
        assert_eq!(rates[Rate::MckpBoundedCell], Rates::DEFAULT[Rate::MckpBoundedCell]);
        assert_eq!(rates[Rate::MckpLook], Rates::DEFAULT[Rate::MckpLook]);
    }
}
