//! The claim of an answer to a 0-1 knapsack problem: plain data, independent of the engine.

use crate::value::Values;
use num_bigint::BigInt;
use std::fmt;
use std::sync::Arc;

/// Reads the chosen items of the points of a claim, one point at a time, since they are rarely all in memory at once.
pub trait Selections: fmt::Debug + Send + Sync {
    /// Writes the indices of the chosen items of selection `index` into `chosen`, in ascending order, replacing its
    /// content. Panics if the selection does not exist.
    fn write(&self, index: usize, chosen: &mut Vec<u32>);
}

/// All selections, stored explicitly.
impl Selections for Vec<Vec<u32>> {
    fn write(&self, index: usize, chosen: &mut Vec<u32>) {
        chosen.clone_from(&self[index]);
    }
}

/// The best selection for one capacity, or the front: for every capacity up to the problem's the maximum profit and
/// the minimum weight that reaches it.
///
/// Points are numbered from 0; weights and profits increase strictly. The last point is the best within the capacity.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Weight of each point.
    pub weights: Vec<u64>,
    /// Profit of each point.
    pub profits: Values,
    chosen: Option<Chosen>,
}

/// The chosen items of the last points.
#[derive(Clone, Debug)]
struct Chosen {
    /// The first point with items; it is selection 0.
    from: usize,
    by: Arc<dyn Selections>,
}

impl Claim {
    /// A claim without items.
    pub fn new(weights: Vec<u64>, profits: Values) -> Self {
        Self { weights, profits, chosen: None }
    }

    /// Adds the items of all points from `from` on, the first of them being selection 0.
    #[must_use]
    pub fn with_selections(self, from: usize, by: Arc<dyn Selections>) -> Self {
        Self { chosen: Some(Chosen { from, by }), ..self }
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

    /// Profit of point `point`.
    pub fn profit(&self, point: usize) -> Option<BigInt> {
        (point < self.profits.len()).then(|| self.profits.get(point))
    }

    /// The points whose items are known.
    pub fn chosen(&self) -> std::ops::Range<usize> {
        self.chosen.as_ref().map_or(self.len(), |chosen| chosen.from)..self.len()
    }

    /// The chosen items of point `point`, as ascending 0-based indices in file order; `None` if they are not known.
    pub fn items(&self, point: usize) -> Option<Vec<u32>> {
        let mut items = Vec::new();
        self.write_items(point, &mut items).then_some(items)
    }

    /// As [`Claim::items`], into a buffer that can be reused in a loop; returns `false`, and writes nothing, if they
    /// are not known.
    pub fn write_items(&self, point: usize, items: &mut Vec<u32>) -> bool {
        let Some(Chosen { from, by }) = &self.chosen else { return false };
        let known = (*from..self.len()).contains(&point);
        if known {
            by.write(point - from, items);
        }
        known
    }
}
