//! Limits the work of a search: in steps, so that the same question has the same answer on every machine, and by a call
//! that may end it at any time.

use std::cell::Cell;

/// The search ended before it knew the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// How often the caller is asked whether to go on.
const STRIDE: u64 = 1 << 16;

/// The remaining steps.
pub struct Budget<'a> {
    left: Cell<u64>,
    until_asked: Cell<u64>,
    go_on: &'a dyn Fn() -> bool,
}

impl<'a> Budget<'a> {
    /// So many steps; `go_on` is asked about every tenth of a millisecond.
    pub fn new(steps: u64, go_on: &'a dyn Fn() -> bool) -> Self {
        Self { left: Cell::new(steps), until_asked: Cell::new(0), go_on }
    }

    /// Spends steps, each about a nanosecond or a few.
    pub fn spend(&self, steps: u64) -> Result<(), Stopped> {
        let left = self.left.get().checked_sub(steps).ok_or(Stopped);
        self.left.set(left.unwrap_or(0));
        left?;
        let until_asked = self.until_asked.get();
        if until_asked > steps {
            self.until_asked.set(until_asked - steps);
            return Ok(());
        }
        self.until_asked.set(STRIDE);
        if (self.go_on)() {
            Ok(())
        } else {
            self.left.set(0);
            Err(Stopped)
        }
    }

    /// Lets a search use at most `most` of the remaining steps.
    pub fn share<T>(&self, most: u64, search: impl FnOnce(&Self) -> T) -> T {
        let part = Self::new(most.min(self.left.get()), self.go_on);
        let given = part.left.get();
        let answer = search(&part);
        self.left.set(self.left.get() - (given - part.left.get()));
        if !(self.go_on)() {
            self.left.set(0);
        }
        answer
    }

    /// The steps left.
    pub fn left(&self) -> u64 {
        self.left.get()
    }
}
