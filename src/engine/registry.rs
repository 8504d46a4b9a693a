//! The engines of a family by name, and what each can do.

use super::{Engine, Family, Refusal, Request};
use std::fmt;

/// The hardware that an engine runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hardware {
    /// The CPU.
    Cpu,
    /// An NVIDIA GPU.
    Gpu,
}

/// Whether an engine is faster with more threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// Uses every thread available.
    Many,
    /// Uses one thread, or hardly any CPU time.
    One,
}

/// How the planner treats an engine when it has a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Auto {
    /// Chosen if its estimate is the fastest.
    ByEstimate,
    /// Tried first: its run time is known only once it runs, and it gives up in time.
    TriedFirst,
    /// Never chosen: the engine exists for comparison.
    Never,
}

/// An engine under its name.
pub struct Entry<F: Family> {
    /// The name by which users ask for it.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// What it runs on.
    pub hardware: Hardware,
    /// Whether threads help it.
    pub threads: Threads,
    /// What the planner does with it.
    pub auto: Auto,
    /// Whether this is the reference engine that the others are checked against.
    pub judge: bool,
    /// The engine.
    pub engine: &'static dyn Engine<F>,
}

impl<F: Family> Entry<F> {
    /// Plans and solves in one step. Fails if the engine cannot solve the problem; the error says why, with the
    /// engine's name.
    pub fn solve(&self, request: Request<'_, F>) -> Result<F::Answer, Refusal> {
        let refused = |cause| Refusal { engine: self.name, cause };
        self.engine.plan(request).map_err(refused)?.run().map_err(refused)
    }
}

impl<F: Family> fmt::Debug for Entry<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} engine `{}`", F::NAME, self.name)
    }
}

/// Every engine of a family.
pub struct Registry<F: Family>(pub &'static [Entry<F>]);

impl<F: Family> Registry<F> {
    /// The engines in order.
    pub fn iter(&self) -> impl Iterator<Item = &'static Entry<F>> + use<F> {
        self.0.iter()
    }

    /// The engine of that name.
    pub fn named(&self, name: &str) -> Option<&'static Entry<F>> {
        self.iter().find(|entry| entry.name == name)
    }

    /// The reference engine that the others are checked against.
    pub fn judge(&self) -> Option<&'static Entry<F>> {
        self.iter().find(|entry| entry.judge)
    }
}
