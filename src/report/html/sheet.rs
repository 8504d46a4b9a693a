//! What a page tells, as the JSON in it says it. Numbers that must be exact are strings.

use super::super::exact::EngineWords;
use super::super::origin::{Origin, OriginFile};
use super::details::Details;
use super::packed::{Columns, Layout};
use super::thinned::AROUND;
use isx_design::schedulability::decided_by_utilization;
use isx_exact::quantity::{Rational, format_decimal};
use isx_taskset::formulate::{Formulation, Policy};
use isx_taskset::{Block, Task, TaskSet, TimeBase};
use serde::Serialize;

/// The schema of the JSON.
pub const SCHEMA: &str = "isx.report/1";

/// Everything that a page tells.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Sheet {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Title of the page.
    pub title: String,
    /// Name of the task set.
    pub taskset: String,
    /// What the set says of itself.
    pub description: Option<String>,
    /// Unit of the areas; may be empty.
    pub area_unit: String,
    /// Unit of the times; empty where there is none, or it is not known.
    pub time_unit: &'static str,
    /// The set's own clock in hertz, where it has one that is known.
    pub clock: Option<String>,
    /// edf, rm, dm or fixed, where it is known.
    pub scheduler: Option<String>,
    /// What a utilization of 1 is.
    pub limit: Limit,
    /// What was changed to see what would happen.
    pub what_if: Vec<String>,
    /// proved or checked, where it is known.
    pub status: Option<String>,
    /// Whether the front ends where no design saves more.
    pub complete: bool,
    /// How the front was computed, where it is known.
    pub engine: Option<EngineSheet>,
    /// The design all in software.
    pub base: DesignSheet,
    /// The smallest schedulable area, if it is known and there is one.
    pub smallest_area: Option<String>,
    /// The design of that area, if it is known.
    pub smallest: Option<DesignSheet>,
    /// Why it is not known whether there is one.
    pub smallest_unknown: Option<String>,
    /// The tasks in file order.
    pub tasks: Vec<TaskSheet>,
    /// The blocks in file order, as far as they are known.
    pub blocks: Vec<BlockSheet>,
    /// The clocks in hertz that designs run at; none where no block limits the clock.
    pub clocks: Vec<String>,
    /// The designs; there once the page is written.
    pub front: Option<Designs>,
    /// Response times and margins, where there are any beside what the utilization tells.
    pub details: Option<Details>,
    /// Where the report comes from.
    pub origin: OriginSheet,
}

/// What a utilization of 1 is for a design.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// It decides: a design is schedulable exactly if its utilization is at most 1.
    Decides,
    /// It is necessary, and not enough.
    Necessary,
    /// It is necessary; whether it is enough depends on deadlines that are not known.
    #[default]
    Unknown,
}

impl Limit {
    /// Of a task set.
    pub(super) fn of(formulation: &Formulation) -> Self {
        let decides = formulation.policy == Policy::Edf && decided_by_utilization(formulation);
        if decides { Self::Decides } else { Self::Necessary }
    }
}

/// How a front was computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngineSheet {
    /// The engine and its hardware.
    pub ran_on: String,
    /// The numbers it computed in.
    pub arithmetic: String,
    /// Why this engine.
    pub why: String,
}

impl From<EngineWords> for EngineSheet {
    fn from(EngineWords { ran_on, arithmetic, why }: EngineWords) -> Self {
        Self { ran_on, arithmetic, why }
    }
}

/// A design that is told by itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DesignSheet {
    /// Area.
    pub area: String,
    /// Numerator of the utilization in lowest terms.
    pub num: String,
    /// Its denominator.
    pub den: String,
    /// The verdict.
    pub schedulable: Option<bool>,
    /// Whether any design of no more area is schedulable.
    pub schedulable_within: Option<bool>,
    /// The number of its clock.
    pub clock: usize,
    /// The blocks that it builds.
    pub blocks: Vec<usize>,
    /// The choice of every task, null in software.
    pub choices: Vec<Option<u32>>,
}

impl From<&super::packed::Row> for DesignSheet {
    fn from(row: &super::packed::Row) -> Self {
        Self {
            area: format_decimal(&row.area),
            num: row.utilization.numer().to_string(),
            den: row.utilization.denom().to_string(),
            schedulable: row.schedulable,
            schedulable_within: row.schedulable_within,
            clock: row.clock,
            blocks: row.blocks.clone(),
            choices: row.choices.clone(),
        }
    }
}

/// A task; its figures are null where only the front is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TaskSheet {
    /// Name.
    pub name: String,
    /// WCET in software.
    pub wcet: Option<String>,
    /// Period.
    pub period: Option<String>,
    /// Relative deadline.
    pub deadline: Option<String>,
    /// Priority, where the set gives one.
    pub priority: Option<u32>,
    /// The choices, of a front alone those that its designs take.
    pub choices: Vec<ChoiceSheet>,
}

/// A choice; its figures are null where only the front is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ChoiceSheet {
    /// Name.
    pub name: String,
    /// Its own area.
    pub area: Option<String>,
    /// The WCET with it.
    pub wcet: Option<String>,
    /// The blocks that it uses.
    pub uses: Vec<u32>,
}

/// A block; its figures are null where only the front is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BlockSheet {
    /// Name.
    pub name: String,
    /// Area.
    pub area: Option<String>,
    /// The slot it goes into.
    pub slot: Option<String>,
    /// The fastest clock with it, in hertz.
    pub fmax: Option<String>,
}

/// The designs of the front that are in the page.
#[derive(Clone, Debug, Serialize)]
pub struct Designs {
    /// How many the front has.
    pub count: usize,
    /// How many are in the page.
    pub kept: usize,
    /// Every how many-th is in the page.
    pub stride: usize,
    /// So many on both sides of the limits are in it too.
    pub around: usize,
    /// What the numerators of areas are over.
    pub area_den: String,
    /// What the numerators of utilizations are over.
    pub utilization_den: String,
    /// The columns, as the module `packed` writes them.
    pub packed: String,
}

impl Designs {
    pub(super) fn new(columns: &Columns, count: usize, kept: usize, stride: usize) -> Self {
        Self {
            count,
            kept,
            stride,
            around: AROUND,
            area_den: columns.area_den.to_string(),
            utilization_den: columns.utilization_den.to_string(),
            packed: columns.packed.clone(),
        }
    }
}

/// Where a report comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OriginSheet {
    /// What was at hand: `task set`, `front`, `front and task set`, or `front and sums` where that was not solved again.
    pub of: &'static str,
    /// The program.
    pub program: String,
    /// The command line.
    pub command: Option<String>,
    /// The files that were read.
    pub inputs: Vec<FileSheet>,
    /// The certificate that was written.
    pub certificate: Option<FileSheet>,
    /// What readers should know.
    pub notes: Vec<String>,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileSheet {
    /// Its name.
    pub name: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
}

impl From<&OriginFile> for FileSheet {
    fn from(file: &OriginFile) -> Self {
        Self { name: file.name.clone(), sha256: file.sha256.clone() }
    }
}

impl OriginSheet {
    /// Of what was at hand; nothing else is known yet.
    pub(super) fn of(of: &'static str) -> Self {
        Self { of, ..Self::default() }.with(&Origin::default())
    }

    pub(super) fn with(&self, origin: &Origin) -> Self {
        Self {
            of: self.of,
            program: origin.program.clone(),
            command: origin.command.clone(),
            inputs: origin.inputs.iter().map(FileSheet::from).collect(),
            certificate: origin.certificate.as_ref().map(FileSheet::from),
            notes: origin.notes.clone(),
        }
    }
}

impl Sheet {
    pub(super) fn layout(&self) -> Layout {
        Layout { clocks: self.clocks.len(), blocks: self.blocks.len(), tasks: self.tasks.len() }
    }

    /// Adds what a task set tells and its front does not.
    pub(super) fn fill(&mut self, set: &TaskSet, formulation: &Formulation) {
        self.description.clone_from(&set.description);
        self.time_unit = set.time_base.unit();
        self.clock = match &set.time_base {
            TimeBase::Cycles { hertz } => Some(format_decimal(hertz)),
            TimeBase::Seconds | TimeBase::Unnamed => None,
        };
        self.limit = Limit::of(formulation);
        self.tasks = set.tasks.iter().map(task).collect();
        self.blocks = set.blocks.iter().map(block).collect();
        self.clocks = super::super::clock::figures(formulation);
    }
}

fn task(task: &Task) -> TaskSheet {
    let told = |number: &Rational| Some(format_decimal(number));
    let choice = |choice: &isx_taskset::Choice| ChoiceSheet {
        name: choice.name.clone(),
        area: told(&choice.area),
        wcet: told(&choice.wcet),
        uses: choice.uses.clone(),
    };
    TaskSheet {
        name: task.name.clone(),
        wcet: told(&task.wcet),
        period: told(&task.period),
        deadline: told(&task.deadline),
        priority: task.priority,
        choices: task.choices.iter().map(choice).collect(),
    }
}

fn block(block: &Block) -> BlockSheet {
    BlockSheet {
        name: block.name.clone(),
        area: Some(format_decimal(&block.area)),
        slot: block.slot.clone(),
        fmax: block.fmax.as_ref().map(format_decimal),
    }
}
