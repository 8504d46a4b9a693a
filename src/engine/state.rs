//! Checkpoints: saved states of long computations, from which a later run resumes.
//!
//! An engine that can resume says so ([`super::Engine::can_resume`]), asks for a state when it starts, and offers
//! its own state from time to time, between two layers. The content of a state is private to the engine; the store
//! guarantees that it is returned intact, and only for the same problem.

use super::EngineError;
use num_bigint::BigInt;
use std::io::{self, Read, Write};

/// Writes something to a stream; may be called repeatedly.
pub type Writes<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// A saved state, as a stream to read.
pub type State<'a> = Box<dyn Read + Send + Sync + 'a>;

/// Keeps states; called from one thread at a time.
pub trait StateStore: Sync {
    /// Announces that the engine of this name runs next; called by the code that runs engines.
    fn runs(&self, engine: &'static str);

    /// The engine starts on a problem: returns the state to resume from, if this engine saved one for this problem.
    /// Fails with [`EngineError::Checkpoint`] if the existing state belongs to another problem.
    fn begin(&self, problem: Writes<'_>) -> Result<Option<State<'_>>, EngineError>;

    /// Whether it is time to save a state.
    fn is_due(&self) -> bool;

    /// Saves a state, replacing the previous one. If this fails, the previous state stays and the computation
    /// continues.
    fn keep(&self, state: Writes<'_>);
}

/// Reads the numbers of a state, as [`StateWriter`] wrote them; a length is trusted only as far as there are bytes.
pub struct StateReader<'a>(pub State<'a>);

/// The error for a state that an engine cannot resume from.
pub fn unfit(why: &str) -> EngineError {
    EngineError::Checkpoint(format!("its state does not fit the problem: {why}"))
}

impl StateReader<'_> {
    /// A number.
    pub fn number(&mut self) -> Result<u64, EngineError> {
        let mut bytes = [0; 8];
        self.0.read_exact(&mut bytes).map_err(|_| unfit("it ends early"))?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// A number of any size.
    pub fn big(&mut self) -> Result<BigInt, EngineError> {
        let length = self.number()?;
        Ok(BigInt::from_signed_bytes_le(&self.values::<u8>(length as usize)?))
    }

    /// `count` plain values.
    pub fn values<T: bytemuck::Pod>(&mut self, count: usize) -> Result<Vec<T>, EngineError> {
        let mut values = Vec::new();
        while values.len() < count {
            let more = (count - values.len()).min(1 << 16);
            let from = values.len();
            values.resize(from + more, T::zeroed());
            let bytes = bytemuck::cast_slice_mut(&mut values[from..]);
            self.0.read_exact(bytes).map_err(|_| unfit("it ends early"))?;
        }
        Ok(values)
    }

    /// Reads plain values into existing memory.
    pub fn fill<T: bytemuck::Pod>(&mut self, values: &mut [T]) -> Result<(), EngineError> {
        self.0.read_exact(bytemuck::cast_slice_mut(values)).map_err(|_| unfit("it ends early"))
    }
}

/// Writes the numbers of a state. A state is read on the machine that wrote it, or on one of the same kind.
pub struct StateWriter<'a>(pub &'a mut dyn Write);

impl StateWriter<'_> {
    /// A number.
    pub fn number(&mut self, number: u64) -> io::Result<()> {
        self.0.write_all(&number.to_le_bytes())
    }

    /// A number of any size.
    pub fn big(&mut self, number: &BigInt) -> io::Result<()> {
        let bytes = number.to_signed_bytes_le();
        self.number(bytes.len() as u64)?;
        self.values(&bytes)
    }

    /// Plain values.
    pub fn values<T: bytemuck::Pod>(&mut self, values: &[T]) -> io::Result<()> {
        self.0.write_all(bytemuck::cast_slice(values))
    }
}
