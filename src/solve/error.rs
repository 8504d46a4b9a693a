//! Why a problem of any family was not solved.

use isx_engine::{EngineError, Refusal};
use isx_problems::mismatch::Mismatch;
use isx_problems::reduce::mckp::Infeasible;
use isx_problems::value::Tier;

/// Why a problem was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// No selection fits; for the exactly-one problem this is a valid answer.
    #[error(transparent)]
    Infeasible(#[from] Infeasible),
    /// No engine found an answer.
    #[error(transparent)]
    Engine(#[from] Refusal),
    /// The requested arithmetic would overflow.
    #[error("{asked} arithmetic is too narrow for this problem; it needs {needed}")]
    Arithmetic {
        /// The requested tier.
        asked: Tier,
        /// The narrowest exact one.
        needed: Tier,
    },
    /// An answer was found but failed the recheck.
    #[error(transparent)]
    SelfCheck(#[from] Mismatch),
}

impl SolveError {
    /// The same error, with the bytes that a later stage needs added to those a refusal names.
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
