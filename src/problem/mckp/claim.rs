//! What an answer to a multiple-choice knapsack problem claims: plain data, whoever computed it.

use crate::problem::value::Values;
use num_bigint::BigInt;
use std::fmt;
use std::sync::Arc;

/// Reads the configurations behind the points of a claim, one at a time: they are seldom all held at once.
pub trait Configurations: fmt::Debug + Send + Sync {
    /// Writes the item of every class (`None`: no item) of configuration `index` into `items`, one a class. A loop over
    /// many may hand in the same `scratch` each time.
    ///
    /// # Panics
    ///
    /// If there is no such configuration, or `items` is not one a class.
    fn write(&self, index: usize, items: &mut [Option<u32>], scratch: &mut Vec<usize>);
}

/// Every configuration written out.
impl Configurations for Vec<Vec<Option<u32>>> {
    fn write(&self, index: usize, items: &mut [Option<u32>], _: &mut Vec<usize>) {
        items.copy_from_slice(&self[index]);
    }
}

/// A front in the terms of the problem: for every capacity up to the problem's, the best value and the least weight
/// that brings it.
///
/// Points are numbered from 0; weights and values rise strictly. The last point is the best within the capacity.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Weight of each point.
    pub weights: Vec<u64>,
    /// Value of each point.
    pub values: Values,
    /// Number of classes.
    pub classes: usize,
    /// Whether the capacity cut no point off.
    pub complete: bool,
    configured: Option<Configured>,
}

/// The configurations of the last points.
#[derive(Clone, Debug)]
struct Configured {
    /// The first point that has one; it is configuration 0.
    from: usize,
    by: Arc<dyn Configurations>,
}

impl Claim {
    /// A claim without configurations.
    #[must_use]
    pub fn new(weights: Vec<u64>, values: Values, classes: usize, complete: bool) -> Self {
        Self { weights, values, classes, complete, configured: None }
    }

    /// With the configurations of all points from `from` on, the first of them configuration 0.
    #[must_use]
    pub fn with_configurations(self, from: usize, by: Arc<dyn Configurations>) -> Self {
        Self { configured: Some(Configured { from, by }), ..self }
    }

    /// Number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there is no point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Weight of point `point`.
    #[must_use]
    pub fn weight(&self, point: usize) -> Option<u64> {
        self.weights.get(point).copied()
    }

    /// Value of point `point`.
    #[must_use]
    pub fn value(&self, point: usize) -> Option<BigInt> {
        (point < self.values.len()).then(|| self.values.get(point))
    }

    /// The points whose configuration is known.
    #[must_use]
    pub fn configured(&self) -> std::ops::Range<usize> {
        self.configured.as_ref().map_or(self.len(), |configured| configured.from)..self.len()
    }

    /// The item of every class (`None`: no item) at point `point`, in the order of the file; `None` where it is not
    /// known.
    #[must_use]
    pub fn items(&self, point: usize) -> Option<Vec<Option<u32>>> {
        let mut items = vec![None; self.classes];
        self.write_items(point, &mut items, &mut Vec::new()).then_some(items)
    }

    /// As [`Claim::items`], into buffers that a loop over many points can use again; `false` where they are not known.
    ///
    /// # Panics
    ///
    /// If `items` is not one a class.
    pub fn write_items(&self, point: usize, items: &mut [Option<u32>], scratch: &mut Vec<usize>) -> bool {
        let Some(Configured { from, by }) = &self.configured else { return false };
        let known = (*from..self.len()).contains(&point);
        if known {
            by.write(point - from, items, scratch);
        }
        known
    }

    /// Number of points whose weight is at most `weight`.
    #[must_use]
    pub fn within(&self, weight: u64) -> usize {
        self.weights.partition_point(|&other| other <= weight)
    }
}
