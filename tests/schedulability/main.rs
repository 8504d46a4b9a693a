//! EDF verdicts against independent judges: an exhaustive demand-bound test, a discrete-event simulation, and brute
//! force over designs; and the limit of work for a whole front.

#![allow(clippy::unwrap_used)]

mod demand;
mod judge;
mod kernel;
mod points;
mod random;
mod search;
mod simulation;
