//! `isx explore`, `check` and `show`: the designs of a task set.

pub mod check;
mod checkpoint;
pub mod explore;
mod explore_sets;
mod front_folder;
mod notes;
mod sets;
pub mod show;
