//! Large copies from the GPU: through page-locked buffers, unpacked by every core.
//!
//! A copy to ordinary memory runs at a few GB/s, since the driver copies through a small buffer of its own and fresh
//! pages are faulted in one by one. Two page-locked buffers of ours take turns instead: while the GPU fills one, all
//! cores empty the other, and the pages of the destination are faulted in by all of them.

use super::device::Device;
use super::error::{DeviceError, During};
use cudarc::driver::result::memcpy_dtoh_async;
use cudarc::driver::{CudaEvent, CudaStream, CudaView, DevicePtr, DeviceRepr, PinnedHostSlice};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::{Arc, PoisonError};

/// Bytes of one buffer.
const BUFFER: usize = 4 << 20;
/// Copies shorter than this go the plain way.
const SHORT: usize = 64 << 10;
/// Bytes that a core copies at a time.
const CHUNK: usize = 128 << 10;

/// The page-locked buffers of a GPU, made when first needed.
pub(crate) type Buffers = Option<[PinnedHostSlice<u8>; 2]>;

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
// SAFETY: integers take any bytes.
unsafe impl Plain for u64 {}
// SAFETY: integers take any bytes, and arrays of them have no padding.
unsafe impl Plain for [i32; 4] {}
// SAFETY: floats take any bytes.
unsafe impl Plain for f32 {}
// SAFETY: floats take any bytes.
unsafe impl Plain for f64 {}

impl Device {
    /// The values of a view, on the host.
    pub(crate) fn download<T: Plain>(
        &self,
        what: &str,
        from: &CudaView<'_, T>,
    ) -> Result<Vec<T>, DeviceError> {
        let mut to = vec![T::default(); from.len()];
        self.download_into(what, from, &mut to)?;
        Ok(to)
    }

    /// Copies a view to `to`, which is as long.
    fn download_into<T: Plain>(
        &self,
        what: &str,
        from: &CudaView<'_, T>,
        to: &mut [T],
    ) -> Result<(), DeviceError> {
        if size_of_val(to) < SHORT {
            let copied = self.stream().memcpy_dtoh(from, to).and_then(|()| self.stream().synchronize());
            return copied.during(format!("copying {what} from the GPU"));
        }
        // SAFETY: `Plain` types have no padding, so their memory is as good as bytes.
        let from = unsafe { from.transmute::<u8>(size_of_val(to)) };
        match from {
            Some(from) => self.download_parts(self.stream(), what, &from, vec![(0, plain_bytes(to))]),
            None => Ok(()),
        }
    }

    /// Copies parts of a view, each from its offset on, in the order of a stream; offsets rise and parts do not overlap.
    pub(crate) fn download_parts(
        &self,
        stream: &Arc<CudaStream>,
        what: &str,
        from: &CudaView<'_, u8>,
        parts: Vec<(usize, &mut [u8])>,
    ) -> Result<(), DeviceError> {
        let copying = || format!("copying {what} from the GPU");
        let mut buffers = self.buffers().lock().unwrap_or_else(PoisonError::into_inner);
        let [even, odd] = match &mut *buffers {
            Some(buffers) => buffers,
            none => none.insert([self.page_locked()?, self.page_locked()?]),
        };
        let pieces = pieces(parts);
        let Some(first) = pieces.first() else { return Ok(()) };
        let mut filled = self.start_copy(stream, what, &from.slice(first.range.clone()), even)?;
        let ranges: Vec<Range<usize>> = pieces.iter().map(|piece| piece.range.clone()).collect();
        for (at, piece) in pieces.into_iter().enumerate() {
            let (full, next) = if at % 2 == 0 { (&mut *even, &mut *odd) } else { (&mut *odd, &mut *even) };
            let this = filled;
            filled = match ranges.get(at + 1) {
                Some(range) => self.start_copy(stream, what, &from.slice(range.clone()), next)?,
                None => stream.record_event(None).during(copying())?,
            };
            this.synchronize().during(copying())?;
            let full = full.as_slice().during(copying())?;
            let start = piece.range.start;
            piece.places.into_par_iter().for_each(|(offset, to)| {
                to.copy_from_slice(&full[offset - start..offset - start + to.len()]);
            });
        }
        filled.synchronize().during(copying())
    }

    /// Starts filling the buffer's beginning with a view no longer than it; the event comes when it is filled.
    fn start_copy(
        &self,
        stream: &Arc<CudaStream>,
        what: &str,
        from: &CudaView<'_, u8>,
        to: &mut PinnedHostSlice<u8>,
    ) -> Result<CudaEvent, DeviceError> {
        let copying = || format!("copying {what} from the GPU");
        let length = from.len().min(BUFFER);
        let to = &mut to.as_mut_slice().during(copying())?[..length];
        let (pointer, _guard) = from.device_ptr(stream);
        // SAFETY: both sides hold `length` bytes; the buffer is page-locked, belongs to the device, and is not touched
        // before the event returned here has come.
        unsafe { memcpy_dtoh_async(to, pointer, stream.cu_stream()) }.during(copying())?;
        stream.record_event(None).during(copying())
    }

    fn page_locked(&self) -> Result<PinnedHostSlice<u8>, DeviceError> {
        // SAFETY: the buffer is written by the GPU before any byte of it is read, and any bytes are a value.
        unsafe { self.stream().context().alloc_pinned_with_flags(BUFFER, 0) }
            .during("locking a buffer in memory")
    }
}

/// What one buffer brings: a range of the source, and the places that parts of it go to.
struct Piece<'a> {
    range: Range<usize>,
    places: Vec<(usize, &'a mut [u8])>,
}

/// Cuts parts into buffers' worth, and those into what a core copies at a time.
fn pieces(parts: Vec<(usize, &mut [u8])>) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    for (offset, part) in parts {
        for (at, place) in part.chunks_mut(CHUNK).enumerate() {
            let offset = offset + at * CHUNK;
            let end = offset + place.len();
            match pieces.last_mut() {
                Some(last) if end - last.range.start <= BUFFER => {
                    last.range.end = end;
                    last.places.push((offset, place));
                }
                _ => pieces.push(Piece { range: offset..end, places: vec![(offset, place)] }),
            }
        }
    }
    pieces
}

/// The values' own bytes.
pub(crate) fn plain_bytes<T: Plain>(values: &mut [T]) -> &mut [u8] {
    let bytes = size_of_val(values);
    // SAFETY: `Plain` types have no padding and take any bytes; the slice is borrowed for as long.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_every_part_once_and_fit_a_buffer() {
        let mut parts = [vec![0u8; 3 * BUFFER + 5], vec![0; 7], vec![0; CHUNK]];
        let lengths: Vec<usize> = parts.iter().map(Vec::len).collect();
        let mut offset = 0;
        let placed = parts.iter_mut().map(|part| {
            let from = offset;
            offset += part.len() + 100;
            (from, &mut part[..])
        });
        let pieces = pieces(placed.collect());
        assert!(pieces.iter().all(|piece| piece.range.len() <= BUFFER));
        let covered: usize = pieces.iter().flat_map(|piece| &piece.places).map(|(_, to)| to.len()).sum();
        assert_eq!(covered, lengths.iter().sum::<usize>());
    }
}
