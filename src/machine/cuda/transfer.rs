//! Large copies from the GPU: through page-locked buffers, unpacked by all cores.
//!
//! A copy to pageable memory runs at a few GB/s, since the driver copies through a small buffer of its own and new
//! pages are faulted in one by one. Here two page-locked buffers alternate: while the GPU fills one, all cores empty
//! the other, and all of them fault in pages of the destination. For large copies into large pages, each core takes
//! whole pages: of two cores that write to the same new page, one waits until the other has faulted it in. (Measured
//! on 16 cores with an H200: 47 GB/s into new pages of 2 MiB by whole pages, 18 by 128 KiB.)

use super::device::Device;
use super::error::{DeviceError, During};
use super::plain::{Plain, plain_bytes};
use crate::cpu::LARGE_PAGE;
use cudarc::driver::result::memcpy_dtoh_async;
use cudarc::driver::{CudaEvent, CudaStream, CudaView, DevicePtr, PinnedHostSlice};
use isx_parallel as parallel;
use std::ops::Range;
use std::sync::{Arc, PoisonError};

/// How a copy is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cut {
    /// Bytes per buffer.
    buffer: usize,
    /// Bytes that one core copies at a time.
    chunk: usize,
}

const SMALL: Cut = Cut { buffer: 4 << 20, chunk: 128 << 10 };
const LARGE: Cut = Cut { buffer: 32 << 20, chunk: LARGE_PAGE };

/// Copies of at least this many bytes are divided into large pieces: locking the larger buffers takes some 20 ms,
/// once.
const MUCH: usize = 128 << 20;
/// Copies shorter than this use the plain driver call.
const SHORT: usize = 64 << 10;

impl Device {
    /// Copies the values of a view to the host.
    pub fn download<T: Plain>(&self, what: &str, from: &CudaView<'_, T>) -> Result<Vec<T>, DeviceError> {
        let mut to = vec![T::default(); from.len()];
        self.download_into(what, from, &mut to)?;
        Ok(to)
    }

    /// Copies a view to `to`, which has the same length.
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

    /// Copies parts of a view, each starting at its offset, in stream order; offsets rise and parts do not overlap.
    pub fn download_parts(
        &self,
        stream: &Arc<CudaStream>,
        what: &str,
        from: &CudaView<'_, u8>,
        parts: Vec<(usize, &mut [u8])>,
    ) -> Result<(), DeviceError> {
        let copying = || format!("copying {what} from the GPU");
        let much = parts.iter().map(|(_, part)| part.len()).sum::<usize>() >= MUCH;
        let cut = if much { LARGE } else { SMALL };
        let mut buffers = self.buffers().lock().unwrap_or_else(PoisonError::into_inner);
        if buffers.as_ref().is_some_and(|[even, _]| even.len() < cut.buffer) {
            *buffers = None;
        }
        let [even, odd] = match &mut *buffers {
            Some(buffers) => buffers,
            none => none.insert([self.page_locked(cut.buffer)?, self.page_locked(cut.buffer)?]),
        };
        let pieces = pieces(parts, cut);
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
            parallel::hand_out(piece.places, 1, |(offset, to)| {
                to.copy_from_slice(&full[offset - start..offset - start + to.len()]);
            });
        }
        filled.synchronize().during(copying())
    }

    /// Starts filling the front of the buffer with a view that fits; the returned event completes once it is filled.
    fn start_copy(
        &self,
        stream: &Arc<CudaStream>,
        what: &str,
        from: &CudaView<'_, u8>,
        to: &mut PinnedHostSlice<u8>,
    ) -> Result<CudaEvent, DeviceError> {
        let copying = || format!("copying {what} from the GPU");
        let length = from.len().min(to.len());
        let to = &mut to.as_mut_slice().during(copying())?[..length];
        let (pointer, _guard) = from.device_ptr(stream);
        // SAFETY: both sides hold `length` bytes; the buffer is page-locked, belongs to the device, and is not
        // touched before the event returned here has completed.
        unsafe { memcpy_dtoh_async(to, pointer, stream.cu_stream()) }.during(copying())?;
        stream.record_event(None).during(copying())
    }

    fn page_locked(&self, bytes: usize) -> Result<PinnedHostSlice<u8>, DeviceError> {
        // SAFETY: the buffer is written by the GPU before any byte of it is read, and any bytes are a value.
        unsafe { self.stream().context().alloc_pinned_with_flags(bytes, 0) }
            .during("locking a buffer in memory")
    }
}

/// The content of one buffer: a range of the source, and the destinations of its parts.
struct Piece<'a> {
    range: Range<usize>,
    places: Vec<(usize, &'a mut [u8])>,
}

/// Divides parts into pieces of one buffer, and these into what a core copies at a time, ending at page boundaries.
fn pieces(parts: Vec<(usize, &mut [u8])>, cut: Cut) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    for (offset, part) in parts {
        let before = part.as_ptr().align_offset(cut.chunk).min(part.len());
        let (first, aligned) = part.split_at_mut(before);
        let mut offset = offset;
        for place in std::iter::once(first).chain(aligned.chunks_mut(cut.chunk)) {
            if place.is_empty() {
                continue;
            }
            let end = offset + place.len();
            match pieces.last_mut() {
                Some(last) if end - last.range.start <= cut.buffer => {
                    last.range.end = end;
                    last.places.push((offset, place));
                }
                _ => pieces.push(Piece { range: offset..end, places: vec![(offset, place)] }),
            }
            offset = end;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_every_part_once_and_fit_a_buffer() {
        for cut in [SMALL, LARGE] {
            let mut parts = [vec![0u8; 3 * cut.buffer + 5], vec![0; 7], vec![0; 0], vec![0; cut.chunk]];
            let lengths: Vec<usize> = parts.iter().map(Vec::len).collect();
            let mut offset = 0;
            let placed = parts.iter_mut().map(|part| {
                let from = offset;
                offset += part.len() + 100;
                (from, &mut part[..])
            });
            let pieces = pieces(placed.collect(), cut);
            assert!(pieces.iter().all(|piece| piece.range.len() <= cut.buffer));
            let places = || pieces.iter().flat_map(|piece| &piece.places);
            assert_eq!(places().map(|(_, to)| to.len()).sum::<usize>(), lengths.iter().sum::<usize>());
            // No two destinations that two cores might copy to share a page.
            let page = |at: &u8| std::ptr::from_ref(at) as usize / cut.chunk;
            let first = places().take_while(|(at, _)| *at < lengths[0]);
            let pages: Vec<[usize; 2]> = first.map(|(_, to)| [&to[0], &to[to.len() - 1]].map(page)).collect();
            assert!(pages.iter().all(|[first, last]| first == last));
            assert!(pages.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }
}
