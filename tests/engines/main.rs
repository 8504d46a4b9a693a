//! The engines against brute force, against each other, and at the ends of what they accept.
//!
//! `ISX_CASES` says how many random problems each test takes.

#[path = "../common/mod.rs"]
mod common;

mod dense_brute_force;
mod engines_agree;
mod lcs;
mod range_ends;
mod resume;
mod set_union;
mod tsp;
