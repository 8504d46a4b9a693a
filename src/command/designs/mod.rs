//! `isx explore`, `check`, `show` and `fit`: the designs of a task set.

pub mod check;
mod checkpoint;
pub mod explore;
pub mod fit;
mod explore_sets;
mod front_folder;
mod notes;
mod sets;
pub mod show;
