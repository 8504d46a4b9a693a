//! Sizes from which on a layer is made in another way.

/// Sizes that change how a layer is made, and nothing of what it is.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Lists with fewer labels on average are not compared with those of other sets.
    pub long: usize,
    /// Candidates of a class below which only one thread works.
    pub shared: usize,
}

impl Limits {
    /// The limits that are fastest on most problems.
    pub const USUAL: Self = Self { long: 24, shared: 1 << 14 };
}
