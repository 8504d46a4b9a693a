//! Binding of `kernels/mckp/mckp_batch.cu`: one problem per warp.

use cudarc::driver::{CudaStream, CudaView, CudaViewMut, LaunchConfig, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile, Lane};
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// The most items of a problem, plus one per class.
    pub slots: usize,
    /// The most classes of a problem.
    pub classes: usize,
}

impl Piece {
    /// The layout for this many problems, classes and items.
    pub fn new(problems: usize, classes: usize, items: usize, slots: usize, most_classes: usize) -> Self {
        let records = 0..16 * problems;
        let items = records.end..records.end + 8 * items;
        let sizes = items.end..items.end + classes;
        let found = 0..8 * problems;
        let picks = found.end..found.end + classes;
        let full = picks.end.next_multiple_of(4);
        let full = full..full + 4 * (problems + 1);
        let beyond = full.end..full.end + 4 * (problems + 1);
        Self { problems, records, items, sizes, found, picks, full, beyond, slots, classes: most_classes }
    }

    /// Bytes of a warp's shared memory with lists of this many states.
    pub fn shared(&self, list: usize) -> usize {
        (40 * list + 12 * self.slots + 12 * (self.classes + 1)).next_multiple_of(16)
    }

    /// The least number of states: the raw items are stored in place of the lists first.
    pub fn least_list(&self) -> usize {
        self.slots.div_ceil(4)
    }

    fn is_held(&self, lane: &Lane) -> bool {
        self.sizes.end <= lane.sent.len()
            && self.beyond.end <= lane.made.len()
            && self.slots <= MOST_SLOTS
            && self.classes <= MOST_CLASSES
    }
}

/// The position of a piece on the GPU.
pub(super) struct Placed<'a, 'b> {
    pub piece: &'a Piece,
    pub stream: &'a Arc<CudaStream>,
    pub records: &'a CudaView<'b, u8>,
    pub items: &'a CudaView<'b, u8>,
    pub sizes: &'a CudaView<'b, u8>,
    pub found: &'a mut CudaViewMut<'b, u8>,
    pub picks: &'a mut CudaViewMut<'b, u8>,
    pub full: &'a mut CudaViewMut<'b, u8>,
    pub beyond: &'a mut CudaViewMut<'b, u8>,
    /// Memory that the lane has reserved besides pieces.
    pub store: &'a mut CudaViewMut<'b, u8>,
}

/// Prepares a piece that was sent for kernel launches, with empty queues.
pub(super) fn place(
    lane: &mut Lane,
    piece: &Piece,
    store: usize,
    launch: impl FnOnce(Placed<'_, '_>) -> Result<(), DeviceError>,
) -> Result<(), DeviceError> {
    let unfit = |why: &str| DeviceError::Unfit { kernel: "mckp_batch", why: why.into() };
    if !piece.is_held(lane) || store > lane.made.len() || piece.beyond.end > store {
        return Err(unfit("a buffer is shorter than the problems need"));
    }
    i32::try_from(piece.problems).map_err(|_| unfit("there are more problems than it counts"))?;
    let stream = lane.stream().clone();
    let view = |range: &Range<usize>| lane.sent.slice(range.clone());
    let (records, items, sizes) = (view(&piece.records), view(&piece.items), view(&piece.sizes));
    let (mut answers, mut store) = lane.made.split_at_mut(store);
    let (mut answers, mut queues) = answers.split_at_mut(piece.full.start);
    let (mut found, mut rest) = answers.split_at_mut(piece.found.end);
    let mut picks = rest.slice_mut(..piece.picks.len());
    let (mut full, mut rest) = queues.split_at_mut(piece.full.len());
    let mut beyond = rest.slice_mut(..piece.beyond.len());
    for queue in [&mut full, &mut beyond] {
        stream.memset_zeros(&mut queue.slice_mut(..4)).during("clearing the count of a queue")?;
    }
    launch(Placed {
        piece,
        stream: &stream,
        records: &records,
        items: &items,
        sizes: &sizes,
        found: &mut found,
        picks: &mut picks,
        full: &mut full,
        beyond: &mut beyond,
        store: &mut store,
    })
}

/// Launches the first kernel, which puts problems that exceed lists of this many states into the queue `full`.
pub(super) fn launch_short(device: &Device, at: &mut Placed, list: usize) -> Result<(), DeviceError> {
    let list = list.max(at.piece.least_list());
    let bytes = at.piece.shared(list);
    let shared = bytes * WARPS as usize;
    let function = device.kernel(&FILE, "mckp_batch", shared)?;
    let (count, list, warp_bytes) = (at.piece.problems as i32, list as i32, bytes as i32);
    let (slots, classes) = (at.piece.slots as i32, at.piece.classes as i32);
    let mut builder = at.stream.launch_builder(&function);
    builder.arg(at.records).arg(at.sizes).arg(at.items).arg(&mut *at.found).arg(&mut *at.picks);
    builder.arg(&mut *at.full).arg(&count).arg(&slots).arg(&classes).arg(&list).arg(&warp_bytes);
    let blocks = count.unsigned_abs().div_ceil(WARPS).max(1);
    let config = LaunchConfig {
        grid_dim: (blocks, 1, 1),
        block_dim: (WARPS * WARP, 1, 1),
        shared_mem_bytes: shared as u32,
    };
    // SAFETY: arguments are in the kernel's order and of its types. Records, items, sizes, found, picks and full have
    // the sizes of the piece (checked by `place`); records point into them because the host computes them from the
    // same sums; no problem has more slots or classes than the shared memory was sized for, and the raw items fit the
    // space of the lists.
    unsafe { builder.launch(config) }.map(|_| ()).during("launching kernel mckp_batch")
}

/// Launches the second kernel on the problems of a queue; problems that exceed these lists too are left unsolved.
pub(super) fn launch_long(
    device: &Device,
    at: &mut Placed,
    list: usize,
    queue: Queue,
) -> Result<(), DeviceError> {
    let list = list.max(at.piece.least_list());
    let shared = at.piece.shared(list);
    let function = device.kernel(&FILE, "mckp_batch_full", shared)?;
    let (slots, classes, list) = (at.piece.slots as i32, at.piece.classes as i32, list as i32);
    let mut builder = at.stream.launch_builder(&function);
    builder.arg(at.records).arg(at.sizes).arg(at.items).arg(&mut *at.found).arg(&mut *at.picks);
    match queue {
        Queue::Full => builder.arg(&mut *at.full),
        Queue::Beyond => builder.arg(&mut *at.beyond),
    };
    builder.arg(&slots).arg(&classes).arg(&list);
    let blocks = (device.info().multiprocessors as u32 * BLOCKS).min(at.piece.problems as u32).max(1);
    let config =
        LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (WARP, 1, 1), shared_mem_bytes: shared as u32 };
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
