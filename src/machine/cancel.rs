//! Cancellation of a computation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels a computation from another thread; clones share the same flag.
///
/// Engines check it between layers and return an error; there are no partial answers.
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
    /// Cancels the computation; this cannot be undone.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the computation was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
