//! The longest common subsequence of two sequences of bytes.
//!
//! A letter is a byte. UTF-8 text is compared byte by byte, so a letter outside ASCII is several bytes, and a common
//! subsequence may contain only some of them.

mod claim;
pub mod generate;
pub mod text;
mod witness;

pub use claim::Claim;
pub use witness::witness;

/// Two sequences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lcs {
    /// The first sequence.
    pub a: Vec<u8>,
    /// The second sequence.
    pub b: Vec<u8>,
}
