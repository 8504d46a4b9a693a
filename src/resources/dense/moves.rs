//! What happens to the tables, one operation after the other: items of a class are taken, or an element closes.

use crate::order::schedule_of;
use crate::shape::reach;
use isx_engine::EngineError;
use isx_machine::{Machine, OverMemory};
use isx_problems::resources::Problem;
use isx_set_union::order::bits_of;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Most resources.
pub(super) const MOST_AXES: usize = 8;
/// Most elements open at the same time.
const MOST_OPEN: usize = 16;
/// Most cells of a table.
const MOST_CELLS: f64 = 1e12;

/// A table moved: the one of a state before, by some costs.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub source: u32,
    /// The position of the item, counted from 1; 0 if none is taken.
    pub item: u32,
    pub value: i64,
    /// The costs, an amount per axis.
    pub costs: [u32; MOST_AXES],
}

/// The moves to the table of every state, in order of their items.
pub(super) struct Op {
    pub class: Option<usize>,
    pub moves: Vec<Vec<Move>>,
    /// Cells along every axis before and after it.
    pub before: Vec<usize>,
    pub after: Vec<usize>,
    /// Tables before it.
    pub states: usize,
}

/// All operations.
pub(super) struct Chain {
    pub ops: Vec<Op>,
    /// The resource of each axis; rows lie along the last one.
    pub axes: Vec<usize>,
    /// What elements that nothing uses cost, in every resource; `None` if that exceeds a limit.
    pub start: Option<Vec<u64>>,
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
        let schedule = schedule_of(problem, true);
        let open = schedule.most_open();
        if open > MOST_OPEN {
            return Err(EngineError::TooLarge(format!(
                "keeps a table for every set of open elements, of up to {MOST_OPEN} elements; {open} are open at once \
                 in the order of the file"
            )));
        }
        let opens: Vec<u32> = schedule.steps.iter().flat_map(|step| step.opens.iter().copied()).collect();
        let mut start = Some(vec![0u64; resources]);
        for (_, element) in (0u32..).zip(&problem.elements).filter(|(at, _)| !opens.contains(at)) {
            start = start.and_then(|start| {
                start.iter().zip(&element.unbuilt).map(|(a, b)| a.checked_add(*b)).collect::<Option<_>>()
            });
        }
        let left = start.as_ref().and_then(|start| {
            let left =
                (0..resources).map(|at| problem.limits[at].min(reach(problem, at)).checked_sub(start[at]));
            left.collect::<Option<Vec<u64>>>()
        });
        if left.is_none() {
            start = None;
        }
        let left = left.unwrap_or(vec![0; resources]);
        let cells = left.iter().map(|&limit| limit as f64 + 1.0).product::<f64>();
        if cells > MOST_CELLS {
            return Err(OverMemory { needed: bytes_of(cells), allowed: machine.max_memory() }.into());
        }
        machine.allow(bytes_of(cells))?;
        // Rows along the largest axis.
        let row = (0..resources).rev().max_by_key(|&resource| left[resource]).unwrap_or(0);
        let axes: Vec<usize> = (0..resources).filter(|&at| at != row).chain([row]).collect();
        let mut chain = Self { ops: Vec::new(), axes, start, value: BigInt::ZERO };
        let mut open: Vec<u32> = Vec::new();
        for step in &schedule.steps {
            let states = 1 << open.len();
            open.extend(&step.opens);
            chain.take(problem, step.class, &open, states, &left);
            for element in &step.closes {
                let Some(position) = open.iter().position(|open| open == element) else { continue };
                chain.close(problem, *element, position, open.len(), &left);
                open.remove(position);
            }
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

    /// The items of a class.
    fn take(&mut self, problem: &Problem, class: usize, open: &[u32], states: usize, left: &[u64]) {
        let items = &problem.classes[class];
        let least = items.iter().map(|item| &item.value).min().cloned().unwrap_or_default();
        let mut moves: Vec<Vec<Move>> = vec![Vec::new(); 1 << open.len()];
        for (number, item) in (1..).zip(items) {
            let uses = bits_of(&item.uses, open) as usize;
            // The tier was chosen so that every value fits.
            let Some(value) = (&item.value - &least).to_i64() else { continue };
            for source in 0..states {
                let (state, new) = (source | uses, uses & !source);
                if excludes_itself(problem, open, state) {
                    continue;
                }
                let mut costs = item.cost.clone();
                for (_, &at) in open.iter().enumerate().filter(|(bit, _)| new >> bit & 1 == 1) {
                    let built = problem.elements[at as usize].built.iter();
                    costs.iter_mut().zip(built).for_each(|(cost, add)| *cost = cost.saturating_add(*add));
                }
                if let Some(costs) = self.along(&costs, left) {
                    moves[state].push(Move { source: source as u32, item: number, value, costs });
                }
            }
        }
        self.value += least;
        self.add(Some(class), moves, states, left);
    }

    fn close(&mut self, problem: &Problem, element: u32, position: usize, open: usize, left: &[u64]) {
        let unbuilt = self.along(&problem.elements[element as usize].unbuilt, left);
        let low = (1usize << position) - 1;
        let joined = (0..1usize << (open - 1)).map(|state| {
            let without = (state & low) | ((state & !low) << 1);
            let parts = [(without, unbuilt), (without | 1 << position, Some([0; MOST_AXES]))];
            let moves = parts.into_iter().filter_map(|(source, costs)| {
                Some(Move { source: source as u32, item: 0, value: 0, costs: costs? })
            });
            moves.collect()
        });
        let moves = joined.collect();
        self.add(None, moves, 1 << open, left);
    }

    fn add(&mut self, class: Option<usize>, moves: Vec<Vec<Move>>, states: usize, left: &[u64]) {
        let before = self.ops.last().map_or(vec![1; self.axes.len()], |op| op.after.clone());
        let most = |axis: usize| moves.iter().flatten().map(|by| by.costs[axis]).max().unwrap_or(0) as usize;
        let after = before
            .iter()
            .zip(&self.axes)
            .enumerate()
            .map(|(axis, (&cells, &resource))| (cells + most(axis)).min(left[resource] as usize + 1));
        let after = after.collect();
        self.ops.push(Op { class, moves, before, after, states });
    }

    /// Cells computed, once per move.
    pub fn updates(&self) -> u64 {
        let cells = |op: &Op| {
            let moves: usize = op.moves.iter().map(Vec::len).sum();
            moves as u64 * op.after.iter().product::<usize>() as u64
        };
        self.ops.iter().map(cells).sum()
    }

    /// Cells of the last table.
    pub fn last_cells(&self) -> usize {
        self.ops.last().map_or(1, |op| op.after.iter().product())
    }

    /// Keeps as many tables as the memory allows. Fails if even the fewest take too much.
    pub fn kept(&self, cell: u64, picks: bool, machine: &Machine) -> Result<Kept, EngineError> {
        let ops = self.ops.len().max(1);
        let before = |op: &Op| (op.states * op.before.iter().product::<usize>()) as f64;
        let after = |op: &Op| (op.moves.len() * op.after.iter().product::<usize>()) as f64;
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

/// Whether two used elements of a state are of one group.
fn excludes_itself(problem: &Problem, open: &[u32], state: usize) -> bool {
    let used = open.iter().enumerate().filter(|(bit, _)| state >> bit & 1 == 1);
    let mut groups: Vec<u32> = used.filter_map(|(_, &at)| problem.elements[at as usize].group).collect();
    groups.sort_unstable();
    groups.windows(2).any(|pair| pair[0] == pair[1])
}

fn bytes_of(bytes: f64) -> u64 {
    bytes.min(u64::MAX as f64) as u64
}
