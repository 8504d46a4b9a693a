//! The front as columns, for column-oriented file formats and for tables in memory.
//!
//! Columns are named as in [`crate::front::csv`]. A front is read in groups of points, separately for figures
//! ([`Columns::rows`]) and for choices and blocks ([`Columns::chunks`]), so memory is needed for one group only,
//! however long the front is.
//!
//! ```
//! use isx_report::columns::{Column, Columns, Exact};
//! let text = "
//! name: two tasks
//! tasks:
//!   - {name: control, wcet: 6, period: 10, choices: [{name: mac, area: 120, wcet: 4}]}
//!   - {name: filter, wcet: 5, period: 10, choices: [{name: fir, area: 300, saves: 2}]}
//! ";
//! let task_set = isx_taskset::read_str("two-tasks.yaml", text).unwrap().task_set;
//! let explored = isx_explore::explore(&task_set, &isx_explore::Options::default()).unwrap();
//! let columns = Columns::new(&explored);
//! assert_eq!(columns.names()[..2], ["area", "utilization_num"]);
//! assert_eq!(columns.list()[0], Column::Cost(0, Exact::Integer));
//! let (all, workers) = (0..explored.front.len(), isx_machine::cpu::Workers::new(1));
//! let rows = columns.rows(all.clone(), &workers);
//! assert_eq!(rows.integers(columns.list()[0]), Some(vec![0, 120, 420]));
//! assert_eq!(rows.approximations(Column::Approximation), [1.1, 0.9, 0.7]);
//! assert_eq!(columns.chunks(all, &workers)[0].choices(0), [isx_report::columns::SOFTWARE, 0, 0]);
//! ```

use crate::front::blocks::Blocks;
use crate::front::clock::FrontClocks;
use crate::front::csv::column_names;
use crate::front::figures::{Figures, Fraction};
use isx_design::exploration::Exploration;
use isx_design::front::Point;
use isx_exact::quantity::{Rational, approx};
use isx_machine::cpu::Workers;
use isx_problems::mckp::NO_ITEM;
use std::convert::Infallible;
use std::io::{self, Write};
use std::ops::Range;

/// Points whose choices are read at a time.
pub const CHUNK: usize = 1 << 15;
/// The same for columns whose points are read one by one, without gaining from their neighbors: figures, and blocks.
pub const SINGLE_CHUNK: usize = 1 << 10;
/// Stands for software among choices.
pub const SOFTWARE: u32 = NO_ITEM;
/// Most digits of a number in a decimal column.
pub const DECIMAL_DIGITS: u32 = 18;

/// How a column of exact numbers is stored: as narrow as the whole front allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// 64-bit integers.
    Integer,
    /// 64-bit integers of at most [`DECIMAL_DIGITS`] digits, with this many digits after the decimal point.
    Decimal(u32),
    /// Text: decimals, or fractions where no decimal is exact.
    Text,
}

/// The content of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The cost in this resource; the area in the set's area unit is that of index 0 in a set with one area.
    Cost(usize, Exact),
    /// The numerator of the utilization in lowest terms.
    Numerator(Exact),
    /// Its denominator.
    Denominator(Exact),
    /// The double nearest to the utilization.
    Approximation,
    /// Whether the design is schedulable; `None` if unknown.
    Schedulable,
    /// Whether any design of no more area is schedulable; `None` if unknown.
    SchedulableWithin,
    /// The blocks that the design builds, if the set has any.
    Blocks,
    /// The variant of the processor, if the set has any.
    Variant,
    /// The double nearest to the utilization in this mode, if the set has modes.
    InMode(usize),
    /// The clock that the design runs at, if a block or variant limits it.
    Clock,
    /// The numerator of the margin in lowest terms, as text, on a front of area against margin.
    MarginNumerator,
    /// Its denominator, as text.
    MarginDenominator,
    /// The double nearest to the margin.
    Margin,
    /// The choice of the task with this index.
    Choice(usize),
}

/// The columns of a front.
pub struct Columns<'a> {
    explored: &'a Exploration,
    figures: Figures<'a>,
    columns: Vec<Column>,
    names: Vec<String>,
    clocks: FrontClocks<'a>,
}

impl<'a> Columns<'a> {
    /// The columns of an explored front, each as narrow as the front allows.
    pub fn new(explored: &'a Exploration) -> Self {
        let figures = Figures::new(explored.front.formulation());
        let columns = columns(explored, &figures);
        let names = column_names(explored);
        let clocks = FrontClocks::new(&explored.front);
        Self { explored, figures, columns, names, clocks }
    }

    /// The columns in order.
    pub fn list(&self) -> &[Column] {
        &self.columns
    }

    /// Their names, all different.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The clocks of the designs, by index, exactly and in hertz; empty if no block limits the clock.
    pub fn clocks(&self) -> &[String] {
        self.clocks.figures()
    }

    /// The figures of these points, read by all threads.
    pub fn rows(&self, points: Range<usize>, workers: &Workers) -> Rows<'_> {
        let points: Vec<Point> = points.filter_map(|index| self.explored.front.get(index)).collect();
        let chunks: Vec<&[Point]> = points.chunks(SINGLE_CHUNK).collect();
        let read = workers.map(chunks.len() as u64, true, |at| {
            chunks[at as usize].iter().map(|point| self.figures.utilization(point)).collect()
        });
        Rows { columns: self, points, utilizations: read }
    }

    /// The choices, blocks and clocks of these points, at most [`CHUNK`] of them together, read by all threads.
    pub fn chunks(&self, points: Range<usize>, workers: &Workers) -> Vec<Chunk> {
        let end = points.end.min(self.explored.front.len());
        let length = if self.explored.task_set().blocks.is_empty() { CHUNK } else { SINGLE_CHUNK };
        let chunks = end.saturating_sub(points.start).div_ceil(length) as u64;
        workers.map(chunks, true, |at| {
            let from = points.start + at as usize * length;
            self.chunk(from..end.min(from + length))
        })
    }

    fn chunk(&self, points: Range<usize>) -> Chunk {
        let (task_set, front) = (self.explored.task_set(), &self.explored.front);
        let mut choices = vec![SOFTWARE; task_set.tasks.len() * points.len()];
        front.claim().write_columns(points.clone(), &mut choices);
        let mut chunk = Chunk {
            points: points.len(),
            choices,
            blocks: Vec::new(),
            counts: Vec::new(),
            variants: Vec::new(),
            clocks: Vec::new(),
        };
        if !task_set.variants.is_empty() {
            let points = points.clone().filter_map(|index| front.get(index));
            chunk.variants = points.map(|point| point.formulation().variant).collect();
        }
        if !task_set.blocks.is_empty() || task_set.limits_clock() {
            let mut blocks = Blocks::new(task_set);
            let Ok(()) = front.each_chosen(points, |point, choices| {
                if !task_set.blocks.is_empty() {
                    let before = chunk.blocks.len();
                    chunk.blocks.extend(blocks.of(choices).iter().map(|&at| at as u32));
                    chunk.counts.push((chunk.blocks.len() - before) as u32);
                }
                if task_set.limits_clock() {
                    chunk.clocks.push(self.clocks.number(point.formulation().variant, choices));
                }
                Ok::<(), Infallible>(())
            });
        }
        chunk
    }
}

/// The columns in order, each as wide as the front needs it.
fn columns(explored: &Exploration, figures: &Figures) -> Vec<Column> {
    let front = &explored.front;
    // Areas rise and demands fall, so one point of each bounds the others; with several resources, and by margin, all
    // points are looked at. The hyperperiod bounds its divisors.
    let is_in_order = explored.task_set().is_one_area() && explored.point_margins.is_empty();
    let step = if is_in_order { front.len().saturating_sub(1).max(1) } else { 1 };
    let bounded = |is_narrow: &dyn Fn(Point) -> bool| front.iter().step_by(step).all(is_narrow);
    let most = 10u128.pow(DECIMAL_DIGITS);
    let cost = |column: usize| {
        let is_narrow = bounded(&|point| {
            figures.cost_digits(column, &point).is_some_and(|digits| digits.unsigned_abs() < most)
        });
        let exact = match figures.cost_places(column).filter(|_| is_narrow) {
            Some(0) => Exact::Integer,
            Some(places) if places <= DECIMAL_DIGITS => Exact::Decimal(places),
            _ => Exact::Text,
        };
        Column::Cost(column, exact)
    };
    let is_narrow = bounded(&|point| point.demand_in::<i64>().is_some());
    let hyperperiod = i64::try_from(&front.formulation().hyperperiod).ok();
    let fraction = if is_narrow && hyperperiod.is_some() { Exact::Integer } else { Exact::Text };
    let mut columns: Vec<Column> = (0..figures.costs()).map(cost).collect();
    columns.extend([
        Column::Numerator(fraction),
        Column::Denominator(fraction),
        Column::Approximation,
        Column::Schedulable,
        Column::SchedulableWithin,
    ]);
    let set = explored.task_set();
    let some = [(!set.blocks.is_empty(), Column::Blocks), (!set.variants.is_empty(), Column::Variant)];
    columns.extend(some.into_iter().filter(|(is_there, _)| *is_there).map(|(_, column)| column));
    columns.extend((0..set.modes.len()).map(Column::InMode));
    columns.extend(set.limits_clock().then_some(Column::Clock));
    if !explored.point_margins.is_empty() {
        columns.extend([Column::MarginNumerator, Column::MarginDenominator, Column::Margin]);
    }
    columns.extend((0..set.tasks.len()).map(Column::Choice));
    columns
}

/// The figures of a group of points.
pub struct Rows<'a> {
    columns: &'a Columns<'a>,
    points: Vec<Point<'a>>,
    /// One vector per chunk of points, in order.
    utilizations: Vec<Vec<Fraction>>,
}

impl Rows<'_> {
    /// The numbers of an integer or decimal column; `None` for another.
    pub fn integers(&self, column: Column) -> Option<Vec<i64>> {
        let fractions = self.utilizations.iter().flatten();
        match column {
            Column::Cost(resource, Exact::Integer | Exact::Decimal(_)) => {
                let digits = |point| i64::try_from(self.columns.figures.cost_digits(resource, point)?).ok();
                self.points.iter().map(digits).collect()
            }
            Column::Numerator(Exact::Integer) => {
                fractions.map(|fraction| i64::try_from(fraction.small()?.0).ok()).collect()
            }
            Column::Denominator(Exact::Integer) => {
                fractions.map(|fraction| i64::try_from(fraction.small()?.1).ok()).collect()
            }
            _ => None,
        }
    }

    /// Passes the numbers of a column, as they are written in text, one by one to `take`; nothing for a column
    /// without numbers.
    pub fn texts(&self, column: Column, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let mut text = Vec::new();
        for (point, fraction) in self.points.iter().zip(self.utilizations.iter().flatten()) {
            text.clear();
            match column {
                Column::Cost(resource, _) => self.columns.figures.write_cost(resource, point, &mut text)?,
                Column::Numerator(_) => fraction.write_numerator(&mut text)?,
                Column::Denominator(_) => fraction.write_denominator(&mut text)?,
                Column::MarginNumerator => write!(text, "{}", self.margin(point).numer())?,
                Column::MarginDenominator => write!(text, "{}", self.margin(point).denom())?,
                _ => return Ok(()),
            }
            take(&text)?;
        }
        Ok(())
    }

    /// The margin of a point of a front of area against margin.
    fn margin(&self, point: &Point) -> Rational {
        self.columns.explored.point_margins.get(point.index()).cloned().unwrap_or_default()
    }

    /// The doubles nearest to the figures of a column: margins, or utilizations in a mode, or the largest.
    pub fn approximations(&self, column: Column) -> Vec<f64> {
        let mode = match column {
            Column::InMode(mode) => mode,
            Column::Margin => return self.points.iter().map(|point| approx(&self.margin(point))).collect(),
            _ => return self.utilizations.iter().flatten().map(Fraction::approx).collect(),
        };
        let in_mode = |point: &Point| {
            let choices = point.choices().unwrap_or_default();
            point.formulation().mode_utilizations(&choices).get(mode).map_or(f64::NAN, approx)
        };
        self.points.iter().map(in_mode).collect()
    }

    /// The verdicts of a column: on the designs themselves, or on all designs within their areas.
    pub fn verdicts(&self, column: Column) -> impl Iterator<Item = Option<bool>> + Clone {
        let verdicts = &self.columns.explored.verdicts;
        self.points.iter().map(move |point| match column {
            Column::SchedulableWithin => verdicts.within(point.index()),
            _ => verdicts.points[point.index()],
        })
    }
}

/// Choices, blocks and clocks of some points, at most [`CHUNK`] of them, column by column.
#[derive(Clone, Debug)]
pub struct Chunk {
    points: usize,
    /// The choices of the first task, then those of the second, and so on.
    choices: Vec<u32>,
    /// The blocks of the first point, then those of the second, and so on.
    blocks: Vec<u32>,
    /// How many blocks each point builds; empty if the set has none.
    counts: Vec<u32>,
    /// The number of each point's variant; empty if the set has none.
    variants: Vec<usize>,
    /// The index of each point's clock; empty if no block or variant limits the clock.
    clocks: Vec<usize>,
}

impl Chunk {
    /// The choice of the task with this index at each point, as an index into its choices; [`SOFTWARE`] for none.
    /// Panics if there is no such task.
    pub fn choices(&self, task: usize) -> &[u32] {
        &self.choices[task * self.points..(task + 1) * self.points]
    }

    /// The indices of the blocks that the first point builds, then those of the second, and so on.
    pub fn blocks(&self) -> &[u32] {
        &self.blocks
    }

    /// How many blocks each point builds; empty if the set has none.
    pub fn block_counts(&self) -> &[u32] {
        &self.counts
    }

    /// The number of each point's variant of the processor; empty if the set has none.
    pub fn variants(&self) -> &[usize] {
        &self.variants
    }

    /// The index of each point's clock, see [`Columns::clocks`]; empty if no block limits the clock.
    pub fn clocks(&self) -> &[usize] {
        &self.clocks
    }
}
