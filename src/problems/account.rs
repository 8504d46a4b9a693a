//! How an answer came to be: plain data for the reader of a report.

use super::value::Tier;
use std::fmt;
use std::time::Duration;

/// What an answer was computed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arithmetic {
    /// Integers of this width.
    Exact(Tier),
}

impl fmt::Display for Arithmetic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(tier) => tier.fmt(f),
        }
    }
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Making the problem smaller.
    pub reduce: Duration,
    /// The forward pass.
    pub solve: Duration,
    /// Finding the configurations.
    pub traceback: Duration,
}

/// How an answer came to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Name of the engine.
    pub engine: &'static str,
    /// What it used, for example `AVX-512, 2 threads`.
    pub how: String,
    /// Threads of the CPU that took part, at least 1.
    pub threads: usize,
    /// What it computed in.
    pub arithmetic: Arithmetic,
    /// Why this engine; half a sentence.
    pub why: String,
    /// Candidates looked at.
    pub updates: u64,
    /// Where the time went.
    pub timings: Timings,
}

impl Account {
    /// The engine and what it used, for example `dense (AVX-512, 2 threads)`.
    #[must_use]
    pub fn ran_on(&self) -> String {
        format!("{} ({})", self.engine, self.how)
    }
}
