//! Counts the memory of a run as it is taken, so that all threads together stay within the limit.

use isx_engine::{Context, EngineError};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A run: its context, and the memory it has taken.
pub struct Run<'a> {
    pub context: &'a Context<'a>,
    /// Bytes of a load.
    pub load: u64,
    held: Arc<AtomicU64>,
}

/// Bytes that are held until it is dropped.
#[derive(Debug)]
pub struct Taken {
    bytes: u64,
    held: Arc<AtomicU64>,
}

impl<'a> Run<'a> {
    /// A run that has taken no memory yet; a load takes `load` bytes.
    pub fn new(context: &'a Context<'a>, load: u64) -> Self {
        Self { context, load, held: Arc::default() }
    }

    /// Bytes of a step of a front.
    pub fn step(&self) -> u64 {
        size_of::<u64>() as u64 + self.load
    }

    /// An empty account, for the next object.
    pub fn nothing(&self) -> Taken {
        Taken { bytes: 0, held: self.held.clone() }
    }

    /// Raises what is taken to `bytes`, before they are allocated.
    pub fn raise(&self, taken: &mut Taken, bytes: u64) -> Result<(), EngineError> {
        let Some(more) = bytes.checked_sub(taken.bytes).filter(|&more| more > 0) else { return Ok(()) };
        let held = self.held.fetch_add(more, Ordering::Relaxed).saturating_add(more);
        taken.bytes = bytes;
        Ok(self.context.machine.allow(held)?)
    }
}

impl Taken {
    /// Gives back all but `bytes`.
    pub fn lower(&mut self, bytes: u64) {
        let less = self.bytes.saturating_sub(bytes);
        self.held.fetch_sub(less, Ordering::Relaxed);
        self.bytes -= less;
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.lower(0);
    }
}
