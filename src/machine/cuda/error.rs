//! Errors of GPUs and their driver.

use crate::faults::{Door, is_shut};
use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;

/// A static program finds no driver, whatever is installed.
const NO_DRIVER: &str = if cfg!(all(target_os = "linux", target_feature = "crt-static")) {
    "this isx is a static program, which cannot load an NVIDIA driver; where one is installed, use the archive for linux-gnu"
} else {
    "no NVIDIA driver is installed (libcuda was not found)"
};

/// An error of a GPU or its driver. The message names the kernel or call and suggests a fix.
#[derive(Clone, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum DeviceError {
    #[error("{}", NO_DRIVER)]
    NoDriver,
    #[error(
        "the NVIDIA driver supports CUDA {}.{} and isx needs 12.4; install driver 550 or newer",
        found / 1000,
        found % 1000 / 10
    )]
    DriverTooOld { found: i32 },
    #[error("the NVIDIA driver finds no GPU")]
    NoDevice,
    #[error("there is no GPU {ordinal}: the driver finds {count}, counted from 0")]
    NoSuchDevice { ordinal: usize, count: usize },
    #[error("GPU {ordinal} ({name}) has compute capability {major}.{minor}; isx needs 7.0 or newer")]
    GpuTooOld { ordinal: usize, name: String, major: i32, minor: i32 },
    #[error("{what}: {}", describe(source))]
    Call { what: String, source: DriverError },
    #[error(
        "GPU memory: {needed} bytes are needed and {free} are free; lower the capacity or use a CPU engine"
    )]
    Memory { needed: u64, free: u64 },
    #[error("kernel {kernel}: {why}")]
    Unfit { kernel: &'static str, why: String },
    #[error("kernel {kernel}: {why}; its answer was discarded")]
    Unbelievable { kernel: &'static str, why: String },
}

impl DeviceError {
    /// Whether there is no usable GPU, as opposed to one that failed.
    pub fn is_absence(&self) -> bool {
        use DeviceError::{DriverTooOld, GpuTooOld, NoDevice, NoDriver, NoSuchDevice};
        matches!(self, NoDriver | DriverTooOld { .. } | NoDevice | NoSuchDevice { .. } | GpuTooOld { .. })
    }

    /// Whether the driver refused memory, on the GPU or on the host.
    pub fn is_out_of_memory(&self) -> bool {
        matches!(self, Self::Call { source, .. } if source.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY)
    }
}

/// The driver's own message, or the bare code if it has none.
fn describe(error: &DriverError) -> String {
    match (error.error_name(), error.error_string()) {
        (Ok(name), Ok(text)) => format!("{} ({})", text.to_string_lossy(), name.to_string_lossy()),
        _ => format!("driver error {:?}", error.0),
    }
}

/// The driver error that an injected fault reports.
fn injected() -> DriverError {
    DriverError(match crate::faults::code() {
        2 => CUresult::CUDA_ERROR_OUT_OF_MEMORY,
        222 => CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
        700 => CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
        702 => CUresult::CUDA_ERROR_LAUNCH_TIMEOUT,
        _ => CUresult::CUDA_ERROR_UNKNOWN,
    })
}

/// Adds the failed operation to an error of the driver.
pub trait During<T> {
    /// Names the operation.
    fn during(self, what: impl Into<String>) -> Result<T, DeviceError>;
}

impl<T> During<T> for Result<T, DriverError> {
    fn during(self, what: impl Into<String>) -> Result<T, DeviceError> {
        // Every driver call passes through here, so that a test can make any of them fail.
        let result = if is_shut(Door::Gpu) { Err(injected()) } else { self };
        result.map_err(|source| DeviceError::Call { what: what.into(), source })
    }
}
