//! A front as a document: made from an exploration, or read from JSON or Parquet. Tables, pictures, pages and files are made
//! from it alone.
//!
//! ```
//! use isx_report::front::{Front, WithChoices};
//! let text = "{name: one, tasks: [{name: a, wcet: 6, period: 5, choices: [{name: mac, area: 120, wcet: 4}]}]}";
//! let task_set = isx_taskset::read_str("one.yaml", text)?.task_set;
//! let explored = isx_explore::explore(&task_set, &isx_explore::Options::default())?;
//! let front = Front::of(&explored);
//! let mut document = Vec::new();
//! isx_report::json::write(&front, &isx_machine::cpu::Workers::new(1), &mut document)?;
//! let again = Front::read(document.as_slice(), &WithChoices::First(usize::MAX))?;
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
pub mod fields;
#[cfg(feature = "parquet")]
mod guard;
mod head;
pub mod json;
pub mod margins;
pub mod number;
#[cfg(feature = "parquet")]
pub mod parquet;
mod read_json;
#[cfg(feature = "parquet")]
mod read_parquet;
pub mod unreadable;
pub mod wanted;

pub use head::{Head, NamedTask, Point};
pub use margins::{EngineWords, ModeAreaWords};
pub use number::Number;
pub use wanted::Written;

use explored::Explored;
use isx_design::exploration::Exploration;
use std::io;
use std::ops::Range;

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

/// Which choices are read, and the blocks, variant and clock with them.
#[derive(Clone, Copy)]
pub enum WithChoices<'a> {
    /// Those of the first points.
    First(usize),
    /// At least those of the points that are found among all of them by their figures.
    Of(&'a dyn Fn(&Front) -> Range<usize>),
}

impl<'a> Front<'a> {
    /// The front of an exploration. Its points are made when they are asked for.
    pub fn of(explored: &'a Exploration) -> Self {
        let points = Explored::new(explored);
        Self { head: points.head(), points: Points::Explored(Box::new(points)) }
    }

    /// The front of points that were read.
    fn read_as(head: Head, points: Vec<Point>) -> Self {
        Self { head, points: Points::Read(points) }
    }

    /// The points that were read.
    #[cfg(feature = "parquet")]
    fn points_read(&mut self) -> &mut [Point] {
        match &mut self.points {
            Points::Read(points) => points,
            Points::Explored(_) => &mut [],
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

    /// The first point whose figures satisfy a condition.
    pub fn position(&self, is_so: &dyn Fn(&Point) -> bool) -> Option<usize> {
        (0..self.len()).find(|&index| is_so(&self.figures_of(index)))
    }

    /// The number of points that satisfy `before`, if all of these precede all others (by binary search).
    pub fn partition(&self, before: &dyn Fn(&Point) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if before(&self.figures_of(middle)) { low = middle + 1 } else { high = middle }
        }
        low
    }
}
