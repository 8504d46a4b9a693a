//! Why a problem was not solved, whatever its family.

use isx_engine::{EngineError, Refusal};
use isx_problems::mismatch::Mismatch;
use isx_problems::reduce::mckp::Infeasible;
use isx_problems::value::Tier;

/// Why a problem was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// No selection fits; for the exactly-one problem this is an answer.
    #[error(transparent)]
    Infeasible(#[from] Infeasible),
    /// No engine gave an answer.
    #[error(transparent)]
    Engine(#[from] Refusal),
    /// The arithmetic asked for would overflow.
    #[error("{asked} arithmetic is too narrow for this problem; it needs {needed}")]
    Arithmetic {
        /// The tier asked for.
        asked: Tier,
        /// The narrowest exact one.
        needed: Tier,
    },
    /// An answer was found and does not hold.
    #[error(transparent)]
    SelfCheck(#[from] Mismatch),
}

impl SolveError {
    /// The refusal where what comes afterwards needs `more` bytes of tables, too.
    #[must_use]
    pub fn needing_more(mut self, more: impl FnOnce() -> u64) -> Self {
        if let Self::Engine(Refusal {
            cause: EngineError::Memory(over) | EngineError::MemoryOfThisEngine { over, .. },
            ..
        }) = &mut self
        {
            over.needed = over.needed.saturating_add(more());
        }
        self
    }
}
