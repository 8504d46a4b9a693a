//! Engines: they take a reduced problem and return its whole front, with the configurations behind it.
//!
//! A [`Family`] of problems has a [`Registry`] of engines, one crate or module each: `isx_mckp` is one. All engines
//! of a family compute the same function, and their answers are byte-identical; they differ in speed and in the
//! resources they need. An engine makes a [`Plan`] for a problem, which states the expected time and memory and is
//! then run or dropped. The [`planner`] above the registries chooses the plan that is expected to be fastest.
//!
//! Only the registry knows engines by name. Nothing in this crate or below it knows about tasks.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod context;
mod error;
mod family;
mod indices;
pub mod planner;
mod points;
mod registry;
pub mod rises;

pub use context::{Context, NoProgress, Progress, Turn};
pub use error::{EngineError, Refusal};
pub use family::{Engine, Estimate, Family, Outcome, Patience, Plan, Request};
pub use indices::ItemIndices;
pub use planner::{Choice, Planned};
pub use points::expected_points;
pub use registry::{Auto, Entry, Hardware, Registry, Threads};
