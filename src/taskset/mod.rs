//! The task-set model: validated tasks in exact numbers, and the YAML they are read from.

mod model;

pub use model::{Choice, Task, TaskSet, TimeBase};
