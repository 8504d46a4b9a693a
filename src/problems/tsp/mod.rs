//! The travelling salesman problem: the shortest round trip that visits every city once.
//!
//! ```text
//! min  d(c_0, c_1) + d(c_1, c_2) + .. + d(c_{n-1}, c_0)     over all orders c of the cities, c_0 the first of the file
//! ```
//!
//! Distances are integers and may be asymmetric; distances from coordinates are rounded in advance ([`tsplib`]).

mod claim;
pub mod generate;
pub mod tsplib;
mod witness;

pub use claim::Claim;
pub use witness::witness;

/// The maximum number of cities; the largest problem of TSPLIB has 85,900.
pub const MAX_CITIES: usize = 100_000;

/// Every path and every tour stays below 2^62 in absolute length.
pub const LENGTH_BITS: u32 = 62;

/// Cities and the distances between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tsp {
    numbers: Vec<u64>,
    distances: Vec<i64>,
}

/// Why a problem is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum TspError {
    #[error("there is no city; a tour needs one to begin with")]
    Empty,
    #[error("{cities} cities need a matrix of their number squared, and it has {distances} distances")]
    Shape { cities: usize, distances: usize },
    #[error("the distances are so large that a tour may be longer than 2^62")]
    Range,
}

impl Tsp {
    /// The cities with these numbers, and the distances between all pairs, row by row; the diagonal is ignored. Fails
    /// with [`TspError`].
    ///
    /// ```
    /// use isx_problems::tsp::Tsp;
    /// let problem = Tsp::new(vec![1, 2], vec![0, 3, 4, 0]).unwrap();
    /// assert_eq!((problem.distance(0, 1), problem.distance(1, 0)), (3, 4));
    /// ```
    pub fn new(numbers: Vec<u64>, mut distances: Vec<i64>) -> Result<Self, TspError> {
        let cities = numbers.len();
        if cities == 0 {
            return Err(TspError::Empty);
        }
        if cities.checked_mul(cities) != Some(distances.len()) {
            return Err(TspError::Shape { cities, distances: distances.len() });
        }
        distances.iter_mut().step_by(cities + 1).for_each(|itself| *itself = 0);
        let problem = Self { numbers, distances };
        if problem.bound() >= 1 << LENGTH_BITS { Err(TspError::Range) } else { Ok(problem) }
    }

    /// The number of cities, at least 1.
    pub fn cities(&self) -> usize {
        self.numbers.len()
    }

    /// The cities' numbers, as in their file.
    pub fn numbers(&self) -> &[u64] {
        &self.numbers
    }

    /// The distance from one city to another, as 0-based indices in file order.
    pub fn distance(&self, from: usize, to: usize) -> i64 {
        self.distances[from * self.cities() + to]
    }

    /// Whether all distances are the same in both directions.
    pub fn is_symmetric(&self) -> bool {
        let cities = self.cities();
        (0..cities).all(|from| (0..from).all(|to| self.distance(from, to) == self.distance(to, from)))
    }

    /// An upper bound on the absolute length of any set of edges that leaves each city at most once.
    pub fn bound(&self) -> i128 {
        let longest = |ways: &[i64]| ways.iter().map(|&way| i128::from(way).abs()).max().unwrap_or(0);
        self.distances.chunks_exact(self.cities()).map(longest).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_of_another_shape_and_distances_out_of_range_are_refused() {
        assert_eq!(Tsp::new(vec![], vec![]), Err(TspError::Empty));
        assert_eq!(Tsp::new(vec![1, 2], vec![0; 3]), Err(TspError::Shape { cities: 2, distances: 3 }));
        let far = (1 << 61) - 1;
        let two = |distance| Tsp::new(vec![1, 2], vec![i64::MIN, distance, -distance, i64::MAX]);
        assert_eq!(two(far).unwrap().bound(), (1 << 62) - 2);
        assert_eq!(two(far + 1), Err(TspError::Range));
        // From one city it is far to all others, which are close to each other.
        let star: Vec<i64> = (0..9).map(|at| if at / 3 == 0 && at > 0 { 1 << 60 } else { 1 }).collect();
        assert_eq!(Tsp::new(vec![1, 2, 3], star).unwrap().bound(), (1 << 60) + 2);
    }
}
