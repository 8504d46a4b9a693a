//! Binding of `kernels/mckp/mckp_batch.cu`: a problem a warp.

use crate::machine::cuda::{Device, DeviceError, During, KernelFile, Lane};
use cudarc::driver::{LaunchConfig, PushKernelArg};
use std::ops::Range;

const FILE: KernelFile = KernelFile {
    stem: "mckp_batch",
    ptx: &[
        (90, include_str!("../../../../../kernels/ptx/mckp_batch.compute_90.ptx")),
        (70, include_str!("../../../../../kernels/ptx/mckp_batch.compute_70.ptx")),
    ],
};

/// Lanes of a warp.
const WARP: u32 = 32;
/// Warps of a block.
const WARPS: u32 = 4;
/// Blocks a multiprocessor that share out the problems of long lists.
const BLOCKS: u32 = 16;

/// In a record: a class may give no item.
pub(super) const OPTIONAL: i32 = 1 << 16;
/// In a record: not a problem of this kernel.
pub(super) const SKIP: i32 = 1 << 17;
/// The most classes of a problem.
pub(super) const MOST_CLASSES: usize = 255;
/// The most items of a class.
pub(super) const MOST_CLASS: usize = 254;
/// The most items of a problem, with one more a class.
pub(super) const MOST_SLOTS: usize = 512;
/// The weight found where nothing fits.
pub(super) const INFEASIBLE: i32 = -1;

/// Where things lie in a piece that is sent and in what comes back, in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    /// Problems.
    pub problems: usize,
    /// Four ints a problem.
    pub records: Range<usize>,
    /// Weight and value of every item.
    pub items: Range<usize>,
    /// A byte a class.
    pub sizes: Range<usize>,
    /// Value and weight a problem.
    pub found: Range<usize>,
    /// A byte a class.
    pub picks: Range<usize>,
    /// An int a problem and one more.
    pub full: Range<usize>,
    /// The most items of a problem, with one more a class.
    pub slots: usize,
    /// The most classes of a problem.
    pub classes: usize,
}

impl Piece {
    /// The piece of so many problems, classes and items.
    pub fn new(problems: usize, classes: usize, items: usize, slots: usize, most_classes: usize) -> Self {
        let records = 0..16 * problems;
        let items = records.end..records.end + 8 * items;
        let sizes = items.end..items.end + classes;
        let found = 0..8 * problems;
        let picks = found.end..found.end + classes;
        let full = picks.end.next_multiple_of(4);
        let full = full..full + 4 * (problems + 1);
        Self { problems, records, items, sizes, found, picks, full, slots, classes: most_classes }
    }

    /// Bytes of a warp's shared memory with lists of so many states.
    fn shared(&self, list: usize) -> usize {
        (40 * list + 12 * self.slots + 12 * (self.classes + 1)).next_multiple_of(16)
    }

    /// States of the lists, at least: the raw items lie in their place first.
    pub fn least_list(&self) -> usize {
        self.slots.div_ceil(4)
    }

    fn is_held(&self, lane: &Lane) -> bool {
        self.sizes.end <= lane.sent.len()
            && self.full.end <= lane.made.len()
            && self.slots <= MOST_SLOTS
            && self.classes <= MOST_CLASSES
    }
}

/// Launches both kernels on a piece that was sent; they run while the host goes on.
pub(super) fn launch(
    device: &Device,
    lane: &mut Lane,
    piece: &Piece,
    lists: (usize, usize),
) -> Result<(), DeviceError> {
    let (short, long) = (lists.0.max(piece.least_list()), lists.1.max(piece.least_list()));
    let unfit = |why: &str| DeviceError::Unfit { kernel: "mckp_batch", why: why.into() };
    if !piece.is_held(lane) {
        return Err(unfit("a buffer is shorter than the problems need"));
    }
    let count = i32::try_from(piece.problems).map_err(|_| unfit("there are more problems than it counts"))?;
    let stream = lane.stream().clone();
    let view = |range: &Range<usize>| lane.sent.slice(range.clone());
    let (records, items, sizes) = (view(&piece.records), view(&piece.items), view(&piece.sizes));
    let mut made = lane.made.slice_mut(..piece.full.end);
    let (mut answers, mut full) = made.split_at_mut(piece.full.start);
    stream.memset_zeros(&mut full.slice_mut(..4)).during("clearing the count of long lists")?;
    let (mut found, mut rest) = answers.split_at_mut(piece.found.end);
    let mut picks = rest.slice_mut(..piece.picks.len());
    let (slots, classes) = (piece.slots as i32, piece.classes as i32);

    let bytes = piece.shared(short);
    let shared = bytes * WARPS as usize;
    let function = device.kernel(&FILE, "mckp_batch", shared)?;
    let mut builder = stream.launch_builder(&function);
    let (list, warp_bytes) = (short as i32, bytes as i32);
    builder.arg(&records).arg(&sizes).arg(&items).arg(&mut found).arg(&mut picks).arg(&mut full);
    builder.arg(&count).arg(&slots).arg(&classes).arg(&list).arg(&warp_bytes);
    let blocks = count.unsigned_abs().div_ceil(WARPS).max(1);
    let config = LaunchConfig {
        grid_dim: (blocks, 1, 1),
        block_dim: (WARPS * WARP, 1, 1),
        shared_mem_bytes: shared as u32,
    };
    // SAFETY: arguments are in the kernel's order and of its types. Records, items, sizes, found, picks and full hold what
    // the piece says (checked above), records point into them since the host lays them out from the same sums; no
    // problem has more slots or classes than the shared memory was sized for, and the raw items fit the lists' place.
    unsafe { builder.launch(config) }.during("launching kernel mckp_batch")?;

    let shared = piece.shared(long);
    let function = device.kernel(&FILE, "mckp_batch_full", shared)?;
    let mut builder = stream.launch_builder(&function);
    let list = long as i32;
    builder.arg(&records).arg(&sizes).arg(&items).arg(&mut found).arg(&mut picks).arg(&mut full);
    builder.arg(&slots).arg(&classes).arg(&list);
    let blocks = (device.info().multiprocessors as u32 * BLOCKS).min(count.unsigned_abs()).max(1);
    let config =
        LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (WARP, 1, 1), shared_mem_bytes: shared as u32 };
    // SAFETY: as above; the stream runs it after the first kernel, which has filled `full`.
    unsafe { builder.launch(config) }.map(|_| ()).during("launching kernel mckp_batch_full")
}
