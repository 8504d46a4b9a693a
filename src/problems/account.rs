//! How an answer was computed: plain data for reports.

use super::value::Tier;
use std::time::Duration;

/// The computing times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Time of the reduction.
    pub reduce: Duration,
    /// Time of the forward pass.
    pub solve: Duration,
    /// Time to recover the configurations.
    pub traceback: Duration,
}

/// How an answer was computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Name of the engine.
    pub engine: &'static str,
    /// The hardware it used, for example `AVX-512, 2 threads`.
    pub how: String,
    /// Number of CPU threads, at least 1.
    pub threads: usize,
    /// The width of its integers.
    pub arithmetic: Tier,
    /// Why this engine was chosen, as a sentence fragment.
    pub why: String,
    /// Number of candidates examined.
    pub updates: u64,
    /// The computing times.
    pub timings: Timings,
}

impl Account {
    /// The engine and its hardware, for example `dense (AVX-512, 2 threads)`.
    pub fn ran_on(&self) -> String {
        format!("{} ({})", self.engine, self.how)
    }
}
