//! Fixed priorities compared with a simulation over the hyperperiod and with brute force over all designs, and the
//! margin of designs under every scheduler.
//!
//! `ISX_CASES` sets the number of random sets of each test.

mod margin;
#[path = "../common/random.rs"]
mod numbers;
#[allow(dead_code, reason = "used by the fronts' tests")]
mod random;
mod response;
mod search;
mod simulation;

use isx::explore::Options;
use isx::machine::Machine;

fn options() -> Options<'static> {
    Options { machine: Machine::default().with_threads(1), ..Options::default() }
}

fn cases(unless_set: u64) -> u64 {
    std::env::var("ISX_CASES").map_or(unless_set, |cases| cases.parse().unwrap())
}
