//! The data of a front's picture: from a front, or read from its JSON.
//!
//! Both sources give the same numbers bit for bit, so `isx plot front.json` draws the picture that `isx explore`
//! drew: an area is always the double nearest to the exact decimal text, a utilization the field `approx`.

pub mod chart;
mod costs;
mod document;

pub use crate::front::read_json::TaskChoices;
pub use crate::front::unreadable::PlotError;
pub use costs::{CostData, CostPoint, Drawable};

use crate::front::blocks::Blocks;
use crate::front::clock::FrontClocks;
use crate::front::figures::Figures;
use isx_design::exploration::Exploration;
use isx_design::front::{Design, Point};
use isx_design::schedulability::SmallestSchedulable;
use isx_exact::quantity::{Rational, approx, format_decimal};
use isx_taskset::{Scheduler, Task};
use std::sync::Arc;

/// The most points that [`PlotData::from_written`] accepts.
pub const MAX_POINTS: usize = 50_000_000;

/// A front of at most this many points keeps the choices of each, to show them in the picture.
pub const TOLD_POINTS: usize = 300;

/// A design as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotPoint {
    /// Area, in the task set's unit.
    pub area: f64,
    /// Utilization.
    pub utilization: f64,
    /// As in [`Design::schedulable`].
    pub schedulable: Option<bool>,
}

/// The names of the blocks that a design builds, in file order. Points share the names.
pub type BlockNames = Vec<Arc<str>>;

/// Details of a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointDetail {
    /// Area, exactly, as printed; with several resources, the costs in words.
    pub area: String,
    /// The choices behind it.
    pub choices: TaskChoices,
    /// The blocks that it builds; empty if the task set has none.
    pub blocks: BlockNames,
    /// The clock it runs at, exactly and in hertz; `None` if no block limits the clock.
    pub clock_hz: Option<Arc<str>>,
}

/// The smallest schedulable area as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum PlotSmallest {
    /// The smallest schedulable area.
    At {
        /// The area, for drawing.
        area: f64,
        /// Utilization of the design with that area, if known.
        utilization: Option<f64>,
        /// The exact area, and the known details of the design.
        design: PointDetail,
    },
    /// No design within the explored area is schedulable.
    Nowhere,
    /// Not decided.
    Unknown,
}

/// A front as it is drawn.
/// Invariants, ensured by both constructors: at least one point; areas and utilizations are finite and not negative;
/// areas never fall and utilizations never rise from point to point.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotData {
    /// Name of the task set.
    pub title: String,
    /// Unit of the areas; may be empty.
    pub area_unit: String,
    /// Changes to the task set for a what-if question, in words.
    pub what_if: Vec<String>,
    /// The scheduler that the verdicts are about.
    pub scheduler: Scheduler,
    /// The software-only design.
    pub base: PlotPoint,
    /// The front.
    pub points: Vec<PlotPoint>,
    /// Details of each point; empty if there are more than [`TOLD_POINTS`].
    pub details: Vec<PointDetail>,
    /// The smallest schedulable area.
    pub min_schedulable: PlotSmallest,
    /// Whether no larger area lowers the utilization further.
    pub complete: bool,
}

impl PlotData {
    /// The data to draw from a front.
    ///
    /// # Errors
    ///
    /// [`PlotError::NotAFront`] if an area or a utilization exceeds the range of a double.
    pub fn from_front(explored: &Exploration) -> Result<Self, PlotError> {
        let mut names = Names::of(explored);
        let min_schedulable = match &explored.verdicts.smallest {
            SmallestSchedulable::At(chosen) => PlotSmallest::At {
                area: nearest(chosen.design.area()),
                utilization: Some(approx(&chosen.design.utilization)),
                design: names.detail(
                    format_decimal(chosen.design.area()),
                    chosen.design.variant,
                    &chosen.choices,
                ),
            },
            SmallestSchedulable::None => PlotSmallest::Nowhere,
            SmallestSchedulable::Unknown(_) => PlotSmallest::Unknown,
        };
        let (points, details) = plot_points(explored, &mut names);
        let data = Self {
            title: explored.task_set().name.clone(),
            area_unit: explored.task_set().area_unit.clone(),
            what_if: explored.task_set().what_if.clone(),
            scheduler: explored.task_set().scheduler,
            base: PlotPoint::from(&explored.base()),
            points,
            details,
            min_schedulable,
            complete: explored.front.is_complete(),
        };
        data.validated()
    }

    /// Details of point `index`, if the front has few points.
    #[must_use]
    pub fn detail(&self, index: usize) -> Option<&PointDetail> {
        self.details.get(index)
    }

    fn validated(self) -> Result<Self, PlotError> {
        let wrong = |index, why| Err(PlotError::NotAFront { index, why });
        let drawable = |value: f64| value.is_finite() && value >= 0.0;
        if self.points.is_empty() {
            return wrong(0, "there is no point");
        }
        for (index, point) in self.points.iter().enumerate() {
            if !drawable(point.area) || !drawable(point.utilization) {
                return wrong(index, "a figure is negative or not finite");
            }
            let before = self.points[index.saturating_sub(1)];
            if point.area < before.area || point.utilization > before.utilization {
                return wrong(index, "area does not rise, or utilization does not fall,");
            }
        }
        if !drawable(self.base.area) || !drawable(self.base.utilization) {
            return Err(PlotError::Field("`base` is negative or not finite".into()));
        }
        if let PlotSmallest::At { area, utilization, .. } = self.min_schedulable
            && !(drawable(area) && utilization.is_none_or(drawable))
        {
            return Err(PlotError::Field("`min_schedulable_area` is negative or not finite".into()));
        }
        Ok(self)
    }
}

/// A task and its choices.
type NamedTask = (Arc<str>, Vec<Arc<str>>);

/// The names of tasks, choices and blocks, and the clocks, made once for all points.
struct Names<'a> {
    of_designs: FrontClocks<'a>,
    clocks: Vec<Arc<str>>,
    tasks: Vec<NamedTask>,
    blocks: BlockNames,
    finder: Blocks<'a>,
}

impl<'a> Names<'a> {
    fn of(explored: &'a Exploration) -> Self {
        let (set, of_designs) = (explored.task_set(), FrontClocks::new(&explored.front));
        let shared = |name: &String| Arc::from(name.as_str());
        let choices = |task: &Task| task.choices.iter().map(|choice| shared(&choice.name)).collect();
        Self {
            clocks: of_designs.figures().iter().map(shared).collect(),
            of_designs,
            tasks: set.tasks.iter().map(|task| (shared(&task.name), choices(task))).collect(),
            blocks: set.blocks.iter().map(|block| shared(&block.name)).collect(),
            finder: Blocks::new(set),
        }
    }

    /// Details of a design of this variant of the processor with these choices.
    fn detail(&mut self, area: String, variant: usize, taken: &[Option<u32>]) -> PointDetail {
        let named = |((task, choices), taken): (&NamedTask, &Option<u32>)| {
            (task.clone(), taken.and_then(|at| choices.get(at as usize).cloned()))
        };
        PointDetail {
            area,
            choices: self.tasks.iter().zip(taken).map(named).collect(),
            blocks: self.finder.of(taken).filter_map(|at| self.blocks.get(at).cloned()).collect(),
            clock_hz: self.clocks.get(self.of_designs.number(variant, taken)).cloned(),
        }
    }
}

/// The points, in machine integers if they fit, with details if there are few.
fn plot_points(explored: &Exploration, names: &mut Names) -> (Vec<PlotPoint>, Vec<PointDetail>) {
    let front = &explored.front;
    let figures = Figures::new(front.formulation());
    let (mut text, mut details) = (Vec::new(), Vec::new());
    let point = |(point, &schedulable): (Point, &Option<bool>)| {
        text.clear();
        // Writing to memory does not fail.
        let area =
            figures.write_cost(0, &point, &mut text).ok().and_then(|()| std::str::from_utf8(&text).ok());
        if front.len() <= TOLD_POINTS {
            let taken = point.choices().unwrap_or_default();
            let variant = point.formulation().variant;
            details.push(names.detail(area.unwrap_or_default().to_owned(), variant, &taken));
        }
        let area = area.and_then(parse_area).unwrap_or(f64::NAN);
        PlotPoint { area, utilization: figures.utilization(&point).approx(), schedulable }
    };
    let points = front.iter().zip(&explored.verdicts.points).map(point).collect();
    (points, details)
}

impl From<&Design> for PlotPoint {
    fn from(design: &Design) -> Self {
        Self {
            area: nearest(design.area()),
            utilization: approx(&design.utilization),
            schedulable: design.schedulable,
        }
    }
}

fn nearest(area: &Rational) -> f64 {
    parse_area(&format_decimal(area)).unwrap_or(f64::NAN)
}

/// The double nearest to a printed area: a decimal, or a fraction of two.
fn parse_area(text: &str) -> Option<f64> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    match text.split_once('/') {
        None => number(text),
        Some((numerator, denominator)) => Some(number(numerator)? / number(denominator)?),
    }
}
