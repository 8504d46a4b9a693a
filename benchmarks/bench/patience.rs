//! An engine with a time limit: it is refused where it expects to take longer, and gives up where it learns so only while it
//! runs.

use isx_engine::{Engine, EngineError, Family, Outcome, Patience, Plan, Request};
use std::time::Duration;

/// The engine, which gives up as soon as it appears to take longer than this.
pub struct Patient<'e, F: Family> {
    /// The engine.
    pub engine: &'e dyn Engine<F>,
    /// The time.
    pub patience: Duration,
}

impl<F: Family> Engine<F> for Patient<'_, F> {
    fn plan<'a>(&'a self, request: Request<'a, F>) -> Result<Plan<'a, F>, EngineError> {
        let plan = self.engine.plan(request)?;
        let (patience, expects) = (self.patience.as_secs_f64(), plan.estimate.seconds);
        if expects > patience {
            let why = format!("it expects to take up to {expects:.0} s, --patience allows {patience:.0} s");
            return Err(EngineError::Unavailable(why));
        }
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
