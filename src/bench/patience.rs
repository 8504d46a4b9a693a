//! The list engine with a limit: nobody knows beforehand how long its lists get, so it is told when to give up.

use crate::engine::list::{List, Outcome, Watch};
use crate::engine::{Answer, Context, Engine, EngineError, Estimate, Wanted};
use crate::reduce::Tiered;
use std::time::Duration;

/// The list engine, which gives up once the classes that remain would take longer than this even if the lists grew no
/// more.
pub(super) struct PatientList(pub Duration);

impl Engine for PatientList {
    fn name(&self) -> &'static str {
        List.name()
    }

    fn estimate(&self, problem: &Tiered, wanted: Wanted, context: &Context) -> Result<Estimate, EngineError> {
        List.estimate(problem, wanted, context)
    }

    fn solve(&self, problem: &Tiered, wanted: Wanted, context: &Context) -> Result<Answer, EngineError> {
        let watch = Watch { seconds: self.0.as_secs_f64() };
        match List::solve_watched(problem, wanted, context, Some(&watch))? {
            Outcome::Solved { answer, .. } => Ok(*answer),
            Outcome::GaveUp { layer, length } => Err(EngineError::Unavailable {
                engine: List.name(),
                why: format!(
                    "after {layer} of {} classes its lists hold {length} pairs, and the rest would take longer than \
                     --patience allows, {:.0} s",
                    problem.classes(),
                    self.0.as_secs_f64()
                ),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::generate::{MckpRecipe, generate_mckp};
    use crate::reduce::{Options, reduce};

    #[test]
    fn lists_that_grow_too_long_are_given_up() {
        let problem = generate_mckp(&MckpRecipe::default()).unwrap();
        let reduced = reduce(&problem, Options::default()).unwrap();
        let solve = |patience| PatientList(patience).solve(&reduced, Wanted::Values, &Context::default());
        assert!(solve(Duration::from_secs(60)).is_ok());
        let why = solve(Duration::ZERO).unwrap_err().to_string();
        assert!(why.contains("--patience"), "{why}");
    }
}
