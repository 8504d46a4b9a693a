//! isx computes, exactly, the Pareto front of hardware area against processor utilization for
//! real-time task sets whose processor can be given custom instructions.
//!
//! The stages, in the order the data passes them; a stage imports only stages before it:
//!
//! 1. [`quantity`]: exact decimals, fractions and times; no number passes through a float.
//!    [`sampling`]: reproducible random integers for the generators.
//! 2. [`taskset`]: the YAML model of tasks and their choices; [`problem`]: plain knapsack problems.
//! 3. [`formulate`]: a task set as a multiple-choice knapsack problem in exact integers.
//! 4. [`reduce`]: the same problem, smaller.
//! 5. [`engine`]: the dynamic programs; [`float_front`](mod@float_front): the papers' inexact ones, for comparison.
//! 6. [`front`]: Pareto fronts of designs.
//! 7. [`schedulability`]: EDF verdicts.
//! 8. [`report`]: table, CSV, JSON and SVG.
//! 9. [`bench`](mod@bench): engines measured against each other, once their answers are the same.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod bench;
pub mod certificate;
pub mod engine;
pub mod explore;
pub mod float_front;
pub mod formulate;
pub mod front;
pub mod problem;
pub mod quantity;
pub mod reduce;
pub mod report;
pub mod sampling;
pub mod schedulability;
pub mod solve;
pub mod taskset;

pub use explore::{check, explore};
