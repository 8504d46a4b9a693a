//! Batches by dense rows: the cost of lists grows with the number of candidate selections, that of rows only with the
//! capacity.
//!
//! Problems with a row longer than a block's shared memory, or a gap beyond 2^30, are solved by the lists' second
//! kernel.

use super::{Options, plan};
use crate::MckpBatch;
use isx_engine::{Engine, EngineError, Plan, Request};
use isx_machine::rates::Rate;

/// The engine.
pub struct Rows;

impl Rows {
    /// All problems by rows, with longer lists for those whose rows do not fit.
    #[must_use]
    pub fn options() -> Options {
        Options { rows: true, short: 0, ..Options::default() }
    }
}

impl Engine<MckpBatch> for Rows {
    fn plan<'a>(&'a self, request: Request<'a, MckpBatch>) -> Result<Plan<'a, MckpBatch>, EngineError> {
        plan(request, Rate::BatchGpuRowItem, Self::options())
    }
}
