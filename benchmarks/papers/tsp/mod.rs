//! The shortest round trip through all cities (R. Bellman, "Dynamic programming treatment of the travelling salesman problem",
//! J. ACM 9(1), 1962; M. Held and R. M. Karp, "A dynamic programming approach to sequencing problems", J. SIAM 10(1), 1962):
//! the textbook's table, and the sets of one size as a wave of the driver of O'Connell and Mumford.
//!
//! ```text
//! h(S, j) = shortest path from city 0 through all cities of S to j, which is not in S
//! h({}, j) = d(0, j)        h(S, j) = min over i in S of  h(S \ {i}, i) + d(i, j)        S of the other m = n - 1 cities
//! ```
//!
//! The tour is h(all, 0). On the way back the least city is taken of several that lead to the same length, so every engine
//! returns the same tour.
//!
//! # How far this goes
//!
//! There are m 2^(m-1) states. J. F. O'Connell and C. L. Mumford, "An exact dynamic programming based method to solve
//! optimisation problems using GPUs", report running times of this recurrence on a280 to fnl4461, 280 to 4,461 cities of
//! TSPLIB, and call them exact. That is impossible: 280 cities have 279 * 2^278 = 1.4 * 10^86 states, while the observable
//! universe has about 10^80 atoms. Neither the order of computation nor streaming to the host changes their number.

mod choose;
mod cuda;
mod problem;
mod reference;
mod tsp_wave;
mod wave;

pub use problem::{Problem, Text, Tour, Tsp, parse};

use isx_engine::{Auto, Entry, Hardware, Registry, Threads};

/// All engines, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<Tsp> = Registry(&[
    Entry { name: "reference", about: "the textbook table of all sets", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::ByEstimate, judge: true, engine: &reference::Reference },
    Entry { name: "wave", about: "sets of one size by the wave driver", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &wave::Wave },
    Entry { name: "cuda-wave", about: "sets of one size on an NVIDIA GPU by the wave driver, choices streamed to the host", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &cuda::Wave },
]);
