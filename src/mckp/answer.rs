//! The result of an engine: the front, and the items of its points.

pub use super::cell_picks::CellPicks;
use isx_engine::ItemIndices;
use isx_machine::cpu::lanes::{Isa, Kernel, Simd};
use isx_problems::mckp::Configurations;
use isx_problems::reduce::mckp::Reduced;
pub use isx_problems::value::{Value, Values};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// The front of a reduced problem: weights and values strictly rising, complete up to the capacity. The first point
/// is (0, 0).
#[derive(Clone, Debug)]
pub struct Answer {
    /// Weights of the points, in the reduced problem's units.
    pub weights: Vec<u64>,
    /// Values of the points, in the reduced problem's units.
    pub values: Values,
    /// The first point whose items are known, if they are requested, and the items of it and of all after it: as indices
    /// into the classes of the reduced problem.
    pub picks: Option<(usize, Arc<dyn Configurations>)>,
    /// What the engine used, for example `AVX-512, 2 threads`.
    pub how: String,
    /// Threads of the CPU that took part, at least 1.
    pub threads: usize,
    /// Candidates computed: the sum over classes of items times cells (or list entries).
    pub updates: u64,
    /// Time of the forward pass.
    pub solve: Duration,
    /// Time of finding the items.
    pub traceback: Duration,
}

impl Answer {
    /// The item of each of the problem's `classes` classes at a point; `None` if they are not known.
    pub fn items(&self, point: usize, classes: usize) -> Option<Vec<usize>> {
        let (from, all) = self.picks.as_ref()?;
        let at = point.checked_sub(*from).filter(|_| point < self.weights.len())?;
        let mut items = vec![0; classes];
        all.write(at..at + 1, &mut items);
        Some(items.into_iter().map(|item| item as usize).collect())
    }
}

/// The choices of one class at every state that the traceback of some point visits.
#[derive(Clone, Debug)]
pub enum LayerPicks {
    /// One entry per cell: the state is the remaining capacity, and taking an item lowers it by the item's weight.
    Cells {
        /// Item taken at each cell; unspecified at cells that no traceback visits.
        item: ItemIndices,
        /// Weights of the class's items.
        weights: Vec<u64>,
    },
    /// One entry per list state: the state is an index.
    States {
        /// Item taken at each state.
        item: ItemIndices,
        /// The predecessor state, in the previous layer.
        parent: Vec<u32>,
    },
    /// As `Cells`, but with entries only at the cells that some traceback visits.
    Marked(CellPicks),
}

/// The items of points of a front, stored as the tracebacks of all points through the layers, which share entries
/// where they meet: at most one entry per class and state, not one per class and point.
#[derive(Clone, Debug)]
pub struct Picks {
    /// State of each point in the last layer: a cell, or an index.
    pub start: Vec<u64>,
    /// One layer per class, first class first.
    pub layers: Vec<LayerPicks>,
}

impl Picks {
    /// These as the items of the last points of a front of `points` points.
    pub fn of_last(self, points: usize) -> (usize, Arc<dyn Configurations>) {
        (points - self.start.len(), Arc::new(self))
    }
}

/// The tracebacks of all points pass through a layer together: their states are close to each other in memory, and no load
/// waits for another traceback.
impl Configurations for Picks {
    fn write(&self, configurations: Range<usize>, columns: &mut [u32]) {
        let mut states = self.start[configurations].to_vec();
        let isa = Isa::best();
        for (layer, items) in self.layers.iter().zip(columns.chunks_exact_mut(states.len())).rev() {
            isa.run(Step { layer, states: &mut states, items });
        }
    }
}

/// Follows tracebacks from states of a layer to their predecessors in the previous layer; `items` are the items
/// taken. It needs no vector lanes: what helps is an instruction that counts bits.
struct Step<'a> {
    layer: &'a LayerPicks,
    states: &'a mut [u64],
    items: &'a mut [u32],
}

impl Kernel for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let steps = self.states.iter_mut().zip(self.items);
        match self.layer {
            LayerPicks::Cells { item, weights } => match item {
                ItemIndices::U8(indices) => through_cells(indices, weights, steps),
                ItemIndices::U16(indices) => through_cells(indices, weights, steps),
                ItemIndices::U32(indices) => through_cells(indices, weights, steps),
            },
            LayerPicks::States { item, parent } => match item {
                ItemIndices::U8(indices) => through_states(indices, parent, steps),
                ItemIndices::U16(indices) => through_states(indices, parent, steps),
                ItemIndices::U32(indices) => through_states(indices, parent, steps),
            },
            LayerPicks::Marked(picks) => {
                for (state, item) in steps {
                    let found = picks.item(*state as usize);
                    *item = found as u32;
                    *state -= picks.weight(found);
                }
            }
        }
    }
}

#[inline(always)]
fn through_cells<'a, I: Copy + Into<u32>>(
    indices: &[I],
    weights: &[u64],
    steps: impl Iterator<Item = (&'a mut u64, &'a mut u32)>,
) {
    for (state, item) in steps {
        *item = indices[*state as usize].into();
        *state -= weights[*item as usize];
    }
}

#[inline(always)]
fn through_states<'a, I: Copy + Into<u32>>(
    indices: &[I],
    parents: &[u32],
    steps: impl Iterator<Item = (&'a mut u64, &'a mut u32)>,
) {
    for (state, item) in steps {
        *item = indices[*state as usize].into();
        *state = parents[*state as usize].into();
    }
}

/// The weights of a class's items, in the format of [`LayerPicks::Cells`].
pub fn item_weights<V: Value>(problem: &Reduced<V>, class: usize) -> Vec<u64> {
    problem.classes[class].items.iter().map(|item| item.weight).collect()
}
