//! What can be requested of an engine, and what it returns.

use std::time::Duration;

/// Which parts of a longest common subsequence are requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// How many letters it has.
    Length,
    /// Its letters.
    #[default]
    Subsequence,
}

/// A longest common subsequence of a reduced pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How many letters it has.
    pub length: u64,
    /// The row and the column of each letter, counted from 0; `None` if only the length was requested.
    pub pairs: Option<Vec<(usize, usize)>>,
    /// What the engine used, for example `AVX-512, 2 threads`.
    pub how: String,
    /// Threads of the CPU that took part, at least 1.
    pub threads: usize,
    /// Cells of the table that were computed, including those computed again to find the letters.
    pub updates: u64,
    /// Time of filling the table.
    pub solve: Duration,
    /// Time of finding the letters.
    pub traceback: Duration,
}
