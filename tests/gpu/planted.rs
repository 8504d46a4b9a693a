//! Controls for compute-sanitizer: launches of kernels with an error that one of its tools must report.

use super::harness::gpu;
use cudarc::driver::{CudaContext, CudaFunction, CudaStream, LaunchConfig};
use cudarc::nvrtc::Ptx;
use std::sync::Arc;

/// A kernel, and a stream to launch it in.
pub struct Control {
    /// The stream.
    pub stream: Arc<CudaStream>,
    /// The kernel.
    pub function: CudaFunction,
    name: &'static str,
}

impl Control {
    /// A kernel of some PTX.
    pub fn new(ptx: &str, name: &'static str) -> Self {
        let context = CudaContext::new(gpu().info().ordinal).unwrap();
        let module = context.load_module(Ptx::from_src(ptx)).unwrap();
        Self { stream: context.default_stream(), function: module.load_function(name).unwrap(), name }
    }

    /// A launch of so many blocks of so many threads.
    pub fn grid(blocks: u32, threads: u32, shared_mem_bytes: u32) -> LaunchConfig {
        LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (threads, 1, 1), shared_mem_bytes }
    }

    /// Waits for the kernel, which may have failed.
    pub fn end<E: std::fmt::Debug>(&self, launched: &E) {
        println!("{}: {launched:?}, {:?}", self.name, self.stream.synchronize());
    }
}
