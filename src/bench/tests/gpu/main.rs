//! The engines for GPUs that are kept to be compared with, by the rules of `tests/gpu`, whose harness this is.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../../../tests/gpu/every_call.rs"]
mod every_call;
#[path = "../../../../tests/gpu/harness.rs"]
mod harness;
mod knapsack;
#[path = "../../../../tests/gpu/knapsack_cases.rs"]
mod knapsack_cases;
#[path = "../../../../tests/common/random.rs"]
mod random;
mod waves;

fn main() {
    let rooms = [knapsack::trials, waves::trials];
    let trials = rooms.iter().flat_map(|trials| trials()).collect();
    let mut arguments = libtest_mimic::Arguments::from_args();
    // One after the other: they share a GPU, and some look at how much of its memory is taken.
    arguments.test_threads = arguments.test_threads.or(Some(1));
    libtest_mimic::run(&arguments, trials).exit();
}
