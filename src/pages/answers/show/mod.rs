//! One design of a front, task by task: area and gain of its choices, the remaining margin, and the next designs.

mod from_file;
mod json;
mod schedulability;
#[cfg(test)]
mod tests;
mod text;

pub use crate::answers::response::Response;
pub use from_file::from_written;
pub use isx_report::written::Pick;
pub use json::write_json;
pub use text::{Options, write_line, write_text};

use crate::answers::words::{SOFTWARE, fraction, with_unit};
use isx_design::exploration::Exploration;
use isx_design::front::{ChosenDesign, Design, DesignFront, Point};
use isx_design::schedulability::{ModeVerdict, SmallestSchedulable};
use isx_exact::quantity::{Rational, format_decimal};
use isx_report::front::blocks::{built, built_names};
use isx_report::front::costs;
use isx_report::front::wanted::fits;
use isx_taskset::{Resources, Scheduler, ShownUnit, Task, TaskSet, TimeBase};
use num_traits::{One, Zero};

/// The front has no such point.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchPoint {
    /// Every point needs more area.
    #[error("no design has area {area} or less; the smallest has {least}")]
    Area {
        /// The requested area.
        area: String,
        /// The least area of a design.
        least: String,
    },
    /// The front has fewer points.
    #[error("there is no point {index}: the front has {count}, counted from 0")]
    Point {
        /// The requested index.
        index: usize,
        /// The number of points.
        count: usize,
    },
    /// Every point has more utilization.
    #[error("no design has utilization {utilization} or less; the least that can be reached{} is {least}{}", if *.complete { "" } else { " within the limits" }, .area.as_ref().map_or_else(String::new, |area| format!(", with area {area}")))]
    MaxUtilization {
        /// The requested utilization.
        utilization: String,
        /// The least utilization that can be reached.
        least: String,
        /// The least area with that utilization; `None` with several resources.
        area: Option<String>,
        /// Whether the front contains every design.
        complete: bool,
    },
    /// An area was asked for, and the front counts several resources.
    #[error(
        "the front counts {resources}, not one area; choose a design by limits with --within, by its number or by its utilization"
    )]
    Resources {
        /// Their names.
        resources: String,
    },
    /// Every point takes more of some resource.
    #[error("no design is within the limits of {limits}")]
    Limits {
        /// The limits.
        limits: String,
    },
    /// No design is schedulable.
    #[error("no design{} is schedulable", if *.complete { "" } else { " within the limits" })]
    Smallest {
        /// Whether the front contains every design.
        complete: bool,
    },
    /// The smallest schedulable design was not found.
    #[error("the smallest schedulable design is not known: {0}")]
    Undecided(String),
}

impl NoSuchPoint {
    fn max_utilization(
        most: &Rational,
        least: &Rational,
        area: &Rational,
        unit: &str,
        complete: bool,
    ) -> Self {
        let (utilization, least) = (format_decimal(most), fraction(least));
        Self::MaxUtilization { utilization, least, area: Some(with_unit(area, unit)), complete }
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownTask {
    /// Its name.
    pub name: String,
    /// The choice it takes; `None` is software.
    pub choice: Option<String>,
    /// Figures that only the task set contains.
    pub figures: Option<TaskFigures>,
}

/// The figures of a task in a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFigures {
    /// The choice's own area or cost, without the blocks it uses; as [`Design::cost`].
    pub cost: Vec<Rational>,
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
    /// Its area or cost, if the task set is known; as [`Design::cost`].
    pub cost: Option<Vec<Rational>>,
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

/// The next point of a front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// Its index.
    pub index: usize,
    /// Its area.
    pub area: Rational,
    /// Its utilization.
    pub utilization: Rational,
    /// `task=choice` for every task with another choice.
    pub changes: Vec<String>,
    /// `+name` for an added block, `-name` for a removed one.
    pub blocks: Vec<String>,
    /// The variant of the processor, if it is another.
    pub variant: Option<String>,
}

/// Schedulability details of a design besides its figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedulability {
    /// By how much its WCETs may grow.
    pub margin: Margin,
    /// The lowest clock at which it is schedulable, in hertz, if the set has a clock and that was decided.
    pub lowest_clock: Option<Rational>,
    /// Whether it is schedulable at that clock too, not only at every higher one.
    pub is_clock_reached: bool,
    /// The response times, under fixed priorities; empty under EDF. In a set with modes those in the mode shown.
    pub responses: Vec<Response>,
    /// The design in every mode; empty if the set has no modes.
    pub modes: Vec<ModeVerdict>,
    /// The number of the mode whose tasks are shown; 0 if the set has no modes.
    pub mode: usize,
}

/// A design to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Name of the task set.
    pub taskset: String,
    /// Unit of the areas; may be empty.
    pub area_unit: String,
    /// The resources, if the set has several.
    pub resources: Option<Resources>,
    /// Unit of the times, `cycles` or `s`; empty if there is none.
    pub time_unit: &'static str,
    /// The units in which texts show WCETs and other times; `None` if there are no times.
    pub units: Option<(ShownUnit, ShownUnit)>,
    /// The scheduler, if known.
    pub scheduler: Option<Scheduler>,
    /// Changes to the task set for a what-if question.
    pub what_if: Vec<String>,
    /// Its index on the front; `None` for a smallest schedulable design that is not on it.
    pub index: Option<usize>,
    /// The number of points of the front; 0 for the design of least utilization within limits, which needs no front.
    pub count: usize,
    /// Its cost, as [`Design::cost`].
    pub cost: Vec<Rational>,
    /// Utilization, in software and in the design.
    pub utilization: Change,
    /// As in [`Design::schedulable`].
    pub schedulable: Option<bool>,
    /// As in [`Design::schedulable_within`].
    pub schedulable_within: Option<bool>,
    /// The names of the modes, if the set has any.
    pub modes: Vec<String>,
    /// The tasks in file order; in a set with modes those of the mode shown.
    pub tasks: Vec<ShownTask>,
    /// The blocks that are built; `None` if the set has none.
    pub blocks: Option<Vec<ShownBlock>>,
    /// The variant of the processor that is built; `None` if there is one processor.
    pub variant: Option<String>,
    /// The clock that the design runs at, with the reason, if the set has blocks that lower it.
    pub clock: Option<Clock>,
    /// Margin and response times.
    pub schedulability: Schedulability,
    /// The next point, if there is one.
    pub next: Option<Next>,
    /// Whether the front ends because no design saves more, so that no point follows the last.
    pub complete: bool,
}

/// The clock of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// In hertz, exactly.
    pub hertz: String,
    /// The blocks that limit it; empty if it is the set's own clock, or if they are not known.
    pub limited_by: Vec<String>,
}

impl Clock {
    /// The clock of a design; `None` if no block of the set limits it.
    fn of_design(explored: &Exploration, variant: usize, choices: &[Option<u32>]) -> Option<Self> {
        let set = explored.task_set();
        let hertz = explored.front.formulation_in(variant).clock_of(choices)?;
        // Built blocks that permit a faster clock, or the set's own, do not limit it.
        let own = set.clock_in(variant) == Some(hertz);
        let limiting =
            built(set, choices).into_iter().filter(|block| !own && block.fmax.as_ref() == Some(hertz));
        let limiting = limiting.map(|block| block.name.clone());
        let processor = set.variants.get(variant).filter(|variant| variant.fmax.as_ref() == Some(hertz));
        let limited_by = limiting.chain(processor.map(|variant| variant.name.clone())).collect();
        Some(Self { hertz: format_decimal(hertz), limited_by })
    }
}

/// The requested design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its index on the front, if it is on it.
    pub index: Option<usize>,
    /// The number of points of the front; 0 if there is no front.
    pub count: usize,
    /// The design, with its verdicts, and its choices.
    pub chosen: ChosenDesign,
}

/// Finds the requested design; the choices of a front's points must be known.
pub fn find(explored: &Exploration, pick: &Pick) -> Result<Found, NoSuchPoint> {
    let front = &explored.front;
    let count = if *pick == Pick::Least { 0 } else { front.len() };
    if *pick == Pick::Smallest {
        let chosen = match &explored.verdicts.smallest {
            SmallestSchedulable::At(chosen) => chosen.clone(),
            SmallestSchedulable::None => {
                return Err(NoSuchPoint::Smallest { complete: front.is_complete() });
            }
            SmallestSchedulable::Unknown(why) => return Err(NoSuchPoint::Undecided(why.clone())),
        };
        let is_same = |point: &Point| {
            point.formulation().variant == chosen.design.variant
                && point.choices().as_ref() == Some(&chosen.choices)
        };
        let same = match front.task_set().named_resources() {
            None => front.within(chosen.design.area()).filter(is_same),
            Some(_) => front.iter().find(|point| point.cost() == chosen.design.cost && is_same(point)),
        };
        return Ok(Found { index: same.map(|point| point.index()), count, chosen });
    }
    let point = find_point(front, pick)?;
    let (index, choices) = (point.index(), point.choices().unwrap_or_default());
    let design = explored.design(index).unwrap_or_else(|| point.design());
    let index = (*pick != Pick::Least).then_some(index);
    Ok(Found { index, count, chosen: ChosenDesign { design, choices } })
}

fn find_point<'a>(front: &'a DesignFront, pick: &Pick) -> Result<Point<'a>, NoSuchPoint> {
    let utilization_of = |index: usize| front.get(index).map(|point| point.utilization()).unwrap_or_default();
    let missing = |index: &usize| NoSuchPoint::Point { index: *index, count: front.len() };
    match pick {
        // Unreachable: it is not a point.
        Pick::Smallest => Err(NoSuchPoint::Smallest { complete: front.is_complete() }),
        Pick::Area(area) => front.within(area).ok_or_else(|| NoSuchPoint::Area {
            area: format_decimal(area),
            least: front.get(0).map(|point| format_decimal(&point.area())).unwrap_or_default(),
        }),
        Pick::Point(index) => front.get(*index).ok_or_else(|| missing(index)),
        Pick::Within(resources) => front
            .iter()
            .filter(|point| fits(&point.cost(), &resources.limits))
            .min_by_key(Point::utilization)
            .ok_or_else(|| NoSuchPoint::Limits { limits: costs::limits_in_words(resources) }),
        // A front of this design alone.
        Pick::Least => front.get(0).ok_or_else(|| missing(&0)),
        Pick::MaxUtilization(most) if !front.task_set().is_one_area() => {
            let least = || front.least_utilization().unwrap_or_default();
            front.iter().find(|point| point.utilization() <= *most).ok_or_else(|| {
                NoSuchPoint::MaxUtilization {
                    utilization: format_decimal(most),
                    least: fraction(&least()),
                    area: None,
                    complete: front.is_complete(),
                }
            })
        }
        Pick::MaxUtilization(most) => {
            let (mut low, mut high) = (0, front.len());
            while low < high {
                let middle = low.midpoint(high);
                if utilization_of(middle) > *most { low = middle + 1 } else { high = middle }
            }
            let last = || front.iter().next_back().map(|last| last.design());
            front.get(low).ok_or_else(|| match last() {
                Some(Design { cost, utilization, .. }) => {
                    let unit = front.task_set().area_unit();
                    NoSuchPoint::max_utilization(most, &utilization, &cost[0], unit, front.is_complete())
                }
                None => missing(&0),
            })
        }
    }
}

impl Shown {
    /// A design of an explored front, with its `schedulability`.
    pub fn of_design(explored: &Exploration, found: &Found, schedulability: Schedulability) -> Self {
        let set = explored.task_set();
        let Found { index, count, chosen: ChosenDesign { design, choices } } = found;
        let Design { cost, variant, utilization, schedulable, schedulable_within } = design.clone();
        let blocks = built(set, choices).into_iter().map(|block| ShownBlock {
            name: block.name.clone(),
            cost: Some(block.cost.clone()),
            users: users(set, &block.name, choices),
        });
        let blocks: Vec<ShownBlock> = blocks.collect();
        // After a design off the front, the next point is the first of more area.
        let before = index.or_else(|| Some(explored.front.within(design.area())?.index()));
        let next = before.and_then(|before| explored.front.get(before + 1));
        // With several resources a design has no single next one.
        let next = next.filter(|_| set.is_one_area());
        Self {
            taskset: set.name.clone(),
            area_unit: set.area_unit().to_owned(),
            resources: set.named_resources().cloned(),
            time_unit: set.time_base.unit(),
            units: Some((set.shown_wcets(), set.shown_times())),
            scheduler: Some(set.scheduler),
            what_if: set.what_if.clone(),
            index: *index,
            count: *count,
            cost,
            schedulable,
            schedulable_within,
            modes: set.modes.clone(),
            tasks: match schedulability.modes.get(schedulability.mode) {
                Some(mode) => tasks(explored, variant, schedulability.mode, choices, &mode.utilization),
                None => tasks(explored, variant, 0, choices, &utilization),
            },
            utilization: Change { software: explored.base().utilization, design: utilization },
            blocks: (!set.blocks.is_empty()).then_some(blocks),
            clock: Clock::of_design(explored, variant, choices),
            variant: set.variants.get(variant).map(|variant| variant.name.clone()),
            schedulability,
            next: next.map(|next| Next::after(set, variant, choices, &next)),
            complete: explored.front.is_complete(),
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
        let switches = Change { software: set.switches(None), design: set.switches(taken) };
        let load = Change {
            software: (software + &switches.software) / period * &base_slower,
            design: (wcet + &switches.design) / period * &slower,
        };
        let share = if utilization.is_zero() { Rational::zero() } else { &load.design / utilization };
        Some(ShownTask {
            name: task.name.clone(),
            choice: taken.map(|choice| choice.name.clone()),
            figures: Some(TaskFigures {
                cost: taken.map_or_else(|| set.resources.nothing(), |choice| choice.cost.clone()),
                wcet: Change { software: software.clone(), design: wcet.clone() },
                switches,
                utilization: load,
                share,
            }),
        })
    };
    explored.task_set().tasks.iter().zip(choices).filter_map(shown).collect()
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

impl Next {
    fn after(set: &TaskSet, variant: usize, choices: &[Option<u32>], next: &Point) -> Self {
        let then = next.choices().unwrap_or_default();
        let name = |task: &Task, choice: Option<u32>| {
            choice
                .and_then(|at| task.choices.get(at as usize))
                .map_or(SOFTWARE, |choice| &choice.name)
                .to_owned()
        };
        let tasks = set.tasks.iter().zip(choices).zip(&then);
        let changed = tasks.filter(|((_, now), then)| now != then);
        let changes =
            changed.map(|((task, _), &then)| format!("{}={}", task.name, name(task, then))).collect();
        let blocks = block_changes(&built_names(set, choices), &built_names(set, &then));
        let other = Some(next.formulation().variant).filter(|&other| other != variant);
        let variant = other.and_then(|other| set.variants.get(other)).map(|other| other.name.clone());
        let (index, area, utilization) = (next.index(), next.area(), next.utilization());
        Self { index, area, utilization, changes, blocks, variant }
    }
}

/// `+name` for each block that only the later list contains, then `-name` for each that only the earlier contains.
fn block_changes(now: &[&str], then: &[&str]) -> Vec<String> {
    let added = then.iter().filter(|block| !now.contains(block)).map(|block| format!("+{block}"));
    let removed = now.iter().filter(|block| !then.contains(block)).map(|block| format!("-{block}"));
    added.chain(removed).collect()
}
