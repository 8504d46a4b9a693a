//! Work that streams through a GPU in pieces: page-locked buffers for both directions, GPU buffers, and one stream
//! each.
//!
//! With two lanes or more, the copies of one piece overlap the kernels of another while the host fills or empties a
//! third. Locking pages takes longer than most work, so a device caches its lanes for the next caller.
//!
//! A lane's memory on the GPU is used in its own stream only, which runs all work in order. So it is passed to kernels by
//! its address: cudarc would record an event and wait for others for every argument of every launch, forty calls of the
//! driver per piece.

use super::error::{DeviceError, During};
use cudarc::driver::result::{memcpy_dtoh_async, memcpy_htod_async, memset_d8_async};
use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaContext, CudaEvent, CudaSlice, CudaStream, DevicePtr, PinnedHostSlice};
use std::ops::Range;
use std::sync::Arc;

/// Memory of a lane on the GPU, for work in the lane's stream only.
pub struct LaneMemory {
    /// Keeps it allocated; freed in the lane's stream.
    _memory: CudaSlice<u8>,
    address: u64,
    /// Its size.
    pub bytes: usize,
}

impl LaneMemory {
    fn new(stream: &Arc<CudaStream>, bytes: usize) -> Result<Self, DeviceError> {
        // Zeroed once, so that no uninitialized padding is sent.
        let memory = stream.alloc_zeros(bytes.max(1)).during("taking GPU memory for a lane")?;
        let (address, _) = memory.device_ptr(stream);
        Ok(Self { _memory: memory, address, bytes })
    }

    /// The address of a byte, which a kernel may be given.
    pub fn at(&self, byte: usize) -> u64 {
        self.address + byte as u64
    }
}

/// The buffers and the stream that a piece passes through.
pub struct Lane {
    stream: Arc<CudaStream>,
    to: PinnedHostSlice<u8>,
    from: PinnedHostSlice<u8>,
    /// The data sent to the GPU.
    pub sent: LaneMemory,
    /// The results of the kernels.
    pub made: LaneMemory,
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
        let (sent, made) = (LaneMemory::new(&stream, size.to)?, LaneMemory::new(&stream, size.made)?);
        let (to, from) = (locked(size.to).during(locking)?, locked(size.from).during(locking)?);
        Ok(Self { stream, to, from, sent, made })
    }

    pub(super) fn holds(&self, size: LaneSize) -> bool {
        self.to.len() >= size.to && self.from.len() >= size.from && self.made.bytes >= size.made
    }

    /// The stream of all work of this lane.
    pub fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }

    /// The buffer for data to be sent; waits until the previous piece is back, since its copy to the GPU reads the buffer.
    pub fn outgoing(&mut self) -> Result<&mut [u8], DeviceError> {
        let what = "waiting for a lane";
        self.stream.synchronize().during(what)?;
        self.to.as_mut_slice().during(what)
    }

    /// Starts sending the first `bytes` bytes of it.
    pub fn send(&mut self, bytes: usize) -> Result<(), DeviceError> {
        let sending = "copying a piece to the GPU";
        let from = &self.to.as_slice().during(sending)?[..bytes.min(self.sent.bytes)];
        self.stream.context().bind_to_thread().during(sending)?;
        // SAFETY: both sides have the slice's bytes; the page-locked side is not touched before `outgoing` has waited for
        // the stream, and lives until `drop` has.
        unsafe { memcpy_htod_async(self.sent.address, from, self.stream.cu_stream()) }.during(sending)
    }

    /// Sets bytes of the kernels' results to zero, in stream order.
    pub fn clear(&self, bytes: Range<usize>) -> Result<(), DeviceError> {
        let clearing = "clearing a part of a lane";
        let bytes = bytes.start.min(self.made.bytes)..bytes.end.min(self.made.bytes);
        self.stream.context().bind_to_thread().during(clearing)?;
        // SAFETY: the bytes are the lane's, and only its stream uses them.
        unsafe { memset_d8_async(self.made.at(bytes.start), 0, bytes.len(), self.stream.cu_stream()) }
            .during(clearing)
    }

    /// Starts copying the first `bytes` bytes of the kernels' results to the host.
    pub fn bring(&mut self, bytes: usize) -> Result<(), DeviceError> {
        let bringing = "copying a piece from the GPU";
        let to = &mut self.from.as_mut_slice().during(bringing)?[..bytes.min(self.made.bytes)];
        self.stream.context().bind_to_thread().during(bringing)?;
        // SAFETY: both sides hold the slice's bytes; the page-locked side is not read before `incoming` has waited for
        // the stream, and lives until `drop` has.
        unsafe { memcpy_dtoh_async(to, self.made.address, self.stream.cu_stream()) }.during(bringing)
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
