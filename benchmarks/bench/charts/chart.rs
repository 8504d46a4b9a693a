//! The data of a chart of times.

use super::measured::duration;
use isx_pages::svg::paint::Ink;
use serde::{Deserialize, Serialize};

/// Where a measurement ran, shown by its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Series {
    /// The textbook loop on one core, the baseline of the others.
    Baseline,
    /// On the CPU.
    Cpu,
    /// On a GPU.
    Gpu,
}

impl Series {
    /// All, in the legend's order.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Cpu, Self::Gpu];

    /// Its color.
    pub fn ink(self) -> Ink {
        Ink::Line(match self {
            Self::Baseline => 0,
            Self::Cpu => 1,
            Self::Gpu => 3,
        })
    }

    /// What the legend says of it.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Baseline => "textbook loop, one core",
            Self::Cpu => "CPU",
            Self::Gpu => "GPU",
        }
    }
}

/// Times of some runs, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The fastest run.
    pub least: f64,
    /// The median.
    pub median: f64,
    /// The slowest run.
    pub most: f64,
    /// Number of runs.
    pub runs: usize,
}

impl Range {
    /// In words, as a reader sees it over the chart.
    pub fn words(&self) -> String {
        let Self { least, median, most, runs } = *self;
        let mut words = duration(median);
        if runs > 1 {
            words += &format!(" (median of {runs} runs from {} to {})", duration(least), duration(most));
        }
        words
    }
}

/// One contestant's measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub label: String,
    /// Where it ran.
    pub series: Series,
    /// The times, or why there are none.
    pub times: Result<Range, String>,
}

/// Measurements of one instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The instance.
    pub title: String,
    /// Its measurements, at least one.
    pub rows: Vec<Row>,
}

/// A chart of times.
#[derive(Clone, Debug, PartialEq)]
pub struct DotChart {
    /// What was measured.
    pub title: String,
    /// Where and how it was measured.
    pub subtitle: String,
    /// The groups, from top to bottom.
    pub groups: Vec<Group>,
}
