//! What vouches for an answer, computed without the engines: nothing here imports them.
//!
//! [`recheck`] sums every design again. [`certify`] writes a certificate that none is better or missing, and has it
//! checked by [`isx_checker`] on the way; the format and the argument are told there.

mod certify;
mod lists;
mod numbers;
mod price;
pub mod problem;
pub mod pseudo_boolean;
mod selection;
mod verdict;
mod witness;

pub use certify::{
    CertifyError, best_of_knapsack, best_of_mckp, certify, front_of_mckp, most_bytes, most_bytes_of_knapsack,
    most_bytes_of_mckp,
};
pub use isx_checker::problem::Kind;
pub use isx_checker::{Failure, Proved, Statement};
pub use lists::Unproved;
pub use verdict::certify_verdict;
pub use witness::{Mismatch, recheck};

use crate::quantity::Rational;
use num_bigint::BigInt;
use std::io::Read;

/// What a certificate is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The kind of problem.
    pub kind: Kind,
    /// The most area, in units, or weight that is asked about.
    pub capacity: u64,
    /// A unit of area in the task set's own, where it is a task set.
    pub area_unit: Option<Rational>,
}

impl About {
    /// Reads it from the beginning of a certificate.
    ///
    /// # Errors
    ///
    /// If it is no certificate.
    pub fn read(certificate: impl Read) -> Result<Self, Failure> {
        let problem = isx_checker::read_problem(certificate)?;
        let unit = |set: &isx_checker::problem::TaskSet| {
            let (numerator, denominator) = set.area_unit.clone();
            Rational::new(BigInt::from(numerator), BigInt::from(denominator))
        };
        let area_unit = problem.task_set.as_ref().map(unit);
        Ok(Self { kind: problem.kind, capacity: problem.capacity, area_unit })
    }
}

/// Checks a certificate about the problem whose bytes have this SHA-256, see [`problem`].
///
/// # Errors
///
/// The first thing that is wrong, and where.
pub fn verify(certificate: impl Read, problem: &[u8; 32]) -> Result<Proved, Failure> {
    isx_checker::check(certificate, Some(problem))
}
