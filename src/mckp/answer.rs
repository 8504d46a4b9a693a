//! The result of an engine: the front, and the items of its points.

pub use super::cell_picks::CellPicks;
use isx_machine::cpu::lanes::{Isa, Kernel, Simd};
use isx_problems::reduce::mckp::Reduced;
pub use isx_problems::value::{Value, Values};
use std::ops::Range;
use std::time::Duration;

/// The front of a reduced problem: weights and values strictly rising, complete up to the capacity. The first point
/// is (0, 0).
#[derive(Clone, Debug)]
pub struct Answer {
    /// Weights of the points, in the reduced problem's units.
    pub weights: Vec<u64>,
    /// Values of the points, in the reduced problem's units.
    pub values: Values,
    /// The items of the points, if requested.
    pub picks: Option<Picks>,
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

/// Item indices of one class, as narrow as the class allows.
#[derive(Clone, Debug)]
pub enum ItemIndices {
    /// Classes of up to 256 items.
    U8(Vec<u8>),
    /// Classes of up to 65,536 items.
    U16(Vec<u16>),
    /// Larger classes.
    U32(Vec<u32>),
}

impl ItemIndices {
    /// `len` zeros, wide enough for the indices of a class of `items` items.
    pub fn zeros(len: usize, items: usize) -> Self {
        match items {
            0..=0x100 => Self::U8(vec![0; len]),
            0x101..=0x1_0000 => Self::U16(vec![0; len]),
            _ => Self::U32(vec![0; len]),
        }
    }

    /// These indices of a class of `items` items.
    pub fn of(indices: impl ExactSizeIterator<Item = usize>, items: usize) -> Self {
        let mut all = Self::zeros(indices.len(), items);
        indices.enumerate().for_each(|(at, index)| all.set(at, index));
        all
    }

    /// The index at `at`. Panics if `at` is out of range.
    pub fn get(&self, at: usize) -> usize {
        match self {
            Self::U8(indices) => indices[at].into(),
            Self::U16(indices) => indices[at].into(),
            Self::U32(indices) => indices[at] as usize,
        }
    }

    /// Sets the index at `at`. Panics if `at` is out of range or `item` is wider than [`ItemIndices::zeros`] allowed
    /// for.
    pub fn set(&mut self, at: usize, item: usize) {
        // The width was chosen from the class size, so no index is truncated.
        #[allow(clippy::cast_possible_truncation)]
        match self {
            Self::U8(indices) => indices[at] = item as u8,
            Self::U16(indices) => indices[at] = item as u16,
            Self::U32(indices) => indices[at] = item as u32,
        }
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
    /// Passes the items of each class at `points` of the requested points to `take`, last class first: the number of
    /// the class, and for every point an index into the class's items in the reduced problem.
    ///
    /// The tracebacks of all points pass through a layer together: their states are close to each other in memory,
    /// and no load waits for another traceback. Panics if a point does not exist.
    pub fn each_class(&self, points: Range<usize>, mut take: impl FnMut(usize, &[u32])) {
        let mut states = self.start[points].to_vec();
        let mut items = vec![0; states.len()];
        let isa = Isa::best();
        for (class, layer) in self.layers.iter().enumerate().rev() {
            isa.run(Step { layer, states: &mut states, items: &mut items });
            take(class, &items);
        }
    }

    /// The item of each class at point `point` of the requested points, as indices into the reduced classes' items.
    /// Panics if the point does not exist.
    pub fn items(&self, point: usize) -> Vec<usize> {
        let mut row = vec![0; self.layers.len()];
        self.each_class(point..point + 1, |class, items| row[class] = items[0] as usize);
        row
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
