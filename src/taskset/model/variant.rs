//! Variants of the processor, of which exactly one is built: with caches or without, with a fast or a slow multiplier.

use isx_exact::quantity::Rational;

/// The maximum number of variants of a task set.
pub const MAX_VARIANTS: usize = 100;

/// A variant of the processor. Tasks and choices may have a WCET of their own in each, see [`Task::wcets`](super::Task::wcets).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Unique within the set.
    pub name: String,
    /// What it costs of each of [`TaskSet::resources`](super::TaskSet::resources), of any sign, in addition to their base; an
    /// area is 0 or greater.
    pub cost: Vec<Rational>,
    /// The maximum clock of its designs, in hertz and above 0; `None` if it runs at the set's. Only valid if
    /// [`TaskSet::time_base`](super::TaskSet::time_base) is a clock, whose cycles are the unit of WCETs.
    pub fmax: Option<Rational>,
    /// The source of the figures.
    pub source: Option<String>,
}
