//! Why a task set has no formulation.

/// The maximum number of clocks of a task set, including its own.
pub const MAX_CLOCKS: usize = 100;

/// The maximum number of WCETs over all clocks: a task has one in software and one per choice. Each takes about 100
/// bytes.
pub const MAX_CLOCKED_WCETS: usize = 4_000_000;

/// The largest sum of areas, or of amounts of a resource, in common units.
pub(super) const AREA_LIMIT: u64 = 1 << 62;

/// Why a task set cannot be converted to integers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormulateError {
    /// The areas, in their common unit, add up to more than 2^62.
    #[error(
        "the areas of `{taskset}` span too many digits: in their common unit of {unit} they add up to more than \
         2^62; round the finest areas or take the largest choices out"
    )]
    AreaRange {
        /// Name of the task set.
        taskset: String,
        /// The common unit, as a decimal.
        unit: String,
    },
    /// The costs in a resource, in their common unit, add up to more than 2^62.
    #[error(
        "the costs of `{taskset}` in {resource} span too many digits: in their common unit of {unit} they add up to \
         more than 2^62; round the finest costs or take the largest choices out"
    )]
    CostRange {
        /// Name of the task set.
        taskset: String,
        /// The resource.
        resource: String,
        /// The common unit, as a decimal.
        unit: String,
    },
    /// The processor has variants, and the computation does not know them.
    #[error(
        "`{taskset}` has variants of the processor, and this computation takes one processor: choose a variant, or leave \
         `variants` out and give the cost of one of them as `base`"
    )]
    Variants {
        /// Name of the task set.
        taskset: String,
    },
    /// The processor is larger than the area budget.
    #[error("no design has area {budget} or less: the processor alone takes {area}")]
    Processor {
        /// The area of the processor, as a decimal.
        area: String,
        /// The budget, as a decimal.
        budget: String,
    },
    /// Designs run at too many different clocks.
    #[error(
        "the blocks of `{taskset}` make designs of {clocks} different clocks with {wcets} WCETs at each; up to \
         {MAX_CLOCKS} clocks and {MAX_CLOCKED_WCETS} WCETs at all of them are computed: round `fmax` to fewer values"
    )]
    Clocks {
        /// Name of the task set.
        taskset: String,
        /// The number of clocks.
        clocks: usize,
        /// The number of WCETs per clock.
        wcets: usize,
    },
}
