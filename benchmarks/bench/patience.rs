//! An engine with a time limit: some engines learn their running time only while they run, so they get a limit at
//! which to give up.

use isx_engine::{Engine, EngineError, Family, Outcome, Patience, Plan, Request};
use std::time::Duration;

/// The engine, which gives up as soon as it appears to take longer than this.
pub(super) struct Patient<'e, F: Family> {
    pub engine: &'e dyn Engine<F>,
    pub patience: Duration,
}

impl<F: Family> Engine<F> for Patient<'_, F> {
    fn plan<'a>(&'a self, request: Request<'a, F>) -> Result<Plan<'a, F>, EngineError> {
        let plan = self.engine.plan(request)?;
        let patience = self.patience.as_secs_f64();
        Ok(Plan::new(plan.estimate, move || {
            let limit = move || Some(patience);
            match plan.run_within(Patience::new(&limit))? {
                Outcome::Solved { answer, .. } => Ok(answer),
                Outcome::GaveUp(why) => Err(EngineError::Unavailable(format!(
                    "{why}, and the whole would take longer than --patience allows, {patience:.0} s"
                ))),
            }
        }))
    }
}
