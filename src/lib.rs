//! isx computes, exactly, the Pareto front of hardware area against processor utilization for
//! real-time task sets whose processor can be given custom instructions.
//!
//! This crate is the library's front door: every module below is a crate of its own under `src/`. Data passes them in
//! this order, and a crate depends only on crates before it:
//!
//! 1. [`quantity`]: exact decimals, fractions and times; no number passes through a float.
//!    [`sampling`]: reproducible random integers for the generators.
//! 2. [`problem`]: plain problems (knapsacks, sequences, tours), a folder per family, and the claims that answer them.
//!    [`reduce`]: the same problem, smaller, and the way back.
//! 3. [`machine`]: threads, memory, GPUs. [`engine`]: the dynamic programs, a registry per family, a planner above.
//! 4. [`mod@solve`]: a problem to its checked claim.
//! 5. [`taskset`]: the YAML model of tasks and their choices. `import`: files of other tools as such YAML.
//!    [`formulate`]: a task set as a multiple-choice knapsack problem in exact integers.
//! 6. [`front`]: Pareto fronts of designs. [`schedulability`]: verdicts under EDF and fixed priorities.
//!    [`exploration`]: all of that together. [`mod@explore`]: a task set to its exploration.
//! 7. [`certificate`]: proofs of fronts and verdicts. [`report`]: table, CSV, JSON and SVG.
//!
//! With the default features the package holds the `isx` command too. A library user needs none of them: `svg` draws
//! fronts, `cuda` adds the engine for NVIDIA GPUs, `import` reads files of other tools, `cli` is the command.

pub use isx_certificate as certificate;
pub use isx_design::{exploration, front, schedulability};
pub use isx_exact::{quantity, sampling};
pub use isx_explore as explore;
pub use isx_explore::{check, explore};
#[cfg(feature = "import")]
pub use isx_import as import;
pub use isx_machine as machine;
pub use isx_problems as problem;
pub use isx_problems::reduce;
pub use isx_report as report;
pub use isx_solve as solve;
pub use isx_taskset as taskset;
pub use isx_taskset::formulate;

pub mod engine {
    //! Engines: a reduced problem in, its whole front (and the configurations behind it) out.

    pub use isx_classics::{lcs, multidim, tsp};
    pub use isx_engine::*;
    pub use isx_knapsack as knapsack;
    pub use isx_mckp as mckp;
    pub use isx_set_union as set_union;
}
