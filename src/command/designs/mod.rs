//! `isx explore`, `check`, `show`, `fit` and `partition`: the designs of a task set.

pub mod check;
mod checkpoint;
pub mod explore;
mod explore_sets;
pub mod fit;
mod front_folder;
mod notes;
pub mod partition;
mod sets;
pub mod show;
