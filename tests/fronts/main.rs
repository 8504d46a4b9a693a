//! Fronts and verdicts of whole task sets, compared with brute force over all their designs.
//!
//! `ISX_CASES` sets the number of random sets of each test.

#[path = "../common/mod.rs"]
mod common;
use common::random as numbers;

#[allow(dead_code, reason = "used by the tests of fixed priorities")]
#[path = "../fixed_priority/random.rs"]
mod random_deadlines;
#[path = "../fixed_priority/simulation.rs"]
mod simulation;

mod case_certificates;
mod certificates;
mod certified;
mod clocks;
mod division_certificates;
mod exact_front;
mod invalid_certificates;
mod modes;
mod overruns;
mod partition;
mod pseudo_boolean;
mod resources;
mod shared_blocks;
mod variants;
