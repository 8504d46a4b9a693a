//! What can go wrong between isx and a GPU.

use crate::engine::EngineError;
use cudarc::driver::DriverError;

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

/// The driver's own words, or the bare code where it has none.
fn describe(error: &DriverError) -> String {
    match (error.error_name(), error.error_string()) {
        (Ok(name), Ok(text)) => format!("{} ({})", text.to_string_lossy(), name.to_string_lossy()),
        _ => format!("driver error {:?}", error.0),
    }
}

/// Says what was being done when a driver call failed.
pub(super) trait During<T> {
    /// Names the deed.
    fn during(self, what: impl Into<String>) -> Result<T, DeviceError>;
}

impl<T> During<T> for Result<T, DriverError> {
    fn during(self, what: impl Into<String>) -> Result<T, DeviceError> {
        self.map_err(|source| DeviceError::Call { what: what.into(), source })
    }
}

impl From<DeviceError> for EngineError {
    fn from(error: DeviceError) -> Self {
        match error {
            DeviceError::Memory { needed, free } => Self::DeviceMemory { engine: "cuda", needed, free },
            error => Self::Unavailable { engine: "cuda", why: error.to_string() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortage_of_gpu_memory_is_told_as_that() {
        let error = EngineError::from(DeviceError::Memory { needed: 5, free: 3 });
        assert_eq!(error, EngineError::DeviceMemory { engine: "cuda", needed: 5, free: 3 });
        assert!(error.to_string().contains("5 bytes of GPU memory and 3 are free"), "{error}");
        assert!(!error.to_string().contains("--max-memory"), "{error}");
    }
}
