//! States of long computations that are kept, so that another run goes on from them.
//!
//! An engine that can go on from a state says so ([`super::Engine::can_resume`]), asks for one when it begins, and
//! offers its own now and then, between two layers. What a state holds is the engine's own business; whoever keeps it
//! makes sure that it comes back whole, and for the same problem.

use super::EngineError;
use num_bigint::BigInt;
use std::io::{self, Read, Write};

/// Writes something to a stream, as often as it is asked to.
pub type Writes<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// A state as it is read again.
pub type State<'a> = Box<dyn Read + Send + Sync + 'a>;

/// Keeps states; called from one thread at a time.
pub trait Keeper: Sync {
    /// The engine of this name is run next; whoever runs engines says so.
    fn runs(&self, engine: &'static str);

    /// That engine begins with a problem: the state to go on from, if one was kept by it for this problem.
    ///
    /// # Errors
    ///
    /// [`EngineError::Checkpoint`]: the state that there is belongs to another problem.
    fn begin(&self, problem: Writes<'_>) -> Result<Option<State<'_>>, EngineError>;

    /// Whether it is time to keep a state.
    fn is_due(&self) -> bool;

    /// Keeps a state in place of the one before; where that fails, the one before stays and the computation goes on.
    fn keep(&self, state: Writes<'_>);
}

/// Reads the numbers of a state, as [`Figures`] wrote them; lengths are not believed further than there are bytes.
pub struct Parts<'a>(pub State<'a>);

/// What is wrong with a state that an engine cannot go on from.
pub fn unfit(why: &str) -> EngineError {
    EngineError::Checkpoint(format!("its state does not fit the problem: {why}"))
}

impl Parts<'_> {
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

    /// So many plain values.
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

    /// Plain values into memory that is there.
    pub fn fill<T: bytemuck::Pod>(&mut self, values: &mut [T]) -> Result<(), EngineError> {
        self.0.read_exact(bytemuck::cast_slice_mut(values)).map_err(|_| unfit("it ends early"))
    }
}

/// Writes the numbers of a state. States are read on the machine that wrote them, or one of its kind.
pub struct Figures<'a>(pub &'a mut dyn Write);

impl Figures<'_> {
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
