//! Temporary buffers of the tasks that compute and trace strips, in every width of lanes.

use isx_machine::cpu::lanes::Lane;

/// An item in the dense engine's format: its weight counts cells, its value is a machine integer.
#[derive(Clone, Copy, Debug)]
pub struct CellItem {
    /// Weight, in cells.
    pub weight: usize,
    /// Value.
    pub value: i64,
}

/// An item in a tile's format: how far back it reads and what it adds.
#[derive(Clone, Copy, Debug)]
pub struct Step<N> {
    /// Weight.
    pub back: usize,
    /// Value.
    pub gain: N,
}

impl<N: Lane> Step<N> {
    /// The step of an item. A loss that the lane cannot represent becomes its lowest value, and explains nothing
    /// either way: the zero item, which reads a cell that is no lower, is better by more than the range.
    #[inline(always)]
    pub fn of(item: &CellItem) -> Self {
        Self { back: item.weight, gain: N::of(item.value.max(N::LOWEST.wide())) }
    }
}

/// Temporary buffers of one kind of lane.
#[derive(Default)]
pub struct Buffers<N> {
    /// Cells that the strip reads, if they are stored as differences.
    pub window: Vec<N>,
    /// The bound of every cell.
    pub bound: Vec<N>,
    /// The new cells, if they are stored as differences.
    pub result: Vec<N>,
    /// Items in the order they are tried.
    pub steps: Vec<Step<N>>,
}

/// Temporary buffers of a task.
#[derive(Default)]
pub struct Scratch {
    short: Buffers<i16>,
    middle: Buffers<i32>,
    wide: Buffers<i64>,
    /// The shortfall of each item, and its index.
    pub costs: Vec<(i64, u32)>,
}

/// A lane type with its own temporary buffers.
pub trait LaneScratch: Lane {
    /// Takes the buffers out, to be put back.
    fn buffers(scratch: &mut Scratch) -> &mut Buffers<Self>;
}
impl LaneScratch for i16 {
    fn buffers(scratch: &mut Scratch) -> &mut Buffers<Self> {
        &mut scratch.short
    }
}
impl LaneScratch for i32 {
    fn buffers(scratch: &mut Scratch) -> &mut Buffers<Self> {
        &mut scratch.middle
    }
}
impl LaneScratch for i64 {
    fn buffers(scratch: &mut Scratch) -> &mut Buffers<Self> {
        &mut scratch.wide
    }
}
