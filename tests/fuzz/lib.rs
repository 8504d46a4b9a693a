//! Code shared by the targets and the tests of the main workspace.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a check fails by panicking")]

pub mod checks;
#[path = "../common/mod.rs"]
mod common;

/// Checks one input of this kind.
pub fn check(kind: &str, data: &[u8]) {
    let found = checks::ALL.iter().find(|(name, _)| *name == kind);
    found.unwrap_or_else(|| panic!("no check is named {kind}")).1(data);
}
