//! Why nothing was measured.

use super::compare::Difference;
use isx::formulate::FormulateError;
use isx::machine::OverMemory;
use isx::problem::recipe::RecipeError as ProblemRecipeError;
use isx::solve::SolveError;
use isx::taskset::recipe::RecipeError;

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// An answer is wrong, so no time is told.
    #[error(
        "self-check failed: {contestant} on {instance}: {difference}; no time is told for a wrong answer"
    )]
    Wrong {
        /// Who answered.
        contestant: String,
        /// What was asked.
        instance: String,
        /// What differs.
        difference: Box<Difference>,
    },
    /// The textbook engine, which the others are held against, gives no answer.
    #[error("{instance}: there is no textbook answer to hold the others against: {cause}")]
    NoJudge {
        /// What was asked.
        instance: String,
        /// Why.
        #[source]
        cause: SolveError,
    },
    /// A table of floats does not fit.
    #[error("{instance}: a table of floats {cause}")]
    NoFloats {
        /// What was asked.
        instance: String,
        /// Why.
        cause: OverMemory,
    },
    /// A contestant that was asked for by name cannot take part at all.
    #[error("the {engine} engine is not available: {why}")]
    Unavailable {
        /// Its name.
        engine: String,
        /// What is missing.
        why: String,
    },
    /// A folder of public instances is not what it should be.
    #[error("{0}")]
    Set(String),
    /// A built-in instance has a recipe that cannot be followed.
    #[error(transparent)]
    Recipe(#[from] ProblemRecipeError),
    /// A built-in task set has a recipe that cannot be followed.
    #[error(transparent)]
    TaskSetRecipe(#[from] RecipeError),
    /// A generated task set does not read.
    #[error("the generated {name} does not read: {why}")]
    TaskSet {
        /// Its name.
        name: String,
        /// What the reader says.
        why: String,
    },
    /// A generated task set does not fit the integers.
    #[error(transparent)]
    Formulate(#[from] FormulateError),
}
