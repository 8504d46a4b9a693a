//! The task-set model: validated tasks in exact numbers, and the YAML they are read from.

pub mod generate;
mod model;
pub mod recipe;

pub use model::{Choice, Task, TaskSet, TimeBase};
