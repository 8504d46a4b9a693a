//! Copies between the memories of two GPUs.
//!
//! Where one can reach the other's memory the copy is direct; elsewhere the driver takes it through page-locked memory of
//! the host.

use super::device::Device;
use super::error::{DeviceError, During};
use super::plain::Plain;
use cudarc::driver::result::{memcpy_dtod_async, memcpy_peer_async};
use cudarc::driver::{CudaView, CudaViewMut, DevicePtr, DevicePtrMut, sys};

impl Device {
    /// Lets the two GPUs reach each other's memory, where they can. Nothing depends on it but the speed of copies, so a
    /// driver that refuses is not an error.
    pub fn reach(&self, other: &Self) {
        for (from, to) in [(self, other), (other, self)] {
            if self.info().ordinal != other.info().ordinal && from.reach_one_way(to).is_err() {
                return;
            }
        }
    }

    /// Lets this GPU reach the memory of the other one.
    fn reach_one_way(&self, other: &Self) -> Result<(), DeviceError> {
        let reaching = "reaching another GPU's memory";
        let (own, theirs) = (self.context().cu_device(), other.context().cu_device());
        let mut can = 0;
        // SAFETY: both devices are live ones, and the pointer is to a live integer.
        unsafe { sys::cuDeviceCanAccessPeer(&raw mut can, own, theirs) }.result().during(reaching)?;
        if can == 0 {
            return Ok(());
        }
        self.context().bind_to_thread().during(reaching)?;
        // SAFETY: both contexts are live ones, and this GPU's is current. It fails if it was called before.
        let _ = unsafe { sys::cuCtxEnablePeerAccess(other.context().cu_ctx(), 0) }.result();
        if !other.context().has_async_alloc() {
            return Ok(());
        }
        let access = sys::CUmemAccessDesc {
            location: sys::CUmemLocation {
                type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
                id: own,
            },
            flags: sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        };
        // SAFETY: the device is a live one, and the description, of which there is one, lives through the call.
        unsafe {
            let pool = cudarc::driver::result::device::get_default_mem_pool(theirs).during(reaching)?;
            sys::cuMemPoolSetAccess(pool, &raw const access, 1).result().during(reaching)
        }
    }

    /// Copies values from the memory of another GPU, which has finished writing them, or from this one's, to a place of
    /// the same length; returns before it is done.
    pub fn copy_from<T: Plain>(
        &self,
        other: &Self,
        from: &CudaView<'_, T>,
        to: &mut CudaViewMut<'_, T>,
    ) -> Result<(), DeviceError> {
        let copying = "copying from one GPU to another";
        if from.len() != to.len() {
            let why = format!("{} values do not fill a place for {}", from.len(), to.len());
            return Err(DeviceError::Unfit { kernel: "copy", why });
        }
        let bytes = from.len() * size_of::<T>();
        let (source, _read) = from.device_ptr(other.stream());
        let (target, _written) = to.device_ptr_mut(self.stream());
        let (own, theirs) = (self.context().cu_ctx(), other.context().cu_ctx());
        self.context().bind_to_thread().during(copying)?;
        let stream = self.stream().cu_stream();
        // SAFETY: both pointers are of that many bytes in memory of the contexts named, which is not freed before the
        // streams reach it; this GPU's context is current.
        unsafe {
            if own == theirs {
                memcpy_dtod_async(target, source, bytes, stream)
            } else {
                memcpy_peer_async(own, target, theirs, source, bytes, stream)
            }
        }
        .during(copying)
    }
}
