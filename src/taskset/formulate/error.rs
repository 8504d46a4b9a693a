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
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum FormulateError {
    #[error(
        "the areas of `{taskset}` span too many digits: in their common unit of {unit} they add up to more than \
         2^62; round the finest areas or take the largest choices out"
    )]
    AreaRange { taskset: String, unit: String },
    #[error(
        "the costs of `{taskset}` in {resource} span too many digits: in their common unit of {unit} they add up to \
         more than 2^62; round the finest costs or take the largest choices out"
    )]
    CostRange { taskset: String, resource: String, unit: String },
    #[error(
        "the periods of `{taskset}` have too large a common multiple: {what} in a hyperperiod take {needed} bits in their \
         common unit, and with several resources up to {held} are computed; round the periods so that they have more \
         common factors, or count one `area`"
    )]
    DemandRange { taskset: String, what: String, needed: u64, held: u64 },
    #[error(
        "`{taskset}` has variants of the processor, and this computation takes one processor: choose a variant, or leave \
         `variants` out and give the cost of one of them as `base`"
    )]
    Variants { taskset: String },
    #[error("this computation does not support the overruns that are asked about for `{taskset}`")]
    Overruns { taskset: String },
    #[error("no design has area {budget} or less: the processor alone takes {area}")]
    Processor { area: String, budget: String },
    #[error(
        "the blocks of `{taskset}` make designs of {clocks} different clocks with {wcets} WCETs at each; up to \
         {MAX_CLOCKS} clocks and {MAX_CLOCKED_WCETS} WCETs at all of them are computed: round `fmax` to fewer values"
    )]
    Clocks { taskset: String, clocks: usize, wcets: usize },
}
