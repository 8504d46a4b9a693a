//! How to compute: what the functions of the package have in common.

use crate::errors;
use isx::engine::{Choice, Family, Registry};
use isx::machine::Machine;
use isx::quantity::Rational;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// The options of a computation, as the package hands them over in a dictionary.
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
    pub told: Option<Bound<'py, PyAny>>,
}

/// The most threads that make sense anywhere.
const MOST_THREADS: usize = 1024;

impl Options<'_> {
    /// The engine of that name in a registry.
    pub fn engine<F: Family>(&self, engines: &'static Registry<F>) -> PyResult<Choice<F>> {
        if self.engine == AUTO {
            return Ok(Choice::Auto);
        }
        engines.named(&self.engine).map(Choice::Named).ok_or_else(|| {
            let names: Vec<&str> = engines.iter().map(|entry| entry.name).collect();
            errors::input(format!("there is no engine {:?}; choose auto, {}", self.engine, names.join(", ")))
        })
    }

    /// The machine to compute on. Its threads are its own, as those of a command are: what an engine makes of threads that
    /// run already is not what it makes of those it has to start.
    pub fn machine(&self) -> PyResult<Machine> {
        let shared = shared_machine();
        let threads = self.threads.unwrap_or(shared.threads());
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(errors::input(format!("threads must be from 1 to {MOST_THREADS}, not {threads}")));
        }
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
        Ok(machine)
    }
}

/// The numbers of the GPUs that can be used.
fn all_gpus() -> Vec<usize> {
    let found = isx::machine::cuda::devices().unwrap_or_default();
    found.into_iter().flatten().map(|gpu| gpu.ordinal).collect()
}

/// The name of no engine, but of the planner's choice.
const AUTO: &str = "auto";

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

/// The names of the engines for task sets and `solve_mckp`, and for `solve_knapsack`.
#[pyfunction]
pub fn engines() -> [Vec<&'static str>; 2] {
    [names(&isx::engine::mckp::ENGINES), names(&isx::engine::knapsack::ENGINES)]
}

fn names<F: Family>(engines: &'static Registry<F>) -> Vec<&'static str> {
    engines.iter().map(|entry| entry.name).collect()
}

/// What is tried out with a task set, see `isx::taskset::WhatIf`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Changes {
    pub force: Vec<String>,
    pub forbid: Vec<String>,
    pub scale_wcet: Option<Rational>,
    pub margin: Option<Rational>,
    pub overruns: Option<u32>,
    pub variant: Option<String>,
    pub objectives: Option<String>,
    pub within: Option<String>,
    pub price: Option<String>,
    pub device: Option<String>,
}

impl Changes {
    /// Whether anything is tried out.
    pub fn are_any(&self) -> bool {
        let Self { force, forbid, scale_wcet, margin, overruns, variant, objectives, price, .. } = self;
        let is_about_tasks =
            !force.is_empty() || !forbid.is_empty() || scale_wcet.is_some() || margin.is_some();
        let is_about_tasks = is_about_tasks || overruns.is_some() || variant.is_some();
        is_about_tasks || objectives.is_some() || price.is_some() || self.are_limits()
    }

    /// Whether limits are given for what designs cost.
    pub fn are_limits(&self) -> bool {
        self.within.is_some() || self.device.is_some()
    }
}
