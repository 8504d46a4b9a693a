//! The task-set model: validated tasks in exact numbers, and the YAML they are read from.
//!
//! [`read_file`] goes through three steps, a file each: the bytes become text ([`FileProblem`]), the text a tree of
//! YAML nodes that know their place, and the tree a [`TaskSet`]. Whatever is refused is refused with its place in
//! the file ([`Diagnostic`]).

mod diagnostic;
mod fields;
pub mod generate;
mod idle;
mod model;
mod reader;
pub mod recipe;
mod scalars;
#[cfg(test)]
mod schema;
mod source;
#[cfg(test)]
mod tests;
mod tree;
mod unclosed;

pub use diagnostic::{Diagnostic, ReadError, Severity};
pub use idle::{IdleChoice, IdleReason};
pub use model::{Choice, Task, TaskSet, TimeBase};
pub use reader::{MAX_ERRORS, Reading, read_bytes, read_file, read_str};
pub use source::{FileProblem, MAX_BYTES};
pub use tree::{MAX_DEPTH, MAX_NODES};
