//! isx computes, exactly, the Pareto front of hardware area against processor utilization for
//! real-time task sets whose processor can be given custom instructions.
//!
//! This crate is the library's entry point: every module below is a crate of its own under `src/`. Data passes
//! through them in this order, and a crate depends only on crates before it:
//!
//! 1. [`quantity`]: exact decimals, fractions and times; no number passes through a float.
//!    [`sampling`]: reproducible random integers for the generators.
//! 2. [`problem`]: plain problems (knapsacks), one folder per family, and the claims that answer
//!    them. [`reduce`]: shrinks a problem and maps the answer back.
//! 3. [`machine`]: threads, memory, GPUs. [`engine`]: the dynamic programs, with one registry per family and a
//!    planner.
//! 4. [`mod@solve`]: takes a problem and returns its checked claim.
//! 5. [`taskset`]: the YAML model of tasks and their choices, and of reports that give their numbers. `import`: converts files of other tools to that YAML.
//!    [`formulate`]: a task set as a multiple-choice knapsack problem in exact integers.
//! 6. [`front`]: Pareto fronts of designs. [`mod@partition`]: designs of several cores. [`schedulability`]: verdicts under EDF and fixed priorities.
//!    [`exploration`]: combines all of these. [`mod@explore`]: takes a task set and returns its exploration.
//! 7. `sweep`, with the feature `parquet`: populations of task sets, measured and recorded.
//! 8. [`certificate`]: proofs of fronts and verdicts. [`report`]: table, CSV, JSON and SVG.
//!
//! With the default features the package also contains the `isx` command. A library user needs none of these
//! features: `svg` draws fronts, `cuda` adds the engine for NVIDIA GPUs, `import` reads files of other tools, `cli`
//! is the command.

pub use isx_certificate as certificate;
pub use isx_design::{exploration, front, partition, schedulability};
pub use isx_exact::{quantity, sampling};
pub use isx_explore as explore;
pub use isx_explore::{check, explore};
#[cfg(feature = "import")]
pub use isx_import as import;
pub use isx_machine as machine;
pub use isx_problems as problem;
pub use isx_problems::reduce;
pub use isx_solve as solve;
#[cfg(feature = "parquet")]
pub use isx_sweep as sweep;
pub use isx_taskset as taskset;
pub use isx_taskset::formulate;

pub mod report {
    //! What isx writes (CSV, JSON, Parquet, solutions) and shows (tables, pictures, pages).

    pub use isx_pages::*;
    pub use isx_report::*;
}

pub mod engine {
    //! Engines: from a reduced problem to its whole front, with the configurations behind it.

    pub use isx_engine::*;
    pub use isx_knapsack as knapsack;
    pub use isx_mckp as mckp;
    pub use isx_resources as resources;
}
