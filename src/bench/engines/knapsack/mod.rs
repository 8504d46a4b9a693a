//! 0-1 knapsack engines for comparison: Boyer's on a GPU, and the textbook table swept in waves, rows and
//! anti-diagonals.

pub mod cuda;
mod wave;

use isx_engine::{Auto, Entry, Hardware, Registry, Threads};
use isx_knapsack::Knapsack;
use isx_knapsack::cuda::{Cuda, Options, Width};

/// All of them.
#[rustfmt::skip]
pub static ENGINES: Registry<Knapsack> = Registry(&[
    Entry { name: "cuda-wide", about: "the cuda engine with the lightest items first and cells of at least 32 bits", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &Cuda(Options { at_least: Width::W32, heaviest_first: false, ..Options::DEFAULT }) },
    Entry { name: "cuda-boyer", about: "Boyer's two rows and compressed decisions on an NVIDIA GPU", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &cuda::Boyer },
    Entry { name: "cuda-wave", about: "the textbook table on an NVIDIA GPU by the wave driver, decisions streamed to the host", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &cuda::Wave::Written },
    Entry { name: "cuda-diagonals", about: "the textbook table by anti-diagonals on an NVIDIA GPU, a ring of waves as long as the heaviest item", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &cuda::Diagonals },
    Entry { name: "cuda-printed", about: "the same by the kernel printed from the recurrence, 32-bit profits", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &cuda::Wave::Printed },
    Entry { name: "wave", about: "the textbook table by the wave driver, checkpoints where memory is short", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::Never, judge: false, engine: &wave::Wave },
]);
