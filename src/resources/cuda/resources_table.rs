//! Binding of `kernels/resources/resources_table.cu`: the tables after a class from those before it.

use super::program::{FRAME, Frame};
use cudarc::driver::{CudaView, CudaViewMut, LaunchConfig};
use isx_machine::cuda::{Cell, Device, DeviceError, KernelFile, grid};
use isx_machine::{kernel_file, launch};

const FILE: KernelFile = kernel_file!("resources_table"; 90, 70);

const WARP: u64 = 32;
/// The most warps of a block.
const MOST_WARPS: u64 = 16;
/// The most rows of a block, so that it has 32 entries for each of them at a time.
const MOST_ROWS: u64 = 8;
/// Words of an entry.
pub(super) const ENTRY: usize = 5;

/// The arguments, in the kernel's order.
pub(super) struct Args<'a, V> {
    pub input: CudaView<'a, V>,
    pub output: &'a mut CudaViewMut<'a, V>,
    /// The entries of all steps, and where those of this step's states begin among them.
    pub entries: CudaView<'a, i64>,
    pub starts: CudaView<'a, i32>,
    pub before: CudaView<'a, i64>,
    pub after: CudaView<'a, i64>,
}

/// How the cells of a row are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub rows: u64,
    pub tiles: u64,
    pub warps_a_row: u64,
    pub rows_a_block: u64,
}

impl Shape {
    /// For tables of this frame and number of rows, with so many cells per lane.
    pub fn new(frame: &Frame, rows: u64, a_lane: u64) -> Self {
        let runs = (frame.last[0] + 1).div_ceil(a_lane * WARP);
        let tiles = runs.div_ceil(MOST_WARPS);
        let warps_a_row = runs.div_ceil(tiles);
        let rows_a_block = (MOST_WARPS / warps_a_row).min(MOST_ROWS).min(rows);
        Self { rows, tiles, warps_a_row, rows_a_block }
    }

    /// Blocks per state.
    pub fn blocks(&self) -> u64 {
        self.tiles.saturating_mul(self.rows.div_ceil(self.rows_a_block))
    }
}

/// Launches the kernel for all states of the frame `after`; `input` has the tables of `states_before` states. Returns
/// before it has finished.
pub(super) fn launch<V: Cell>(
    device: &Device,
    [before, after]: [&Frame; 2],
    [states_before, states]: [usize; 2],
    args: &mut Args<'_, V>,
) -> Result<(), DeviceError> {
    let name = V::either("resources_table_i32", "resources_table_i64");
    let unfit = |why: &str| DeviceError::Unfit { kernel: name, why: why.into() };
    let rows = after.rows(1..after.last.len()).ok_or_else(|| unfit("its integers cannot count the rows"))?;
    let shape = Shape::new(after, rows, V::either(8, 4));
    let cells =
        |frame: &Frame, states: usize| frame.cells().and_then(|cells| cells.checked_mul(states as u64));
    let held = cells(before, states_before).is_some_and(|cells| cells <= args.input.len() as u64)
        && cells(after, states).is_some_and(|cells| cells <= args.output.len() as u64);
    let described = args.starts.len() > states && args.before.len() >= FRAME && args.after.len() >= FRAME;
    if !held || !described {
        return Err(unfit("a buffer is shorter than the tables need"));
    }
    let blocks = u32::try_from(shape.blocks()).ok().filter(|blocks| *blocks <= i32::MAX as u32);
    let (Some(blocks), Ok(rows), true) = (blocks, i32::try_from(rows), states <= 65_535) else {
        return Err(unfit("the tables have more rows than a launch can hold"));
    };
    let threads = (WARP * shape.warps_a_row * shape.rows_a_block) as u32;
    let (tiles, warps_a_row) = (shape.tiles as i32, shape.warps_a_row as i32);
    let config = LaunchConfig { grid_dim: (blocks, states as u32, 1), ..grid(1, threads, 0) };
    // SAFETY: arguments are in the kernel's order and of its types; both sets of tables have the cells that the frames
    // and states need (checked above) and do not overlap, being views of which one is exclusive; starts and entries are
    // those of the program, whose states are below the number of states before and which the kernel reads within the
    // last coordinates of their frame; rows and blocks are counted in 32 bits.
    unsafe {
        launch!(device, FILE => name, config;
            &args.input, &mut *args.output, &args.entries, &args.starts, &args.before, &args.after, &rows, &tiles,
            &warps_a_row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuda::entry::DIMENSIONS;

    #[test]
    fn warps_cover_every_row_and_hardly_more() {
        for last in [0, 1, 255, 256, 300, 4095, 4096, 5280, 20_800, 1 << 22] {
            for rows in [1, 2, 7, 8, 4641] {
                let mut frame = Frame { last: [0; DIMENSIONS] };
                frame.last[0] = last;
                let shape = Shape::new(&frame, rows, 8);
                let cells = shape.tiles * shape.warps_a_row * 256;
                assert!(cells > last && cells <= last + 1 + 255 + shape.tiles * 256, "{shape:?}");
                assert!(shape.warps_a_row * shape.rows_a_block <= MOST_WARPS && shape.rows_a_block <= rows);
                assert!(shape.blocks() * shape.rows_a_block >= rows * shape.tiles);
            }
        }
        let mut frame = Frame { last: [0; DIMENSIONS] };
        frame.last[0] = 20_800;
        let expected = Shape { rows: 4641, tiles: 6, warps_a_row: 14, rows_a_block: 1 };
        assert_eq!(Shape::new(&frame, 4641, 8), expected);
    }
}
