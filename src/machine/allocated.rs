//! Memory that the process has allocated, if its allocator counts it: the allocator of the `isx` command does. A
//! command's memory limit therefore covers everything it does: the input, the answer and its proof as well as the
//! tables.

use std::cell::Cell;
use std::sync::atomic::{AtomicI64, Ordering};

/// A thread reports this many bytes at once, so that threads do not wait for each other.
const STEP: isize = 1 << 16;

static ALLOCATED: AtomicI64 = AtomicI64::new(0);

thread_local! {
    /// Bytes that this thread has not reported yet.
    static UNREPORTED: Cell<isize> = const { Cell::new(0) };
}

/// Counts allocated memory, or freed memory if `bytes` is negative. Allocates nothing itself.
pub fn count(bytes: isize) {
    UNREPORTED.with(|unreported| {
        let sum = unreported.get() + bytes;
        let reports = sum.unsigned_abs() >= STEP as usize;
        unreported.set(if reports { 0 } else { sum });
        if reports {
            ALLOCATED.fetch_add(sum as i64, Ordering::Relaxed);
        }
    });
}

/// Bytes for the program itself and for small problems, on top of a command's memory limit.
pub const PROGRAM: u64 = 16 << 20;

/// Bytes allocated beyond [`PROGRAM`], rounded up to whole MiB since threads report late; 0 if nothing counts.
pub fn beyond_the_program() -> u64 {
    bytes().saturating_sub(PROGRAM).next_multiple_of(1 << 20)
}

/// Bytes allocated now, to within 64 KiB per thread; 0 if nothing counts.
pub fn bytes() -> u64 {
    let unreported = UNREPORTED.with(Cell::get) as i64;
    ALLOCATED.load(Ordering::Relaxed).saturating_add(unreported).max(0).unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_and_not_given_back_is_held() {
        // Nothing else counts in this program.
        for bytes in [10, 1 << 20, 5 << 16, -(1 << 20), 7] {
            std::thread::scope(|scope| scope.spawn(|| count(bytes)).join().unwrap());
        }
        count(3);
        count(2 * STEP);
        count(-STEP);
        let counted = (bytes() as isize).abs_diff(5 * (1 << 16) + STEP + 20);
        assert!(counted <= 17, "{}", bytes());
    }
}
