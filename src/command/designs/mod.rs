//! `isx explore`, `check`, `show` and `fit`: the designs of a task set.

pub mod check;
mod checkpoint;
pub mod explore;
mod explore_sets;
pub mod fit;
mod front_folder;
mod notes;
mod sets;
pub mod show;
