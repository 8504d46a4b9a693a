//! The head of a front, which is everything but its points, and a point.

use super::margins::{EngineWords, ModeAreaWords};
use super::number::Number;
use isx_design::schedulability::AtMargin;
use isx_exact::quantity::Rational;
use isx_taskset::{Resources, Scheduler};

/// The value of the field `schema`.
pub const SCHEMA: &str = "isx.front/3";

/// What a front is about, and the names that its points refer to by their indices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// Name of the task set.
    pub taskset: String,
    /// The resources with their device and limits; their base is the cost of the design `base`.
    pub resources: Resources,
    /// The scheduler.
    pub scheduler: Scheduler,
    /// Whether tasks of equal priority count as interference of each other.
    pub ties: bool,
    /// Whether it is a front of cost against margin, not utilization.
    pub by_margin: bool,
    /// The clock in hertz, if the lowest clock of every point is its utilization, or 1/margin, times that.
    pub clock: Option<Rational>,
    /// How the front was computed, if the document says: Parquet is the same on every machine, and does not.
    pub engine: Option<EngineWords>,
    /// Changes to the task set for a what-if question, in words.
    pub what_if: Vec<String>,
    /// How many tasks may exceed their WCETs at once, if that was asked.
    pub overruns: Option<u32>,
    /// The design all in software.
    pub base: Point,
    /// The schedulable designs of minimal cost, in lexicographic order of their costs in the objectives; with one objective
    /// the smallest alone. They need not be on the front.
    pub minimal: Vec<Point>,
    /// Why there may be other minimal costs.
    pub minimal_unknown: Option<String>,
    /// The smallest schedulable areas with a margin; empty with several resources.
    pub margins: Vec<AtMargin>,
    /// The smallest schedulable areas of some of the modes.
    pub mode_areas: Vec<ModeAreaWords>,
    /// Why designs of larger margins are not known, on a front of cost against margin.
    pub larger_margins_unknown: Option<String>,
    /// How the front was verified: proved or checked.
    pub status: Option<String>,
    /// Whether no larger cost lowers the utilization further.
    pub complete: bool,
    /// The tasks, and the choices that they may take.
    pub tasks: Vec<NamedTask>,
    /// Whether points say which blocks they build.
    pub has_blocks: bool,
    /// The blocks.
    pub blocks: Vec<String>,
    /// The variants of the processor; empty if there is one processor.
    pub variants: Vec<String>,
    /// The modes; empty if there is one.
    pub modes: Vec<String>,
    /// The clocks that designs run at, exactly and in hertz; empty if no block or variant limits the clock.
    pub clocks: Vec<String>,
}

/// A task, or a part of one, and its choices: all of an explored front, of a document those that a point takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedTask {
    /// Its name; that of a part is `task/part`.
    pub name: String,
    /// The name of the part, if it is one of the task before it, which has no choices then.
    pub part: Option<String>,
    /// The names of its choices.
    pub choices: Vec<String>,
}

/// A design: exact figures, verdicts, and its choices and blocks, by index into the names of the [`Head`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// The cost in each resource.
    pub cost: Vec<Number>,
    /// Utilization; in the worst mode if there are several.
    pub utilization: Number,
    /// By how much all WCETs may grow, on a front of cost against margin.
    pub margin: Option<Number>,
    /// The utilization in each mode; empty if there is one.
    pub modes: Vec<Number>,
    /// The variant of the processor, if there are several.
    pub variant: Option<u32>,
    /// Whether this design meets all deadlines; `None` if undecided.
    pub schedulable: Option<bool>,
    /// Whether some design that costs no more of any objective does.
    pub schedulable_within: Option<bool>,
    /// The choice of every task; `None` is software. Empty where choices were not read.
    pub choices: Vec<Option<u32>>,
    /// The blocks that are built, ascending.
    pub blocks: Vec<u32>,
    /// The clock that it runs at, if a block or variant limits it.
    pub clock: Option<u32>,
}

impl Point {
    /// The mode of the largest utilization, the first of several.
    pub fn critical_mode(&self) -> Option<usize> {
        let largest = self.modes.iter().max()?;
        self.modes.iter().position(|utilization| utilization == largest)
    }

    /// Utilization or, on a front of cost against margin, 1/margin: what falls from point to point with one objective.
    pub fn measure(&self) -> Rational {
        match &self.margin {
            Some(margin) if *margin != Number::default() => margin.exact().recip(),
            _ => self.utilization.exact(),
        }
    }

    /// The cost as exact numbers.
    pub fn exact_cost(&self) -> Vec<Rational> {
        self.cost.iter().map(Number::exact).collect()
    }

    /// Whether it is marked schedulable although it overloads the processor.
    pub(super) fn is_impossible(&self) -> bool {
        self.schedulable == Some(true) && self.utilization.exceeds_one()
    }
}

impl Head {
    /// The tasks and parts that take a choice or none, by number: not tasks whose parts do.
    pub fn choosing(&self) -> impl Iterator<Item = usize> {
        let is_part = |at: usize| self.tasks.get(at).is_some_and(|task| task.part.is_some());
        (0..self.tasks.len()).filter(move |&at| is_part(at) || !is_part(at + 1))
    }

    /// The name of a task's choice; `None` is software.
    pub fn choice(&self, task: usize, choice: Option<u32>) -> Option<&str> {
        Some(self.tasks.get(task)?.choices.get(choice? as usize)?.as_str())
    }

    /// Every task with the name of the choice that a point takes, `None` for software.
    pub fn chosen<'p>(&'p self, point: &'p Point) -> impl Iterator<Item = (&'p str, Option<&'p str>)> {
        let choices = self.tasks.iter().enumerate().zip(&point.choices);
        choices.map(|((at, task), &choice)| (task.name.as_str(), self.choice(at, choice)))
    }

    /// The names of the blocks that a point builds.
    pub fn built(&self, point: &Point) -> Vec<&str> {
        point.blocks.iter().filter_map(|&at| self.blocks.get(at as usize)).map(String::as_str).collect()
    }

    /// The name of a point's variant of the processor, if there are several.
    pub fn variant(&self, point: &Point) -> Option<&str> {
        self.variants.get(point.variant? as usize).map(String::as_str)
    }

    /// The clock of a point in hertz, exactly, if a block or variant limits it.
    pub fn clock_hz(&self, point: &Point) -> Option<&str> {
        self.clocks.get(point.clock? as usize).map(String::as_str)
    }

    /// The name of the mode of a point's largest utilization.
    pub fn critical_mode(&self, point: &Point) -> Option<&str> {
        self.modes.get(point.critical_mode()?).map(String::as_str)
    }

    /// The costs of a point in the objectives.
    pub fn objectives<'p>(&'p self, point: &'p Point) -> impl Iterator<Item = &'p Number> {
        self.resources.objectives.iter().filter_map(|&at| point.cost.get(at))
    }

    /// Whether the front is of one objective, along which utilization falls.
    pub fn has_one_objective(&self) -> bool {
        self.resources.objectives.len() == 1
    }
}
