//! EDF verdicts against independent judges: an exhaustive demand-bound test, a discrete-event simulation, and brute
//! force over designs.

#![allow(clippy::unwrap_used)]

mod demand;
mod judge;
mod random;
mod search;
