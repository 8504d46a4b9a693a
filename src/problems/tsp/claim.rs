//! The claim of an answer to a travelling salesman problem: plain data, independent of the engine.

/// The length of the shortest tour, and a tour of that length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The sum of its distances.
    pub length: i64,
    /// The cities in tour order, as 0-based indices in file order, starting with 0.
    pub tour: Vec<usize>,
}
