//! The claim of an answer to a multiple-choice knapsack problem: plain data, independent of the engine.

use crate::value::Values;
use isx_parallel as parallel;
use num_bigint::BigInt;
use std::convert::Infallible;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The number that means "no item" where items are stored as numbers.
pub const NO_ITEM: u32 = u32::MAX;

/// Reads the configurations of the points of a claim, some at a time, since they are rarely all in memory at once.
/// Neighboring points are read faster together, because their source data are close in memory.
pub trait Configurations: fmt::Debug + Send + Sync {
    /// Writes the items of these configurations into `columns`, class by class: first those of the first class, one
    /// per configuration, then those of the second, and so on; [`NO_ITEM`] means none. Panics if a configuration does
    /// not exist, if there are none, or if `columns` does not have one entry per class and configuration.
    fn write(&self, configurations: Range<usize>, columns: &mut [u32]);
}

/// All configurations, stored explicitly.
impl Configurations for Vec<Vec<Option<u32>>> {
    fn write(&self, configurations: Range<usize>, columns: &mut [u32]) {
        let count = configurations.len();
        for (row, items) in self[configurations].iter().enumerate() {
            assert_eq!(items.len() * count, columns.len(), "one item per class and configuration");
            for (column, item) in columns.chunks_exact_mut(count).zip(items) {
                column[row] = item.unwrap_or(NO_ITEM);
            }
        }
    }
}

/// Configurations without `count` of them, from number `at` on.
#[derive(Debug)]
pub struct Without {
    /// All of them.
    pub all: Arc<dyn Configurations>,
    /// The first that is left out.
    pub at: usize,
    /// How many are left out.
    pub count: usize,
}

impl Configurations for Without {
    fn write(&self, configurations: Range<usize>, columns: &mut [u32]) {
        let (Range { start, end }, Self { all, at, count }) = (configurations, self);
        if start >= *at || end <= *at {
            let more = if start >= *at { *count } else { 0 };
            return all.write(start + more..end + more, columns);
        }
        // Two runs, which the columns have one after the other.
        let classes = columns.len() / (end - start);
        let mut from = 0;
        for run in [start..*at, *at + count..end + count] {
            let length = run.len();
            let mut part = vec![0; length * classes];
            all.write(run, &mut part);
            for (column, part) in columns.chunks_exact_mut(end - start).zip(part.chunks_exact(length)) {
                column[from..from + length].copy_from_slice(part);
            }
            from += length;
        }
    }
}

/// The maximum number of items read together, four megabytes: the more points traverse a class together, the less
/// often its data are loaded into a processor's cache.
const TOGETHER: usize = 1 << 20;
/// Number of runs of points per thread, so that no thread waits long for the last.
const RUNS_A_THREAD: usize = 4;
/// Minimum length of such a run.
const SHORTEST_RUN: usize = 512;

/// A front in terms of the problem: for every capacity up to the problem's, the maximum value and the minimum weight
/// that reaches it.
///
/// Points are numbered from 0; weights and values increase strictly. The last point is the best within the capacity.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Weight of each point; with several resources, its cost in the first.
    pub weights: Vec<u64>,
    /// With several resources, the cost of each point in the second and further ones, a column per resource. The points
    /// are then in lexicographic order of their costs, and weights and values do not both increase.
    pub further: Vec<Vec<u64>>,
    /// Value of each point.
    pub values: Values,
    /// Number of classes.
    pub classes: usize,
    /// Whether the capacity cut off no point.
    pub complete: bool,
    configured: Option<Configured>,
}

/// Rewrites columns, given the number of configurations.
type Change = dyn Fn(usize, &mut [u32]) + Send + Sync;

/// The configurations of a claim, rewritten as they are read.
struct Changed {
    inner: Claim,
    change: Box<Change>,
}

impl fmt::Debug for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Changed").field(&self.inner).finish()
    }
}

impl Configurations for Changed {
    fn write(&self, configurations: Range<usize>, columns: &mut [u32]) {
        let from = self.inner.configured().start;
        self.inner.write_columns(from + configurations.start..from + configurations.end, columns);
        (self.change)(configurations.len(), columns);
    }
}

/// The configurations of the last points.
#[derive(Clone, Debug)]
struct Configured {
    /// The first point with a configuration; it is configuration 0.
    from: usize,
    by: Arc<dyn Configurations>,
}

impl Claim {
    /// A claim without configurations.
    pub fn new(weights: Vec<u64>, values: Values, classes: usize, complete: bool) -> Self {
        Self { weights, further: Vec::new(), values, classes, complete, configured: None }
    }

    /// Adds the costs of every point in further resources, a column per resource.
    #[must_use]
    pub fn with_further(self, further: Vec<Vec<u64>>) -> Self {
        Self { further, ..self }
    }

    /// The cost of a point in every resource.
    pub fn costs(&self, point: usize) -> Option<Vec<u64>> {
        let columns = std::iter::once(&self.weights).chain(&self.further);
        columns.map(|column| column.get(point).copied()).collect()
    }

    /// Adds the configurations of all points from `from` on, the first of them being configuration 0.
    #[must_use]
    pub fn with_configurations(self, from: usize, by: Arc<dyn Configurations>) -> Self {
        Self { configured: Some(Configured { from, by }), ..self }
    }

    /// The same points with these weights and values; where the items are known, `change` rewrites them, given the
    /// number of configurations and their columns.
    #[must_use]
    pub fn changed(
        self,
        weights: Vec<u64>,
        values: Values,
        change: impl Fn(usize, &mut [u32]) + Send + Sync + 'static,
    ) -> Self {
        let known = self.configured();
        let outer =
            Self::new(weights, values, self.classes, self.complete).with_further(self.further.clone());
        if known.is_empty() {
            return outer;
        }
        outer.with_configurations(known.start, Arc::new(Changed { inner: self, change: Box::new(change) }))
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Weight of point `point`.
    pub fn weight(&self, point: usize) -> Option<u64> {
        self.weights.get(point).copied()
    }

    /// Value of point `point`.
    pub fn value(&self, point: usize) -> Option<BigInt> {
        (point < self.values.len()).then(|| self.values.get(point))
    }

    /// The points whose configuration is known.
    pub fn configured(&self) -> std::ops::Range<usize> {
        self.configured.as_ref().map_or(self.len(), |configured| configured.from)..self.len()
    }

    /// The item of every class (`None`: no item) at point `point`, in file order; `None` if unknown.
    pub fn items(&self, point: usize) -> Option<Vec<Option<u32>>> {
        let mut found = None;
        let Ok(()) = self.each_items(point..point + 1, |_, items| {
            found = Some(items.to_vec());
            Ok::<(), Infallible>(())
        });
        found
    }

    /// The items at `points`, class by class: first those of the first class, one per point, then those of the
    /// second, and so on; [`NO_ITEM`] means none. Returns `false`, and writes nothing, if they are not all known.
    /// Panics if `columns` does not have one entry per class and point.
    pub fn write_columns(&self, points: Range<usize>, columns: &mut [u32]) -> bool {
        assert_eq!(columns.len(), points.len() * self.classes, "one item per class and point");
        let Some(Configured { from, by }) = &self.configured else { return false };
        let known = *from <= points.start && points.end <= self.len();
        if known && !columns.is_empty() {
            by.write(points.start - from..points.end - from, columns);
        }
        known
    }

    /// The number of points to read together for best speed, at least 1.
    fn together(&self) -> usize {
        (TOGETHER / self.classes.max(1)).max(1)
    }

    /// Passes those of `points` whose items are known to `take` with their items, one per class as in [`Claim::items`].
    /// Fails with the first error of `take`, which ends the iteration.
    pub fn each_items<E>(
        &self,
        points: Range<usize>,
        mut take: impl FnMut(usize, &[Option<u32>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut failed = None;
        self.each_until(points, &mut |point, items| {
            failed = take(point, items).err();
            failed.is_none()
        });
        failed.map_or(Ok(()), Err)
    }

    /// As [`Claim::each_items`], until `take` returns false.
    fn each_until(&self, points: Range<usize>, take: &mut dyn FnMut(usize, &[Option<u32>]) -> bool) {
        let known = self.configured();
        let points = points.start.max(known.start)..points.end.min(known.end);
        let together = self.together();
        let mut columns = vec![NO_ITEM; together.min(points.len()) * self.classes];
        let mut items = vec![None; self.classes];
        for start in points.clone().step_by(together) {
            let run = start..points.end.min(start + together);
            let count = run.len();
            let columns = &mut columns[..count * self.classes];
            self.write_columns(run.clone(), columns);
            for (row, point) in run.enumerate() {
                for (class, item) in items.iter_mut().enumerate() {
                    let chosen = columns[class * count + row];
                    *item = (chosen != NO_ITEM).then_some(chosen);
                }
                if !take(point, &items) {
                    return;
                }
            }
        }
    }

    /// As [`Claim::each_items`] for all points whose items are known, in the current thread pool; the order of runs is
    /// unspecified. Fails with an error of `take`, which ends the iteration.
    pub fn each_items_shared<E: Send>(
        &self,
        take: impl Fn(usize, &[Option<u32>]) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let known = self.configured();
        // Long runs are read faster; short fronts are still distributed.
        let shared = known.len().div_ceil(RUNS_A_THREAD * parallel::threads());
        let run = shared.max(SHORTEST_RUN).min(self.together());
        parallel::try_each(known.len().div_ceil(run), 1, |at| {
            let from = known.start + at * run;
            self.each_items(from..known.end.min(from + run), &take)
        })
    }

    /// Number of points whose weight is at most `weight`.
    pub fn within(&self, weight: u64) -> usize {
        self.weights.partition_point(|&other| other <= weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three points of two classes, the items of the last two known.
    fn claim() -> Claim {
        let items = vec![vec![Some(1), None], vec![Some(2), Some(3)]];
        let values = Values::I32(vec![4, 5, 6]);
        Claim::new(vec![0, 1, 2], values, 2, true).with_configurations(1, Arc::new(items))
    }

    #[test]
    fn columns_hold_what_the_points_have_and_only_what_is_known() {
        let claim = claim();
        let mut columns = [7; 4];
        assert!(!claim.write_columns(0..2, &mut columns) && !claim.write_columns(2..4, &mut columns));
        assert_eq!(columns, [7; 4]);
        assert!(claim.write_columns(1..3, &mut columns));
        assert_eq!(columns, [1, 2, NO_ITEM, 3]);
        assert!(claim.write_columns(2..2, &mut []));
        assert_eq!((claim.items(0), claim.items(3)), (None, None));
    }

    #[test]
    fn points_come_in_order_until_one_fails() {
        let mut passed = Vec::new();
        let mut take = |last| {
            claim().each_items(0..9, |point, items| {
                passed.push((point, items.to_vec()));
                if point == last { Err(point) } else { Ok(()) }
            })
        };
        assert_eq!((take(7), take(1)), (Ok(()), Err(1)));
        let first = (1, vec![Some(1), None]);
        assert_eq!(passed, [first.clone(), (2, vec![Some(2), Some(3)]), first]);
    }
}
