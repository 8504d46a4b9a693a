//! The content of a page, as in its JSON, schema `isx.report/3`. Numbers that must be exact are strings.

use super::agree::summed;
use super::details::{Details, details};
use super::error::ReportError;
use super::kept::{AROUND, Kept};
use super::limit::Limit;
use super::packed::{Columns, Layout};
use isx_exact::quantity::{Rational, format_decimal};
use isx_report::front::margins::MarginWords;
use isx_report::front::{EngineWords, Front, ModeAreaWords, NamedTask, Number, Point};
use isx_report::origin::Origin;
use isx_taskset::formulate::{Formulation, formulate_allowed};
use isx_taskset::{Block, Choice, Resources, Scheduler, Task, TaskSet, TimeBase};
use serde::Serialize;

/// The schema of the JSON of every page.
pub const SCHEMA: &str = "isx.report/3";

/// The most bytes of the packed designs; if they exceed it, the page keeps fewer designs.
pub const MOST_PACKED: usize = 130_000;

/// The content of a page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Sheet {
    pub schema: &'static str,
    pub title: String,
    pub taskset: String,
    pub description: Option<String>,
    pub resources: ResourceSheet,
    /// Unit of the times; empty if there is none, or it is unknown.
    pub time_unit: &'static str,
    /// The set's own clock in hertz, if known.
    pub clock: Option<String>,
    pub scheduler: &'static str,
    /// How many tasks may exceed their WCETs at once, if that was asked.
    pub overruns: Option<u32>,
    /// Whether the front is of cost against margin, and why designs of larger margins are not known.
    pub by_margin: bool,
    pub larger_margins_unknown: Option<String>,
    pub limit: Limit,
    pub what_if: Vec<String>,
    /// proved or checked, if known.
    pub status: Option<String>,
    pub complete: bool,
    pub engine: Option<EngineWords>,
    /// The software-only design.
    pub base: DesignSheet,
    /// The schedulable designs of minimal cost; with one objective the smallest alone.
    pub minimal: Vec<DesignSheet>,
    /// Why there may be others.
    pub minimal_unknown: Option<String>,
    /// The smallest schedulable areas with a margin, as in front.json; empty if it has none.
    pub margins: Vec<MarginWords>,
    /// The modes, and what some of them cost without the others; empty if there is one.
    pub modes: Vec<String>,
    pub mode_areas: Vec<ModeAreaWords>,
    /// The variants of the processor; empty if there is one.
    pub variants: Vec<String>,
    pub tasks: Vec<TaskSheet>,
    pub blocks: Vec<BlockSheet>,
    /// The clocks in hertz of the designs; empty if no block or variant limits the clock.
    pub clocks: Vec<String>,
    pub front: Designs,
    /// Response times and margins, if the utilization does not determine them.
    pub details: Option<Details>,
    pub origin: OriginSheet,
}

/// What is counted, and what there is of it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ResourceSheet {
    pub names: Vec<String>,
    /// The unit of one area; null if the resources have names.
    pub area_unit: Option<String>,
    /// The indices of the objectives.
    pub objectives: Vec<usize>,
    pub limits: Vec<Option<String>>,
    pub device: Option<String>,
}

impl From<&Resources> for ResourceSheet {
    fn from(resources: &Resources) -> Self {
        let limits = resources.limits.iter().map(|limit| limit.as_ref().map(format_decimal));
        Self {
            names: resources.names.clone(),
            area_unit: resources.area_unit.clone(),
            objectives: resources.objectives.clone(),
            limits: limits.collect(),
            device: resources.device.clone(),
        }
    }
}

/// A single design; its utilization in lowest terms.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DesignSheet {
    /// The cost in each resource.
    pub cost: Vec<String>,
    pub num: String,
    pub den: String,
    /// Numerator and denominator of the utilization in each mode, if there are several.
    pub modes: Vec<[String; 2]>,
    pub schedulable: Option<bool>,
    pub schedulable_within: Option<bool>,
    pub variant: Option<u32>,
    /// The index of its clock.
    pub clock: u32,
    pub blocks: Vec<u32>,
    pub choices: Vec<Option<u32>>,
}

impl From<&Point> for DesignSheet {
    fn from(point: &Point) -> Self {
        let [num, den] = ratio(&point.utilization.exact());
        Self {
            cost: point.cost.iter().map(Number::decimal).collect(),
            num,
            den,
            modes: point.modes.iter().map(|utilization| ratio(&utilization.exact())).collect(),
            schedulable: point.schedulable,
            schedulable_within: point.schedulable_within,
            variant: point.variant,
            clock: point.clock.unwrap_or(0),
            blocks: point.blocks.clone(),
            choices: point.choices.clone(),
        }
    }
}

/// Numerator and denominator.
pub fn ratio(number: &Rational) -> [String; 2] {
    [number.numer().to_string(), number.denom().to_string()]
}

/// A task; if only the front is known, it has no places and its choices are those that the designs take.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TaskSheet {
    pub name: String,
    pub choices: Vec<ChoiceSheet>,
    /// Its times in every mode of every variant of the processor, mode by mode within a variant; null where it does not run.
    pub places: Vec<Option<PlaceSheet>>,
}

/// The times of a task in one mode of one variant.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlaceSheet {
    pub wcet: String,
    pub period: String,
    pub deadline: String,
    /// The WCETs with its choices.
    pub choices: Vec<String>,
}

/// A choice; its cost is empty if only the front is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ChoiceSheet {
    pub name: String,
    pub cost: Vec<String>,
    pub uses: Vec<u32>,
}

/// A block; its cost is empty if only the front is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BlockSheet {
    pub name: String,
    pub cost: Vec<String>,
    pub slot: Option<String>,
    pub fmax: Option<String>,
}

/// The designs of the front that are in the page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Designs {
    /// How many the front has.
    pub count: usize,
    /// The number in the page: every `stride`-th, and `around` on each side of its limits.
    pub kept: usize,
    pub stride: usize,
    pub around: usize,
    /// The denominator of all costs, one per resource.
    pub costs: Vec<String>,
    /// The denominator of all utilizations.
    pub utilization_den: String,
    /// With several modes, for each the denominator of all utilizations in it.
    pub modes: Vec<String>,
    /// The columns, in the format of the module `packed`.
    pub packed: String,
}

/// Where a report comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OriginSheet {
    /// The inputs: `task set`, `front`, `front and task set`, or `front and sums` if the set was not solved again.
    pub of: &'static str,
    #[serde(flatten)]
    pub origin: Origin,
}

/// The page of a front; with its task set, also execution times, costs of choices and blocks, and response times. A front that
/// was read must have the names of the set, and figures that are the sums of its choices.
pub fn sheet(front: &Front, set: Option<&TaskSet>) -> Result<Sheet, ReportError> {
    let head = &front.head;
    let kept = Kept::of(front);
    let mut designs = kept.points(front);
    let software = vec![None; head.tasks.len()];
    let (mut base, mut minimal) = (Point { choices: software, ..head.base.clone() }, head.minimal.clone());
    let mut taken = designs.iter().map(|(_, point)| point).chain(&minimal);
    if let Some(point) = taken.find(|point| point.choices.len() != head.tasks.len()) {
        return Err(ReportError::Choices { here: point.choices.len(), first: head.tasks.len() });
    }
    let formulations = set.map(|set| formulate_allowed(set, None)).transpose()?.unwrap_or_default();
    if let (Some(set), None) = (set, front.exploration()) {
        summed(head, set, &formulations, &mut designs, [&mut base].into_iter().chain(&mut minimal))?;
    }
    let all = designs.iter_mut().map(|(_, point)| point).chain([&mut base]).chain(&mut minimal);
    let clocks = used_clocks(&head.clocks, all);
    let mut all = designs.iter().map(|(_, point)| point).chain(std::iter::once(&base)).chain(&minimal);
    let has_modes = all.all(|point| point.modes.len() == head.modes.len());
    let mut sheet = Sheet {
        schema: SCHEMA,
        title: head.taskset.clone(),
        taskset: head.taskset.clone(),
        resources: ResourceSheet::from(&head.resources),
        clock: head.clock.as_ref().map(format_decimal),
        scheduler: head.scheduler.name(),
        overruns: head.overruns,
        by_margin: head.by_margin,
        larger_margins_unknown: head.larger_margins_unknown.clone(),
        limit: if head.scheduler == Scheduler::Edf { Limit::Unknown } else { Limit::Necessary },
        what_if: head.what_if.clone(),
        status: head.status.clone(),
        complete: head.complete,
        engine: head.engine.clone(),
        base: DesignSheet::from(&base),
        minimal: minimal.iter().map(DesignSheet::from).collect(),
        minimal_unknown: head.minimal_unknown.clone(),
        margins: head.margins.iter().map(MarginWords::from).collect(),
        modes: if has_modes { head.modes.clone() } else { Vec::new() },
        mode_areas: head.mode_areas.clone(),
        variants: head.variants.clone(),
        tasks: head.tasks.iter().map(TaskSheet::from).collect(),
        blocks: head
            .blocks
            .iter()
            .map(|name| BlockSheet { name: name.clone(), ..BlockSheet::default() })
            .collect(),
        clocks,
        origin: OriginSheet {
            of: if front.exploration().is_some() { "task set" } else { "front" },
            ..OriginSheet::default()
        },
        ..Sheet::default()
    };
    if let Some(set) = set {
        sheet.fill(set, &formulations);
        // Of a set with modes or overruns a design has several of each.
        if sheet.limit != Limit::Decides && set.modes.is_empty() && set.overruns.is_none() {
            let smallest = minimal.first().filter(|_| head.has_one_objective());
            sheet.details = Some(details(set, &formulations, &designs, smallest, kept.first_limit())?);
        }
    }
    sheet.pack(designs, kept)?;
    Ok(sheet)
}

/// The clocks in hertz that designs run at, in order of appearance; the designs refer to these afterwards.
fn used_clocks<'p>(clocks: &[String], designs: impl Iterator<Item = &'p mut Point>) -> Vec<String> {
    let mut used: Vec<String> = Vec::new();
    let mut numbers = vec![None; clocks.len()];
    for clock in designs.filter_map(|point| point.clock.as_mut()) {
        let own = *clock as usize;
        *clock = *numbers[own].get_or_insert_with(|| {
            let known = used.iter().position(|other| *other == clocks[own]);
            known.unwrap_or_else(|| {
                used.push(clocks[own].clone());
                used.len() - 1
            }) as u32
        });
    }
    used
}

impl Sheet {
    /// Adds the data of a task set that its front lacks.
    fn fill(&mut self, set: &TaskSet, formulations: &[Formulation]) {
        self.description.clone_from(&set.description);
        self.time_unit = set.time_base.unit();
        self.clock = match &set.time_base {
            TimeBase::Cycles { hertz } => Some(format_decimal(hertz)),
            TimeBase::Seconds | TimeBase::Unnamed => None,
        };
        self.limit = Limit::of(formulations);
        self.tasks = set.tasks.iter().map(|one| task(set, one)).collect();
        self.blocks = set.blocks.iter().map(BlockSheet::from).collect();
    }

    /// Packs the designs, and halves their number until they fit.
    pub fn pack(&mut self, mut designs: Vec<(usize, Point)>, mut kept: Kept) -> Result<(), ReportError> {
        let layout = self.layout();
        loop {
            let Columns { costs, utilization_den, modes, packed } = Columns::of(&designs, layout)?;
            if packed.len() <= MOST_PACKED || !kept.halve(&mut designs) {
                let told = |dens: Vec<num_bigint::BigInt>| dens.iter().map(ToString::to_string).collect();
                self.front = Designs {
                    count: kept.count(),
                    kept: designs.len(),
                    stride: kept.stride(),
                    around: AROUND,
                    costs: told(costs),
                    utilization_den: utilization_den.to_string(),
                    modes: told(modes),
                    packed,
                };
                return Ok(());
            }
        }
    }

    pub fn layout(&self) -> Layout {
        Layout {
            costs: self.resources.names.len(),
            variants: self.variants.len(),
            clocks: self.clocks.len(),
            blocks: self.blocks.len(),
            tasks: self.tasks.len(),
            modes: self.modes.len(),
            by_margin: self.by_margin,
        }
    }
}

impl From<&NamedTask> for TaskSheet {
    fn from(task: &NamedTask) -> Self {
        let choice = |name: &String| ChoiceSheet { name: name.clone(), ..ChoiceSheet::default() };
        Self {
            name: task.name.clone(),
            choices: task.choices.iter().map(choice).collect(),
            places: Vec::new(),
        }
    }
}

/// The figures of a task; its WCETs contain the context switches. There are none of tasks that overrun, which have several.
fn task(set: &TaskSet, task: &Task) -> TaskSheet {
    let choice = |choice: &Choice| ChoiceSheet {
        name: choice.name.clone(),
        cost: choice.cost.iter().map(format_decimal).collect(),
        uses: choice.uses.clone(),
    };
    let modes = set.modes.len().max(1);
    let places = if set.overruns.is_some() { 0 } else { set.variants.len().max(1) * modes };
    let place = |place: usize| {
        let timing = task.timing_in(place % modes)?;
        let wcet = |choice: &Choice| format_decimal(&(choice.wcet_in(place) + set.switches(Some(choice))));
        Some(PlaceSheet {
            wcet: format_decimal(&(task.wcet_in(place) + set.switches(None))),
            period: format_decimal(&timing.period),
            deadline: format_decimal(&timing.deadline),
            choices: task.choices.iter().map(wcet).collect(),
        })
    };
    TaskSheet {
        name: task.name.clone(),
        choices: task.choices.iter().map(choice).collect(),
        places: (0..places).map(place).collect(),
    }
}

impl From<&Block> for BlockSheet {
    fn from(block: &Block) -> Self {
        Self {
            name: block.name.clone(),
            cost: block.cost.iter().map(format_decimal).collect(),
            slot: block.slot.clone(),
            fmax: block.fmax.as_ref().map(format_decimal),
        }
    }
}
