//! The task-set model: validated tasks in exact numbers, and the YAML they are read from.
//!
//! A task set is read from a file ([`read_file`]), from any stream ([`read_from`]) or text, or built in code
//! ([`TaskSet::new`]). Whatever is refused in a file is refused with its place ([`Diagnostic`]).

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod diagnostics;
pub mod formulate;
pub mod generate;
mod model;
mod reading;
#[cfg(test)]
mod tests;
mod what_if;

pub use diagnostics::{Diagnostic, FileProblem, MAX_BYTES, ReadError, Severity};
pub use generate::recipe;
pub use model::{
    Block, Choice, InvalidTaskSet, LabelProblem, RepeatedChoice, Scheduler, ShownUnit, Task, TaskSet,
    TimeBase, UnusedChoice, UnusedReason, WrittenUnits,
};
pub use reading::{MAX_DEPTH, MAX_ERRORS, MAX_NODES, Reading, read_bytes, read_file, read_from, read_str};
pub use what_if::{WhatIf, WhatIfError};

// Files of other tools report mistakes the same way.
pub use diagnostics::{Source, nearest, printable, shortened};
pub use model::name_problem;

/// The JSON Schema of the task-set file, which editors complete and check by.
///
/// ```
/// assert!(isx_taskset::SCHEMA.starts_with("{\n") && isx_taskset::SCHEMA.contains("\"area_unit\""));
/// ```
pub const SCHEMA: &str = include_str!("../../tasksets/taskset.schema.json");
