//! Modes of a task set, of which one runs at a time: in flight or landing, serving or updating.

use isx_exact::quantity::Rational;

/// The maximum number of modes of a task set.
pub const MAX_MODES: usize = 16;

/// The times of a task in a mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// P_i > 0: period, or minimum inter-arrival time.
    pub period: Rational,
    /// D_i > 0: relative deadline.
    pub deadline: Rational,
}
