//! Fronts and verdicts of whole task sets, compared with brute force over all their designs.
//!
//! `ISX_CASES` sets the number of random sets of each test.

#[path = "../common/mod.rs"]
mod common;

mod certificates;
mod clocks;
mod exact_front;
mod invalid_certificates;
mod metamorphic;
mod near_one;
mod pseudo_boolean;
mod resource_certificates;
mod resources;
mod shared_blocks;
mod variants;
mod what_if;
