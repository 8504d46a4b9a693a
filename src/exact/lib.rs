//! Exact numbers: decimals, fractions and units of time ([`quantity`]), reproducible random integers
//! ([`sampling`]), and sorting ([`order`]). No number passes through a float.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod order;
pub mod quantity;
pub mod sampling;
