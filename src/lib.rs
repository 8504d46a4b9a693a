//! isx computes, exactly, the Pareto front of hardware area against processor utilization for
//! real-time task sets whose processor can be given custom instructions.
//!
//! The stages, in the order the data passes them; a stage imports only stages before it:
//!
//! 1. [`quantity`]: exact decimals, fractions and times; no number passes through a float.
//!    [`sampling`]: reproducible random integers for the generators.
//! 2. [`problem`]: plain problems (knapsacks, sequences, tours), a folder a family, and what answers to them claim.
//!    [`taskset`]: the YAML model of tasks and their choices. `import`: files of other tools as such YAML.
//! 3. [`formulate`]: a task set as a multiple-choice knapsack problem in exact integers.
//! 4. [`reduce`]: the same problem, smaller, and the way back.
//! 5. [`machine`]: threads, memory, GPUs. [`engine`]: the dynamic programs, a registry a family, a planner above.
//! 6. [`mod@solve`]: a problem to its checked claim. [`thesis`]: what serves only the comparison with the thesis.
//! 7. [`front`]: Pareto fronts of designs. [`schedulability`]: verdicts under EDF and fixed priorities.
//!    [`certificate`]: what vouches for them.
//! 8. [`exploration`]: all of that together. [`report`]: table, CSV, JSON and SVG of it.
//! 9. [`mod@explore`]: a task set to its exploration.
//!
//! With the default features the crate holds the `isx` command too. A library user needs none of them: `svg` draws
//! fronts, `cuda` adds the engine for NVIDIA GPUs, `import` reads files of other tools, `cli` is the command.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod certificate;
pub mod engine;
pub mod exploration;
pub mod explore;
pub mod formulate;
pub mod front;
#[cfg(feature = "import")]
pub mod import;
pub mod machine;
pub mod problem;
pub mod quantity;
pub mod reduce;
pub mod report;
pub mod sampling;
pub mod schedulability;
pub mod solve;
pub mod taskset;
pub mod thesis;

pub use explore::{check, explore};
