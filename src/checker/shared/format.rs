//! Constants of the format, shared by the checker and by programs that write certificates: the file header, and the
//! numbers for kinds of problems, claims and reasons. See [the crate](crate#the-format).

/// The first bytes of a certificate.
pub const MAGIC: &[u8] = b"isx certificate 2\n";

/// The kinds of problems.
pub mod problem {
    /// A task set.
    pub const TASK_SET: u64 = 0;
    /// A multiple-choice knapsack problem.
    pub const MCKP: u64 = 1;
    /// A 0-1 knapsack problem with non-negative profits.
    pub const KNAPSACK: u64 = 2;
    /// A 0-1 knapsack problem with profits of any sign.
    pub const SIGNED_KNAPSACK: u64 = 3;
    /// A task set to be divided among equal cores.
    pub const CORES: u64 = 4;
    /// The last kind.
    pub const LAST: u64 = CORES;
    /// The policy of a task set of which only utilizations are stated; 0 is EDF, 1 fixed priorities.
    pub const UNSTATED: u64 = 2;
}

/// The kinds of claims.
pub mod claim {
    /// A front.
    pub const FRONT: u64 = 0;
    /// A best selection.
    pub const BEST: u64 = 1;
    /// No selection fits.
    pub const NOTHING_FITS: u64 = 2;
    /// A design is schedulable.
    pub const SCHEDULABLE: u64 = 3;
    /// No design is schedulable.
    pub const NOT_SCHEDULABLE: u64 = 4;
    /// A division among cores is the least.
    pub const LEAST_DIVISION: u64 = 5;
    /// There is no division among cores.
    pub const NO_DIVISION: u64 = 6;
    /// A design has the least area of all schedulable ones.
    pub const LEAST_AREA: u64 = 7;
    /// The last kind.
    pub const LAST: u64 = LEAST_AREA;
}

/// Why no division at a clock has less area.
pub mod bound {
    /// All cores together are too slow for less.
    pub const TOGETHER: u64 = 0;
    /// At prices of the tasks no core gains enough.
    pub const PRICES: u64 = 1;
    /// A task is pinned to a core that does not exist.
    pub const PINNED: u64 = 2;
    /// Neither if the chip builds a block, nor if it does not; the last way.
    pub const BRANCH: u64 = 3;
}

/// Reasons why no design of a clock is schedulable.
pub mod reason {
    /// The utilization exceeds 1.
    pub const OVERLOAD: u64 = 0;
    /// The jobs due by a time take longer than that time.
    pub const DEMAND: u64 = 1;
    /// A job is late.
    pub const LATE: u64 = 2;
    /// Each of two cases has a reason of its own, or two cases again.
    pub const CASES: u64 = 3;
    /// The last one.
    pub const LAST: u64 = CASES;
}
