//! How to compute: what the functions of the package have in common.

use crate::errors::{self, Answered};
use isx::engine::{Choice, Family, Registry};
use isx::machine::Machine;
use isx::quantity::{Rational, format_decimal, parse_fraction};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// The options of a computation, as the package hands them over in a dictionary: checked, but for the engine's name.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Options<'py> {
    engine: String,
    threads: Option<usize>,
    max_memory: Option<u64>,
    /// Their numbers; all that can be used if it is empty.
    gpus: Option<Vec<usize>>,
    gpu_memory: Option<u64>,
    /// Hears (stage, steps done, steps), or (note, None, None).
    pub report: Option<Bound<'py, PyAny>>,
}

impl Options<'_> {
    /// The engine of that name in a registry.
    pub fn engine<F: Family>(&self, engines: &'static Registry<F>) -> Answered<Choice<F>> {
        if self.engine == "auto" {
            return Ok(Choice::Auto);
        }
        engines.named(&self.engine).map(Choice::Named).ok_or_else(|| {
            let names = names(engines).join(", ");
            errors::input(format!("there is no engine {:?}; choose auto, {names}", self.engine))
        })
    }

    /// The machine to compute on. Its threads are its own, as those of a command are: what an engine makes of threads that
    /// run already is not what it makes of those it has to start.
    pub fn machine(&self) -> Machine {
        let shared = shared_machine();
        let threads = self.threads.unwrap_or(shared.threads());
        let mut machine = shared.with_threads(threads);
        if let Some(bytes) = self.max_memory {
            machine = machine.with_max_memory(bytes);
        }
        if let Some(gpus) = &self.gpus {
            machine = machine.with_gpus(&if gpus.is_empty() { all_gpus() } else { gpus.clone() });
        }
        if let Some(bytes) = self.gpu_memory {
            machine = machine.with_gpu_memory(bytes);
        }
        machine
    }
}

/// The numbers of the GPUs that can be used.
fn all_gpus() -> Vec<usize> {
    let found = isx::machine::cuda::devices().unwrap_or_default();
    found.into_iter().flatten().map(|gpu| gpu.ordinal).collect()
}

/// The GPU that computations share, the threads that fronts are written by, and the process that has both: a forked one has
/// lost the threads.
static SHARED: Mutex<Option<(u32, Machine)>> = Mutex::new(None);

/// The machine that this process shares.
pub fn shared_machine() -> Machine {
    let process = std::process::id();
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    match &*shared {
        Some((owner, machine)) if *owner == process => machine.clone(),
        _ => {
            let machine = Machine::default();
            // What another process has started is not this one's to end.
            std::mem::forget(shared.replace((process, machine.clone())));
            machine
        }
    }
}

fn names<F: Family>(engines: &'static Registry<F>) -> Vec<&'static str> {
    engines.iter().map(|entry| entry.name).collect()
}

/// The names of the engines for task sets and `solve_mckp`, and for `solve_knapsack`.
#[pyfunction]
pub fn engines() -> [Vec<&'static str>; 2] {
    [names(&isx::engine::mckp::ENGINES), names(&isx::engine::knapsack::ENGINES)]
}

/// The exact number that a text stands for: a decimal, or a fraction of whole numbers.
#[pyfunction]
pub fn parse_exact(text: &str) -> Answered<Rational> {
    parse_fraction(text).map_err(errors::input)
}

/// An exact number as the command writes it.
#[pyfunction]
pub fn format_exact(value: Rational) -> String {
    format_decimal(&value)
}
