//! The exact front of designs of a task set, and what a scheduler says of them. No engine is needed for either.
//!
//! [`front`] holds the designs that an engine claims, [`witness`] sums each one again from its choices,
//! [`schedulability`] decides them, and [`exploration`] is all of that together.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod exploration;
pub mod front;
pub mod schedulability;
pub mod witness;
