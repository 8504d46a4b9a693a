//! The contestants that need a GPU, or why there are none.

use super::study::StudyContestant;
use crate::engine::{Engine, by_name};

/// The GPU engine's name.
const CUDA: &str = "cuda";

fn missing() -> String {
    match by_name(CUDA) {
        Some(_) => "the techniques of the thesis are not in this build".into(),
        None => "this build has no GPU engine".into(),
    }
}

/// What GPU there is, in words.
#[must_use]
pub fn words() -> String {
    missing()
}

/// The thesis's techniques as engines, the tiled engine after them.
///
/// # Errors
///
/// Why there are none here.
pub fn techniques() -> Result<Vec<(&'static str, &'static dyn Engine)>, String> {
    Err(missing())
}

/// The kernels of the case study.
///
/// # Errors
///
/// Why there are none here.
pub fn study() -> Result<Vec<StudyContestant>, String> {
    Err(missing())
}
