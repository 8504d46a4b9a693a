//! The rows of a sweep on the GPU, and the sweep.

use super::cell::{BLOCK_CELLS, Cell};
use super::passes::Pass;
use super::problem::Step;
use super::row::{Fill, Row};
use super::{knapsack_ends, knapsack_step, knapsack_tile};
use cudarc::driver::{CudaSlice, CudaViewMut};
use isx_engine::{Context, EngineError};
use isx_machine::cuda::{Device, DeviceError, During, Plain};

/// The host waits for the GPU after at most this many bytes of rows, to check for cancellation.
const BYTES_AHEAD: u64 = 400 << 30;
/// And after this many launches.
const LAUNCHES_AHEAD: u64 = 256;

// SAFETY: three numbers of 64 bits: every bit pattern is a value, and there is no padding.
unsafe impl cudarc::driver::DeviceRepr for Step {}
// SAFETY: as above.
unsafe impl Plain for Step {}

/// Rows to sweep over.
pub(super) struct Board<'a, C> {
    pub device: &'a Device,
    context: &'a Context<'a>,
    rows: Vec<Row<C>>,
    /// Cells filled, counted per item.
    pub updates: u64,
    /// Bytes of rows and decisions read and written, by the blocks launched.
    pub bytes: u64,
    waited_at: u64,
    launches: u64,
}

/// One bit per cell of every pass's window and item: whether the item is taken there.
pub(super) struct Decisions {
    bits: CudaSlice<u8>,
    /// Bytes in use.
    used: u64,
    /// For every item of the sweep, the position of the byte of its cell 0, which may lie outside.
    pub offsets: Vec<i64>,
}

impl Decisions {
    /// Allocates `bytes` bytes for decisions.
    pub fn new(device: &Device, bytes: u64) -> Result<Self, DeviceError> {
        let bits = device.unwritten("decisions", bytes as usize)?;
        Ok(Self { bits, used: 0, offsets: Vec::new() })
    }

    pub fn bits(&self) -> &CudaSlice<u8> {
        &self.bits
    }

    /// Zeroes all bits, needed if they are to be copied as a whole: a sweep writes no bits of dead blocks.
    pub fn write_zeros(&mut self, device: &Device) -> Result<(), DeviceError> {
        device.stream().memset_zeros(&mut self.bits).during("clearing decisions")
    }

    /// Discards the earlier decisions.
    pub fn clear(&mut self) {
        self.used = 0;
        self.offsets.clear();
    }

    /// The place of a pass's decisions.
    fn place(&mut self, pass: &Pass) -> Result<CudaViewMut<'_, u8>, DeviceError> {
        let end = self.used + pass.decision_bytes();
        let stride = pass.len() * (BLOCK_CELLS / 8);
        for item in 0..pass.items.len() as u64 {
            self.offsets
                .push((self.used + item * stride) as i64 - (pass.blocks.start * (BLOCK_CELLS / 8)) as i64);
        }
        let range = self.used as usize..end as usize;
        self.used = end;
        self.bits.try_slice_mut(range).ok_or(DeviceError::Unfit {
            kernel: "knapsack",
            why: "the decisions of a pass exceed their buffer".into(),
        })
    }
}

impl<'a, C: Cell> Board<'a, C> {
    /// Allocates this many rows of this many blocks. Fails if they do not fit into the GPU's memory.
    pub fn new(
        device: &'a Device,
        context: &'a Context<'a>,
        rows: usize,
        blocks: u64,
    ) -> Result<Self, EngineError> {
        let needed = Row::<C>::bytes(blocks).saturating_mul(rows as u64);
        let free = device.usable_memory()?;
        if needed > free {
            return Err(EngineError::GpuMemory { needed, free });
        }
        let rows = (0..rows).map(|_| Row::new(device, blocks)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { device, context, rows, updates: 0, bytes: 0, waited_at: 0, launches: 0 })
    }

    pub fn row(&self, at: usize) -> &Row<C> {
        &self.rows[at]
    }

    pub fn row_mut(&mut self, at: usize) -> &mut Row<C> {
        &mut self.rows[at]
    }

    /// All rows except these.
    pub fn others(&self, not: &[usize]) -> Vec<usize> {
        (0..self.rows.len()).filter(|row| !not.contains(row)).collect()
    }

    /// Initializes row `at` with the state before any item.
    pub fn start(&mut self, at: usize) -> Result<(), DeviceError> {
        self.rows[at].clear(self.device)?;
        knapsack_ends::start(self.device, &mut self.rows[at])
    }

    /// Sweeps over the passes' items, starting from row `from`, alternating between the two temporary rows (the
    /// second of which may be `from`); returns the row with the result.
    pub fn sweep(
        &mut self,
        steps: &Steps<'_>,
        passes: &[Pass],
        limit: u64,
        from: usize,
        spare: [usize; 2],
        mut decisions: Option<&mut Decisions>,
    ) -> Result<usize, EngineError> {
        let mut at = from;
        for (index, pass) in passes.iter().enumerate() {
            let to = spare[index % 2];
            let taken = decisions.as_mut().map(|decisions| decisions.place(pass)).transpose()?;
            self.pass(steps, pass, limit, at, to, taken)?;
            at = to;
        }
        Ok(at)
    }

    /// One pass, from one row to another.
    pub fn pass(
        &mut self,
        steps: &Steps<'_>,
        pass: &Pass,
        limit: u64,
        from: usize,
        to: usize,
        taken: Option<CudaViewMut<'_, u8>>,
    ) -> Result<(), EngineError> {
        let unfit = || DeviceError::Unfit {
            kernel: C::KERNELS.step,
            why: "a row would be computed from itself".into(),
        };
        let [previous, next] = self.rows.get_disjoint_mut([from, to]).map_err(|_| unfit())?;
        next.clear(self.device)?;
        let blocks = pass.blocks.clone();
        let (recorded, previous) = (taken.is_some(), &*previous);
        // A loss that no cell can represent makes the item dead that way, as `Cell::sum` ensures.
        let mut args = Fill { previous, next, blocks, limit, taken };
        let (host, items) = (&steps.host[pass.items.clone()], steps.device.slice(pass.items.clone()));
        if pass.shared {
            let weight = host.iter().map(|step| step.weight).sum();
            knapsack_tile::launch(self.device, &mut args, &items, weight)?;
        } else {
            knapsack_step::launch(self.device, &mut args, host, &items)?;
        }
        self.count(pass, recorded)
    }

    /// Counts a pass, and waits for the GPU from time to time.
    fn count(&mut self, pass: &Pass, recorded: bool) -> Result<(), EngineError> {
        self.updates = self.updates.saturating_add(pass.updates());
        self.bytes = self.bytes.saturating_add(pass.row_bytes(C::WIDTH));
        self.bytes = self.bytes.saturating_add(if recorded { pass.decision_bytes() } else { 0 });
        self.launches += 1;
        self.context.progress.advance(pass.items.len() as u64);
        if self.bytes - self.waited_at > BYTES_AHEAD || self.launches.is_multiple_of(LAUNCHES_AHEAD) {
            self.device.finish("knapsack")?;
            self.waited_at = self.bytes;
        }
        self.context.go_on()
    }
}

/// Items in their order, on the host and on the GPU.
pub(super) struct Steps<'a> {
    pub host: &'a [Step],
    device: CudaSlice<Step>,
}

impl<'a> Steps<'a> {
    /// Copies them, at least one, to the GPU. Fails if the copy fails.
    pub fn new(device: &Device, host: &'a [Step]) -> Result<Self, DeviceError> {
        Ok(Self { host, device: device.upload("items", host)? })
    }
}
