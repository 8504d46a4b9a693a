//! `isx explore`, `check` and `show`: the designs of a task set.

pub mod check;
mod checkpoint;
pub mod explore;
mod front_folder;
mod notes;
pub mod show;
