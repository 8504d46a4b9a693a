//! Binding of `kernels/mckp/mckp_batch.cu`: one problem per warp.

use cudarc::driver::{CudaStream, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile, Lane, grid};
use isx_machine::kernel_file;
use std::ops::Range;
use std::sync::Arc;

const FILE: KernelFile = kernel_file!("mckp_batch"; 90, 70);

/// Lanes of a warp.
const WARP: u32 = 32;
/// Warps per block.
const WARPS: u32 = 4;
/// Blocks per multiprocessor that share the problems with long lists.
const BLOCKS: u32 = 16;

/// In a record: a class may give no item.
pub(super) const OPTIONAL: i32 = 1 << 16;
/// In a record: this kernel does not solve the problem.
pub(super) const SKIP: i32 = 1 << 17;
/// The most classes of a problem.
pub(super) const MOST_CLASSES: usize = 255;
/// The most items of a class.
pub(super) const MOST_CLASS: usize = 254;
/// The most items of a problem, plus one per class.
pub const MOST_SLOTS: usize = 512;
/// The weight reported if nothing fits.
pub(super) const INFEASIBLE: i32 = -1;

/// Byte offsets within a piece that is sent, and within the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// One record per problem.
    pub problems: usize,
    /// Four ints per problem.
    pub records: Range<usize>,
    /// Weight and value of every item.
    pub items: Range<usize>,
    /// One byte per class.
    pub sizes: Range<usize>,
    /// Value and weight per problem.
    pub found: Range<usize>,
    /// One byte per class.
    pub picks: Range<usize>,
    /// The queue of problems whose lists are long: one int per problem, and one more.
    pub full: Range<usize>,
    /// The queue of problems whose rows do not fit, likewise.
    pub beyond: Range<usize>,
}

impl Piece {
    /// The layout for this many problems, classes and items.
    pub fn new(problems: usize, classes: usize, items: usize) -> Self {
        let records = 0..16 * problems;
        let items = records.end..records.end + 8 * items;
        let sizes = items.end..items.end + classes;
        let found = 0..8 * problems;
        let picks = found.end..found.end + classes;
        let full = picks.end.next_multiple_of(4);
        let full = full..full + 4 * (problems + 1);
        let beyond = full.end..full.end + 4 * (problems + 1);
        Self { problems, records, items, sizes, found, picks, full, beyond }
    }
}

/// Bytes that the results and queues of a piece may take in addition to the bytes sent: the ends of two queues and
/// their alignment.
pub(super) const QUEUE_ENDS: usize = 16;

/// The largest figures of the problems of a piece that are not skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Most {
    /// Capacity, at most what the heaviest items weigh together.
    pub capacity: usize,
    /// Items, plus one per class.
    pub slots: usize,
    /// Classes.
    pub classes: usize,
}

impl Most {
    /// Bytes of a warp's shared memory with lists of this many states.
    pub fn shared(&self, list: usize) -> usize {
        (40 * list + 12 * self.slots + 12 * (self.classes + 1)).next_multiple_of(16)
    }

    /// The least number of states: the raw items are stored in place of the lists first.
    pub fn least_list(&self) -> usize {
        self.slots.div_ceil(4)
    }
}

/// The addresses of a piece on the GPU, for launches in one stream.
pub(super) struct Placed<'a> {
    pub piece: &'a Piece,
    pub most: &'a Most,
    pub stream: &'a Arc<CudaStream>,
    pub records: u64,
    pub items: u64,
    pub sizes: u64,
    pub found: u64,
    pub picks: u64,
    pub full: u64,
    pub beyond: u64,
    /// Memory that the lane has reserved besides pieces, and its bytes.
    pub store: u64,
    pub store_bytes: usize,
}

/// The addresses of a piece that was sent, with its queues emptied; the lane's memory from `store` on is not the
/// piece's.
pub(super) fn place<'a>(
    lane: &'a Lane,
    piece: &'a Piece,
    most: &'a Most,
    store: usize,
) -> Result<Placed<'a>, DeviceError> {
    let unfit = |why: &str| DeviceError::Unfit { kernel: "mckp_batch", why: why.into() };
    let is_held = piece.sizes.end <= lane.sent.bytes && piece.beyond.end <= store && store <= lane.made.bytes;
    if !is_held || most.slots > MOST_SLOTS || most.classes > MOST_CLASSES {
        return Err(unfit("a buffer is shorter than the problems need"));
    }
    i32::try_from(piece.problems).map_err(|_| unfit("there are more problems than it counts"))?;
    let (sent, made) = (|range: &Range<usize>| lane.sent.at(range.start), |at: usize| lane.made.at(at));
    for queue in [&piece.full, &piece.beyond] {
        lane.clear(queue.start..queue.start + 4)?;
    }
    Ok(Placed {
        piece,
        most,
        stream: lane.stream(),
        records: sent(&piece.records),
        items: sent(&piece.items),
        sizes: sent(&piece.sizes),
        found: made(piece.found.start),
        picks: made(piece.picks.start),
        full: made(piece.full.start),
        beyond: made(piece.beyond.start),
        store: made(store),
        store_bytes: lane.made.bytes - store,
    })
}

/// Launches the first kernel, which puts problems that exceed lists of this many states into the queue `full`.
pub(super) fn launch_short(device: &Device, at: &Placed, list: usize) -> Result<(), DeviceError> {
    let list = list.max(at.most.least_list());
    let bytes = at.most.shared(list);
    let shared = bytes * WARPS as usize;
    let function = device.kernel(&FILE, "mckp_batch", shared)?;
    let (count, list, warp_bytes) = (at.piece.problems as i32, list as i32, bytes as i32);
    let (slots, classes) = (at.most.slots as i32, at.most.classes as i32);
    let mut builder = at.stream.launch_builder(&function);
    builder.arg(&at.records).arg(&at.sizes).arg(&at.items).arg(&at.found).arg(&at.picks);
    builder.arg(&at.full).arg(&count).arg(&slots).arg(&classes).arg(&list).arg(&warp_bytes);
    let blocks = count.unsigned_abs().div_ceil(WARPS).max(1);
    let config = grid(blocks, WARPS * WARP, shared as u32);
    // SAFETY: arguments are in the kernel's order and of its types. Records, items, sizes, found, picks and full have
    // the sizes of the piece (checked by `place`) and are used in the lane's stream only; records point into them
    // because the host computes them from the same sums; no problem has more slots or classes than the shared memory
    // was sized for, and the raw items fit the space of the lists.
    unsafe { builder.launch(config) }.map(|_| ()).during("launching kernel mckp_batch")
}

/// Launches the second kernel on the problems of a queue; problems that exceed these lists too are left unsolved.
pub(super) fn launch_long(
    device: &Device,
    at: &Placed,
    list: usize,
    queue: Queue,
) -> Result<(), DeviceError> {
    let list = list.max(at.most.least_list());
    let shared = at.most.shared(list);
    let function = device.kernel(&FILE, "mckp_batch_full", shared)?;
    let (slots, classes, list) = (at.most.slots as i32, at.most.classes as i32, list as i32);
    let mut builder = at.stream.launch_builder(&function);
    builder.arg(&at.records).arg(&at.sizes).arg(&at.items).arg(&at.found).arg(&at.picks);
    builder.arg(match queue {
        Queue::Full => &at.full,
        Queue::Beyond => &at.beyond,
    });
    builder.arg(&slots).arg(&classes).arg(&list);
    let blocks = (device.info().multiprocessors as u32 * BLOCKS).min(at.piece.problems as u32).max(1);
    let config = grid(blocks, WARP, shared as u32);
    // SAFETY: as above; the stream runs it after the kernel that fills the queue.
    unsafe { builder.launch(config) }.map(|_| ()).during("launching kernel mckp_batch_full")
}

/// A queue of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Queue {
    /// Problems whose lists are long.
    Full,
    /// Problems whose rows do not fit.
    Beyond,
}
