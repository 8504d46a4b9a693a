//! The task-set model: validated tasks with exact numbers, and the reader of their YAML files.
//!
//! A task set is read from a file ([`read_file`]), from a stream ([`read_from`]) or from text, or built in code
//! ([`TaskSet::new`]). Every error in a file is reported with its location ([`Diagnostic`]).

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod devices;
pub mod formulate;
pub mod generate;
mod margin;
mod model;
mod reading;
#[cfg(test)]
mod tests;
mod what_if;
pub mod written;

pub use devices::{Device, devices, not_carried_over};
pub use generate::recipe;
pub use margin::parse_margin;
pub use model::{
    Block, Choice, Cores, InvalidTaskSet, Joined, KernelCosts, LabelProblem, Lock, Nonpreemptive, Part, Path,
    PriorityOrder, RepeatedChoice, Resources, Scheduler, ShownUnit, Task, TaskSet, TimeBase, Timing,
    UnusedChoice, UnusedReason, Variant, WrittenUnits, Wrong, cores_in, in_percent,
};
pub use reading::{
    Combination, MAX_DEPTH, MAX_NODES, Measured, Reading, read_beside, read_bytes, read_file, read_from,
    read_str,
};
pub use what_if::{WhatIf, WhatIfError, own_device};

use isx_text as diagnostics;
pub use isx_text::{
    Diagnostic, FileProblem, MAX_BYTES, MAX_ERRORS, ReadError, Severity, Source, is_plain, nearest,
    printable, shortened,
};
pub use model::{name_problem, resource_name_problem};
pub use reading::document;

/// The JSON Schema of the task-set file, which editors use for completion and validation.
///
/// ```
/// assert!(isx_taskset::SCHEMA.starts_with("{\n") && isx_taskset::SCHEMA.contains("\"area_unit\""));
/// ```
pub const SCHEMA: &str = include_str!("taskset.schema.json");

/// The name under which task sets refer to the schema: a file beside them, since editors without a network must find
/// it too.
pub const SCHEMA_FILE: &str = "taskset.schema.json";

/// The first lines of task sets that isx writes: editors find the schema by the first, users by the second.
///
/// ```
/// assert!(isx_taskset::SCHEMA_LINES.contains(&format!("$schema={}\n", isx_taskset::SCHEMA_FILE)));
/// ```
pub const SCHEMA_LINES: &str = "\
# yaml-language-server: $schema=taskset.schema.json
# Editors complete and check this file by that schema, which `isx schema -o taskset.schema.json` writes.
";
