//! The dense dynamic program on the CPU's vector units: rows of cells, whatever the items.
//!
//! ```text
//! G_0(j) = 0        G_i(j) = max_k { G_{i-1}(j - w_ik) + v_ik : w_ik <= j }      j = 0 .. reach(i)
//! ```
//!
//! A row is computed in strips, one task each; a strip in tiles of cells that stay in vector registers while the
//! items stream past (`forward.rs`). Bounds from the linear relaxation leave out items that cannot matter where
//! classes are large (`bound.rs`). The items of all points are found together, going back row by row
//! (`trace.rs`, `windows.rs`); rows that memory has no room for are computed again (`memory.rs`). No result depends
//! on any of this: instruction sets, lane widths, bounds, threads and checkpoints change the time only.
//!
//! Algorithm 2.2 of B. Suri, "Accelerating the knapsack problem on GPUs", master's thesis, Linköping University,
//! 2011, is the recurrence; `reference.rs` is its plain form, with a worked instance.

#[cfg(target_arch = "aarch64")]
mod arm;
mod bound;
mod forward;
mod lanes;
mod memory;
mod model;
mod portable;
mod row;
mod solver;
mod strip;
mod trace;
mod walks;
mod windows;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::{Answer, Context, Engine, EngineError, Estimate, Wanted};
use crate::engine::team::Team;
use crate::reduce::{Reduced, Tiered};
pub use lanes::Isa;
use memory::Memory;
use model::Model;
use row::{Arena, Cell};
use solver::Solver;
use std::time::Instant;
pub use strip::Narrowing;

/// The dense engine.
#[derive(Clone, Copy, Debug)]
pub struct Dense {
    settings: Settings,
}

/// What the engine decides by itself, for tests and benchmarks to decide otherwise. The answer is the same.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Instruction set; the widest there is if `None`.
    pub isa: Option<Isa>,
    /// When cells are held as differences.
    pub narrowing: Narrowing,
    /// Classes of fewer items are computed without bounds.
    pub bound_from: usize,
    /// Whether to use all threads allowed for all work, even where fewer are expected to be faster.
    pub all_threads: bool,
}

impl Settings {
    /// Chosen for speed.
    pub const AUTO: Self =
        Self { isa: None, narrowing: Narrowing::WherePaying, bound_from: 24, all_threads: false };

    /// With the bounds off where the context wants every candidate looked at.
    fn within(self, context: &Context) -> Self {
        let bound_from = if context.all_candidates { usize::MAX } else { self.bound_from };
        Self { bound_from, ..self }
    }

    fn isa(&self) -> Isa {
        self.isa.unwrap_or_else(Isa::best)
    }

    /// Whether bounds are wanted for strips with hardly anything to find, too.
    fn bounds_always(&self) -> bool {
        self.bound_from == 0
    }

    /// How rows are held.
    fn narrowing(&self) -> Narrowing {
        match (self.narrowing, self.isa()) {
            // Plain loops have no vectors of sums that saturate.
            (Narrowing::WherePaying, Isa::Portable) => Narrowing::Never,
            (narrowing, _) => narrowing,
        }
    }

    /// How a strip is held when items are found in it: few enough are tried where there is a bound.
    fn traced(&self, bounded: bool) -> Narrowing {
        match self.narrowing() {
            Narrowing::WherePaying if bounded => Narrowing::Never,
            narrowing => narrowing,
        }
    }
}

impl Dense {
    /// With everything chosen for speed.
    pub const AUTO: Self = Self { settings: Settings::AUTO };

    /// With what is decided already.
    #[must_use]
    pub const fn with(settings: Settings) -> Self {
        Self { settings }
    }

    fn estimate_in<V: Cell>(&self, problem: &Reduced<V>, wanted: Wanted, context: &Context) -> Estimate {
        let settings = self.settings.within(context);
        let memory = Memory::plan(problem, wanted, context.threads, context.max_memory);
        let (_, seconds) = Model::new(problem, wanted, memory, &settings).worth(context.threads);
        Estimate { seconds, bytes: memory.bytes }
    }

    fn solve_in<V: Cell>(
        &self,
        problem: &Reduced<V>,
        wanted: Wanted,
        context: &Context,
    ) -> Result<Answer, EngineError> {
        let started = Instant::now();
        let settings = self.settings.within(context);
        let memory = Memory::plan(problem, wanted, context.threads, context.max_memory);
        EngineError::check_memory("dense", memory.bytes, context.max_memory)?;
        let model = Model::new(problem, wanted, memory, &settings);
        let team = match model.worth(context.threads) {
            _ if settings.all_threads => Team::sharing_everything(context.threads),
            (threads, _) => Team::new(threads),
        };
        team.enter(|| {
            let solver = Solver::new(problem, context, settings, model, &team);
            let lengths = solver.row_lengths(memory.rows);
            let mut arena = Arena::new(lengths.iter().sum::<usize>() * size_of::<V>()).map_err(|error| {
                EngineError::Unavailable { engine: "dense", why: format!("no memory for its rows: {error}") }
            })?;
            arena.touch(&team);
            Ok(solver.solve(wanted, arena.rows(lengths.into_iter()), started))
        })
    }
}

impl Engine for Dense {
    fn name(&self) -> &'static str {
        "dense"
    }

    fn estimate(&self, problem: &Tiered, wanted: Wanted, context: &Context) -> Result<Estimate, EngineError> {
        match problem {
            Tiered::I32(problem) => Ok(self.estimate_in(problem, wanted, context)),
            Tiered::I64(problem) => Ok(self.estimate_in(problem, wanted, context)),
            _ => Err(EngineError::Unsupported { engine: "dense", tier: problem.tier() }),
        }
    }

    fn solve(&self, problem: &Tiered, wanted: Wanted, context: &Context) -> Result<Answer, EngineError> {
        match problem {
            Tiered::I32(problem) => self.solve_in(problem, wanted, context),
            Tiered::I64(problem) => self.solve_in(problem, wanted, context),
            _ => Err(EngineError::Unsupported { engine: "dense", tier: problem.tier() }),
        }
    }
}
