//! A GPU: found, opened, queried, and its kernels loaded.
//!
//! Only the driver is needed, and only if a GPU is requested: the library is loaded when a GPU is first looked for.
//! cudarc panics when it calls into a missing library, so nothing is called before [`driver`] has found it.

use super::error::{DeviceError, During};
use super::plain::Plain;
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaSlice, CudaStream, CudaView, DeviceRepr, PinnedHostSlice,
    ValidAsZeroBits,
};
use cudarc::nvrtc::Ptx;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The CUDA version that the kernels' PTX requires, as drivers count.
const NEEDED_CUDA: i32 = 12_040;

/// Share of the free memory that tables may take; the rest is left to the driver.
const USABLE: f64 = 0.92;

/// The properties of a GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceInfo {
    /// Its number among the driver's GPUs.
    pub ordinal: usize,
    /// Its name.
    pub name: String,
    /// Compute capability, major and minor.
    pub compute_capability: (i32, i32),
    /// CUDA version the driver supports, 1000 * major + 10 * minor.
    pub driver_cuda: i32,
    /// Streaming multiprocessors.
    pub multiprocessors: usize,
    /// Most shared memory of a block, in bytes.
    pub shared_per_block: usize,
    /// Shared memory of a multiprocessor, in bytes.
    pub shared_per_multiprocessor: usize,
    /// Most threads of a multiprocessor.
    pub threads_per_multiprocessor: usize,
    /// Memory, in bytes.
    pub memory: u64,
    /// Highest clock of the multiprocessors, in kHz.
    pub clock_khz: u64,
}

/// The driver's CUDA version, after checking that a driver is installed and new enough; nothing is called before
/// that.
fn driver() -> Result<i32, DeviceError> {
    static FOUND: OnceLock<Result<i32, DeviceError>> = OnceLock::new();
    FOUND
        .get_or_init(|| {
            // SAFETY: loading libcuda runs the driver's own initializers, as any CUDA program's start does.
            if !unsafe { sys::is_culib_present() } {
                return Err(DeviceError::NoDriver);
            }
            let mut version = 0;
            // SAFETY: the pointer is to a live integer; the call needs no initialization.
            unsafe { sys::cuDriverGetVersion(&raw mut version) }
                .result()
                .during("asking the driver's version")?;
            if version < NEEDED_CUDA {
                return Err(DeviceError::DriverTooOld { found: version });
            }
            Ok(version)
        })
        .clone()
}

/// Every GPU that the driver finds, or why there is none; an unusable GPU has its error as its entry. Fails if there
/// is no usable driver or no GPU.
pub fn devices() -> Result<Vec<Result<DeviceInfo, DeviceError>>, DeviceError> {
    let count = count()?;
    Ok((0..count).map(describe).collect())
}

fn count() -> Result<usize, DeviceError> {
    driver()?;
    match CudaContext::device_count() {
        Ok(count) if count > 0 => Ok(count.unsigned_abs() as usize),
        Ok(_) => Err(DeviceError::NoDevice),
        Err(error) if error.0 == sys::CUresult::CUDA_ERROR_NO_DEVICE => Err(DeviceError::NoDevice),
        Err(source) => Err(DeviceError::Call { what: "looking for GPUs".into(), source }),
    }
}

/// The properties of a GPU, without creating a context on it (which takes a third of a second). Fails if there is no
/// such GPU, or isx cannot use it.
pub fn describe(ordinal: usize) -> Result<DeviceInfo, DeviceError> {
    let driver_cuda = driver()?;
    let count = count()?;
    if ordinal >= count {
        return Err(DeviceError::NoSuchDevice { ordinal, count });
    }
    let asking = || format!("asking what GPU {ordinal} is");
    let device = cudarc::driver::result::device::get(ordinal as i32).during(asking())?;
    let attribute = |which: Attribute| {
        // SAFETY: `device` was handed out by the driver above.
        unsafe { cudarc::driver::result::device::get_attribute(device, which) }.during(asking())
    };
    let size = |which: Attribute| Ok::<_, DeviceError>(attribute(which)?.unsigned_abs() as usize);
    let name = cudarc::driver::result::device::get_name(device).during(asking())?;
    let major = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
    let minor = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
    if major < 7 {
        return Err(DeviceError::GpuTooOld { ordinal, name, major, minor });
    }
    // SAFETY: `device` was handed out by the driver above.
    let memory = unsafe { cudarc::driver::result::device::total_mem(device) }.during(asking())? as u64;
    Ok(DeviceInfo {
        ordinal,
        name,
        compute_capability: (major, minor),
        driver_cuda,
        multiprocessors: size(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        shared_per_block: size(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
        shared_per_multiprocessor: size(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)?,
        threads_per_multiprocessor: size(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?,
        memory,
        clock_khz: size(Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)? as u64,
    })
}

/// The PTX of one kernel file for every target it was compiled to, highest first.
pub struct KernelFile {
    /// The file's stem.
    pub stem: &'static str,
    /// (compute capability as 10 * major + minor, PTX).
    pub ptx: &'static [(i32, &'static str)],
}

/// The page-locked buffers of a GPU, allocated on first use.
pub type Buffers = Option<[PinnedHostSlice<u8>; 2]>;

/// An opened GPU: a context, a stream, and the kernels loaded so far.
pub struct Device {
    info: DeviceInfo,
    /// The limit on its memory in use at the same time, in bytes.
    most_memory: u64,
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    modules: Mutex<HashMap<&'static str, Arc<CudaModule>>>,
    /// The most dynamic shared memory that was allowed for a kernel of a file.
    allowed: Mutex<HashMap<(&'static str, &'static str), usize>>,
    buffers: Mutex<Buffers>,
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Device").field("info", &self.info).finish_non_exhaustive()
    }
}

impl Device {
    /// Opens the GPU of this number, with a new context on it. Fails if there is no driver or no such GPU, or the
    /// context cannot be created.
    pub fn open(ordinal: usize) -> Result<Arc<Self>, DeviceError> {
        Self::create(ordinal, u64::MAX).map(Arc::new)
    }

    pub(super) fn create(ordinal: usize, most_memory: u64) -> Result<Self, DeviceError> {
        let info = describe(ordinal)?;
        let context = CudaContext::new(ordinal).during(format!("making a context on GPU {ordinal}"))?;
        let stream = context.default_stream();
        let device = Self {
            info,
            most_memory,
            context,
            stream,
            modules: Mutex::default(),
            allowed: Mutex::default(),
            buffers: Mutex::default(),
        };
        device.keep_freed_memory()?;
        Ok(device)
    }

    /// Lets the driver keep freed memory for the next allocation instead of unmapping it at every synchronization.
    fn keep_freed_memory(&self) -> Result<(), DeviceError> {
        if !self.context.has_async_alloc() {
            return Ok(());
        }
        let keeping = "setting up GPU memory";
        // SAFETY: the device is a live one, and the attribute wants a 64-bit threshold, which lives through the call.
        unsafe {
            let pool = cudarc::driver::result::device::get_default_mem_pool(self.context.cu_device())
                .during(keeping)?;
            let mut threshold = u64::MAX;
            sys::cuMemPoolSetAttribute(
                pool,
                sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                (&raw mut threshold).cast(),
            )
            .result()
            .during(keeping)
        }
    }

    /// Its properties.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    pub(super) fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }

    pub(crate) fn buffers(&self) -> &Mutex<Buffers> {
        &self.buffers
    }

    /// The stream of all work, one per device.
    pub fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }

    /// Bytes that tables may take now.
    pub fn usable_memory(&self) -> Result<u64, DeviceError> {
        Ok((self.free_memory()? as f64 * USABLE) as u64)
    }

    /// A counter of the driver's memory pool, in bytes.
    fn pool_bytes(&self, which: sys::CUmemPool_attribute) -> Result<u64, DeviceError> {
        let asking = "asking for free GPU memory";
        let mut bytes = 0u64;
        // SAFETY: the device is a live one, and the attributes asked for here are 64-bit numbers.
        unsafe {
            let pool = cudarc::driver::result::device::get_default_mem_pool(self.context.cu_device())
                .during(asking)?;
            sys::cuMemPoolGetAttribute(pool, which, (&raw mut bytes).cast()).result().during(asking)?;
        }
        Ok(bytes)
    }

    /// Bytes free now, including those that the driver keeps for this process; at most the limit. Fails if the driver
    /// does not report it.
    pub fn free_memory(&self) -> Result<u64, DeviceError> {
        let asking = "asking for free GPU memory";
        let (free, _) = self.context.mem_get_info().during(asking)?;
        if !self.context.has_async_alloc() {
            return Ok((free as u64).min(self.most_memory));
        }
        let reserved = self.pool_bytes(sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?;
        let used = self.pool_bytes(sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT)?;
        let free = free as u64 + reserved.saturating_sub(used);
        Ok(free.min(self.most_memory.saturating_sub(used)))
    }

    /// Zeroed memory for `len` values.
    pub fn zeros<T: DeviceRepr + ValidAsZeroBits>(
        &self,
        what: &str,
        len: usize,
    ) -> Result<CudaSlice<T>, DeviceError> {
        // The driver refuses a length of 0.
        self.stream.alloc_zeros(len.max(1)).during(format!("taking GPU memory for {what}"))
    }

    /// Memory for `len` values that the caller's kernel writes before anything reads them.
    pub fn unwritten<T: Plain>(&self, what: &str, len: usize) -> Result<CudaSlice<T>, DeviceError> {
        // SAFETY: for a plain type any bytes are a value.
        unsafe { self.stream.alloc(len.max(1)) }.during(format!("taking GPU memory for {what}"))
    }

    /// A copy of `host` on the GPU; memory for one value if it is empty, since the driver copies no empty array.
    pub fn upload<T: DeviceRepr>(&self, what: &str, host: &[T]) -> Result<CudaSlice<T>, DeviceError> {
        let copied = match host {
            // SAFETY: nothing reads a value that `host` does not have.
            [] => unsafe { self.stream.alloc(1) },
            _ => self.stream.clone_htod(host),
        };
        copied.during(format!("copying {what} to the GPU"))
    }

    /// Waits until the GPU has finished all its work, and returns any fault that occurred.
    pub fn finish(&self, what: &str) -> Result<(), DeviceError> {
        self.stream.synchronize().during(format!("kernel {what}"))
    }

    /// The named kernel of a file, for this GPU, allowed `shared` bytes of dynamic shared memory. What is allowed never
    /// shrinks, since another thread may be about to launch the same kernel with more.
    pub fn kernel(
        &self,
        file: &KernelFile,
        name: &'static str,
        shared: usize,
    ) -> Result<CudaFunction, DeviceError> {
        let loading = || format!("loading kernel {name}");
        let function = self.module(file)?.load_function(name).during(loading())?;
        let mut allowed = self.allowed.lock().unwrap_or_else(PoisonError::into_inner);
        let most = allowed.entry((file.stem, name)).or_insert(48 << 10);
        if shared > *most {
            let bytes = i32::try_from(shared).map_err(|_| DeviceError::Unfit {
                kernel: name,
                why: format!("{shared} bytes of shared memory are more than a block can have"),
            })?;
            let limit = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            function.set_attribute(limit, bytes).during(loading())?;
            *most = shared;
        }
        Ok(function)
    }

    /// The module of a kernel file, which the driver compiles on first use.
    fn module(&self, file: &KernelFile) -> Result<Arc<CudaModule>, DeviceError> {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = modules.get(file.stem) {
            return Ok(module.clone());
        }
        let (major, minor) = self.info.compute_capability;
        let fits = |(target, _): &&(i32, &str)| *target <= 10 * major + minor;
        let (_, ptx) = file.ptx.iter().find(fits).ok_or_else(|| DeviceError::Unfit {
            kernel: file.stem,
            why: format!("it is not built for compute capability {major}.{minor}"),
        })?;
        let loading = format!("loading kernel {}", file.stem);
        let module = self.context.load_module(Ptx::from_src(*ptx)).during(loading)?;
        modules.insert(file.stem, module.clone());
        Ok(module)
    }

    /// Copies values on the GPU to the start of a constant of a kernel file, in stream order.
    pub fn fill_constant<T: Plain>(
        &self,
        file: &KernelFile,
        constant: &str,
        values: &CudaView<'_, T>,
    ) -> Result<(), DeviceError> {
        let filling = || format!("filling the constant {constant} of kernel {}", file.stem);
        let bytes = values.len() * size_of::<T>();
        let module = self.module(file)?;
        let mut symbol = module.get_global(constant, &self.stream).during(filling())?;
        let unfit = || DeviceError::Unfit {
            kernel: file.stem,
            why: format!("{bytes} bytes are more than its constant {constant} holds"),
        };
        let mut to = symbol.try_slice_mut(..bytes).ok_or_else(unfit)?;
        // SAFETY: `Plain` types have no padding, so their memory is valid as bytes.
        let from = unsafe { values.transmute::<u8>(bytes) }.ok_or_else(unfit)?;
        self.stream.memcpy_dtod(&from, &mut to).during(filling())
    }

    /// Seconds that the GPU spent on what `work` launches, by its own clock. Fails with the errors of `work`, and on
    /// any fault on the GPU.
    pub fn timed<T>(
        &self,
        what: &str,
        work: impl FnOnce() -> Result<T, DeviceError>,
    ) -> Result<(T, f64), DeviceError> {
        let timing = || format!("timing {what}");
        let flags = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let begin = self.stream.record_event(flags).during(timing())?;
        let result = work()?;
        let end = self.stream.record_event(flags).during(timing())?;
        let milliseconds = begin.elapsed_ms(&end).during(format!("kernel {what}"))?;
        Ok((result, f64::from(milliseconds) / 1e3))
    }
}
