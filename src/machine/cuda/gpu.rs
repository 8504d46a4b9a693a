//! The GPU of a machine, before and after it is opened.

use super::device::{Device, DeviceInfo, describe};
use super::error::DeviceError;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The GPU of a machine: its number, and the device itself once it was requested.
#[derive(Debug)]
pub struct Gpu {
    ordinal: usize,
    most_memory: u64,
    info: OnceLock<Result<DeviceInfo, DeviceError>>,
    device: OnceLock<Result<Arc<Device>, DeviceError>>,
    /// Held by the engine whose tables may fill its memory.
    turn: Mutex<()>,
}

/// A GPU that one engine has to itself.
pub struct Alone<'a> {
    device: &'a Arc<Device>,
    _turn: MutexGuard<'a, ()>,
}

impl Deref for Alone<'_> {
    type Target = Device;

    fn deref(&self) -> &Device {
        self.device
    }
}

impl Gpu {
    /// The GPU of this number, as the driver counts; the driver is not queried yet.
    pub fn new(ordinal: usize) -> Self {
        let (info, device) = (OnceLock::new(), OnceLock::new());
        Self { ordinal, most_memory: u64::MAX, info, device, turn: Mutex::default() }
    }

    /// Its number, as the driver counts.
    pub fn ordinal(&self) -> usize {
        self.ordinal
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

    /// The device, once no other engine has it to itself. Engines whose tables may fill its memory ask for it in this way:
    /// while one of several problems is on the GPU, the next is read and reduced.
    pub fn alone(&self) -> Result<Alone<'_>, DeviceError> {
        // The guarded data is nothing, so a panicked thread leaves no invalid state.
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Alone { device: self.device()?, _turn: turn })
    }

    /// Whether a kernel can run at once; the driver is not queried.
    pub(crate) fn is_started(&self) -> bool {
        crate::faults::is_gpu_free() || matches!(self.device.get(), Some(Ok(_)))
    }
}
