//! Exact numbers: decimals, fractions and units of time ([`quantity`]), and reproducible random integers
//! ([`sampling`]). No number passes through a float.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod quantity;
pub mod sampling;
