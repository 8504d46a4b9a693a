//! The claim of an answer about a longest common subsequence: plain data, independent of the engine.

/// The length, and the positions of the letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Length of a longest common subsequence.
    pub length: u64,
    /// For each of its letters the 0-based positions in the first and in the second sequence; `None` if only the
    /// length was requested.
    pub pairs: Option<Vec<(usize, usize)>>,
}
