//! The blocks of a generated task set: their recipe, the random draws, and their text.
//!
//! They are drawn after everything else, so that the same recipe without blocks gives the same tasks and choices.

use super::error::{RecipeError, require};
use super::resources::GeneratedResources;
use crate::written::Mapping;
use isx_exact::sampling::{DecimalRange, IntRange, Sampler};

/// The maximum number of blocks of a recipe.
pub const MAX_BLOCKS: u64 = 1_000;

/// The maximum number of block uses over all choices: even with the maximum number of choices, the file stays below
/// 10^6 YAML nodes.
pub const MAX_USES: u64 = 100_000;

/// The blocks of a recipe: hardware that several choices share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedBlocks {
    /// The number of blocks.
    pub count: u64,
    /// How many blocks a choice uses, in addition to its own area.
    pub uses: IntRange,
    /// The range of their areas; its decimals set the resolution.
    pub area: DecimalRange,
    /// The maximum clocks of designs that build them, in MHz; the decimals of the range set the resolution. Without a
    /// range no block limits the clock.
    pub fmax: Option<DecimalRange>,
}

/// The largest clock limit of a block, in MHz; the set's own clock has the same maximum.
const MAX_FMAX_MHZ: u64 = 100_000;

/// The maximum number of clocks below the set's own; with it, as many as a formulation accepts.
const MAX_LIMITS: u64 = 99;

impl SharedBlocks {
    /// Default for the number of blocks per choice, given `count` blocks: one to three, but at most `count`.
    ///
    /// ```
    /// use isx_taskset::recipe::SharedBlocks;
    /// assert_eq!([2, 8].map(|count| SharedBlocks::default_uses(count).to_string()), ["1..2", "1..3"]);
    /// ```
    pub fn default_uses(count: u64) -> IntRange {
        IntRange { low: 1, high: count.clamp(1, 3) }
    }

    /// Checks everything except the ranges themselves.
    pub(super) fn check(&self, choices: u64) -> Result<(), RecipeError> {
        let count_fits = (1..=MAX_BLOCKS).contains(&self.count);
        require(count_fits, "blocks", self.count, "there must be 1 to 1000 blocks")?;
        let uses_fit = self.uses.low <= self.uses.high && self.uses.high <= self.count;
        let must = "write N or LOW..HIGH, with at most as many as there are blocks";
        require(uses_fit, "uses", self.uses, must)?;
        let uses_fit = self.uses.high.saturating_mul(choices) <= MAX_USES;
        require(uses_fit, "uses", self.uses, "all choices together may have up to 100000 uses")
    }

    /// Checks that the designs have no more clocks than supported; the range itself is already checked.
    pub(super) fn check_fmax(&self, fmax: DecimalRange, clock_mhz: u64) -> Result<(), RecipeError> {
        let fits = fmax.low > 0 && fmax.high <= MAX_FMAX_MHZ * fmax.unit();
        require(fits, "fmax", fmax, "a block must run at more than 0 and at most 100000 MHz")?;
        let below = (clock_mhz * fmax.unit()).min(fmax.high + 1).saturating_sub(fmax.low);
        let must =
            "up to 99 different clocks below that of the set are computed: take fewer blocks or decimals";
        require(below.min(self.count) <= MAX_LIMITS, "fmax", fmax, must)
    }

    /// Draws one number of a range per block, in units of the last decimal.
    pub(super) fn draw(&self, range: DecimalRange, sampler: &mut Sampler) -> Vec<u64> {
        (0..self.count).map(|_| sampler.uniform(range.low, range.high)).collect()
    }

    /// Draws the blocks that a choice uses, as ascending 0-based indices; all sets of the drawn size are equally likely.
    pub(super) fn draw_uses(&self, sampler: &mut Sampler) -> Vec<u64> {
        let size = sampler.within(self.uses);
        sampler.subset(size, self.count)
    }

    /// The list of blocks.
    pub(super) fn written(&self, resources: &GeneratedResources, drawn: &DrawnBlocks) -> Vec<Mapping> {
        let block = |(at, &area): (usize, &u64)| {
            let mut mapping = Mapping::named(&block_name(at as u64));
            let others = drawn.others.get(at).map_or(&[][..], Vec::as_slice);
            let (key, price) = resources.price(self.area, area, others);
            mapping.put(key, price);
            if let Some((range, &fmax)) = self.fmax.zip(drawn.fmax.get(at)) {
                mapping.put("fmax", format!("{} MHz", range.text(fmax)));
            }
            mapping
        };
        drawn.areas.iter().enumerate().map(block).collect()
    }
}

/// The random figures of the blocks, in units of the last decimals.
#[derive(Default)]
pub(super) struct DrawnBlocks {
    pub areas: Vec<u64>,
    /// The amounts of all resources but the first, for each block; empty if there are no others.
    pub others: Vec<Vec<u64>>,
    /// Empty if no block limits the clock.
    pub fmax: Vec<u64>,
}

pub(super) fn block_name(block: u64) -> String {
    format!("block-{}", block + 1)
}
