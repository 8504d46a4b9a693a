//! Longest common subsequences by anti-diagonals, after O'Connell and Mumford.

mod cuda;
mod lcs_wave;
mod wave;

use isx_classics::lcs::Lcs;
use isx_engine::{Auto, Entry, Hardware, Registry, Threads};

/// All engines, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<Lcs> = Registry(&[
    Entry { name: "cuda-wave", about: "anti-diagonals on an NVIDIA GPU by the wave driver, choices streamed to the host", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &cuda::Wave::Written },
    Entry { name: "cuda-printed", about: "the same by the kernel printed from the recurrence", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &cuda::Wave::Printed },
    Entry { name: "wave", about: "anti-diagonals by the wave driver, checkpoints where memory is short", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::Never, judge: false, engine: &wave::Wave },
]);
