//! Verifies answers independently of the engines: nothing here imports them.
//!
//! [`recheck`] recomputes every design. [`certify`] writes a certificate that no better design exists and none is
//! missing, and has it checked by [`isx_checker`] at the same time; that crate documents the format and the argument.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod asked;
mod cases;
mod certify;
mod covers;
mod error;
mod lists;
mod numbers;
mod partition;
mod price;
pub mod problem;
pub mod pseudo_boolean;
mod reasons;
mod selection;
mod stairs;
mod verdict;

pub use certify::{
    best_of_knapsack, best_of_mckp, certify, front_of_mckp, most_bytes, most_bytes_of_knapsack,
    most_bytes_of_mckp, nothing_fits,
};
pub use error::CertifyError;
pub use isx_checker::Wrong;
pub use isx_checker::shared::partition::Prices;
pub use isx_checker::shared::problem::Kind;
pub use isx_checker::shared::resources::Column;
pub use isx_checker::{About, Failure, Limits, Proved, Statement};
pub use isx_design::witness::{Mismatch, recheck};
pub use partition::{Priced, certify_division};
pub use verdict::certify_verdict;

use std::io::Read;

/// Checks a certificate about the problem whose bytes have this SHA-256, see [`problem`], within these limits. Fails
/// with the first error and its location, or if a limit is exceeded.
pub fn verify(certificate: impl Read, problem: &[u8; 32], limits: Limits) -> Result<Proved, Failure> {
    isx_checker::check_within(certificate, Some(problem), limits)
}
