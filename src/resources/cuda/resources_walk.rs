//! Binding of `kernels/resources/resources_walk.cu`: the items behind points.

use cudarc::driver::{CudaSlice, CudaView};
use isx_machine::cuda::{Cell, Device, DeviceError, KernelFile, OrNull, grid};
use isx_machine::{kernel_file, launch};
use std::ops::Range;

const FILE: KernelFile = kernel_file!("resources_walk"; 70);

const THREADS: u32 = 128;

/// The program on the GPU, as the walk reads it.
pub(super) struct Tables<'a, V> {
    pub cells: &'a CudaSlice<V>,
    pub places: &'a CudaSlice<i64>,
    pub frames: &'a CudaSlice<i64>,
    /// In the order of items.
    pub entries: &'a CudaSlice<i64>,
    pub starts: &'a CudaSlice<i32>,
    pub step_starts: &'a CudaSlice<i64>,
    pub resources: usize,
    /// The most states of any step.
    pub room: usize,
    /// The number of steps.
    pub steps: usize,
}

/// Points on their way back.
pub(super) struct Walkers {
    pub count: usize,
    pub nodes: CudaSlice<i32>,
    pub counts: CudaSlice<i32>,
    pub left: CudaSlice<i64>,
    pub picks: CudaSlice<u8>,
    /// Bytes of a pick.
    pub width: usize,
    pub strays: CudaSlice<u32>,
}

impl Walkers {
    /// `count` points with these values.
    pub fn new<V>(
        device: &Device,
        tables: &Tables<'_, V>,
        width: usize,
        left: CudaSlice<i64>,
        count: usize,
    ) -> Result<Self, DeviceError> {
        Ok(Self {
            count,
            nodes: device
                .unwritten("nodes of the points", 2 * tables.room * (1 + tables.resources) * count)?,
            counts: device.unwritten("counts of nodes", count)?,
            left,
            picks: device.unwritten("picks of the points", count * tables.steps * width)?,
            width,
            strays: device.zeros("a counter", 1)?,
        })
    }

    /// Bytes per point.
    pub fn bytes(room: usize, resources: usize, steps: usize, width: usize) -> u64 {
        (8 * room * (1 + resources) + 12 + steps * width) as u64
    }
}

/// Walks back through some steps, whose tables are in place. The first time, `costs` has the column of costs, the numbers of
/// a column and the first point. Returns before it has finished.
pub(super) fn launch<V: Cell>(
    device: &Device,
    tables: &Tables<'_, V>,
    steps: Range<usize>,
    costs: Option<(CudaView<'_, u64>, usize, usize)>,
    walkers: &mut Walkers,
) -> Result<(), DeviceError> {
    let name = V::either("resources_walk_i32", "resources_walk_i64");
    let unfit = |why: &str| DeviceError::Unfit { kernel: name, why: why.into() };
    let (count, fields) = (walkers.count, 1 + tables.resources);
    let held = walkers.nodes.len() >= 2 * tables.room * fields * count
        && walkers.counts.len() >= count
        && walkers.left.len() >= count
        && walkers.picks.len() >= count * tables.steps * walkers.width;
    let described = tables.places.len() > tables.steps && tables.step_starts.len() >= tables.steps;
    let given = costs.as_ref().is_none_or(|(costs, stride, first)| {
        costs.len() >= stride * tables.resources && first + count <= *stride
    });
    if !held || !described || !given || steps.end > tables.steps {
        return Err(unfit("a buffer is shorter than the points need"));
    }
    let blocks =
        u32::try_from(count.div_ceil(THREADS as usize)).map_err(|_| unfit("too many points for a launch"))?;
    let in_32_bits = |number: usize| i32::try_from(number).map_err(|_| unfit("too many steps or states"));
    let (begin, end) = (in_32_bits(steps.start)?, in_32_bits(steps.end)?);
    let (resources, room) = (in_32_bits(tables.resources)?, in_32_bits(tables.room)?);
    let width = in_32_bits(walkers.width)?;
    let (stride, first) = costs.as_ref().map_or((0, 0), |(_, stride, first)| (*stride as i64, *first as i64));
    let costs = costs.as_ref().map(|(costs, ..)| costs);
    let points = count as i64;
    if count == 0 {
        return Ok(());
    }
    // SAFETY: arguments are in the kernel's order and of its types; the buffers of points have the sizes that their
    // counts say (checked above); places, frames, entries and starts are those of the program, whose states are below
    // those of the step before; the kernel reads only cells within the frame of a step's tables, which are in place.
    unsafe {
        launch!(device, FILE => name, grid(blocks, THREADS, 0);
            tables.cells, tables.places, tables.frames, tables.entries, tables.starts, tables.step_starts, &begin, &end,
            OrNull(costs), &stride, &first, &points, &resources, &room, &mut walkers.nodes, &mut walkers.counts,
            &mut walkers.left, &mut walkers.picks, &width, &mut walkers.strays)
    }
}
