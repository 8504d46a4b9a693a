//! A front as a document: made from an exploration, or read from JSON or Parquet. Tables, pictures, pages and files are made
//! from it alone.
//!
//! ```
//! use isx_report::front::{Front, Told};
//! let text = "{name: one, tasks: [{name: a, wcet: 6, period: 5, choices: [{name: mac, area: 120, wcet: 4}]}]}";
//! let task_set = isx_taskset::read_str("one.yaml", text)?.task_set;
//! let explored = isx_explore::explore(&task_set, &isx_explore::Options::default())?;
//! let front = Front::of(&explored);
//! let mut document = Vec::new();
//! isx_report::json::write(&front, &isx_machine::cpu::Workers::new(1), &mut document)?;
//! let again = Front::read(document.as_slice(), &Told::First(usize::MAX))?;
//! assert_eq!((again.head.taskset.as_str(), again.len()), ("one", front.len()));
//! let last = again.point(1);
//! assert_eq!((last.cost[0].decimal().as_str(), again.head.choice(0, last.choices[0])), ("120", Some("mac")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agree;
pub mod blocks;
pub mod chunks;
pub mod clock;
pub mod columns;
pub mod costs;
pub mod csv;
mod document;
mod explored;
pub mod json;
pub mod margins;
pub mod number;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod unreadable;
pub mod wanted;

pub use margins::{EngineWords, ModeAreaWords};
pub use number::Number;
pub use wanted::{Told, Written};

use explored::Explored;
use isx_design::exploration::Exploration;
use isx_design::schedulability::AtMargin;
use isx_exact::quantity::Rational;
use isx_taskset::{Resources, Scheduler};
use std::io;
use std::ops::Range;
use unreadable::PlotError;

/// A front: what it is about, and its points.
pub struct Front<'a> {
    /// Everything but the points.
    pub head: Head,
    points: Points<'a>,
}

enum Points<'a> {
    /// Made one by one from what the engine found.
    Explored(Box<Explored<'a>>),
    /// In memory, as they were read.
    Read(Vec<Point>),
}

/// What a front is about, and the names that its points refer to by their indices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// Name of the task set.
    pub taskset: String,
    /// What is counted, and what there is of it; what is built in any case is the cost of `base`.
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

/// A task and its choices: all of an explored front, of a document those that a point takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedTask {
    /// Its name.
    pub name: String,
    /// The names of its choices.
    pub choices: Vec<String>,
}

/// A design: exact figures, verdicts, and what it takes and builds, by index into the names of the [`Head`].
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
    fn is_impossible(&self) -> bool {
        self.schedulable == Some(true) && self.utilization.exceeds_one()
    }
}

impl Head {
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

impl<'a> Front<'a> {
    /// The front of an exploration. Its points are made when they are asked for.
    pub fn of(explored: &'a Exploration) -> Self {
        let points = Explored::new(explored);
        Self { head: points.head(), points: Points::Explored(Box::new(points)) }
    }

    /// Reads a front that was written as JSON or as Parquet.
    /// Fails with [`PlotError`]: the input cannot be read, is not a front, or contradicts itself.
    pub fn read<'w>(written: impl Into<Written<'w>>, told: &Told) -> Result<Self, PlotError> {
        let (head, points) = written.into().points(told)?;
        Ok(Self::in_memory(head, points))
    }

    /// The front of points in memory.
    pub(crate) fn in_memory(head: Head, points: Vec<Point>) -> Self {
        Self { head, points: Points::Read(points) }
    }

    /// The head and the points, if these are in memory.
    #[cfg(feature = "parquet")]
    pub(crate) fn into_memory(self) -> (Head, Vec<Point>) {
        match self.points {
            Points::Read(points) => (self.head, points),
            Points::Explored(_) => (self.head, Vec::new()),
        }
    }

    /// The exploration that it was made from.
    pub fn exploration(&self) -> Option<&'a Exploration> {
        match &self.points {
            Points::Explored(points) => Some(points.explored),
            Points::Read(_) => None,
        }
    }

    /// Number of points; 0 only if no design is within the limits.
    pub fn len(&self) -> usize {
        match &self.points {
            Points::Explored(points) => points.explored.front.len(),
            Points::Read(points) => points.len(),
        }
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A point; the default one if there is none of this number.
    pub fn point(&self, index: usize) -> Point {
        let mut found = Point::default();
        self.visit(index..index + 1, &mut |_, point| found = point.clone());
        found
    }

    /// A point's costs, utilization, margin and verdicts.
    pub fn figures_of(&self, index: usize) -> Point {
        let mut found = Point::default();
        self.figures(index..index + 1, &mut |_, point| found = point.clone());
        found
    }

    /// Passes points on in order, each with its index, until one fails.
    pub fn each(
        &self,
        points: Range<usize>,
        take: &mut dyn FnMut(usize, &Point) -> io::Result<()>,
    ) -> io::Result<()> {
        match &self.points {
            Points::Explored(explored) => explored.each(points, take),
            Points::Read(read) => {
                let points = points.start.min(read.len())..points.end.min(read.len());
                points.clone().zip(&read[points]).try_for_each(|(index, point)| take(index, point))
            }
        }
    }

    /// As [`Front::each`], for what does not fail.
    pub fn visit(&self, points: Range<usize>, take: &mut dyn FnMut(usize, &Point)) {
        // Only `take` fails.
        let _ = self.each(points, &mut |index, point| {
            take(index, point);
            Ok(())
        });
    }

    /// As [`Front::visit`], with costs, utilization, margin and verdicts alone, which takes less time.
    pub fn figures(&self, points: Range<usize>, take: &mut dyn FnMut(usize, &Point)) {
        match &self.points {
            Points::Explored(explored) => explored.figures(points, take),
            Points::Read(_) => self.visit(points, take),
        }
    }

    /// The last point that costs no more than this design, with one objective.
    pub fn within(&self, design: &Point) -> Option<usize> {
        let most: Vec<Number> = self.head.objectives(design).cloned().collect();
        let fits = |point: &Point| self.head.objectives(point).zip(&most).all(|(cost, most)| cost <= most);
        self.partition(&fits).checked_sub(1)
    }

    /// The first point whose figures are so.
    pub fn position(&self, is_so: &dyn Fn(&Point) -> bool) -> Option<usize> {
        (0..self.len()).find(|&index| is_so(&self.figures_of(index)))
    }

    /// The number of points from the first on that are `before` what is looked for, if all of these stand before all others.
    pub fn partition(&self, before: &dyn Fn(&Point) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if before(&self.figures_of(middle)) { low = middle + 1 } else { high = middle }
        }
        low
    }
}

impl PartialEq for Front<'_> {
    fn eq(&self, other: &Self) -> bool {
        let mut equal = self.head == other.head && self.len() == other.len();
        self.visit(0..self.len(), &mut |index, point| equal = equal && *point == other.point(index));
        equal
    }
}
