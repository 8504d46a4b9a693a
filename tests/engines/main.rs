//! The engines against brute force, against each other, and at the limits of their inputs, and the planner's
//! selection.
//!
//! `ISX_CASES` sets the number of random problems of each test.

// Helpers of a test are tests, too.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;

mod engines_agree;
mod knapsack;
mod knapsack_core;
mod planner;
mod range_ends;
mod thesis_examples;
