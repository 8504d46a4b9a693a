//! Work that streams through a GPU in pieces: page-locked buffers for both directions, GPU buffers, and one stream
//! each.
//!
//! With two lanes or more, the copies of one piece overlap the kernels of another while the host fills or empties a
//! third. Locking pages takes longer than most work, so a device caches its lanes for the next caller.

use super::error::{DeviceError, During};
use cudarc::driver::result::{memcpy_dtoh_async, memcpy_htod_async};
use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{
    CudaContext, CudaEvent, CudaSlice, CudaStream, DevicePtr, DevicePtrMut, PinnedHostSlice,
};
use std::sync::Arc;

/// The buffers and the stream that a piece passes through.
pub struct Lane {
    stream: Arc<CudaStream>,
    to: PinnedHostSlice<u8>,
    from: PinnedHostSlice<u8>,
    /// The data sent to the GPU; used in this stream only.
    pub sent: CudaSlice<u8>,
    /// The results of the kernels; used in this stream only.
    pub made: CudaSlice<u8>,
}

/// Buffer sizes of a lane, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneSize {
    /// Host to GPU.
    pub to: usize,
    /// GPU to host.
    pub from: usize,
    /// Results of the kernels; at least as many as `from`.
    pub made: usize,
}

impl Lane {
    pub(super) fn new(context: &Arc<CudaContext>, size: LaneSize) -> Result<Self, DeviceError> {
        let locking = "locking memory to copy from and to";
        // SAFETY: the host writes what it sends before it sends it, and reads only what the GPU has written; any
        // bytes are values.
        let locked = |bytes: usize| unsafe { context.alloc_pinned_with_flags(bytes.max(1), 0) };
        let stream = context.new_stream().during("making a stream")?;
        // Zeroed once, so that no uninitialized padding is sent.
        let zeros = |bytes: usize| stream.alloc_zeros(bytes.max(1)).during("taking GPU memory for a lane");
        let (sent, made) = (zeros(size.to)?, zeros(size.made)?);
        let (to, from) = (locked(size.to).during(locking)?, locked(size.from).during(locking)?);
        Ok(Self { stream, to, from, sent, made })
    }

    pub(super) fn holds(&self, size: LaneSize) -> bool {
        self.to.len() >= size.to && self.from.len() >= size.from && self.made.len() >= size.made
    }

    /// The stream of all work of this lane.
    pub fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }

    /// The buffer for data to be sent; waits for the previous piece.
    pub fn outgoing(&mut self) -> Result<&mut [u8], DeviceError> {
        let what = "waiting for a lane";
        self.stream.synchronize().during(what)?;
        self.to.as_mut_slice().during(what)
    }

    /// Starts sending the first `bytes` bytes of it.
    pub fn send(&mut self, bytes: usize) -> Result<(), DeviceError> {
        let sending = "copying a piece to the GPU";
        let from = &self.to.as_slice().during(sending)?[..bytes];
        let (pointer, _guard) = self.sent.device_ptr_mut(&self.stream);
        // SAFETY: the slice above and the memory at the pointer have `bytes` bytes (a lane's two sides are equally
        // long); the page-locked side is not touched before `outgoing` has waited for the stream, and lives until
        // `drop` has.
        unsafe { memcpy_htod_async(pointer, from, self.stream.cu_stream()) }.during(sending)
    }

    /// Starts copying the first `bytes` bytes of the kernels' results to the host.
    pub fn bring(&mut self, bytes: usize) -> Result<(), DeviceError> {
        let bringing = "copying a piece from the GPU";
        let to = &mut self.from.as_mut_slice().during(bringing)?[..bytes.min(self.made.len())];
        let (pointer, _guard) = self.made.device_ptr(&self.stream);
        // SAFETY: both sides hold the slice's bytes; the page-locked side is not read before `incoming` has waited for
        // the stream, and lives until `drop` has.
        unsafe { memcpy_dtoh_async(to, pointer, self.stream.cu_stream()) }.during(bringing)
    }

    /// The results copied to the host; waits for them.
    pub fn incoming(&self, kernel: &str) -> Result<&[u8], DeviceError> {
        self.stream.synchronize().during(format!("kernel {kernel}"))?;
        self.from.as_slice().during("reading what the GPU brought back")
    }

    /// An event recorded in the stream, with the GPU's time.
    pub fn mark(&self) -> Result<CudaEvent, DeviceError> {
        self.stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT)).during("timing a piece")
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        // The pages must outlive the copies. If waiting fails, the context is lost, and its copies with it.
        let _ = self.stream.synchronize();
    }
}
