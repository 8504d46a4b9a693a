//! The content of a page, as in its JSON. Numbers that must be exact are strings.

use super::packed::{Columns, Layout};
use super::page::Page;
use super::thinned::AROUND;
use isx_design::schedulability::decided_by_utilization;
use isx_exact::quantity::{Rational, format_decimal};
use isx_report::front::EngineWords;
use isx_report::front::margins::MarginWords;
use isx_report::front::margins::ModeAreaWords;
use isx_report::origin::Origin;
use isx_taskset::formulate::{Formulation, Policy};
use isx_taskset::{Block, Resources, Task, TaskSet, TimeBase};
use serde::Serialize;

/// The schema of the JSON.
pub const SCHEMA: &str = "isx.report/1";
/// The schema of the JSON of a front of several resources.
pub const SCHEMA_OF_RESOURCES: &str = "isx.report/2";

/// The content of a page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Sheet {
    pub schema: &'static str,
    pub title: String,
    pub taskset: String,
    pub description: Option<String>,
    pub area_unit: String,
    /// The resources, if the set counts several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<ResourceSheet>,
    /// Unit of the times; empty if there is none, or it is unknown.
    pub time_unit: &'static str,
    /// The set's own clock in hertz, if known.
    pub clock: Option<String>,
    pub scheduler: Option<String>,
    /// `margin` on a front of area against margin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<&'static str>,
    /// Why designs of larger margins are not known, on such a front.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub larger_margins_unknown: Option<String>,
    pub limit: Limit,
    pub what_if: Vec<String>,
    /// proved or checked, if known.
    pub status: Option<String>,
    pub complete: bool,
    pub engine: Option<EngineWords>,
    /// The software-only design.
    pub base: DesignSheet,
    pub smallest_area: Option<String>,
    pub smallest: Option<DesignSheet>,
    /// Why it is unknown whether there is a smallest schedulable area.
    pub smallest_unknown: Option<String>,
    /// The smallest schedulable areas with a margin, as in front.json; empty if it has none.
    pub margins: Vec<MarginWords>,
    /// The modes, and what some of them cost without the others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mode_areas: Vec<ModeAreaWords>,
    pub tasks: Vec<TaskSheet>,
    pub blocks: Vec<BlockSheet>,
    /// The clocks in hertz of the designs; empty if no block limits the clock.
    pub clocks: Vec<String>,
    /// The designs; set when the page is written.
    pub front: Option<Designs>,
    /// Response times and margins, if the utilization does not determine them.
    pub details: Option<Details>,
    pub origin: OriginSheet,
}

/// The resources of a set that counts several.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ResourceSheet {
    pub names: Vec<String>,
    /// The indices of the objectives.
    pub objectives: Vec<usize>,
    pub limits: Vec<Option<String>>,
    pub device: Option<String>,
    /// The designs of minimal schedulable cost.
    pub minimal: Vec<DesignSheet>,
}

impl ResourceSheet {
    pub(super) fn of(resources: &Resources, minimal: Vec<DesignSheet>) -> Self {
        let limits = resources.limits.iter().map(|limit| limit.as_ref().map(format_decimal));
        Self {
            names: resources.names.clone(),
            objectives: resources.objectives.clone(),
            limits: limits.collect(),
            device: resources.device.clone(),
            minimal,
        }
    }
}

/// Response times and margins.
#[derive(Clone, Debug, Serialize)]
pub struct Details {
    /// The number of designs with details.
    pub designs: usize,
    /// Details of the smallest schedulable design.
    pub smallest: Option<serde_json::Value>,
    /// Deflated, in base 64: `designs`, their indices on the front; `margins` and `clocks`, the lowest ones in hertz, one per
    /// design; and under fixed priorities `responses`, one list per task with one entry per design.
    pub packed: String,
}

/// The measure of a front of area against margin.
pub(super) fn measure(by_margin: bool) -> Option<&'static str> {
    by_margin.then_some("margin")
}

/// What a utilization of at most 1 means for a design.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// It decides: a design is schedulable exactly if its utilization is at most 1.
    Decides,
    /// It is necessary but not sufficient.
    Necessary,
    /// It is necessary; whether it is sufficient depends on deadlines that are not known.
    #[default]
    Unknown,
}

impl Limit {
    /// Of a task set.
    pub(super) fn of(formulation: &Formulation) -> Self {
        // With context switches, which a margin leaves as they are, 1/U is not the margin.
        let has_switches = formulation.tasks.iter().any(|task| !task.switches.is_empty());
        let decides =
            formulation.policy == Policy::Edf && decided_by_utilization(formulation) && !has_switches;
        if decides { Self::Decides } else { Self::Necessary }
    }
}

/// A single design; its utilization in lowest terms.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DesignSheet {
    pub area: String,
    /// The cost in each resource, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cost: Vec<String>,
    pub num: String,
    pub den: String,
    /// Numerator and denominator of the utilization in each mode, if the page shows several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<[String; 2]>,
    pub schedulable: Option<bool>,
    pub schedulable_within: Option<bool>,
    /// The index of its clock.
    pub clock: usize,
    pub blocks: Vec<usize>,
    pub choices: Vec<Option<u32>>,
}

impl From<&super::packed::Row> for DesignSheet {
    fn from(row: &super::packed::Row) -> Self {
        Self {
            area: format_decimal(&row.area),
            cost: row.cost.iter().map(format_decimal).collect(),
            num: row.utilization.numer().to_string(),
            den: row.utilization.denom().to_string(),
            modes: row.modes.iter().map(ratio).collect(),
            schedulable: row.schedulable,
            schedulable_within: row.schedulable_within,
            clock: row.clock,
            blocks: row.blocks.clone(),
            choices: row.choices.clone(),
        }
    }
}

/// Numerator and denominator.
pub(super) fn ratio(number: &Rational) -> [String; 2] {
    [number.numer().to_string(), number.denom().to_string()]
}

/// A task; if only the front is known, its figures are null and its choices are those that the designs take.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TaskSheet {
    pub name: String,
    pub wcet: Option<String>,
    pub period: Option<String>,
    pub deadline: Option<String>,
    pub priority: Option<u32>,
    pub choices: Vec<ChoiceSheet>,
    /// Its figures in every mode, null where it does not run; empty if the set has no modes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<Option<ModeSheet>>,
}

/// A task in a mode.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ModeSheet {
    pub wcet: String,
    pub period: String,
    /// The WCETs with its choices.
    pub choices: Vec<String>,
}

/// A choice; its figures are null if only the front is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ChoiceSheet {
    pub name: String,
    pub area: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cost: Vec<String>,
    pub wcet: Option<String>,
    pub uses: Vec<u32>,
}

/// A block; its figures are null if only the front is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BlockSheet {
    pub name: String,
    pub area: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cost: Vec<String>,
    pub slot: Option<String>,
    pub fmax: Option<String>,
}

/// The designs of the front that are in the page.
#[derive(Clone, Debug, Serialize)]
pub struct Designs {
    /// How many the front has.
    pub count: usize,
    /// The number in the page: every `stride`-th, and `around` on each side of its limits.
    pub kept: usize,
    pub stride: usize,
    pub around: usize,
    /// The denominator of all areas.
    pub area_den: String,
    /// The denominator of all utilizations.
    pub utilization_den: String,
    /// With several resources, for each one the least cost as a numerator, and the denominator.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<[String; 2]>,
    /// With several modes, for each the denominator of all utilizations in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<String>,
    /// The columns, in the format of the module `packed`.
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
            costs: columns.costs.iter().map(|(least, den)| [least.to_string(), den.to_string()]).collect(),
            modes: columns.modes.iter().map(ToString::to_string).collect(),
            packed: columns.packed.clone(),
        }
    }
}

/// Where a report comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OriginSheet {
    /// The inputs: `task set`, `front`, `front and task set`, or `front and sums` if the set was not solved again.
    pub of: &'static str,
    #[serde(flatten)]
    pub origin: Origin,
}

impl Sheet {
    /// The page that shows it.
    pub(super) fn page(&self) -> Page {
        if self.resources.is_some() { Page::Resources } else { Page::Area }
    }

    pub(super) fn layout(&self) -> Layout {
        Layout { clocks: self.clocks.len(), blocks: self.blocks.len(), tasks: self.tasks.len() }
    }

    /// Adds the data of a task set that its front lacks.
    pub(super) fn fill(&mut self, set: &TaskSet, formulation: &Formulation) {
        self.description.clone_from(&set.description);
        self.time_unit = set.time_base.unit();
        self.clock = match &set.time_base {
            TimeBase::Cycles { hertz } => Some(format_decimal(hertz)),
            TimeBase::Seconds | TimeBase::Unnamed => None,
        };
        self.limit = Limit::of(formulation);
        self.tasks = set.tasks.iter().map(|one| task(set, one)).collect();
        self.blocks = set.blocks.iter().map(|one| block(set, one)).collect();
        self.clocks = isx_report::front::clock::figures(formulation);
    }
}

/// The area of hardware; 0 where resources have names.
fn area(set: &TaskSet, cost: &[Rational]) -> String {
    cost.first().filter(|_| set.is_one_area()).map_or_else(|| "0".to_owned(), format_decimal)
}

/// What hardware takes of each resource that has a name.
fn by_resource(set: &TaskSet, cost: &[Rational]) -> Vec<String> {
    cost.iter().filter(|_| !set.is_one_area()).map(format_decimal).collect()
}

/// The figures of a task; its WCETs contain the context switches.
fn task(set: &TaskSet, task: &Task) -> TaskSheet {
    let told = |number: &Rational| Some(format_decimal(number));
    let choice = |choice: &isx_taskset::Choice| ChoiceSheet {
        name: choice.name.clone(),
        area: Some(area(set, &choice.cost)),
        cost: by_resource(set, &choice.cost),
        wcet: told(&(&choice.wcets[0] + set.switches(Some(choice)))),
        uses: choice.uses.clone(),
    };
    TaskSheet {
        name: task.name.clone(),
        wcet: told(&(&task.wcets[0] + set.switches(None))),
        period: told(task.period()),
        deadline: told(task.deadline()),
        priority: task.priority,
        choices: task.choices.iter().map(choice).collect(),
        modes: (0..set.modes.len()).map(|mode| in_mode(set, task, mode)).collect(),
    }
}

fn in_mode(set: &TaskSet, task: &Task, mode: usize) -> Option<ModeSheet> {
    let period = &task.timing_in(mode)?.period;
    let wcet = |choice: &isx_taskset::Choice| choice.wcet_in(mode) + set.switches(Some(choice));
    Some(ModeSheet {
        wcet: format_decimal(&(task.wcet_in(mode) + set.switches(None))),
        period: format_decimal(period),
        choices: task.choices.iter().map(|choice| format_decimal(&wcet(choice))).collect(),
    })
}

fn block(set: &TaskSet, block: &Block) -> BlockSheet {
    BlockSheet {
        name: block.name.clone(),
        area: Some(area(set, &block.cost)),
        cost: by_resource(set, &block.cost),
        slot: block.slot.clone(),
        fmax: block.fmax.as_ref().map(format_decimal),
    }
}
