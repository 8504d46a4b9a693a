//! Which sums dominate which: of those before a sum, and of those that are complete.

mod guard;
mod page;
mod pages;
mod points;
pub(crate) mod screen;
mod table;

pub(crate) use guard::Guard;
pub(crate) use pages::Pages;
pub(crate) use points::{Sums, within};

#[cfg(test)]
mod tests;
