//! `isx compare`, `plot` and `report`: what is made of fronts that were explored before.

pub mod compare;
pub mod plot;
pub mod report;
