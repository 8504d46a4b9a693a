//! What the kernels compute for a problem: the entries of every step, and how its tables are laid out.
//!
//! A step takes one class, in file order. An element is open from the first class that can use it to the last that can use
//! it or another of its group; a state is the set of open elements that are used. An entry of a state is an item taken in
//! a state before:
//!
//! ```text
//! cost(e) = cost(item) + built(elements it is the first to use) + unbuilt(elements that close here and are not used)
//! ```
//!
//! Amounts are counted from the least of their class or element, in units of their greatest common divisor, values from the
//! least of their class. After each step, a resource has as many coordinates as the sums so far can reach within the limit.
//!
//! Worked instance, one resource with limit 8: an element of 5 built, two classes {nothing, (3; 1)} and {nothing, (4; 2)}
//! whose second items use it. The first step has for state "not used" the entry (0; 0) and for "used" (3; 6). The second,
//! after which the element closes, has four: (0; 0) and (4; 7) from "not used", (0; 0) and (4; 2) from "used".

use super::amounts::{Amounts, Open};
use super::entry::{DIMENSIONS, Step};
use crate::labels::in_file_order;
use crate::number::spread;
use isx_engine::EngineError;
use isx_problems::resources::{Goal, Problem};
use isx_problems::value::{Tier, Value};
use num_bigint::BigInt;
use std::ops::Range;

/// Numbers of a frame, as `kernels/resources/resources.cuh` lays them out.
pub const FRAME: usize = 16;
/// Rows start at multiples of so many cells.
const ALIGNED: u64 = 32;

/// The most entries of a program.
const MOST_ENTRIES: usize = 1 << 22;

/// How the tables between two steps are laid out: the last coordinate of every resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    pub last: [u64; DIMENSIONS],
}

impl Frame {
    /// Cells from a row to the next, if they can be counted.
    pub fn row(&self) -> u64 {
        (self.last[0] + 1).next_multiple_of(ALIGNED)
    }

    /// Rows of the resources numbered so, 1 or more.
    pub fn rows(&self, resources: Range<usize>) -> Option<u64> {
        self.last[resources].iter().try_fold(1u64, |rows, last| rows.checked_mul(last + 1))
    }

    /// Cells of a table.
    pub fn cells(&self) -> Option<u64> {
        self.rows(1..DIMENSIONS)?.checked_mul(self.row())
    }

    /// Cells from one coordinate to the next, per resource.
    pub fn strides(&self) -> [u64; DIMENSIONS] {
        let mut strides = [1; DIMENSIONS];
        let mut stride = self.row();
        for at in (1..DIMENSIONS).rev() {
            strides[at] = stride;
            stride *= self.last[at] + 1;
        }
        strides
    }

    /// As the kernels read it.
    pub fn words(&self) -> [i64; FRAME] {
        let mut words = [0; FRAME];
        for (word, last) in words.iter_mut().zip(self.last) {
            *word = last as i64;
        }
        for (word, stride) in words[DIMENSIONS..].iter_mut().zip(self.strides()) {
            *word = stride as i64;
        }
        words[2 * DIMENSIONS] = self.cells().unwrap_or(0) as i64;
        words[2 * DIMENSIONS + 1] = self.row() as i64;
        words
    }
}

/// Which cells of the last table are points: those of at least `least` whose lower neighbors in the objectives have less
/// than `most` and than the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    pub least: i64,
    pub most: i64,
}

/// A problem as the kernels solve it.
#[derive(Clone, Debug)]
pub struct Program {
    pub steps: Vec<Step>,
    /// Before the first step, and after every step.
    pub frames: Vec<Frame>,
    pub resources: usize,
    /// The resources whose points are asked for: none for the greatest value.
    pub objectives: usize,
    pub asked: Asked,
    /// What a coordinate of each resource stands for: `unit * coordinate + base`.
    pub units: Vec<[u64; 2]>,
    /// What is added to every value.
    pub offset: BigInt,
    /// The narrowest integers that hold all sums.
    pub tier: Tier,
    /// The numbers of every class's items.
    pub numbers: Vec<Vec<u32>>,
}

impl Program {
    /// The program of a problem; `None` if it has no point, as far as that can be said without tables. Fails if the
    /// kernels cannot solve it.
    pub fn new(problem: &Problem) -> Result<Option<Self>, EngineError> {
        let resources = problem.limits.len();
        if resources > DIMENSIONS {
            let why =
                format!("its tables have up to {DIMENSIONS} resources, and the problem has {resources}");
            return Err(EngineError::Unavailable(why));
        }
        let turns = in_file_order(problem).steps;
        let opened: Vec<u32> = turns.iter().flat_map(|turn| turn.opens.iter().copied()).collect();
        let Some(amounts) = Amounts::new(problem, &opened)? else { return Ok(None) };
        let (offsets, sums): (Vec<BigInt>, Vec<BigInt>) =
            problem.classes.iter().map(|items| spread(items)).unzip();
        let (offset, most): (BigInt, BigInt) = (offsets.iter().sum(), sums.iter().sum());
        let tier = Tier::narrowest(&most);
        if tier > Tier::I64 {
            return Err(EngineError::Arithmetic(tier));
        }
        let asked = match &problem.goal {
            Goal::AtLeast(least) if least - &offset > most => return Ok(None),
            // Within the sums, so that it fits, unless every selection has as much.
            Goal::AtLeast(least) => {
                let least = i64::from_big(&(least - &offset)).unwrap_or(0).max(0);
                Asked { least, most: least }
            }
            Goal::Front | Goal::Greatest => Asked { least: 0, most: i64::MAX },
        };
        let mut frames = vec![Frame { last: [0; DIMENSIONS] }];
        let mut steps = Vec::with_capacity(problem.classes.len());
        let mut entries = 0;
        let mut open = Open { elements: Vec::new(), possible: vec![true] };
        for (turn, offset) in turns.iter().zip(&offsets) {
            let (opens, closes) = (&turn.opens[..], &turn.closes[..]);
            let (step, after) = amounts.step(problem, turn.class, offset, &open, [opens, closes])?;
            open = after;
            let before = frames[frames.len() - 1];
            let reach = |at: usize| {
                let most = step.entries.iter().map(|entry| entry.cost[at]).max().unwrap_or(0);
                (before.last[at] + u64::from(most)).min(amounts.limits.get(at).copied().unwrap_or(0))
            };
            frames.push(Frame { last: std::array::from_fn(reach) });
            entries += step.entries.len();
            if entries > MOST_ENTRIES {
                let why = "the elements open at once make too many combinations of states and items";
                return Err(EngineError::TooLarge(why.into()));
            }
            steps.push(step);
        }
        let objectives = if problem.goal == Goal::Greatest { 0 } else { problem.objectives };
        let numbers = problem.classes.iter().map(|items| items.iter().map(|item| item.number).collect());
        let numbers = numbers.collect();
        let units = amounts.units.iter().zip(&amounts.base).map(|(&unit, &base)| [unit, base]).collect();
        Ok(Some(Self { steps, frames, resources, objectives, asked, units, offset, tier, numbers }))
    }

    /// States of the tables before step `at`, or after the last.
    pub fn states(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(1, |step| self.steps[step].states())
    }

    /// Cells of all tables before step `at`, or after the last; `None` if they cannot be counted.
    pub fn cells(&self, at: usize) -> Option<u64> {
        self.frames[at].cells()?.checked_mul(self.states(at) as u64)
    }

    /// Candidates computed, at most `u64::MAX`.
    pub fn updates(&self) -> u64 {
        let of_step = |(step, frame): (&Step, &Frame)| {
            let cells = frame.rows(0..DIMENSIONS).unwrap_or(u64::MAX);
            cells.saturating_mul(step.entries.len() as u64)
        };
        self.steps.iter().zip(&self.frames[1..]).map(of_step).fold(0, u64::saturating_add)
    }
}
