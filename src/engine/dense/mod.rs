//! The dense dynamic program on the CPU's vector units: rows of cells, whatever the items.
//!
//! ```text
//! G_0(j) = 0        G_i(j) = max_k { G_{i-1}(j - w_ik) + v_ik : w_ik <= j }      j = 0 .. reach(i)
//! ```
//!
//! A row is computed in strips, one task each; a strip in tiles of cells that stay in vector registers while the
//! items stream past ([`forward`]). Bounds from the linear relaxation leave out items that cannot matter where
//! classes are large ([`bound`]). The items of all points are found together, going back row by row
//! ([`trace`]); rows that memory has no room for are computed again ([`memory`]). No result depends on any of
//! this: instruction sets, lane widths, bounds, threads and checkpoints change the time only.
//!
//! Algorithm 2.2 of B. Suri, "Accelerating the knapsack problem on GPUs", master's thesis, Linköping University,
//! 2011, is the recurrence; [`super::reference`] is its plain form, with a worked instance.

#[cfg(target_arch = "aarch64")]
mod arm;
mod bound;
mod forward;
mod lanes;
mod memory;
mod portable;
mod row;
mod solver;
mod strip;
mod trace;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::{Answer, Context, Engine, EngineError, Estimate, Wanted};
use crate::reduce::{Reduced, Tiered};
pub use lanes::Isa;
use memory::Memory;
use row::{Arena, Cell};
use solver::Solver;
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
}

impl Settings {
    /// Chosen for speed.
    pub const AUTO: Self = Self { isa: None, narrowing: Narrowing::WherePaying, bound_from: 24 };

    fn isa(&self) -> Isa {
        self.isa.unwrap_or_else(Isa::best)
    }

    fn always_bounds(&self) -> bool {
        self.bound_from <= 1
    }

    /// How a strip of `len` cells is held when the items of `marked` of them are wanted.
    fn traced(&self, marked: usize, len: usize) -> Narrowing {
        match self.narrowing {
            Narrowing::WherePaying if marked < len / 8 => Narrowing::Never,
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

    fn solve_in<V: Cell>(
        &self,
        problem: &Reduced<V>,
        wanted: Wanted,
        context: &Context,
    ) -> Result<Answer, EngineError> {
        let memory = Memory::plan(problem, wanted, context.threads, context.max_memory);
        if memory.bytes > context.max_memory {
            return Err(EngineError::Memory {
                engine: "dense",
                needed: memory.bytes,
                allowed: context.max_memory,
            });
        }
        let pool = (context.threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(context.threads).build().ok())
            .flatten();
        let threads = pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads);
        let plural = if threads == 1 { "" } else { "s" };
        let ran_on = format!("dense ({}, {threads} thread{plural})", self.settings.isa().name());
        let solver = Solver::new(problem, context, self.settings, pool);
        let lengths = solver.row_lengths(memory.rows);
        let mut arena = Arena::new(lengths.iter().sum::<usize>() * size_of::<V>()).map_err(|error| {
            EngineError::Unavailable { engine: "dense", why: format!("no memory for its rows: {error}") }
        })?;
        Ok(solver.solve(wanted, arena.rows(lengths.into_iter()), ran_on))
    }
}

impl Engine for Dense {
    fn name(&self) -> &'static str {
        "dense"
    }

    fn estimate(&self, problem: &Tiered, wanted: Wanted, context: &Context) -> Result<Estimate, EngineError> {
        let bytes = match problem {
            Tiered::I32(problem) => Memory::plan(problem, wanted, context.threads, context.max_memory).bytes,
            Tiered::I64(problem) => Memory::plan(problem, wanted, context.threads, context.max_memory).bytes,
            _ => return Err(EngineError::Unsupported { engine: "dense", tier: problem.tier() }),
        };
        let cells = problem.capacity().saturating_add(1) as f64;
        Ok(Estimate { seconds: cells * problem.items() as f64 / 2.0e10, bytes })
    }

    fn solve(&self, problem: &Tiered, wanted: Wanted, context: &Context) -> Result<Answer, EngineError> {
        match problem {
            Tiered::I32(problem) => self.solve_in(problem, wanted, context),
            Tiered::I64(problem) => self.solve_in(problem, wanted, context),
            _ => Err(EngineError::Unsupported { engine: "dense", tier: problem.tier() }),
        }
    }
}
