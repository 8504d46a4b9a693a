//! The textbook's table of the 0-1 knapsack problem, swept by the wave driver, a row a wave.

pub mod cuda;
mod wave;

use isx_engine::{Auto, Entry, Hardware, Registry, Threads};
use isx_knapsack::Knapsack;

/// All of them.
#[rustfmt::skip]
pub static ENGINES: Registry<Knapsack> = Registry(&[
    Entry { name: "wave", about: "the textbook table by the wave driver", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::Never, judge: false, engine: &wave::Wave },
    Entry { name: "cuda-wave", about: "the textbook table on an NVIDIA GPU by the wave driver, decisions streamed to the host", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &cuda::Wave::Written },
    Entry { name: "cuda-printed", about: "by rows, by the kernel printed from the recurrence, 32-bit profits", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &cuda::Wave::Printed },
]);
