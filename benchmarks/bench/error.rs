//! Errors of the benchmarks.

use super::compare::Difference;
use isx_command::failure::{Failure, solve_code};
use isx_machine::OverMemory;
use isx_problems::recipe::RecipeError as ProblemRecipeError;
use isx_solve::SolveError;

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// An answer is wrong, so no time is reported.
    #[error(
        "self-check failed: {contestant} on {instance}: {difference}; no time is printed for a wrong answer"
    )]
    Wrong {
        /// The contestant.
        contestant: String,
        /// The instance.
        instance: String,
        /// The difference.
        difference: Box<Difference>,
    },
    /// The textbook engine, the reference of the others, gives no answer.
    #[error("{instance}: there is no textbook answer to hold the others against: {cause}")]
    NoJudge {
        /// The instance.
        instance: String,
        /// The reason.
        #[source]
        cause: SolveError,
    },
    /// A table does not fit the memory.
    #[error("{instance}: {table} {cause}")]
    Memory {
        /// The instance.
        instance: String,
        /// The table.
        table: &'static str,
        /// The reason.
        cause: OverMemory,
    },
    /// A contestant that was requested by name cannot run at all.
    #[error("the {engine} engine is not available: {why}")]
    Unavailable {
        /// Its name.
        engine: String,
        /// What it lacks.
        why: String,
    },
    /// Instances cannot be read, or not be drawn as requested.
    #[error("{0}")]
    Set(String),
    /// A built-in recipe cannot be followed.
    #[error(transparent)]
    Recipe(#[from] ProblemRecipeError),
}

impl BenchError {
    /// A contestant's answer differs.
    pub fn wrong(contestant: &str, instance: &str, difference: Difference) -> Self {
        let (contestant, instance) = (contestant.to_owned(), instance.to_owned());
        Self::Wrong { contestant, instance, difference: Box::new(difference) }
    }
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Self {
        let code = match &error {
            BenchError::Wrong { .. } => 7,
            BenchError::NoJudge { cause, .. } => solve_code(cause),
            BenchError::Memory { .. } => 4,
            BenchError::Unavailable { .. } => 5,
            _ => 2,
        };
        Self::NoAnswer(error.to_string(), code)
    }
}
