//! The GPU engines, one module per family: compared with reference engines, plain tables, and fronts from the CPU.
//!
//! Without a GPU the tests that need one are ignored; `ISX_REQUIRE_GPU=1` makes that a failure. `ISX_GPU_CASES` sets
//! the number of random instances, for runs under compute-sanitizer (`tests/gpu/sanitize`, which lists the other
//! variables that make tests smaller). A test that is not listed in its module's `trials` does not run. `cargo test
//! --release --test gpu knapsack::` runs one module.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;
mod every_call;
mod explore;
mod faults;
mod harness;
mod knapsack;
mod knapsack_cases;
mod mckp;
mod planted;
mod resources;
mod several;
mod support;

use common::random;

fn main() {
    let rooms =
        [mckp::trials, explore::trials, knapsack::trials, resources::trials, several::trials, faults::trials];
    let trials = rooms.iter().flat_map(|trials| trials()).collect();
    let mut arguments = libtest_mimic::Arguments::from_args();
    // One after the other: they share a GPU, and some measure its used memory.
    arguments.test_threads = arguments.test_threads.or(Some(1));
    libtest_mimic::run(&arguments, trials).exit();
}
