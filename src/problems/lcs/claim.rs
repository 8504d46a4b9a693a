//! What an answer about a longest common subsequence claims: plain data, whoever computed it.

/// The length, and where the letters stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Letters of a longest common subsequence.
    pub length: u64,
    /// For each of its letters the positions in the first and in the second sequence, counted from 0; `None` where only
    /// the length was asked for.
    pub pairs: Option<Vec<(usize, usize)>>,
}
