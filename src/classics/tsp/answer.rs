//! What an engine returns: the shortest tour.

use std::time::Duration;

/// The shortest tour, and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its length.
    pub length: i64,
    /// The cities in order, numbered from 0, the first one first.
    pub tour: Vec<usize>,
    /// What the engine used, for example `AVX-512, 2 threads`.
    pub how: String,
    /// Threads of the CPU that took part, at least 1.
    pub threads: usize,
    /// Candidates looked at.
    pub updates: u64,
    /// Time of filling tables.
    pub solve: Duration,
    /// Time of finding the tour.
    pub traceback: Duration,
}
