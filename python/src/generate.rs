//! Generated task sets.

use crate::errors;
use isx::taskset::generate::{generate as generate_text, recipe_of};
use isx::taskset::recipe::TaskSetRecipe;
use pyo3::prelude::*;

/// The YAML of a generated task set: keys as the command's flags, with their texts.
#[pyfunction]
pub fn generate(py: Python<'_>, given: Vec<(String, String)>, seed: Option<u64>) -> PyResult<String> {
    let given: Vec<(&str, &str)> = given.iter().map(|(key, text)| (&**key, &**text)).collect();
    let recipe = recipe_of(&given).map_err(errors::input)?;
    let recipe = TaskSetRecipe { seed: seed.unwrap_or(recipe.seed), ..recipe };
    py.detach(|| generate_text(&recipe)).map_err(errors::input)
}
