//! Variants of the processor, of which exactly one is built: with caches or without, with a fast or a slow multiplier.

use super::{Choice, Task, TaskSet, TimeBase};
use isx_exact::quantity::Rational;

/// The maximum number of variants of a task set.
pub const MAX_VARIANTS: usize = 100;

/// A variant of the processor. Tasks and choices may have a WCET of their own in each, see [`Task::variant_wcets`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Unique within the set.
    pub name: String,
    /// What it costs of each of [`TaskSet::resources`], of any sign, in addition to their base.
    pub cost: Vec<Rational>,
    /// The maximum clock of its designs, in hertz and above 0; `None` if it runs at the set's. Only valid if
    /// [`TaskSet::time_base`] is a clock, whose cycles are the unit of WCETs.
    pub fmax: Option<Rational>,
    /// The source of the figures.
    pub source: Option<String>,
}

impl Task {
    /// The WCET in software in variant `number`.
    #[must_use]
    pub fn wcet_in(&self, number: usize) -> &Rational {
        self.variant_wcets.get(number).unwrap_or(&self.wcet)
    }
}

impl Choice {
    /// The WCET of the task with this choice in variant `number`.
    #[must_use]
    pub fn wcet_in(&self, number: usize) -> &Rational {
        self.variant_wcets.get(number).unwrap_or(&self.wcet)
    }
}

impl TaskSet {
    /// The clock of variant `number` in hertz: that of the set or, if lower, its `fmax`; `None` if times are no cycles.
    #[must_use]
    pub fn clock_in(&self, number: usize) -> Option<&Rational> {
        let TimeBase::Cycles { hertz } = &self.time_base else { return None };
        let fmax = self.variants.get(number).and_then(|variant| variant.fmax.as_ref());
        Some(fmax.filter(|fmax| *fmax < hertz).unwrap_or(hertz))
    }
}
