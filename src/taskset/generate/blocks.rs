//! The blocks of a generated task set: what the recipe says of them, the draws, and their text.
//!
//! They are drawn after everything else, so that the same recipe without blocks gives the same tasks and choices. A
//! choice uses a number of different blocks, every set of that many alike.

use super::recipe::{RecipeError, TaskSetRecipe, require};
use isx_exact::sampling::{DecimalRange, IntRange, Sampler};
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

/// The most blocks of a recipe.
pub const MAX_BLOCKS: u64 = 1_000;

/// The most uses of blocks, of all choices together: with the most
/// choices that a recipe may have a file still has below 10^6 YAML nodes.
pub const MAX_USES: u64 = 100_000;

/// The blocks of a recipe: hardware that choices share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedBlocks {
    /// How many there are.
    pub count: u64,
    /// How many of them a choice uses, beside its own area.
    pub uses: IntRange,
    /// Their areas, as fine as the range is written.
    pub area: DecimalRange,
    /// The fastest clocks of designs that build them, in MHz and as fine as the range is written; none limits the clock
    /// where there is no range.
    pub fmax: Option<DecimalRange>,
}

/// The fastest clock that a block may be limited to, in MHz; the set's own goes no further.
const MAX_FMAX_MHZ: u64 = 100_000;

/// The most different clocks below the set's own: with it they are as many as a formulation takes.
const MAX_LIMITS: u64 = 99;

impl SharedBlocks {
    /// How many of `count` blocks a choice uses unless the recipe says otherwise: one to three, as far as there are so
    /// many.
    ///
    /// ```
    /// use isx_taskset::recipe::SharedBlocks;
    /// assert_eq!([2, 8].map(|count| SharedBlocks::default_uses(count).to_string()), ["1..2", "1..3"]);
    /// ```
    #[must_use]
    pub fn default_uses(count: u64) -> IntRange {
        IntRange { low: 1, high: count.clamp(1, 3) }
    }

    /// Checks all but the ranges themselves.
    pub(super) fn check(&self, recipe: &TaskSetRecipe) -> Result<(), RecipeError> {
        let count_fits = (1..=MAX_BLOCKS).contains(&self.count);
        require(count_fits, "blocks", self.count, "there must be 1 to 1000 blocks")?;
        let uses_fit = self.uses.low <= self.uses.high && self.uses.high <= self.count;
        let must = "write N or LOW..HIGH, with at most as many as there are blocks";
        require(uses_fit, "uses", self.uses, must)?;
        let choices = recipe.tasks.count().saturating_mul(recipe.choices.high);
        let uses_fit = self.uses.high.saturating_mul(choices) <= MAX_USES;
        require(uses_fit, "uses", self.uses, "all choices together may have up to 100000 uses")
    }

    /// Checks that designs run at no more clocks than are computed; the range itself is checked already.
    pub(super) fn check_fmax(&self, fmax: DecimalRange, clock_mhz: u64) -> Result<(), RecipeError> {
        let fits = fmax.low > 0 && fmax.high <= MAX_FMAX_MHZ * fmax.unit();
        require(fits, "fmax", fmax, "a block must run at more than 0 and at most 100000 MHz")?;
        let below = (clock_mhz * fmax.unit()).min(fmax.high + 1).saturating_sub(fmax.low);
        let must =
            "up to 99 different clocks below that of the set are computed: take fewer blocks or decimals";
        require(below.min(self.count) <= MAX_LIMITS, "fmax", fmax, must)
    }

    /// So many numbers of a range as there are blocks, in units of the last decimal.
    pub(super) fn draw(&self, range: DecimalRange, sampler: &mut Sampler) -> Vec<u64> {
        (0..self.count).map(|_| sampler.uniform(range.low, range.high)).collect()
    }

    /// The blocks that a choice uses, counted from 0 and rising.
    ///
    /// Floyd's method (Bentley and Floyd, "A Sample of Brilliance", Communications of the ACM 30, 1987): one draw for
    /// each member, every set of the size alike.
    pub(super) fn draw_uses(&self, sampler: &mut Sampler) -> Vec<u64> {
        let mut members = BTreeSet::new();
        let size = sampler.within(self.uses);
        for last in self.count - size..self.count {
            let drawn = sampler.uniform(0, last);
            if !members.insert(drawn) {
                members.insert(last);
            }
        }
        members.into_iter().collect()
    }

    /// Writes the list of blocks.
    pub(super) fn write(&self, text: &mut String, drawn: &DrawnBlocks) {
        text.push_str("blocks:\n");
        for (block, &area) in (0..).zip(&drawn.areas) {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "  - name: {}", block_name(block));
            let _ = writeln!(text, "    area: {}", self.area.text(area));
            if let Some((range, &fmax)) = self.fmax.zip(drawn.fmax.get(block as usize)) {
                let _ = writeln!(text, "    fmax: {} MHz", range.text(fmax));
            }
        }
    }
}

impl fmt::Display for SharedBlocks {
    /// The flags of the recipe.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--blocks {} --uses {} --block-area {}", self.count, self.uses, self.area)?;
        self.fmax.map_or(Ok(()), |fmax| write!(f, " --fmax {fmax}"))
    }
}

/// What is drawn of the blocks themselves, in units of the last decimals.
#[derive(Default)]
pub(super) struct DrawnBlocks {
    pub areas: Vec<u64>,
    /// Empty where no block limits the clock.
    pub fmax: Vec<u64>,
}

fn block_name(block: u64) -> String {
    format!("block-{}", block + 1)
}

/// The names of blocks as a list of one line.
pub(super) fn name_list(blocks: &[u64]) -> String {
    let names: Vec<String> = blocks.iter().map(|&block| block_name(block)).collect();
    format!("[{}]", names.join(", "))
}
