//! Which sums dominate which: of those before a sum, and of those that are complete.

mod guard;
mod points;
mod table;
mod tree;

pub(crate) use guard::Guard;
pub(crate) use points::{Sums, within};
pub(crate) use tree::Tree;

#[cfg(test)]
mod tests;
