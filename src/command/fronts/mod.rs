//! `isx compare`, `plot` and `report`: work with fronts that were explored before.

pub mod compare;
pub mod plot;
pub mod report;
