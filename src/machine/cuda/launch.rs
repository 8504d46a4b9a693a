//! Launches of kernels: what every binding does alike.

use cudarc::driver::{LaunchArgs, LaunchConfig, PushKernelArg};

/// A kernel file of `isx-kernels`: its stem, then its targets, highest first.
#[macro_export]
macro_rules! kernel_file {
    ($stem:expr; $($compute:literal),+) => {
        $crate::cuda::KernelFile {
            stem: $stem,
            ptx: &[$(($compute, $crate::cuda::ptx($stem, $compute))),+],
        }
    };
}

/// Launches a kernel, which is loaded first if its file is given; returns before it has finished. To be used in an
/// `unsafe` block that says why the arguments are those of the kernel.
#[macro_export]
macro_rules! launch {
    ($device:expr, $file:expr => $name:expr, $config:expr; $($argument:expr),+) => {{
        let (name, config) = ($name, $config);
        let function = $device.kernel(&$file, name, config.shared_mem_bytes as usize)?;
        $crate::launch!($device, function, name, config; $($argument),+)
    }};
    ($device:expr, $function:expr, $name:expr, $config:expr; $($argument:expr),+) => {{
        use $crate::cuda::{During as _, PushKernelArg as _};
        let mut builder = $device.stream().launch_builder(&$function);
        $(builder.arg($argument);)+
        builder.launch($config).map(drop).during(format!("launching kernel {}", $name))
    }};
}

/// A row of blocks of this many threads, each with this many bytes of dynamic shared memory.
pub fn grid(blocks: u32, threads: u32, shared: u32) -> LaunchConfig {
    LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (threads, 1, 1), shared_mem_bytes: shared }
}

/// A buffer that may be missing: the kernel then receives a null pointer.
pub struct OrNull<T>(pub Option<T>);

static NULL: u64 = 0;

// SAFETY: pushes the buffer, or a null pointer that lives as long as the program.
unsafe impl<'a, T> PushKernelArg<OrNull<T>> for LaunchArgs<'a>
where
    Self: PushKernelArg<T>,
{
    fn arg(&mut self, OrNull(buffer): OrNull<T>) -> &mut Self {
        match buffer {
            Some(buffer) => <Self as PushKernelArg<T>>::arg(self, buffer),
            None => <Self as PushKernelArg<&'static u64>>::arg(self, &NULL),
        }
    }
}
