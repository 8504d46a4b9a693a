//! Fronts and verdicts of whole task sets against all their designs, looked at one by one.
//!
//! `ISX_CASES` says how many random sets each test takes.

#[path = "../common/mod.rs"]
mod common;

mod certificates;
mod clocks;
mod exact_front;
mod invalid_certificates;
mod metamorphic;
mod near_one;
mod pseudo_boolean;
mod shared_blocks;
mod what_if;
