//! Large copies from the GPU: through page-locked buffers, unpacked by every core.
//!
//! A copy to ordinary memory runs at a few GB/s, since the driver copies through a small buffer of its own and fresh
//! pages are faulted in one by one. Two page-locked buffers of ours take turns instead: while the GPU fills one, all
//! cores empty the other, and the pages of the destination are faulted in by all of them.

use super::device::Device;
use super::error::{DeviceError, During};
use cudarc::driver::result::memcpy_dtoh_async;
use cudarc::driver::{CudaEvent, CudaView, DevicePtr, DeviceRepr, PinnedHostSlice};
use rayon::prelude::*;
use std::sync::PoisonError;

/// Bytes of one buffer.
const BUFFER: usize = 4 << 20;
/// Copies shorter than this go the plain way.
const SHORT: usize = 64 << 10;
/// Bytes that a core empties at a time.
const PIECE: usize = 128 << 10;

/// The page-locked buffers of a GPU, made when first needed.
pub(super) type Buffers = Option<[PinnedHostSlice<u8>; 2]>;

/// A plain number, for which any bytes are a value.
///
/// # Safety
///
/// Any bytes must be a value, and the type must have no padding.
pub unsafe trait Plain: DeviceRepr + Copy + Default + Send + Sync {}
// SAFETY: integers take any bytes.
unsafe impl Plain for u8 {}
// SAFETY: integers take any bytes.
unsafe impl Plain for u16 {}
// SAFETY: integers take any bytes.
unsafe impl Plain for u32 {}
// SAFETY: integers take any bytes.
unsafe impl Plain for i32 {}
// SAFETY: integers take any bytes.
unsafe impl Plain for i64 {}
// SAFETY: floats take any bytes.
unsafe impl Plain for f32 {}
// SAFETY: floats take any bytes.
unsafe impl Plain for f64 {}

impl Device {
    /// The values of a view, on the host.
    pub(super) fn download<T: Plain>(
        &self,
        what: &str,
        from: &CudaView<'_, T>,
    ) -> Result<Vec<T>, DeviceError> {
        let mut to = vec![T::default(); from.len()];
        self.download_into(what, from, &mut to)?;
        Ok(to)
    }

    /// Copies a view to `to`, which is as long.
    pub(super) fn download_into<T: Plain>(
        &self,
        what: &str,
        from: &CudaView<'_, T>,
        to: &mut [T],
    ) -> Result<(), DeviceError> {
        let copying = || format!("copying {what} from the GPU");
        let bytes = size_of_val(to);
        if bytes < SHORT || from.len() != to.len() {
            return self
                .stream()
                .memcpy_dtoh(from, to)
                .and_then(|()| self.stream().synchronize())
                .during(copying());
        }
        // SAFETY: `Plain` has no padding and any bytes are a value, so the same memory is as good as bytes.
        let (from, to) = unsafe {
            (from.transmute::<u8>(bytes), std::slice::from_raw_parts_mut(to.as_mut_ptr().cast::<u8>(), bytes))
        };
        let Some(from) = from else { return Ok(()) };
        let mut buffers = self.buffers().lock().unwrap_or_else(PoisonError::into_inner);
        let buffers = match &mut *buffers {
            Some(buffers) => buffers,
            none => none.insert([self.page_locked()?, self.page_locked()?]),
        };
        let pieces = bytes.div_ceil(BUFFER);
        let piece = |at: usize| at * BUFFER..((at + 1) * BUFFER).min(bytes);
        let [even, odd] = buffers;
        let mut filled = self.start_copy(what, &from.slice(piece(0)), even)?;
        for at in 0..pieces {
            let (full, next) = if at % 2 == 0 { (&mut *even, &mut *odd) } else { (&mut *odd, &mut *even) };
            let this = filled;
            filled = if at + 1 < pieces {
                self.start_copy(what, &from.slice(piece(at + 1)), next)?
            } else {
                self.stream().record_event(None).during(copying())?
            };
            this.synchronize().during(copying())?;
            let range = piece(at);
            let full = &full.as_slice().during(copying())?[..range.len()];
            let copy = |(to, from): (&mut [u8], &[u8])| to.copy_from_slice(from);
            to[range].par_chunks_mut(PIECE).zip(full.par_chunks(PIECE)).for_each(copy);
        }
        filled.synchronize().during(copying())
    }

    /// Starts filling the buffer's beginning with a view no longer than it; the event comes when it is filled.
    fn start_copy(
        &self,
        what: &str,
        from: &CudaView<'_, u8>,
        to: &mut PinnedHostSlice<u8>,
    ) -> Result<CudaEvent, DeviceError> {
        let copying = || format!("copying {what} from the GPU");
        let length = from.len().min(BUFFER);
        let to = &mut to.as_mut_slice().during(copying())?[..length];
        let (pointer, _guard) = from.device_ptr(self.stream());
        // SAFETY: both sides hold `length` bytes; the buffer is page-locked, belongs to the device, and is not touched
        // before the event returned here has come.
        unsafe { memcpy_dtoh_async(to, pointer, self.stream().cu_stream()) }.during(copying())?;
        self.stream().record_event(None).during(copying())
    }

    fn page_locked(&self) -> Result<PinnedHostSlice<u8>, DeviceError> {
        // SAFETY: the buffer is written by the GPU before any byte of it is read, and any bytes are a value.
        unsafe { self.stream().context().alloc_pinned_with_flags(BUFFER, 0) }
            .during("locking a buffer in memory")
    }
}
