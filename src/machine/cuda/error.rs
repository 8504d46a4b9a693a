//! What can go wrong between isx and a GPU.

use crate::faults::{Door, is_shut};
use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;

/// What can go wrong between isx and a GPU. The message names the kernel or call and says what to do.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DeviceError {
    /// No driver library on this machine.
    #[error("no NVIDIA driver is installed (libcuda was not found)")]
    NoDriver,
    /// The driver reads no PTX as new as isx's.
    #[error(
        "the NVIDIA driver supports CUDA {}.{} and isx needs 12.4; install driver 550 or newer",
        found / 1000,
        found % 1000 / 10
    )]
    DriverTooOld {
        /// CUDA version, 1000 * major + 10 * minor.
        found: i32,
    },
    /// The driver sees no GPU.
    #[error("the NVIDIA driver finds no GPU")]
    NoDevice,
    /// There is no GPU of that number.
    #[error("there is no GPU {ordinal}: the driver finds {count}, counted from 0")]
    NoSuchDevice {
        /// The number asked for.
        ordinal: usize,
        /// How many there are.
        count: usize,
    },
    /// The GPU is older than Volta.
    #[error("GPU {ordinal} ({name}) has compute capability {major}.{minor}; isx needs 7.0 or newer")]
    GpuTooOld {
        /// Its number.
        ordinal: usize,
        /// Its name.
        name: String,
        /// Compute capability.
        major: i32,
        /// Compute capability.
        minor: i32,
    },
    /// A driver call failed.
    #[error("{what}: {}", describe(source))]
    Call {
        /// What was being done, with the kernel's name where there is one.
        what: String,
        /// What the driver said.
        source: DriverError,
    },
    /// The GPU's free memory does not hold what is needed, not even piece by piece.
    #[error(
        "GPU memory: {needed} bytes are needed and {free} are free; lower the capacity or use a CPU engine"
    )]
    Memory {
        /// Bytes needed at once.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
    /// A kernel cannot be launched on this problem.
    #[error("kernel {kernel}: {why}")]
    Unfit {
        /// The kernel.
        kernel: &'static str,
        /// What does not fit.
        why: String,
    },
    /// A kernel ended with an answer that cannot be believed.
    #[error("kernel {kernel}: {why}; its answer was thrown away")]
    Unbelievable {
        /// The kernel.
        kernel: &'static str,
        /// What was found.
        why: String,
    },
}

impl DeviceError {
    /// Whether there is no GPU that could be used, as against one that failed.
    #[must_use]
    pub fn is_absence(&self) -> bool {
        use DeviceError::{DriverTooOld, GpuTooOld, NoDevice, NoDriver, NoSuchDevice};
        matches!(self, NoDriver | DriverTooOld { .. } | NoDevice | NoSuchDevice { .. } | GpuTooOld { .. })
    }

    /// Whether the driver gave no memory, on the GPU or of the host.
    #[must_use]
    pub fn is_out_of_memory(&self) -> bool {
        matches!(self, Self::Call { source, .. } if source.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY)
    }
}

/// The driver's own words, or the bare code where it has none.
fn describe(error: &DriverError) -> String {
    match (error.error_name(), error.error_string()) {
        (Ok(name), Ok(text)) => format!("{} ({})", text.to_string_lossy(), name.to_string_lossy()),
        _ => format!("driver error {:?}", error.0),
    }
}

/// What the driver says of a fault on purpose.
fn injected() -> DriverError {
    DriverError(match crate::faults::code() {
        2 => CUresult::CUDA_ERROR_OUT_OF_MEMORY,
        222 => CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
        700 => CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
        702 => CUresult::CUDA_ERROR_LAUNCH_TIMEOUT,
        _ => CUresult::CUDA_ERROR_UNKNOWN,
    })
}

/// Says what was being done when a driver call failed.
pub trait During<T> {
    /// Names the deed.
    fn during(self, what: impl Into<String>) -> Result<T, DeviceError>;
}

impl<T> During<T> for Result<T, DriverError> {
    fn during(self, what: impl Into<String>) -> Result<T, DeviceError> {
        // Every call passes here, so that a test can make any of them fail.
        let result = if is_shut(Door::Gpu) { Err(injected()) } else { self };
        result.map_err(|source| DeviceError::Call { what: what.into(), source })
    }
}
