//! Memory that the process holds, as far as its allocator counts it: that of the `isx` command does. So what a
//! command is allowed is for all it does: the input, an answer and its proof beside tables.

use std::cell::Cell;
use std::sync::atomic::{AtomicI64, Ordering};

/// A thread tells of so many bytes at once, so that threads do not wait for each other.
const STEP: isize = 1 << 16;

static HELD: AtomicI64 = AtomicI64::new(0);

thread_local! {
    /// Bytes that this thread has not told of.
    static UNTOLD: Cell<isize> = const { Cell::new(0) };
}

/// Counts memory taken, or given back if `bytes` are below 0. Takes none itself.
pub fn count(bytes: isize) {
    UNTOLD.with(|untold| {
        let sum = untold.get() + bytes;
        let tells = sum.unsigned_abs() >= STEP as usize;
        untold.set(if tells { 0 } else { sum });
        if tells {
            HELD.fetch_add(sum as i64, Ordering::Relaxed);
        }
    });
}

/// Bytes for the program itself and for problems that are small: they come on top of what a command is allowed.
pub const PROGRAM: u64 = 16 << 20;

/// Bytes held now beyond those, rounded up to whole MiB since threads tell late; 0 where nobody counts.
#[must_use]
pub fn beyond_the_program() -> u64 {
    bytes().saturating_sub(PROGRAM).next_multiple_of(1 << 20)
}

/// Bytes held now, to within 64 KiB a thread; 0 where nobody counts.
#[must_use]
pub fn bytes() -> u64 {
    let untold = UNTOLD.with(Cell::get) as i64;
    HELD.load(Ordering::Relaxed).saturating_add(untold).max(0).unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_and_not_given_back_is_held() {
        // Nobody else counts in this program.
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
