//! Large tables in a single allocation.

use super::Team;
use crate::allocated;
use crate::rates;
use bytemuck::Pod;

/// Memory for all rows in a single allocation, so that the system can use large pages: a row is written once and
/// read a few times, so with small pages more time would go into page faults than into computing rows.
pub struct Arena {
    map: memmap2::MmapMut,
}

/// Size from which on large pages are requested.
pub const LARGE: usize = 4 << 20;

/// Bytes of the large pages of most systems.
pub const LARGE_PAGE: usize = 2 << 20;

const SMALL_PAGE: usize = 4 << 10;

/// Bytes of an allocation from which on a byte takes [`rates::LATER_BYTE`].
const MANY: f64 = 256e6;

/// Bytes that a process is expected to have at hand from earlier work.
const AT_HAND: f64 = 1e6;

/// Bytes of a vector from which on common allocators get it from the system and give it back at once.
const SEPARATE: f64 = 128.0 * 1024.0;

/// The share of memory in smaller vectors that is expected to be new: an allocator keeps what was freed.
const NEW: f64 = 1.0 / 3.0;

/// Seconds of one thread until the system has provided an arena of this many bytes, and taken it back.
pub fn providing_seconds(bytes: f64) -> f64 {
    let pages = if bytes < LARGE as f64 {
        bytes * rates::SMALL_PAGE_BYTE
    } else {
        bytes.min(MANY) * rates::LARGE_PAGE_BYTE + (bytes - MANY).max(0.0) * rates::LATER_BYTE
    };
    rates::MAPPING + pages
}

/// Seconds of one thread until the system has provided vectors of `each` bytes, `bytes` in all, in small pages.
pub fn growing_seconds(bytes: f64, each: f64) -> f64 {
    let new = if each < SEPARATE { NEW } else { 1.0 };
    (bytes - AT_HAND).max(0.0) * new * rates::SMALL_PAGE_BYTE
}

impl Drop for Arena {
    fn drop(&mut self) {
        allocated::count(-self.map.len().cast_signed());
    }
}

impl Arena {
    /// Allocates `bytes` zeroed bytes. Fails if the system refuses.
    pub fn new(bytes: usize) -> std::io::Result<Self> {
        let map = memmap2::MmapMut::map_anon(bytes.max(1))?;
        #[cfg(target_os = "linux")]
        if bytes >= LARGE {
            // Small pages work too, only slower.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        allocated::count(map.len().cast_signed());
        Ok(Self { map })
    }

    /// Makes the system provide the pages now, with every thread touching its part. Otherwise one thread would zero
    /// a large page on its first use while the others wait for it.
    pub fn touch(&mut self, team: &Team) {
        let bytes = self.map.len();
        if team.threads() < 2 || bytes < LARGE {
            return;
        }
        let before = self.map.as_ptr().align_offset(LARGE_PAGE).min(bytes);
        let (first, aligned) = self.map.split_at_mut(before);
        let touch = |part: &mut [u8]| part.iter_mut().step_by(SMALL_PAGE).for_each(|byte| *byte = 0);
        touch(first);
        let seconds = bytes as f64 * rates::LARGE_PAGE_BYTE;
        team.sum_chunks(aligned, LARGE_PAGE, seconds, |_, page| {
            touch(page);
            0
        });
    }

    /// The memory as cells.
    pub fn cells<V: Pod>(&self) -> &[V] {
        bytemuck::cast_slice(&self.map[..self.map.len() / size_of::<V>() * size_of::<V>()])
    }

    /// The memory as cells to be written.
    pub fn cells_mut<V: Pod>(&mut self) -> &mut [V] {
        let bytes = self.map.len() / size_of::<V>() * size_of::<V>();
        bytemuck::cast_slice_mut(&mut self.map[..bytes])
    }

    /// The memory, divided into rows of these lengths (padding included).
    pub fn rows<V: Pod>(&mut self, lengths: impl Iterator<Item = usize>) -> Vec<&mut [V]> {
        let mut rest = self.cells_mut::<V>();
        let mut rows = Vec::new();
        for length in lengths {
            let (row, after) = rest.split_at_mut(length);
            rest = after;
            rows.push(row);
        }
        rows
    }
}
