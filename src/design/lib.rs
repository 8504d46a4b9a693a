//! The exact front of designs of a task set, and their schedulability. Neither depends on an engine.
//!
//! [`front`] stores the designs that an engine claims, [`witness`] recomputes each from its choices,
//! [`schedulability`] decides which meet their deadlines, and [`exploration`] and [`mod@fit`] combine the results.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod exploration;
pub mod fit;
pub mod front;
pub mod partition;
pub mod schedulability;
pub mod variants;
pub mod witness;
