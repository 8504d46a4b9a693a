//! The result of an engine: the best solution of every problem of a batch.

use num_bigint::BigInt;
use std::time::Duration;

/// The best solution of a reduced problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// The profit, in the reduced problem's units.
    pub profit: BigInt,
    /// The chosen items of the reduced problem, smallest number first.
    pub chosen: Vec<usize>,
}

/// The best solution of every problem of a batch, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// One per problem.
    pub best: Vec<Best>,
    /// What the engine used, for example `AVX-512, 2 threads`.
    pub how: String,
    /// Threads of the CPU that took part, at least 1.
    pub threads: usize,
    /// Candidates computed: cells of a table per item, and choices of items that were tried one by one.
    pub updates: u64,
    /// Time of filling tables, summed over all threads if they divide the problems.
    pub solve: Duration,
    /// Time of finding the items, if it was measured separately.
    pub traceback: Duration,
}
