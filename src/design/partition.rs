//! Designs of a chip with several equal cores: which task runs on which.

use isx_exact::quantity::Rational;
use isx_taskset::TaskSet;

/// A task set on several numbers of cores.
#[derive(Clone, Debug)]
pub struct Partitions {
    /// The task set.
    pub task_set: TaskSet,
    /// A row per number of cores, ascending.
    pub rows: Vec<Row>,
}

/// The least area with a number of cores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of cores.
    pub cores: u32,
    /// Whether the least area is known.
    pub status: Status,
    /// A lower bound on the area of every design, the cores included; `None` if there is no design.
    pub bound: Option<Rational>,
    /// The best design found.
    pub best: Option<Partition>,
}

/// The designs on a number of cores that no other one beats in both area and largest utilization.
#[derive(Clone, Debug)]
pub struct CoreFront {
    /// The task set.
    pub task_set: TaskSet,
    /// The number of cores.
    pub cores: u32,
    /// The designs by rising area and falling largest utilization; each is proved.
    pub points: Vec<Partition>,
    /// Where the front is not known.
    pub open: Option<Open>,
    /// Why there is no design, if there is none.
    pub infeasible: Option<String>,
}

/// The part of a front that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// Designs whose largest utilization is at most this may be missing.
    pub up_to: Rational,
    /// A lower bound on their area; `None` if it was not computed.
    pub bound: Option<Rational>,
    /// Why.
    pub reason: String,
}

/// Whether the least area is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// No design has less area.
    Proved,
    /// No design meets all deadlines, for this reason.
    Infeasible(String),
    /// The search ended before, for this reason.
    Unknown(String),
}

/// A design of a chip with several cores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The area with that of all cores, used or not.
    pub area: Rational,
    /// What it takes of each of the resources of which a price made the area, [`TaskSet::priced`]; empty if there are none.
    pub cost: Vec<Rational>,
    /// For each task its core, counted from 0.
    pub assignment: Vec<u32>,
    /// For each task its choice; `None` is software.
    pub choices: Vec<Option<u32>>,
    /// For each core the blocks built on it, ascending.
    pub blocks: Vec<Vec<u32>>,
    /// The blocks built once for the chip, ascending.
    pub chip_blocks: Vec<u32>,
    /// For each core its utilization.
    pub utilizations: Vec<Rational>,
    /// The area of the choices and blocks of each core.
    pub areas: Vec<Rational>,
    /// The clock of all cores in hertz; `None` if nothing limits it.
    pub clock: Option<Rational>,
    /// By what part of themselves all WCETs may grow with this assignment; `None` if that was not decided.
    pub margin: Option<Rational>,
}

impl Partition {
    /// The largest utilization of a core.
    pub fn largest(&self) -> Rational {
        self.utilizations.iter().max().cloned().unwrap_or_default()
    }

    /// The number of cores with a task.
    pub fn cores_used(&self) -> usize {
        (0..self.utilizations.len()).filter(|&core| self.assignment.contains(&(core as u32))).count()
    }
}
