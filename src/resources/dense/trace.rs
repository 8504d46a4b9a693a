//! The traceback from the points to their canonical selections, from the last class of the file to the first.

use super::moves::{Chain, MOST_AXES, Op};
use super::points::Point;
use super::table::Tables;
use isx_engine::{Context, EngineError};
use isx_machine::cpu::Team;
use isx_machine::cpu::lanes::Lane;
use isx_machine::rates;
use isx_set_union::Fields;

/// Points that a thread follows at a time.
pub(super) const TOGETHER: usize = 1024;

/// A state and a place from which the rest of the value can be reached.
type Node = (u32, [u32; MOST_AXES]);

/// How far a point has been followed.
#[derive(Clone)]
struct Path {
    nodes: Vec<Node>,
    value: i64,
    words: Vec<u64>,
}

/// The paths of all points.
pub(super) struct Trace<'a> {
    chain: &'a Chain,
    fields: &'a Fields,
    context: &'a Context<'a>,
    paths: Vec<Path>,
}

impl<'a> Trace<'a> {
    pub fn new(chain: &'a Chain, points: &[Point], fields: &'a Fields, context: &'a Context<'a>) -> Self {
        let words = vec![0; fields.words];
        let path =
            |point: &Point| Path { nodes: vec![(0, point.at)], value: point.value, words: words.clone() };
        Self { chain, fields, context, paths: points.iter().map(path).collect() }
    }

    /// Follows all points back through the operations from `first` on, given the tables before each.
    pub fn back<N: Lane>(&mut self, first: usize, tables: &[Tables<N>]) -> Result<(), EngineError> {
        let runs = self.paths.len().div_ceil(TOGETHER);
        let ops = &self.chain.ops[first..];
        let follow = |run: usize| {
            self.context.go_on()?;
            let from = run * TOGETHER;
            let to = (from + TOGETHER).min(self.paths.len());
            let mut paths = self.paths[from..to].to_vec();
            for (op, tables) in ops.iter().zip(tables).rev() {
                paths.iter_mut().for_each(|path| self.step(path, op, tables));
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

    /// The packed items of every point.
    pub fn finish(self) -> Vec<u64> {
        self.paths.into_iter().flat_map(|path| path.words).collect()
    }

    /// Before an operation: with the first item that explains the value from some node.
    fn step<N: Lane>(&self, path: &mut Path, op: &Op, tables: &Tables<N>) {
        let mut best: Option<(u32, i64)> = None;
        let mut from: Vec<Node> = Vec::new();
        for (state, at) in &path.nodes {
            for by in &op.moves[*state as usize] {
                if best.is_some_and(|(item, _)| by.item > item) {
                    break;
                }
                let cells = tables.of_state(by.source as usize);
                let mut before = [0; MOST_AXES];
                let places = before.iter_mut().zip(at).zip(&by.costs).zip(&tables.spans);
                let mut fits = !cells.is_empty();
                for (((before, at), cost), &span) in places {
                    *before = at.wrapping_sub(*cost);
                    // Every selection that explains a point costs exactly as much as it.
                    fits &= at >= cost && (*before as usize) < span;
                }
                if !fits || cells[tables.place(&before)].wide() != path.value - by.value {
                    continue;
                }
                if best.is_some_and(|(item, _)| by.item < item) {
                    from.clear();
                }
                best = Some((by.item, by.value));
                from.push((by.source, before));
            }
        }
        from.sort_unstable();
        from.dedup();
        path.nodes = from;
        // Every value comes from some move.
        let Some((item, value)) = best else { return };
        path.value -= value;
        if let Some(class) = op.class {
            let (word, bits) = self.fields.place(class, item as usize, self.fields.words);
            path.words[word] |= bits;
        }
    }
}
