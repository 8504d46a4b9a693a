//! The task-set model: validated tasks in exact numbers, and the YAML they are read from.
//!
//! A task set is read from a file ([`read_file`]), from any stream ([`read_from`]) or text, or built in code
//! ([`TaskSet::new`]). [`read_file`] goes through three steps, a file each: the bytes become text ([`FileProblem`]), the text a tree of
//! YAML nodes that know their place, and the tree a [`TaskSet`]. Whatever is refused is refused with its place in
//! the file ([`Diagnostic`]).

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod blocks;
mod build;
mod diagnostic;
mod fields;
mod foreign;
pub mod formulate;
pub mod generate;
mod idle;
mod invalid;
mod labels;
mod model;
mod priorities;
mod reader;
pub mod recipe;
mod repeated;
mod scalars;
mod scheduler;
#[cfg(test)]
mod schema;
mod shared;
mod shown;
mod source;
mod syntax;
#[cfg(test)]
mod tests;
mod tree;
mod unclosed;
mod units;
mod validate;
mod what_if;

pub use diagnostic::{Diagnostic, ReadError, Severity};
pub use idle::{IdleChoice, IdleChoices, IdleReason};
pub use invalid::InvalidTaskSet;
pub use labels::LabelProblem;
pub use model::{Block, Choice, Task, TaskSet, TimeBase, WrittenUnits};
pub use reader::{MAX_ERRORS, Reading, read_bytes, read_file, read_from, read_str};
pub use repeated::RepeatedChoice;
pub use scheduler::Scheduler;
pub use shown::ShownUnit;
pub use source::{FileProblem, MAX_BYTES};
pub use tree::{MAX_DEPTH, MAX_NODES};
pub use what_if::{WhatIf, WhatIfError};

// Files of other tools report mistakes the same way.
pub use {
    diagnostic::{printable, shortened},
    fields::nearest,
    labels::name_problem,
    source::Source,
};

/// The JSON Schema of the task-set file, which editors complete and check by.
///
/// ```
/// assert!(isx_taskset::SCHEMA.starts_with("{\n") && isx_taskset::SCHEMA.contains("\"area_unit\""));
/// ```
pub const SCHEMA: &str = include_str!("../../tasksets/taskset.schema.json");
