//! Errors of the benchmarks.

use super::compare::Difference;
use isx_command::failure::{Failure, solve_code};
use isx_machine::OverMemory;
use isx_problems::recipe::RecipeError as ProblemRecipeError;
use isx_solve::SolveError;
use isx_taskset::formulate::FormulateError;

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// An answer is wrong, so no time is reported.
    #[error(
        "self-check failed: {contestant} on {instance}: {difference}; no time is told for a wrong answer"
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
    /// A table of floats does not fit the memory.
    #[error("{instance}: a table of floats {cause}")]
    NoFloats {
        /// The instance.
        instance: String,
        /// The reason.
        cause: OverMemory,
    },
    /// Choices share blocks, which the thesis's tables do not support.
    #[error("the thesis's tables know no shared blocks, and `{0}` has some")]
    Blocks(String),
    /// A contestant that was requested by name cannot run at all.
    #[error("the {engine} engine is not available: {why}")]
    Unavailable {
        /// Its name.
        engine: String,
        /// What it lacks.
        why: String,
    },
    /// A folder of public instances is invalid.
    #[error("{0}")]
    Set(String),
    /// A built-in recipe cannot be followed.
    #[error(transparent)]
    Recipe(#[from] ProblemRecipeError),
    /// A generated task set cannot be read.
    #[error("the generated {name} does not read: {why}")]
    TaskSet {
        /// Its name.
        name: String,
        /// The reader's error.
        why: String,
    },
    /// A generated task set exceeds the integers.
    #[error(transparent)]
    Formulate(#[from] FormulateError),
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
            BenchError::NoFloats { .. } => 4,
            BenchError::Unavailable { .. } => 5,
            _ => 2,
        };
        Self::Measuring(error.to_string(), code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_engine::{EngineError, Refusal};

    const OVER: OverMemory = OverMemory { needed: 9, allowed: 8 };

    #[test]
    fn a_benchmark_that_fails_has_an_exit_code_for_its_reason() {
        let code = |error: BenchError| Failure::from(error).code();
        let difference = Difference { point: Some(3), what: "value", found: "8".into(), wanted: "9".into() };
        let (contestant, instance) = ("table".into(), "strong".into());
        assert_eq!(code(BenchError::Wrong { contestant, instance, difference: Box::new(difference) }), 7);
        assert_eq!(code(BenchError::NoFloats { instance: "set".into(), cause: OVER }), 4);
        let refused = Refusal { engine: "table", cause: EngineError::Memory(OVER) }.into();
        assert_eq!(code(BenchError::NoJudge { instance: "set".into(), cause: refused }), 4);
        assert_eq!(code(BenchError::Unavailable { engine: "gpu".into(), why: "no driver".into() }), 5);
        assert_eq!(code(BenchError::TaskSet { name: "set".into(), why: "it does not".into() }), 2);
    }
}
