//! What happens to the table, one class after the other.

use crate::number::spread;
use isx_engine::EngineError;
use isx_machine::{Machine, OverMemory};
use isx_problems::resources::{Item, Problem};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Most resources.
pub(super) const MOST_AXES: usize = 8;
/// Most cells of a table.
const MOST_CELLS: f64 = 1e12;

/// The table moved by the costs of an item.
#[derive(Clone, Debug)]
pub(super) struct Move {
    /// The position of the item.
    pub item: u32,
    pub value: i64,
    /// The costs, an amount per axis.
    pub costs: [u32; MOST_AXES],
}

/// The moves of a class, in order of their items.
pub(super) struct Op {
    pub moves: Vec<Move>,
    /// Cells along every axis before and after it.
    pub before: Vec<usize>,
    pub after: Vec<usize>,
}

/// The operations of all classes.
pub(super) struct Chain {
    pub ops: Vec<Op>,
    /// The resource of each axis; rows lie along the last one.
    pub axes: Vec<usize>,
    /// The sum of the least values of all classes, which tables lack.
    pub value: BigInt,
}

/// Which tables are kept for the traceback.
pub(super) struct Kept {
    pub every: usize,
    pub bytes: u64,
}

impl Chain {
    pub fn new(problem: &Problem, machine: &Machine) -> Result<Self, EngineError> {
        let resources = problem.limits.len();
        if resources > MOST_AXES {
            let why = format!("keeps a table with an axis for every resource, of at most {MOST_AXES}");
            return Err(EngineError::TooLarge(format!("{why}; there are {resources}")));
        }
        let left: Vec<u64> = (0..resources).map(|at| problem.limits[at].min(problem.reach(at))).collect();
        let cells = left.iter().map(|&limit| limit as f64 + 1.0).product::<f64>();
        if cells > MOST_CELLS {
            return Err(OverMemory { needed: bytes_of(cells), allowed: machine.max_memory() }.into());
        }
        machine.allow(bytes_of(cells))?;
        // Rows along the largest axis.
        let row = (0..resources).rev().max_by_key(|&resource| left[resource]).unwrap_or(0);
        let axes: Vec<usize> = (0..resources).filter(|&at| at != row).chain([row]).collect();
        let mut chain = Self { ops: Vec::new(), axes, value: BigInt::ZERO };
        for items in &problem.classes {
            let (least, _) = spread(items);
            let moved = |(number, item): (u32, &Item)| {
                // The tier was chosen so that every value fits.
                let value = (&item.value - &least).to_i64()?;
                Some(Move { item: number, value, costs: chain.along(&item.cost, &left)? })
            };
            let moves: Vec<Move> = (0..).zip(items).filter_map(moved).collect();
            chain.value += least;
            chain.add(moves, &left);
        }
        Ok(chain)
    }

    /// Costs along the axes; `None` if they exceed a limit.
    fn along(&self, costs: &[u64], left: &[u64]) -> Option<[u32; MOST_AXES]> {
        let mut along = [0; MOST_AXES];
        for (along, &resource) in along.iter_mut().zip(&self.axes) {
            *along = u32::try_from(costs[resource]).ok().filter(|_| costs[resource] <= left[resource])?;
        }
        Some(along)
    }

    fn add(&mut self, moves: Vec<Move>, left: &[u64]) {
        let before = self.ops.last().map_or(vec![1; self.axes.len()], |op| op.after.clone());
        let most = |axis: usize| moves.iter().map(|by| by.costs[axis]).max().unwrap_or(0) as usize;
        let after = before
            .iter()
            .zip(&self.axes)
            .enumerate()
            .map(|(axis, (&cells, &resource))| (cells + most(axis)).min(left[resource] as usize + 1));
        let after = after.collect();
        self.ops.push(Op { moves, before, after });
    }

    /// Cells computed, once per move.
    pub fn updates(&self) -> u64 {
        let cells = |op: &Op| op.moves.len() as u64 * op.after.iter().product::<usize>() as u64;
        self.ops.iter().map(cells).sum()
    }

    /// Cells of the last table.
    pub fn last_cells(&self) -> usize {
        self.ops.last().map_or(1, |op| op.after.iter().product())
    }

    /// Keeps as many tables as the memory allows. Fails if even the fewest take too much.
    pub fn kept(&self, cell: u64, picks: bool, machine: &Machine) -> Result<Kept, EngineError> {
        let ops = self.ops.len().max(1);
        let before = |op: &Op| op.before.iter().product::<usize>() as f64;
        let after = |op: &Op| op.after.iter().product::<usize>() as f64;
        let working = self.ops.iter().map(|op| before(op) + after(op)).fold(1.0, f64::max);
        let points = if picks { 48.0 * self.last_cells() as f64 * 0.1 } else { 0.0 };
        let bytes = |every: usize| {
            let marks: f64 = self.ops.iter().step_by(every).map(before).sum();
            let segment = |ops: &[Op]| ops.iter().map(before).sum::<f64>();
            let longest = self.ops.chunks(every).map(segment).fold(0.0, f64::max);
            bytes_of((if picks { marks + longest } else { 0.0 } + working) * cell as f64 + points)
        };
        // One segment needs nothing twice.
        let whole = Kept { every: ops, bytes: bytes(ops) };
        if machine.allow(whole.bytes).is_ok() {
            return Ok(whole);
        }
        let least = (1..=ops).map(|every| Kept { every, bytes: bytes(every) }).min_by_key(|kept| kept.bytes);
        let least = least.unwrap_or(whole);
        machine.allow(least.bytes)?;
        Ok(least)
    }
}

fn bytes_of(bytes: f64) -> u64 {
    bytes.min(u64::MAX as f64) as u64
}
