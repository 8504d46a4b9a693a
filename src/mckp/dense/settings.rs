//! What the engine decides by itself, and how tests and benchmarks decide otherwise.

use super::strip::Narrowing;
use isx_engine::Context;
use isx_machine::cpu::lanes::Isa;

/// The engine's automatic decisions, which tests and benchmarks can override. The answer is the same.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Instruction set; the widest available if `None`.
    pub isa: Option<Isa>,
    /// When cells are stored as differences.
    pub narrowing: Narrowing,
    /// Classes of fewer items are computed without bounds.
    pub bound_from: usize,
    /// Whether to use all threads allowed for all work, even where fewer are expected to be faster.
    pub all_threads: bool,
}

impl Settings {
    /// The fastest settings.
    pub const AUTO: Self =
        Self { isa: None, narrowing: Narrowing::WherePaying, bound_from: 24, all_threads: false };

    /// Turns the bounds off if the context requests every candidate.
    pub(super) fn within(self, context: &Context) -> Self {
        let bound_from = if context.all_candidates { usize::MAX } else { self.bound_from };
        Self { bound_from, ..self }
    }

    pub(super) fn isa(&self) -> Isa {
        self.isa.unwrap_or_else(Isa::best)
    }

    /// Whether bounds are also used for strips with hardly anything to find.
    pub(super) fn bounds_always(&self) -> bool {
        self.bound_from == 0
    }

    /// The format of rows.
    pub(super) fn narrowing(&self) -> Narrowing {
        match (self.narrowing, self.isa()) {
            // Plain loops have no saturating vector sums.
            (Narrowing::WherePaying, Isa::Portable) => Narrowing::Never,
            (narrowing, _) => narrowing,
        }
    }

    /// The format of a strip in the traceback: with a bound, few enough items are tried.
    pub(super) fn traced(&self, bounded: bool) -> Narrowing {
        match self.narrowing() {
            Narrowing::WherePaying if bounded => Narrowing::Never,
            narrowing => narrowing,
        }
    }
}
