//! What the formulations of the variants of a processor, or of the modes of a set, have in common.

use crate::model::TaskSet;
use isx_exact::quantity::Rational;

/// What the formulations of all variants and modes share, and the number of one of the variants.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub set: &'a TaskSet,
    pub number: usize,
    pub time_unit: &'a Rational,
}
