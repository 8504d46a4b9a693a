//! The traceback from the points to their canonical selections, from the last class of the file to the first.

use super::moves::{Chain, MOST_AXES, Op};
use super::points::Point;
use super::table::Table;
use isx_engine::{Context, EngineError};
use isx_machine::cpu::Team;
use isx_machine::cpu::lanes::Lane;
use isx_machine::rates;
use isx_problems::mckp::NO_ITEM;
use isx_problems::resources::Problem;

/// Points that a thread follows at a time.
pub(super) const TOGETHER: usize = 1024;

/// How far a point has been followed.
#[derive(Clone)]
struct Path {
    at: [u32; MOST_AXES],
    value: i64,
    /// The items taken, from the last class back.
    items: Vec<u32>,
}

/// The paths of all points.
pub(super) struct Trace<'a> {
    chain: &'a Chain,
    context: &'a Context<'a>,
    paths: Vec<Path>,
}

impl<'a> Trace<'a> {
    pub fn new(chain: &'a Chain, points: &[Point], context: &'a Context<'a>) -> Self {
        let items = || Vec::with_capacity(chain.ops.len());
        let path = |point: &Point| Path { at: point.at, value: point.value, items: items() };
        Self { chain, context, paths: points.iter().map(path).collect() }
    }

    /// Follows all points back through the operations from `first` on, given the tables before each.
    pub fn back<N: Lane>(&mut self, first: usize, tables: &[Table<N>]) -> Result<(), EngineError> {
        let runs = self.paths.len().div_ceil(TOGETHER);
        let ops = &self.chain.ops[first..];
        let follow = |run: usize| {
            self.context.go_on()?;
            let from = run * TOGETHER;
            let to = (from + TOGETHER).min(self.paths.len());
            let mut paths = self.paths[from..to].to_vec();
            for (op, table) in ops.iter().zip(tables).rev() {
                paths.iter_mut().for_each(|path| path.step(op, table));
            }
            Ok(paths)
        };
        let team = Team::of(self.context.machine.workers());
        let part = ops.len() as f64 / self.chain.ops.len() as f64;
        let seconds = self.paths.len() as f64 * rates::RESOURCES_POINT * part;
        let followed = team.map(runs, seconds, follow);
        self.paths = followed.into_iter().collect::<Result<Vec<_>, EngineError>>()?.concat();
        Ok(())
    }

    /// The items of every point, as the answer calls them.
    pub fn finish(self, problem: &Problem) -> Vec<Vec<Option<u32>>> {
        let named = |path: Path| {
            let items = problem.classes.iter().zip(path.items.iter().rev());
            let number = items.map(|(items, &at)| items[at as usize].number);
            number.map(|number| (number != NO_ITEM).then_some(number)).collect()
        };
        self.paths.into_iter().map(named).collect()
    }
}

impl Path {
    /// Before an operation: the first item that explains the value.
    fn step<N: Lane>(&mut self, op: &Op, table: &Table<N>) {
        for by in &op.moves {
            let mut before = [0; MOST_AXES];
            let places = before.iter_mut().zip(&self.at).zip(&by.costs).zip(&table.spans);
            let mut fits = true;
            for (((before, at), cost), &span) in places {
                *before = at.wrapping_sub(*cost);
                // Every selection that explains a point costs exactly as much as it.
                fits &= at >= cost && (*before as usize) < span;
            }
            // Every value comes from some move.
            if fits && table.cells[table.place(&before)].wide() == self.value - by.value {
                self.at = before;
                self.value -= by.value;
                self.items.push(by.item);
                return;
            }
        }
    }
}
