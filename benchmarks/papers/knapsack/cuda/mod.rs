//! On an NVIDIA GPU. The kernels are in `kernels/papers/`; each has its binding here under the same stem.

mod knapsack_wave;
mod wave;

pub use wave::{Streaming, Wave, streaming, wave};
