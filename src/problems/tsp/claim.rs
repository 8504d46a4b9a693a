//! What an answer to a travelling salesman problem claims: plain data, whoever computed it.

/// The length of the shortest tour, and a tour of that length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The sum of its distances.
    pub length: i64,
    /// The cities in the tour's order, numbered from 0 in the order of the file; the first is 0.
    pub tour: Vec<usize>,
}
