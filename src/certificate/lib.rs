//! What vouches for an answer, computed without the engines: nothing here imports them.
//!
//! [`recheck`] sums every design again. [`certify`] writes a certificate that none is better or missing, and has it
//! checked by [`isx_checker`] on the way; that crate documents the format and the argument.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod certify;
mod lists;
mod numbers;
mod price;
pub mod problem;
pub mod pseudo_boolean;
mod selection;
mod verdict;

pub use certify::{
    CertifyError, best_of_knapsack, best_of_mckp, certify, front_of_mckp, most_bytes, most_bytes_of_knapsack,
    most_bytes_of_mckp,
};
pub use isx_checker::problem::Kind;
pub use isx_checker::read::Wrong;
pub use isx_checker::{About, Failure, Limits, Proved, Statement};
pub use isx_design::witness::{Mismatch, recheck};
pub use lists::Unproved;
pub use verdict::certify_verdict;

use std::io::Read;

/// Checks a certificate about the problem whose bytes have this SHA-256, see [`problem`], within these limits.
///
/// # Errors
///
/// The first thing that is wrong, and where; or that it takes too much.
pub fn verify(certificate: impl Read, problem: &[u8; 32], limits: Limits) -> Result<Proved, Failure> {
    isx_checker::check_within(certificate, Some(problem), limits)
}
