//! Lemos's schemes for a batch of multi-dimensional knapsack problems.

mod lemos;
mod multidim_lemos;

pub use lemos::Lemos;
pub use multidim_lemos::Grid;

use isx_classics::multidim::Multidim;
use isx_engine::{Auto, Entry, Hardware, Registry, Threads};

/// All engines, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<Multidim> = Registry(&[
    Entry { name: "cuda-lemos", about: "Lemos's scheme on an NVIDIA GPU", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &Lemos { together: true, grid: None } },
    Entry { name: "cuda-lemos-one", about: "the same with one problem after the other, walks back on the CPU", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &Lemos { together: false, grid: None } },
]);
