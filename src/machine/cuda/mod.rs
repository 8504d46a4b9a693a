//! NVIDIA GPUs, for which only a driver must be installed: devices, their memory, copies, kernels and launches.
//!
//! The kernels' PTX is part of the program; the driver compiles it for the GPU at hand on first use.

mod device;
mod error;
mod gpu;
mod launch;
mod peer;
mod plain;
mod transfer;

pub use cudarc::driver::PushKernelArg;
pub use device::{Device, DeviceInfo, KernelFile, describe, devices};
pub use error::{DeviceError, During};
pub use gpu::{Alone, Gpu};
pub use isx_kernels::ptx;
pub use launch::{OrNull, grid};
pub use plain::{Cell, Plain, plain_bytes};
