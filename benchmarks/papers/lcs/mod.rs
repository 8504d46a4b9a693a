//! The longest common subsequence of two sequences of bytes: the textbook's table, and its anti-diagonals by the wave driver,
//! after O'Connell and Mumford.
//!
//! ```text
//! L(i, 0) = L(0, j) = 0
//! L(i, j) = L(i-1, j-1) + 1                  where the i-th letter equals the j-th
//!           max( L(i-1, j), L(i, j-1) )      elsewhere
//! ```
//!
//! Of several longest common subsequences every engine returns the same: from the end of both, up while the value stays the
//! same, then left while it does; two letters are equal there, and belong to it.

mod cuda;
pub mod generate;
mod lcs_wave;
mod problem;
mod reference;
mod wave;

pub use problem::{Found, Lcs, Pair, Wanted, parse};

use isx_engine::{Auto, Entry, Hardware, Registry, Threads};

/// All engines, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<Lcs> = Registry(&[
    Entry { name: "reference", about: "the textbook table", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::ByEstimate, judge: true, engine: &reference::Reference },
    Entry { name: "wave", about: "anti-diagonals by the wave driver", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &wave::Wave },
    Entry { name: "cuda-wave", about: "anti-diagonals on an NVIDIA GPU by the wave driver, choices streamed to the host", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &cuda::Wave::Written },
    Entry { name: "cuda-printed", about: "the same by the kernel printed from the recurrence", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &cuda::Wave::Printed },
]);
