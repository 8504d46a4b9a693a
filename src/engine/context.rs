//! What an engine is given besides the problem: a machine, and somebody to tell of its progress.

use super::{EngineError, Keeper};
use isx_machine::Machine;
use std::fmt;

/// Hears how far a long computation has come; called from any thread.
pub trait Progress: Sync {
    /// A stage of `steps` steps begins.
    fn begin(&self, stage: &'static str, steps: u64);
    /// `steps` more steps of the current stage are done.
    fn advance(&self, steps: u64);
    /// Something that the user should know at once, such as hardware that failed; a sentence without an end.
    fn tell(&self, _: &str) {}
}

/// Listens to nothing.
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _: &'static str, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// What an engine works with and within.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Threads, memory, a GPU.
    pub machine: &'a Machine,
    /// Whether every candidate is to be looked at, also those that bounds rule out: raw work, to be measured.
    pub all_candidates: bool,
    /// Told of the progress, one step a class.
    pub progress: &'a dyn Progress,
    /// Keeps states to go on from, where that is wanted.
    pub keeper: Option<&'a dyn Keeper>,
}

impl<'a> Context<'a> {
    /// With nobody listening.
    #[must_use]
    pub fn new(machine: &'a Machine) -> Self {
        Self { machine, all_candidates: false, progress: &NoProgress, keeper: None }
    }

    /// Ends the computation where it was called off.
    ///
    /// # Errors
    ///
    /// [`EngineError::Cancelled`].
    pub fn go_on(&self) -> Result<(), EngineError> {
        if self.machine.is_cancelled() { Err(EngineError::Cancelled) } else { Ok(()) }
    }
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { machine, all_candidates, .. } = self;
        f.debug_struct("Context").field("machine", machine).field("all_candidates", all_candidates).finish()
    }
}
