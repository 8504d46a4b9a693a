//! Verdicts against independent judges: an exhaustive demand-bound test, a discrete-event simulation, and brute force over
//! designs; response times and margins; and the limit of work for a whole front.

#![allow(clippy::unwrap_used)]

mod demand;
mod judge;
mod kernel;
mod margin;
mod points;
mod random;
mod response;
mod search;
mod simulation;
