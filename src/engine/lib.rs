//! Engines: a reduced problem in, its whole front (and the configurations behind it) out.
//!
//! A [`Family`] of problems has a [`Registry`] of engines, a crate or a module each: `isx_mckp` is one. All engines
//! of a family compute the same function and answer alike to the last byte; they differ in speed and in what they
//! need. An engine makes a [`Plan`] for a problem, which knows what it will take and is run or dropped. The
//! [`planner`] above the registries takes the plan that is expected to be fastest.
//!
//! The registry alone knows engines by name. Nothing here or below knows of tasks.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod context;
mod error;
mod family;
mod keeper;
pub mod planner;
mod registry;
pub mod rises;

pub use context::{Context, NoProgress, Progress};
pub use error::{EngineError, Refusal};
pub use family::{Engine, Estimate, Family, Outcome, Plan, Request};
pub use keeper::{Figures, Parts, unfit};
pub use keeper::{Keeper, State, Writes};
pub use planner::{Choice, Planned};
pub use registry::{Auto, Entry, Hardware, Registry, Threads};
