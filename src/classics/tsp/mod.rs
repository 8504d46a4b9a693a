//! The dynamic programs for the travelling salesman problem (R. Bellman, "Dynamic programming treatment of the
//! travelling salesman problem", J. ACM 9(1), 1962; M. Held and R. M. Karp, "A dynamic programming approach to
//! sequencing problems", J. SIAM 10(1), 1962).
//!
//! ```text
//! h(S, j) = shortest path from city 0 through all cities of S to j, which is not in S
//! h({}, j) = d(0, j)        h(S, j) = min over i in S of  h(S \ {i}, i) + d(i, j)        S of the other m = n - 1 cities
//! ```
//!
//! [`ENGINES`] lists them; each has a file or a folder here. All return the same tour. Of several shortest ones it
//! is the one whose last m / 2 cities (rounded down) form the least set, compared as numbers with one bit per city,
//! the first city's lowest; of those, the one whose city before them has the least index; before and after that
//! city, the lexicographically least. So the tour of a symmetric problem has a unique direction.
//!
//! # How far this goes
//!
//! There are about n 2^n states, each the result of up to n candidates: exact, and infeasible soon after 30 cities.
//! Two techniques halve the tables twice: only two neighboring sizes of S are in memory at the same time, and the
//! two halves of a tour meet in the middle, so that no S of more than half the cities is computed (`layers`). The
//! tables with numbers of 32 bits, in 10^9 bytes (twice that with 64 bits, which distances of some 10^7 and more
//! need):
//!
//! | cities | symmetric | not symmetric |
//! |---|---|---|
//! | 24 | 0.12 | 0.17 |
//! | 26 | 0.52 | 0.72 |
//! | 28 | 2.2 | 3.0 |
//! | 29 | 4.2 | 6.4 |
//! | 30 | 9.0 | 12.5 |
//! | 31 | 17.5 | 26.8 |
//! | 32 | 37 | 52 |
//! | 33 | 72 | 111 |
//!
//! J. F. O'Connell and C. L. Mumford, "An exact dynamic programming based method to solve optimisation problems
//! using GPUs", report running times of this recurrence on a280 to fnl4461, 280 to 4,461 cities of TSPLIB, and call
//! them exact. That is impossible: 280 cities have 279 * 2^278 = 1.4 * 10^86 states, or 5.4 * 10^86 bytes with 32
//! bits each, while the observable universe has about 10^80 atoms; even two sizes of S that meet in the middle would
//! take more than 5 * 10^85 bytes. Neither the order of computation nor streaming to the host changes their number.
//! Exact tours of such problems are found by branch and cut (Concorde), good ones by local search (LKH, OR-Tools).

mod answer;
mod choose;
#[cfg(feature = "cuda")]
pub mod cuda;
mod family;
mod halves;
pub mod layers;
mod reference;
mod size;

pub use answer::Answer;
pub use family::Tsp;
pub use size::{MOST_CITIES, table_bytes};

use isx_engine::{Auto, Entry, Hardware, Refusal, Registry, Threads};

/// Every engine, one per line. The first refusal is the one reported, so the engine with the smallest tables comes
/// first.
#[rustfmt::skip]
pub static ENGINES: Registry<Tsp> = Registry(&[
    Entry { name: "layers", about: "sets of up to half the cities on vector units, size by size", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &layers::Layers::AUTO },
    Entry { name: "reference", about: "the textbook table of all sets", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::ByEstimate, judge: true, engine: &reference::Reference },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda", about: "sets of up to half the cities on an NVIDIA GPU, size by size", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::ByEstimate, judge: false, engine: &cuda::Cuda },
]);

/// Refuses, before a distance matrix is allocated, a number of cities that no machine has the memory for. Fails with
/// [`EngineError::TooLarge`](isx_engine::EngineError::TooLarge), which reports states and bytes.
///
/// ```
/// use isx_classics::tsp::check_cities;
/// assert!(check_cities(30, true).is_ok());
/// let refused = check_cities(280, true).unwrap_err().to_string();
/// assert!(refused.contains("5.1 * 10^85 bytes"));
/// ```
pub fn check_cities(cities: usize, symmetric: bool) -> Result<(), Refusal> {
    size::check(cities, symmetric, size_of::<i32>()).map_err(|cause| Refusal { engine: "layers", cause })
}
