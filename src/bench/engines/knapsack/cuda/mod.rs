//! On an NVIDIA GPU. The kernels are in `kernels/knapsack/`; each has its binding here under the same stem.

mod boyer;
mod diagonals;
mod knapsack_boyer;
mod knapsack_diagonal;
mod knapsack_wave;
mod wave;

pub use boyer::{Boyer, Compression, boyer};
pub use diagonals::{Diagonals, diagonals};
pub use wave::{Streaming, Swept, Wave, streaming, wave};
