//! What a kernel and shared data cost besides the WCETs: release jitter, blocking, and context switches.

use isx_exact::quantity::Rational;
use num_traits::Zero;

/// What delays the jobs of a task besides the WCETs; all 0 unless given. Execution counts at the set's clock: at a lower one it takes
/// longer, as a WCET does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelCosts {
    /// J_i: how long after its arrival a job is released at most; deadlines count from the arrival. At most the deadline.
    pub jitter: Rational,
    /// B_i: the execution that a job waits for at most because others hold what it needs.
    pub blocking: Rational,
    /// N_i: the longest part of a job that cannot be interrupted, wherever it lies; of a shorter job all of it.
    pub nonpreemptive: Rational,
}

impl KernelCosts {
    /// Whether all are 0.
    pub fn is_zero(&self) -> bool {
        self.jitter.is_zero() && self.blocking.is_zero() && self.nonpreemptive.is_zero()
    }
}
