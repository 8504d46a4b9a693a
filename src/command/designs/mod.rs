//! `isx explore`, `check`, `show`, `fit`, `partition` and `confirm`: the designs of a task set.

pub mod check;
pub mod confirm;
pub mod explore;
pub mod fit;
mod front_folder;
mod notes;
pub mod partition;
mod sets;
pub mod show;
