//! The word to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Calls a computation off from another thread; clones are the same word.
///
/// Engines look at it between layers and end with an error; no answer is half made.
///
/// ```
/// use isx_machine::{Cancel, Machine};
/// let cancel = Cancel::default();
/// let machine = Machine::default().with_cancel(cancel.clone());
/// cancel.cancel();
/// assert!(machine.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Calls it off, for good.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was called off.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
