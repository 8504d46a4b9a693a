//! One design of a front, task by task: area and gain of its choices, the remaining margin, and the next designs.

mod json;
mod schedulability;
mod text;

pub use crate::answers::response::Response;
pub use isx_report::written::Pick;
pub use json::write_json;
pub use text::{Options, write_text};

use crate::answers::words::fraction;
use isx_design::exploration::Exploration;
use isx_design::schedulability::ModeVerdict;
use isx_exact::quantity::{Rational, format_decimal};
use isx_report::front::blocks::built;
use isx_report::front::costs::{self, Costs};
use isx_report::front::wanted::fits;
use isx_report::front::{Front, Head, Point};
use isx_taskset::{ShownUnit, Task, TaskSet, TimeBase};
use num_traits::{One, Zero};
use std::ops::Range;

/// Why a front has no such design.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct NoSuchPoint {
    why: String,
    /// Whether there may be such a design, but it was not found.
    pub is_undecided: bool,
}

impl NoSuchPoint {
    fn new(why: String) -> Self {
        Self { why, is_undecided: false }
    }
}

/// A figure of the software-only design, and of the design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// In software.
    pub software: Rational,
    /// In the design.
    pub design: Rational,
}

/// A task of a design.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownTask {
    /// Its name; that of a part of a task is `task/part`.
    pub name: String,
    /// The choice it takes; `None` is software.
    pub choice: Option<String>,
    /// The cost of that choice alone in each resource, without the blocks that it uses, if the task set is known.
    pub cost: Option<Costs>,
    /// The names of the blocks that it uses, if the task set is known.
    pub uses: Vec<String>,
    /// What a part saves of the WCET of its task, if the task set is known.
    pub saves: Option<Rational>,
    /// Figures that only the task set contains, of a task with its parts.
    pub figures: Option<TaskFigures>,
}

/// The figures of a task in a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFigures {
    /// The worst-case execution time, in the set's time unit; cycles are those of the design's own clock.
    pub wcet: Change,
    /// What context switches add to it.
    pub switches: Change,
    /// The utilization, context switches included.
    pub utilization: Change,
    /// The task's share of the design's utilization.
    pub share: Rational,
}

/// A block that a design builds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownBlock {
    /// Its name.
    pub name: String,
    /// Its cost in each resource, if the task set is known.
    pub cost: Option<Costs>,
    /// The tasks whose choices use it, if the task set is known.
    pub users: Vec<String>,
}

/// By how much all WCETs may grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Margin {
    /// By exactly this factor, and the limiting condition.
    Exactly {
        /// The largest factor with which the design is schedulable.
        factor: Rational,
        /// The condition that fails beyond it, in words.
        limit: String,
        /// Whether the design is schedulable with this factor too, not only with every smaller one.
        is_reached: bool,
    },
    /// Unknown, with the reason.
    Unknown(String),
}

impl Default for Margin {
    fn default() -> Self {
        Self::Unknown(String::new())
    }
}

/// Schedulability details of a design besides its figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedulability {
    /// By how much its WCETs may grow.
    pub margin: Margin,
    /// The lowest clock at which it is schedulable, if the set has a clock and that was decided.
    pub lowest_clock: Option<LowestClock>,
    /// The response times, under fixed priorities; empty under EDF. In a set with modes those in the mode shown.
    pub responses: Vec<Response>,
    /// The design in every mode; empty if the set has no modes.
    pub modes: Vec<ModeVerdict>,
    /// The number of the mode whose tasks are shown; 0 if the set has no modes.
    pub mode: usize,
}

/// The lowest clock at which a design is schedulable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowestClock {
    /// In hertz.
    pub hertz: Rational,
    /// Whether it is schedulable at that clock too, not only at every higher one.
    pub is_reached: bool,
}

/// A design to show.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// What its front is about; the limits are those that it was chosen by.
    pub head: Head,
    /// The design.
    pub design: Point,
    /// Its index on the front; `None` for a smallest schedulable design that is not on it.
    pub index: Option<usize>,
    /// The number of points of the front; `None` for the design of least utilization within limits, which needs no front.
    pub count: Option<usize>,
    /// Unit of the times, `cycles` or `s`; empty if there is none.
    pub time_unit: &'static str,
    /// The units in which texts show WCETs and other times; `None` if there are no times.
    pub units: Option<(ShownUnit, ShownUnit)>,
    /// The tasks in file order; in a set with modes those of the mode shown.
    pub tasks: Vec<ShownTask>,
    /// The blocks that are built; `None` if the set has none.
    pub blocks: Option<Vec<ShownBlock>>,
    /// The blocks and the processor that limit its clock; empty if it runs at the set's own, or if they are not known.
    pub clock_limited_by: Vec<String>,
    /// Margin and response times.
    pub schedulability: Schedulability,
    /// The next point and its index, if there is one.
    pub next: Option<(usize, Point)>,
}

/// The requested design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its index on the front, if it is on it.
    pub index: Option<usize>,
    /// The design, with its verdicts, and its choices.
    pub design: Point,
}

impl Found {
    /// The number of its variant of the processor; 0 if there is one.
    pub fn variant(&self) -> usize {
        self.design.variant.map_or(0, |variant| variant as usize)
    }
}

/// The points whose choices must be read to show the requested one.
pub fn near(front: &Front, pick: &Pick) -> Range<usize> {
    position(front, pick).map_or(0..0, |at| at..front.len().min(at + 2))
}

/// The index of the requested point, or for the smallest schedulable design of the point that may be it.
fn position(front: &Front, pick: &Pick) -> Option<usize> {
    let is_in_order = front.head.has_one_objective() && !front.head.by_margin;
    match pick {
        Pick::Area(area) => front
            .partition(&|point| point.cost.first().is_some_and(|cost| cost.exact() <= *area))
            .checked_sub(1),
        Pick::Point(index) => Some(*index).filter(|index| *index < front.len()),
        // A front of this design alone.
        Pick::Least => Some(0).filter(|_| !front.is_empty()),
        Pick::MaxUtilization(most) if is_in_order => {
            let first = front.partition(&|point| point.utilization.exact() > *most);
            Some(first).filter(|index| *index < front.len())
        }
        Pick::MaxUtilization(most) => front.position(&|point| point.utilization.exact() <= *most),
        Pick::Within(resources) => least(front, &|point| fits(&point.exact_cost(), &resources.limits)),
        Pick::Smallest => {
            let smallest = front.head.minimal.first()?;
            match front.head.has_one_objective() {
                true => front.within(smallest),
                false => front.position(&|point| point.cost == smallest.cost),
            }
        }
    }
}

/// The first point of least utilization among those that are wanted.
fn least(front: &Front, is_wanted: &dyn Fn(&Point) -> bool) -> Option<usize> {
    let mut least = None;
    front.figures(0..front.len(), &mut |index, point| {
        let is_less = least.as_ref().is_none_or(|(_, least)| point.utilization < *least);
        if is_less && is_wanted(point) {
            least = Some((index, point.utilization.clone()));
        }
    });
    least.map(|(index, _)| index)
}

/// Finds the requested design; the choices of the points [`near`] it must be known.
pub fn find(front: &Front, pick: &Pick) -> Result<Found, NoSuchPoint> {
    let (head, index) = (&front.head, position(front, pick));
    let count = front.len();
    let within = if head.complete { "" } else { " within the limits" };
    if let (Pick::Area(_), None) = (pick, &head.resources.area_unit) {
        return Err(NoSuchPoint::new(format!(
            "the front counts {}, not one area; choose a design by limits with --within, by its number or by its utilization",
            head.resources.names.join(", ")
        )));
    }
    if *pick == Pick::Smallest {
        return match (head.minimal.first(), &head.minimal_unknown) {
            (Some(smallest), _) => {
                let is_same = |&index: &usize| {
                    let point = front.point(index);
                    (&point.choices, point.variant) == (&smallest.choices, smallest.variant)
                };
                Ok(Found { index: index.filter(is_same), design: smallest.clone() })
            }
            (None, Some(why)) => Err(NoSuchPoint {
                why: format!("the smallest schedulable design is not known: {why}"),
                is_undecided: true,
            }),
            (None, None) => Err(NoSuchPoint::new(format!("no design{within} is schedulable"))),
        };
    }
    let Some(index) = index else {
        return Err(NoSuchPoint::new(match pick {
            Pick::Area(area) => {
                let least = if count > 0 { front.figures_of(0).cost[0].decimal() } else { String::new() };
                format!("no design has area {} or less; the smallest has {least}", format_decimal(area))
            }
            Pick::MaxUtilization(most) if count > 0 => {
                let least = front.figures_of(least(front, &|_| true).unwrap_or(0));
                let area = match costs::is_area(&head.resources) {
                    true => format!(", with area {}", costs::in_words(&least.exact_cost(), &head.resources)),
                    false => String::new(),
                };
                format!(
                    "no design has utilization {} or less; the least that can be reached{within} is {}{area}",
                    format_decimal(most),
                    fraction(&least.utilization.exact())
                )
            }
            Pick::Within(resources) => {
                format!("no design is within the limits of {}", costs::limits_in_words(resources))
            }
            Pick::Point(_) | Pick::MaxUtilization(_) | Pick::Least | Pick::Smallest => {
                let index = if let Pick::Point(index) = pick { *index } else { 0 };
                format!("there is no point {index}: the front has {count}, counted from 0")
            }
        }));
    };
    let mut design = front.point(index);
    if let Pick::Within(within) = pick {
        let is_within = |design: &Point| fits(&design.exact_cost(), &within.limits);
        // Of every schedulable design, one of the minimal costs is no more of any objective.
        design.schedulable_within = match head.minimal.iter().any(is_within) {
            true => Some(true),
            false if head.minimal_unknown.is_none() => Some(false),
            false => None,
        };
    }
    Ok(Found { index: (*pick != Pick::Least).then_some(index), design })
}

/// Shows the requested point of a front that was read. It does not contain the WCETs of the choices, and margins only if it
/// is a front of area against margin.
pub fn from_front(front: &Front, pick: &Pick) -> Result<Shown, NoSuchPoint> {
    Ok(Shown::new(front, pick, &find(front, pick)?))
}

impl Shown {
    /// What a front says of a design.
    pub fn new(front: &Front, pick: &Pick, found: &Found) -> Self {
        let (head, design) = (&front.head, &found.design);
        let task = |(name, choice): (&str, Option<&str>)| ShownTask {
            name: name.to_owned(),
            choice: choice.map(str::to_owned),
            ..ShownTask::default()
        };
        let block = |name: &str| ShownBlock { name: name.to_owned(), cost: None, users: Vec::new() };
        let margin = match &design.margin {
            Some(factor) => Margin::Exactly {
                factor: factor.exact(),
                limit: "some deadline is missed".into(),
                is_reached: true,
            },
            None => Margin::Unknown(
                "a front does not contain deadlines; show the design from its task set".into(),
            ),
        };
        // After a design off the front, the next point is the first of more cost; several objectives have no order.
        let is_explored = front.exploration().is_some();
        let before = found.index.or_else(|| front.within(design).filter(|_| is_explored));
        let next = before.filter(|_| head.has_one_objective()).map(|before| before + 1);
        let next = next.filter(|next| *next < front.len() && *pick != Pick::Least);
        let resources = match pick {
            Pick::Within(within) => within,
            _ => &head.resources,
        };
        Self {
            head: Head { resources: resources.clone(), ..head.clone() },
            design: design.clone(),
            index: found.index,
            count: (*pick != Pick::Least).then(|| front.len()),
            time_unit: "",
            units: None,
            tasks: head.chosen(design).map(task).collect(),
            blocks: head.has_blocks.then(|| head.built(design).into_iter().map(block).collect()),
            clock_limited_by: Vec::new(),
            schedulability: Schedulability { margin, ..Schedulability::default() },
            next: next.map(|next| (next, front.point(next))),
        }
    }

    /// What it costs in each resource.
    pub fn cost(&self) -> Vec<Rational> {
        self.design.exact_cost()
    }

    /// What another design costs more in each resource.
    fn more_cost(&self, other: &Point) -> Vec<Rational> {
        other.exact_cost().into_iter().zip(self.cost()).map(|(other, own)| other - own).collect()
    }

    /// The utilization in software and in the design.
    pub fn utilization(&self) -> Change {
        let [software, design] = [&self.head.base, &self.design].map(|design| design.utilization.exact());
        Change { software, design }
    }

    /// The same with what only the task set says, and the design's `schedulability`.
    #[must_use]
    pub fn with_set(mut self, explored: &Exploration, found: &Found, schedulability: Schedulability) -> Self {
        let (set, choices, variant) = (explored.task_set(), &found.design.choices, found.variant());
        let mode = schedulability.modes.get(schedulability.mode);
        self.tasks = match mode {
            Some(mode) => tasks(explored, variant, schedulability.mode, choices, &mode.utilization),
            None => tasks(explored, variant, 0, choices, &self.design.utilization.exact()),
        };
        self.blocks = self.blocks.map(|_| {
            let blocks = built(set, choices).into_iter().map(|block| ShownBlock {
                name: block.name.clone(),
                cost: Some(Costs::new(&set.resources, block.cost.clone())),
                users: users(set, &block.name, choices),
            });
            blocks.collect()
        });
        if let (Some(_), Some(hertz)) =
            (self.design.clock, explored.front.formulation_in(variant).clock_of(choices))
        {
            // Built blocks that permit a faster clock, or the set's own, do not limit it.
            let own = set.clock_in(variant) == Some(hertz);
            let limiting =
                built(set, choices).into_iter().filter(|block| !own && block.fmax.as_ref() == Some(hertz));
            let limiting = limiting.map(|block| block.name.clone());
            let processor = set.variants.get(variant).filter(|variant| variant.fmax.as_ref() == Some(hertz));
            self.clock_limited_by = limiting.chain(processor.map(|variant| variant.name.clone())).collect();
        }
        Self {
            time_unit: set.time_base.unit(),
            units: Some((set.shown_wcets(), set.shown_times())),
            schedulability,
            ..self
        }
    }
}

/// The tasks of a design, in a variant and a mode.
fn tasks(
    explored: &Exploration,
    variant: usize,
    mode: usize,
    choices: &[Option<u32>],
    utilization: &Rational,
) -> Vec<ShownTask> {
    let set = explored.task_set();
    let slower = slowdown(set, explored.front.formulation_in(variant).clock_of(choices));
    // Software runs on the first variant, as the base does.
    let base = explored.front.base().variant;
    let (here, before) = (set.wcet_place(variant, mode), set.wcet_place(base, mode));
    let base_slower = slowdown(set, set.clock_in(base));
    let shown = |(task, &choice): (&Task, &Option<u32>)| {
        let taken = choice.and_then(|choice| task.choices.get(choice as usize));
        let wcet = taken.map_or(task.wcet_in(here), |choice| choice.wcet_in(here));
        let software = task.wcet_in(before);
        let period = &task.timing_in(mode)?.period;
        let switches = Change { software: set.switches(task, None), design: set.switches(task, taken) };
        let load = Change {
            software: (software + &switches.software) / period * &base_slower,
            design: (wcet + &switches.design) / period * &slower,
        };
        let share = if utilization.is_zero() { Rational::zero() } else { &load.design / utilization };
        Some(ShownTask {
            name: task.name.clone(),
            choice: taken.map(|choice| choice.name.clone()),
            cost: Some(Costs::new(
                &set.resources,
                taken.map_or_else(|| set.resources.nothing(), |choice| choice.cost.clone()),
            )),
            uses: taken.map_or_else(Vec::new, |choice| {
                let uses = choice.uses.iter().filter_map(|&at| set.blocks.get(at as usize));
                uses.map(|block| block.name.clone()).collect()
            }),
            saves: task.is_part().then(|| software - wcet),
            figures: Some(TaskFigures {
                wcet: Change { software: software.clone(), design: wcet.clone() },
                switches,
                utilization: load,
                share,
            }),
        })
    };
    let mut all: Vec<ShownTask> = Vec::new();
    let mut of_task = 0;
    for mut row in set.tasks.iter().zip(choices).filter_map(shown) {
        if row.saves.is_none() {
            of_task = all.len();
        } else if let (Some(own), Some(task)) = (row.figures.take(), all[of_task].figures.as_mut()) {
            task.add(&own);
        }
        all.push(row);
    }
    all
}

impl TaskFigures {
    /// Adds what a part of the task takes.
    fn add(&mut self, part: &Self) {
        let sums = [&mut self.wcet, &mut self.switches, &mut self.utilization];
        for (sum, part) in sums.into_iter().zip([&part.wcet, &part.switches, &part.utilization]) {
            sum.software += &part.software;
            sum.design += &part.design;
        }
        self.share += &part.share;
    }
}

/// The duration of a cycle of this clock, relative to the set's own.
fn slowdown(set: &TaskSet, clock: Option<&Rational>) -> Rational {
    match (&set.time_base, clock) {
        (TimeBase::Cycles { hertz: own }, Some(hertz)) => own / hertz,
        _ => Rational::one(),
    }
}

/// The tasks whose choices use a block.
fn users(set: &TaskSet, block: &str, choices: &[Option<u32>]) -> Vec<String> {
    let at = set.blocks.iter().position(|other| other.name == block);
    let uses = |(task, choice): &(&Task, &Option<u32>)| {
        let taken = choice.and_then(|choice| task.choices.get(choice as usize));
        taken.is_some_and(|choice| choice.uses.iter().any(|&used| Some(used as usize) == at))
    };
    set.tasks.iter().zip(choices).filter(uses).map(|(task, _)| task.name.clone()).collect()
}
