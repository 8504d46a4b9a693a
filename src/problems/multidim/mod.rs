//! The 0-1 knapsack problem with a capacity in each of up to three dimensions.
//!
//! ```text
//! max  sum_{i in S} p_i   s.t.   sum_{i in S} w_{i,k} <= c_k   for every dimension k
//! ```

mod claim;
pub mod generate;
mod or_library;
mod raw;
pub mod text;
mod witness;

pub use claim::Claim;
pub use witness::witness;

/// The maximum number of dimensions.
pub const MAX_DIMENSIONS: usize = 3;

/// One number per dimension; 0 in unused dimensions.
pub type PerDimension = [u64; MAX_DIMENSIONS];

/// An item with its profit and its weight in each dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// Profit, of any sign, its absolute value below 2^120.
    pub profit: i128,
    /// Weights below 2^62, in units of the capacities; 0 in unused dimensions.
    pub weights: PerDimension,
}

/// A 0-1 knapsack problem in one to three dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multidim {
    /// The number of dimensions, 1 to [`MAX_DIMENSIONS`].
    pub dimensions: usize,
    /// The capacities, below 2^62; 0 in unused dimensions.
    pub capacities: PerDimension,
    /// The items in file order.
    pub items: Vec<Item>,
}
