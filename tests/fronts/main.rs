//! Fronts and verdicts of task sets at the ends of what numbers can be, and of equal sets; certificates made by hand.
//!
//! `ISX_CASES` sets the number of random problems.

#[path = "../common/mod.rs"]
mod common;

mod certificates;
mod clocks;
mod equal_sets;
mod exact_front;
mod invalid_certificates;
mod overruns;
mod times;
