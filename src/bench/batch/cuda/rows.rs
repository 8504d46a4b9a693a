//! Batches by dense rows: what lists of selections take grows with how many are in question, rows with the capacity alone.
//!
//! A row longer than a block's shared memory, or a gap beyond 2^30, goes on to the lists' second kernel.

use super::{Options, plan};
use crate::MckpBatch;
use isx_engine::{Engine, EngineError, Plan, Request};

/// The engine.
pub struct Rows;

/// Seconds to send an item and to look at it.
const AN_ITEM: f64 = 4.5e-10;

impl Rows {
    /// All problems by rows, longer lists for what has no room.
    #[must_use]
    pub fn options() -> Options {
        Options { rows: true, short: 0, ..Options::default() }
    }
}

impl Engine<MckpBatch> for Rows {
    fn plan<'a>(&'a self, request: Request<'a, MckpBatch>) -> Result<Plan<'a, MckpBatch>, EngineError> {
        plan(request, AN_ITEM, Self::options())
    }
}
