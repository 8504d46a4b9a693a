//! The data of a front's picture: from a front, or read from its JSON.
//!
//! Both sources give the same numbers bit for bit, so `isx plot front.json` draws the picture that `isx explore`
//! drew: an area is always the double nearest to the exact decimal text, a utilization the field `approx`.

pub mod chart;
mod costs;
mod document;

pub use costs::{CostData, CostPoint, Drawable};
pub use isx_report::front::read_json::TaskChoices;
pub use isx_report::front::unreadable::PlotError;

use isx_design::exploration::Exploration;
use isx_design::front::{Design, DesignFront, Point};
use isx_design::schedulability::SmallestSchedulable;
use isx_exact::quantity::{Rational, approx, format_decimal};
use isx_report::front::blocks::Blocks;
use isx_report::front::clock::FrontClocks;
use isx_report::front::figures::Figures;
use isx_report::front::modes::{ModeAreaWords, mode_areas};
use isx_taskset::formulate::critical_mode;
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
    /// The mode of its largest utilization; `None` if there is one mode.
    pub critical_mode: Option<Arc<str>>,
}

/// The modes of a front; all is empty if it has one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlotModes {
    /// Their names.
    pub names: Vec<String>,
    /// For each point the mode of the largest utilization, the first of several.
    pub critical: Vec<usize>,
    /// What some of them cost without the others.
    pub areas: Vec<ModeAreaWords>,
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
    /// The modes.
    pub modes: PlotModes,
    /// Whether no larger area lowers the utilization further.
    pub complete: bool,
    /// Whether 1/margin stands in place of every utilization: then too at most 1 is schedulable.
    pub by_margin: bool,
    /// The clock of the set in hertz, if the lowest clock of every design is its utilization, or 1/margin, times that.
    pub clock: Option<f64>,
}

impl PlotData {
    /// The data to draw from a front.
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
        let (points, details, critical) = plot_points(explored, &mut names);
        let (names, areas) = (explored.task_set().modes.clone(), mode_areas(explored).collect());
        let data = Self {
            title: explored.task_set().name.clone(),
            area_unit: explored.task_set().area_unit().to_owned(),
            what_if: explored.task_set().what_if.clone(),
            scheduler: explored.task_set().scheduler,
            base: PlotPoint::from(&explored.base()),
            points,
            details,
            min_schedulable,
            modes: PlotModes { names, critical, areas },
            complete: explored.front.is_complete(),
            by_margin: false,
            clock: explored.clock_of_measure().as_ref().map(approx),
        };
        data.with_margins(&explored.point_margins).validated()
    }

    /// The same by margin, if there are margins: those of the points.
    fn with_margins(mut self, margins: &[Rational]) -> Self {
        if margins.is_empty() {
            return self;
        }
        self.by_margin = true;
        for (point, margin) in self.points.iter_mut().zip(margins) {
            point.utilization = approx(&margin.recip());
        }
        let within = self.points.iter().rev().find(|point| point.area <= self.base.area);
        self.base.utilization = within.or(self.points.first()).map_or(0.0, |point| point.utilization);
        if let PlotSmallest::At { area, utilization, .. } = &mut self.min_schedulable {
            let point = self.points.iter().rev().find(|point| point.area <= *area);
            *utilization = point.map(|point| point.utilization);
        }
        self
    }

    /// Details of point `index`, if the front has few points.
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
    front: &'a DesignFront,
    modes: Vec<Arc<str>>,
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
            front: &explored.front,
            modes: set.modes.iter().map(shared).collect(),
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
            blocks: self.finder.of(taken).iter().filter_map(|&at| self.blocks.get(at).cloned()).collect(),
            clock_hz: self.clocks.get(self.of_designs.number(variant, taken)).cloned(),
            critical_mode: self.critical(variant, taken).map(|mode| self.modes[mode].clone()),
        }
    }

    /// The mode of the largest utilization, if there are several.
    fn critical(&self, variant: usize, taken: &[Option<u32>]) -> Option<usize> {
        let has_modes = !self.modes.is_empty();
        has_modes.then(|| critical_mode(&self.front.formulation_in(variant).mode_utilizations(taken)))
    }
}

/// The points, in machine integers if they fit, with details if there are few.
fn plot_points(explored: &Exploration, names: &mut Names) -> (Vec<PlotPoint>, Vec<PointDetail>, Vec<usize>) {
    let front = &explored.front;
    let figures = Figures::new(front.formulation());
    let (mut text, mut details, mut critical) = (Vec::new(), Vec::new(), Vec::new());
    let has_modes = !names.modes.is_empty();
    let point = |(point, &schedulable): (Point, &Option<bool>)| {
        text.clear();
        // Writing to memory does not fail.
        let area =
            figures.write_cost(0, &point, &mut text).ok().and_then(|()| std::str::from_utf8(&text).ok());
        let has_details = front.len() <= TOLD_POINTS;
        let taken = if has_modes || has_details { point.choices().unwrap_or_default() } else { Vec::new() };
        let variant = point.formulation().variant;
        critical.extend(names.critical(variant, &taken));
        if has_details {
            details.push(names.detail(area.unwrap_or_default().to_owned(), variant, &taken));
        }
        let area = area.and_then(parse_area).unwrap_or(f64::NAN);
        PlotPoint { area, utilization: figures.utilization(&point).approx(), schedulable }
    };
    let points = front.iter().zip(&explored.verdicts.points).map(point).collect();
    (points, details, critical)
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
