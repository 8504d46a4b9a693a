//! The result of an engine: the shortest tour.

use std::time::Duration;

/// The shortest tour, and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its length.
    pub length: i64,
    /// The cities in order, numbered from 0, starting with the first one.
    pub tour: Vec<usize>,
    /// What the engine used, for example `AVX-512, 2 threads`.
    pub how: String,
    /// Threads of the CPU that took part, at least 1.
    pub threads: usize,
    /// Candidates computed.
    pub updates: u64,
    /// Time of filling tables.
    pub solve: Duration,
    /// Time of finding the tour.
    pub traceback: Duration,
}
