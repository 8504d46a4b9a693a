//! When the search over plans turns to something else.

/// The answer is the same with any; with small ones the search branches in small problems too.
#[derive(Clone, Copy, Debug)]
pub struct Turns {
    /// Plans listed at most where it can be branched on tasks instead.
    pub many_plans: usize,
    /// And where on copies of blocks.
    pub few_plans: usize,
}

impl Default for Turns {
    fn default() -> Self {
        Self { many_plans: 1_500_000, few_plans: 40_000 }
    }
}
