//! Options of an exploration, and of the solves behind it.

use isx_design::schedulability::Limits;
use isx_engine::{Choice, NoProgress, Progress, Turn};
use isx_exact::quantity::Rational;
use isx_machine::Machine;
use isx_mckp::{Mckp, Wanted};
use isx_problems::value::Tier;
use isx_solve as solve;

/// Options of an exploration.
#[derive(Clone)]
pub struct Options<'a> {
    /// The engine.
    pub engine: Choice<Mckp>,
    /// The maximum area of designs, in the set's area unit.
    pub max_area: Option<Rational>,
    /// The integer type to compute with; the narrowest exact one if `None`.
    pub arithmetic: Option<Tier>,
    /// Threads, memory and GPU.
    pub machine: Machine,
    /// The work limit for verdicts.
    pub limits: Limits,
    /// Receives progress updates.
    pub progress: &'a dyn Progress,
    /// Whether the answer will be proved: memory is then reserved for the proof, as far as available.
    pub proof: bool,
    /// Which engines may run, as in [`isx_solve::Options::turn`].
    pub turn: Turn,
}

impl Default for Options<'_> {
    /// Everything automatic, every design, without progress updates.
    fn default() -> Self {
        Self {
            engine: Choice::Auto,
            max_area: None,
            arithmetic: None,
            machine: Machine::default(),
            limits: Limits::default(),
            progress: &NoProgress,
            proof: false,
            turn: Turn::Any,
        }
    }
}

/// How to solve the problem of a task set.
pub(super) fn how<'a>(options: &Options<'a>, wanted: Wanted) -> solve::Options<'a> {
    // A default machine would count the cores again.
    let machine = options.machine.clone();
    let &Options { engine, arithmetic, progress, turn, .. } = options;
    solve::Options { engine, arithmetic, raw: false, wanted, machine, progress, turn }
}
