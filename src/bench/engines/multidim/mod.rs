//! Lemos's scheme for a batch of multi-dimensional knapsack problems.

mod lemos;
mod multidim_lemos;

use isx_classics::multidim::Multidim;
use isx_engine::{Auto, Entry, Hardware, Registry, Threads};

/// All engines, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<Multidim> = Registry(&[
    Entry { name: "cuda-lemos", about: "Lemos's scheme on an NVIDIA GPU", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &lemos::Lemos },
]);
