//! Why an engine gives no answer.

use crate::problem::value::Tier;

/// Why an engine gives no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The tables would pass the memory limit; nothing was allocated.
    #[error(
        "the {engine} engine needs {needed} bytes of tables and --max-memory allows {allowed}; \
         raise --max-memory, consider less with --max-area or --capacity, or choose another --engine"
    )]
    Memory {
        /// The engine that refused.
        engine: &'static str,
        /// Bytes it would hold at once.
        needed: u64,
        /// Bytes it may hold.
        allowed: u64,
    },
    /// The engine cannot run on this machine.
    #[error("the {engine} engine is not available: {why}")]
    Unavailable {
        /// The engine's name.
        engine: &'static str,
        /// What is missing.
        why: String,
    },
    /// The engine has no cells wide enough for the problem's values.
    #[error("the {engine} engine has no {tier} arithmetic; choose --engine list")]
    Unsupported {
        /// The engine's name.
        engine: &'static str,
        /// The arithmetic that the problem needs.
        tier: Tier,
    },
}

/// More bytes than any process can address.
const ADDRESSABLE: u64 = 1 << 47;

impl EngineError {
    /// Refuses tables of `needed` bytes where fewer are `allowed`, or where no process could hold them.
    pub(super) fn check_memory(engine: &'static str, needed: u64, allowed: u64) -> Result<(), Self> {
        if needed > allowed.min(ADDRESSABLE) {
            return Err(Self::Memory { engine, needed, allowed });
        }
        Ok(())
    }
}
