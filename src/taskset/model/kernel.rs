//! What a kernel and shared data cost besides the WCETs: release jitter, blocking, locks, and context switches.

use isx_exact::quantity::Rational;
use num_traits::Zero;

/// What delays the jobs of a task besides the WCETs; all 0 unless given. Execution counts at the set's clock: at a lower one it takes
/// longer, as a WCET does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelCosts {
    /// J_i: how long after its arrival a job is released at most; deadlines count from the arrival. At most the deadline.
    pub jitter: Rational,
    /// B_i: the execution that a job waits for at most because holders outside the set have what it needs.
    pub blocking: Rational,
    /// N_i: the longest part of a job that cannot be interrupted, wherever it lies.
    pub nonpreemptive: Nonpreemptive,
    /// Its longest critical section on each shared resource, each named once; a choice may have others, see
    /// [`Choice::locks`](super::Choice::locks).
    pub locks: Vec<Lock>,
}

/// The longest part of a job that cannot be interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nonpreemptive {
    /// This long at most, 0 or more; of a shorter job all of it.
    Part(Rational),
    /// The whole job, whatever choice the task takes: once it has begun, nothing interrupts it.
    All,
}

impl Default for Nonpreemptive {
    fn default() -> Self {
        Self::Part(Rational::default())
    }
}

impl Nonpreemptive {
    /// Whether it can be interrupted anywhere.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::Part(part) if part.is_zero())
    }
}

/// The longest critical section of a task on a shared resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lock {
    /// The resource: tasks that name the same one share it.
    pub name: String,
    /// How long it is held at most, 0 or more; of a shorter job all of it. 0 is as if it was left out.
    pub time: Rational,
}

impl KernelCosts {
    /// Whether all but the locks are 0, see [`Task::sections`](super::Task::sections) for these.
    pub fn is_zero(&self) -> bool {
        self.jitter.is_zero() && self.blocking.is_zero() && self.nonpreemptive.is_none()
    }
}
