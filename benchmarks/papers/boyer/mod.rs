//! Boyer's method for the 0-1 knapsack problem: two rows of values, decisions 32 to a word, compressed.

mod cpu;
mod knapsack_boyer;
mod method;

pub use method::{Boyer, boyer};

use isx_engine::{Auto, Entry, Hardware, Registry, Threads};
use isx_knapsack::Knapsack;

/// The engines.
#[rustfmt::skip]
pub static ENGINES: Registry<Knapsack> = Registry(&[
    Entry { name: "boyer", about: "Boyer's two rows and compressed decisions", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::Never, judge: false, engine: &cpu::OnCpu },
    Entry { name: "cuda-boyer", about: "Boyer's two rows and compressed decisions on an NVIDIA GPU", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &Boyer },
]);
