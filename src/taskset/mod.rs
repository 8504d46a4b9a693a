//! The task-set model: validated tasks in exact numbers, and the YAML they are read from.

mod idle;
mod model;

pub use idle::{IdleChoice, IdleReason};
pub use model::{Choice, Task, TaskSet, TimeBase};
