//! Boyer's method for the 0-1 knapsack problem on a GPU: two rows of values, decisions 32 to a word, compressed.

mod knapsack_boyer;
mod method;

pub use method::{Boyer, boyer};

use isx_engine::{Auto, Entry, Hardware, Registry, Threads};
use isx_knapsack::Knapsack;

/// The engine; that for the CPU is `boyer` of the product's registry.
#[rustfmt::skip]
pub static ENGINES: Registry<Knapsack> = Registry(&[
    Entry { name: "cuda-boyer", about: "Boyer's two rows and compressed decisions on an NVIDIA GPU", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &Boyer },
]);
