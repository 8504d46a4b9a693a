//! The times of a contestant's runs, and statistics of them.

use crate::charts::chart::{Range, Series};
use isx_problems::account::Timings;
use serde::{Deserialize, Serialize};

/// A larger fraction of the time waiting for a core is reported.
const DISTURBED: f64 = 0.1;

/// The times of one run, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Reducing the problem.
    pub reduce: f64,
    /// The forward pass.
    pub solve: f64,
    /// Finding the items.
    pub traceback: f64,
}

impl Sample {
    pub(super) fn of(timings: &Timings) -> Self {
        let [reduce, solve, traceback] =
            [timings.reduce, timings.solve, timings.traceback].map(|time| time.as_secs_f64());
        Self { reduce, solve, traceback }
    }

    /// The whole time.
    pub fn total(&self) -> f64 {
        self.reduce + self.solve + self.traceback
    }
}

/// The checked and timed runs of a contestant on an instance.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Timed {
    /// The engine's own description of the run.
    pub ran_on: String,
    /// Threads used, if recorded.
    pub threads: Option<usize>,
    /// The arithmetic of the computation.
    pub arithmetic: String,
    /// Candidates examined.
    pub updates: u64,
    /// Every timed run, at least one.
    pub samples: Vec<Sample>,
    /// The fraction of its time that the measuring thread waited for a core that other programs used; `None` if the
    /// system does not report it.
    pub waited: Option<f64>,
}

impl Timed {
    /// A single time, of which nothing else is known.
    pub fn once(ran_on: &str, seconds: f64) -> Self {
        let samples = vec![Sample { reduce: 0.0, solve: seconds, traceback: 0.0 }];
        let (ran_on, arithmetic) = (ran_on.to_owned(), String::new());
        Self { ran_on, threads: None, arithmetic, updates: 0, samples, waited: None }
    }

    /// The median of a figure over the runs.
    pub fn median(&self, figure: impl Fn(&Sample) -> f64) -> f64 {
        median(self.samples.iter().map(figure).collect())
    }

    /// A figure of the runs for a chart: median, least and greatest.
    pub fn range(&self, figure: impl Fn(&Sample) -> f64) -> Range {
        let figures = || self.samples.iter().map(&figure);
        let median = self.median(&figure);
        Range {
            least: figures().fold(median, f64::min),
            median,
            most: figures().fold(median, f64::max),
            runs: self.samples.len(),
        }
    }

    /// Whether as many candidates were examined, relative to the textbook loop, that rates are comparable: at least
    /// half. Cells that no items so far can reach are not counted as work.
    pub fn does_the_work_of(&self, textbook: &Self) -> bool {
        self.updates.saturating_mul(2) > textbook.updates
    }

    /// Whether other programs used so much of the machine that the times mean little.
    pub fn disturbed(&self) -> bool {
        self.waited.is_some_and(|part| part > DISTURBED)
    }

    /// The median of the whole time.
    pub fn total(&self) -> f64 {
        self.median(Sample::total)
    }

    /// Updates per second of the forward pass.
    pub fn rate(&self) -> f64 {
        self.updates as f64 / self.median(|sample| sample.solve).max(1e-9)
    }
}

/// The series of a time: the textbook loop, a GPU or the CPU.
pub fn series(judge: bool, gpu: bool) -> Series {
    match (judge, gpu) {
        (true, _) => Series::Baseline,
        (false, true) => Series::Gpu,
        (false, false) => Series::Cpu,
    }
}

/// The median; for an even number of values the mean of the middle two; NaN for none.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_unstable_by(f64::total_cmp);
    let half = figures.len() / 2;
    match figures.len() {
        0 => f64::NAN,
        length if length % 2 == 0 => f64::midpoint(figures[half - 1], figures[half]),
        _ => figures[half],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_medians() {
        assert!(median(vec![]).is_nan());
        assert_eq!([median(vec![3.0, 1.0, 2.0]), median(vec![4.0, 1.0, 2.0, 3.0])], [2.0, 2.5]);
    }
}
