//! The engines for longest common subsequences.
//!
//! [`ENGINES`] lists them; each has a file or a folder here. With L(i, j) the length for the first i letters of the
//! first sequence (rows) and the first j of the second (columns):
//!
//! ```text
//! L(i, 0) = L(0, j) = 0
//! L(i, j) = L(i-1, j-1) + 1                  where the i-th letter equals the j-th
//!           max( L(i-1, j), L(i, j-1) )      elsewhere
//! ```
//!
//! Of several longest common subsequences, and of several embeddings of one, every engine returns the same: start at
//! the end of both sequences, go up while the value stays the same, then left while it does. Two letters are equal
//! there; they are the last of the subsequence. Continue in the same way before them. So the last letter is as early
//! as possible in the first sequence, then as early as possible in the second, then the letter before it, and so on.

mod answer;
pub mod bitparallel;
#[cfg(feature = "cuda")]
pub mod cuda;
mod grid;
mod reference;

pub use answer::{Answer, Wanted};

use isx_engine::{Auto, Entry, Family, Hardware, Registry, Threads};
use isx_problems::reduce::lcs::Reduced;

/// The longest common subsequence of two sequences.
#[derive(Clone, Copy, Debug)]
pub struct Lcs;

impl Family for Lcs {
    const NAME: &'static str = "lcs";
    type Problem = Reduced;
    type Wanted = Wanted;
    type Answer = Answer;
}

/// Every engine, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<Lcs> = Registry(&[
    Entry { name: "reference", about: "the textbook table", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::Never, judge: true, engine: &reference::Reference },
    Entry { name: "bitparallel", about: "64 rows a word, on vector units", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &bitparallel::BitParallel::AUTO },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda", about: "32 rows a word, tiles on an NVIDIA GPU", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::ByEstimate, judge: false, engine: &cuda::Cuda },
]);
