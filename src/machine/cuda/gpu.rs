//! The GPU of a machine, before and after it is opened.

use super::device::{Device, DeviceInfo, describe};
use super::error::DeviceError;
use std::sync::{Arc, OnceLock};

/// The GPU of a machine: its number, and the device itself once it was requested.
#[derive(Debug)]
pub struct Gpu {
    ordinal: usize,
    most_memory: u64,
    info: OnceLock<Result<DeviceInfo, DeviceError>>,
    device: OnceLock<Result<Arc<Device>, DeviceError>>,
}

impl Gpu {
    /// The GPU of this number, as the driver counts; the driver is not queried yet.
    pub fn new(ordinal: usize) -> Self {
        Self { ordinal, most_memory: u64::MAX, info: OnceLock::new(), device: OnceLock::new() }
    }

    /// The same GPU, with a limit on the bytes of its memory in use at the same time.
    pub fn limited(&self, bytes: u64) -> Self {
        Self { most_memory: bytes, ..Self::new(self.ordinal) }
    }

    /// The GPU of another number, with the same limit.
    pub fn numbered(&self, ordinal: usize) -> Self {
        Self { most_memory: self.most_memory, ..Self::new(ordinal) }
    }

    /// Its properties; queried once, and without creating a context.
    pub fn info(&self) -> Result<&DeviceInfo, DeviceError> {
        let limited = |info: DeviceInfo| DeviceInfo { memory: info.memory.min(self.most_memory), ..info };
        self.info.get_or_init(|| describe(self.ordinal).map(limited)).as_ref().map_err(Clone::clone)
    }

    /// The device, opened on the first call.
    pub fn device(&self) -> Result<&Arc<Device>, DeviceError> {
        let open = || Device::create(self.ordinal, self.most_memory).map(Arc::new);
        self.device.get_or_init(open).as_ref().map_err(Clone::clone)
    }

    /// Whether a kernel can run at once; the driver is not queried.
    pub(crate) fn is_started(&self) -> bool {
        crate::faults::is_gpu_free() || matches!(self.device.get(), Some(Ok(_)))
    }
}
