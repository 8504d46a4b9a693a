//! The GPU engines kept for comparison, tested by the rules and the harness of `tests/gpu`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../../../tests/gpu/every_call.rs"]
mod every_call;
#[path = "../../../../tests/gpu/harness.rs"]
mod harness;
mod knapsack;
#[path = "../../../../tests/gpu/knapsack_cases.rs"]
mod knapsack_cases;
#[path = "../../../../tests/gpu/lcs.rs"]
mod lcs;
#[path = "../../../../tests/gpu/multidim.rs"]
mod multidim;
#[path = "../../../../tests/gpu/planted.rs"]
mod planted;
#[path = "../../../../tests/common/random.rs"]
mod random;
mod waves;

/// The engines that the modules of `tests/gpu` test here.
mod tested {
    use isx::engine::{Registry, lcs, multidim};

    pub static LCS: &Registry<lcs::Lcs> = &isx_bench::lcs::ENGINES;
    pub static MULTIDIM: &Registry<multidim::Multidim> = &isx_bench::multidim::ENGINES;
}

fn main() {
    let rooms = [knapsack::trials, multidim::trials, lcs::trials, waves::trials];
    let trials = rooms.iter().flat_map(|trials| trials()).collect();
    let mut arguments = libtest_mimic::Arguments::from_args();
    // One after the other: they share a GPU, and some measure its used memory.
    arguments.test_threads = arguments.test_threads.or(Some(1));
    libtest_mimic::run(&arguments, trials).exit();
}
