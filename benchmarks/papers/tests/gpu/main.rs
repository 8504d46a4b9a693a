//! The papers' methods on a GPU, tested by the rules and the harness of `tests/gpu`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../../tests/gpu/every_call.rs"]
mod every_call;
mod families;
#[path = "../../../../tests/gpu/harness.rs"]
mod harness;
mod knapsack;
#[path = "../../../../tests/gpu/knapsack_cases.rs"]
#[expect(dead_code, reason = "some are for the product's engines alone")]
mod knapsack_cases;
#[path = "../../../../tests/common/random.rs"]
mod random;
#[path = "../../../../tests/gpu/support.rs"]
mod support;
mod thesis;
mod waves;

fn main() {
    let rooms = [thesis::trials, knapsack::trials, families::trials, waves::trials];
    let trials = rooms.iter().flat_map(|trials| trials()).collect();
    let mut arguments = libtest_mimic::Arguments::from_args();
    // One after the other: they share a GPU, and some measure its used memory.
    arguments.test_threads = arguments.test_threads.or(Some(1));
    libtest_mimic::run(&arguments, trials).exit();
}
