//! The dense dynamic program on the CPU's vector units: rows of cells, independent of the items.
//!
//! ```text
//! G_0(j) = 0        G_i(j) = max_k { G_{i-1}(j - w_ik) + v_ik : w_ik <= j }      j = 0 .. reach(i)
//! ```
//!
//! A row is computed in strips, one task each; a strip in tiles of cells that stay in vector registers while the
//! items stream past (`forward.rs`). For large classes, bounds from the linear relaxation skip items that cannot
//! matter (`bound.rs`). The items of all points are found together, in one traceback row by row (`trace.rs`,
//! `windows.rs`); rows that do not fit into memory are computed again (`memory.rs`). Results do not depend on any of
//! this: instruction sets, lane widths, bounds, threads and checkpoints only change the time.
//!
//! The recurrence is Algorithm 2.2 of B. Suri, "Accelerating the knapsack problem on GPUs", master's thesis,
//! Linköping University, 2011; `reference.rs` implements it directly, with a worked instance.

mod bound;
mod forward;
mod kernels;
mod memory;
mod model;
mod row;
mod scratch;
mod settings;
mod solver;
mod strip;
mod trace;
mod walks;
mod windows;

use super::{Answer, Mckp, Wanted};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cpu::{Arena, Team};
use isx_problems::reduce::mckp::{Reduced, Tiered};
use kernels::Kernels;
use memory::Memory;
use model::Model;
pub use settings::Settings;
use solver::Solver;
use std::time::Instant;
pub use strip::Narrowing;

/// The dense engine.
#[derive(Clone, Copy, Debug)]
pub struct Dense {
    settings: Settings,
}

impl Dense {
    /// The fastest settings for this machine.
    pub const AUTO: Self = Self { settings: Settings::AUTO };

    /// With fixed settings.
    pub const fn with(settings: Settings) -> Self {
        Self { settings }
    }

    fn plan_in<'a, V: Kernels>(
        &self,
        problem: &'a Reduced<V>,
        wanted: Wanted,
        context: &'a Context<'a>,
    ) -> Result<Plan<'a, Mckp>, EngineError> {
        let settings = self.settings.within(context);
        let machine = context.machine;
        let memory = Memory::plan(problem, wanted, machine.threads(), machine.max_memory());
        machine.allow(memory.bytes)?;
        let model = Model::new(problem, wanted, memory, &settings);
        let (threads, seconds) = model.worth(machine.workers());
        let alone = threads == 1 && !settings.all_threads;
        let run = Run { problem, wanted, context, settings, rows: memory.rows, model, alone };
        Ok(Plan::new(Estimate { seconds, bytes: memory.bytes }, move || run.solve()))
    }
}

/// A solve as it was planned.
struct Run<'a, V> {
    problem: &'a Reduced<V>,
    wanted: Wanted,
    context: &'a Context<'a>,
    settings: Settings,
    rows: usize,
    model: Model,
    /// Whether one thread is expected to be as fast as all.
    alone: bool,
}

impl<V: Kernels> Run<'_, V> {
    fn solve(self) -> Result<Answer, EngineError> {
        let started = Instant::now();
        let Self { problem, wanted, context, settings, rows, model, alone } = self;
        let workers = context.machine.workers();
        let team = match (alone, settings.all_threads) {
            (true, _) => Team::alone(),
            (false, true) => Team::sharing_everything(workers),
            (false, false) => Team::of(workers),
        };
        team.enter(|| {
            let solver = Solver::new(problem, context, settings, model, &team);
            let lengths = solver.row_lengths(rows);
            let mut arena = Arena::new(lengths.iter().sum::<usize>() * size_of::<V>()).map_err(|error| {
                EngineError::NoMemory(format!("the system gives no memory for its rows: {error}"))
            })?;
            arena.touch(&team);
            solver.solve(wanted, arena.rows(lengths.into_iter()), started)
        })
    }
}

impl Engine<Mckp> for Dense {
    fn plan<'a>(&'a self, request: Request<'a, Mckp>) -> Result<Plan<'a, Mckp>, EngineError> {
        match request.problem {
            Tiered::I32(problem) => self.plan_in(problem, request.wanted, request.context),
            Tiered::I64(problem) => self.plan_in(problem, request.wanted, request.context),
            wider => Err(EngineError::Arithmetic(wider.tier())),
        }
    }
}
