//! The canonical selection of every point.
//!
//! With the elements fixed, a selection of the point's weight or less whose loads are at most the point's is one of the
//! point. So the classes are settled from the last to the first, each with the first item after which such a selection of
//! the remaining classes exists: some sum of the shared ones leaves every mode enough.

use super::best::{Best, Reached};
use super::compiled::Compiled;
use super::memory::Run;
use super::steps::{Front, least_within, plus};
use super::vectors::{Allowed, ModeFronts, Sums, Vector};
use isx_engine::EngineError;
use isx_parallel as parallel;
use isx_problems::value::Value;

/// Sets of elements whose tables are held at a time.
const TOGETHER: usize = 64;

type Selection = Vec<Option<u32>>;

/// The canonical selection of every point of the front.
pub fn selections<V: Value>(
    compiled: &Compiled<V>,
    best: &Best<V>,
    run: &Run,
) -> Result<Vec<Selection>, EngineError> {
    let mut masks: Vec<u64> = best.points.iter().flat_map(|point| &point.masks).copied().collect();
    masks.sort_unstable();
    masks.dedup();
    let mut found: Vec<Option<Selection>> = vec![None; best.points.len()];
    for masks in masks.chunks(TOGETHER) {
        run.context.go_on()?;
        let tables = parallel::map(masks.len(), 1, |at| Tables::new(compiled, masks[at], best, run));
        let tables = tables.into_iter().collect::<Result<Vec<_>, _>>()?;
        let walked = parallel::map(best.points.len(), 1, |at| -> Result<Option<Selection>, EngineError> {
            run.context.go_on()?;
            let point = &best.points[at];
            let own = tables.iter().filter(|tables| point.masks.contains(&tables.mask));
            let walked = own.map(|tables| tables.walk(point)).collect::<Result<Vec<_>, _>>()?;
            Ok(walked.into_iter().min_by(|a, b| a.iter().rev().cmp(b.iter().rev())))
        });
        for (found, walked) in found.iter_mut().zip(walked) {
            let all = found.take().into_iter().chain(walked?);
            *found = all.min_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
        }
    }
    found.into_iter().map(|found| found.ok_or_else(lost)).collect()
}

/// The error for a point without a selection, which cannot happen: every point of the front has one.
fn lost() -> EngineError {
    EngineError::Failed("a point has no selection".to_owned())
}

/// The fronts of the first classes of every kind, with the elements of a set.
struct Tables<'a, V> {
    compiled: &'a Compiled<V>,
    mask: u64,
    paid: u64,
    /// For every mode the fronts of none of its private classes, the first, the first two, and so on.
    private: Vec<Vec<Front<V>>>,
    /// The sums of the shared classes.
    shared: Sums<V>,
}

impl<'a, V: Value> Tables<'a, V> {
    fn new(compiled: &'a Compiled<V>, mask: u64, best: &Best<V>, run: &Run) -> Result<Self, EngineError> {
        let of_mode = |mode: usize| {
            let mut fronts = vec![Front::start(run)];
            for class in compiled.classes.iter().filter(|class| class.private() == Some(mode)) {
                let pairs = compiled.pairs(class, mask, mode, false);
                fronts.push(plus(&fronts[fronts.len() - 1], &pairs, compiled.capacity, run, &mut 0)?);
            }
            Ok(fronts)
        };
        let mode_fronts = (0..compiled.modes).map(|mode| ModeFronts::new(compiled, mask, mode, run, &mut 0));
        let fronts = mode_fronts.collect::<Result<Vec<_>, EngineError>>()?;
        let paid = compiled.weight(mask);
        let allowed = Allowed { compiled, mask, paid, fronts: &fronts };
        let shared = allowed.sums(best, false, run, &mut 0)?;
        let private = (0..compiled.modes).map(of_mode).collect::<Result<_, EngineError>>()?;
        Ok(Self { compiled, mask, paid, private, shared })
    }

    fn walk(&self, point: &Reached<V>) -> Result<Selection, EngineError> {
        let mut left = point.weight.checked_sub(self.paid).ok_or_else(lost)?;
        let mut loads = vec![point.load.clone(); self.compiled.modes];
        let mut privates: Vec<usize> = self.private.iter().map(|fronts| fronts.len() - 1).collect();
        let mut shareds = self.shared.layers.len() - 1;
        let mut selection = Vec::with_capacity(self.compiled.classes.len());
        for class in self.compiled.classes.iter().rev() {
            match class.private() {
                Some(mode) => privates[mode] -= 1,
                None => shareds -= 1,
            }
            let allowed = class.items.iter().filter(|item| item.uses & !self.mask == 0);
            let fitting = allowed.filter_map(|item| {
                let rest: Vec<V> = loads.iter().zip(&item.loads).map(|(a, b)| a.minus(b)).collect();
                let weight = left.checked_sub(item.weight)?;
                self.is_enough(weight, &rest, &privates, shareds).then_some((item.number, weight, rest))
            });
            let (number, weight, rest) = { fitting }.next().ok_or_else(lost)?;
            (left, loads) = (weight, rest);
            selection.push(number);
        }
        selection.reverse();
        Ok(selection)
    }

    /// Whether the first classes have a selection of at most this weight and these loads.
    fn is_enough(&self, left: u64, loads: &[V], privates: &[usize], shareds: usize) -> bool {
        let fits = |sum: &Vector<V>| {
            let modes = self.private.iter().zip(privates).zip(loads.iter().zip(&sum.loads));
            let least = modes.map(|((fronts, &count), (load, used))| {
                least_within(&fronts[count].steps, &load.minus(used))
            });
            least.sum::<Option<u64>>().is_some_and(|least| least + sum.weight <= left)
        };
        self.shared.layers[shareds].iter().take_while(|sum| sum.weight <= left).any(fits)
    }
}
