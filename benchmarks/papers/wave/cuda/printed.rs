//! Kernels that were printed from their recurrences (`kernels/papers/recurrence_*.cu`), swept by the driver.
//!
//! Every printed kernel has the same arguments: the waves before, the latest first; the wave and its choices; the arrays of
//! its recurrence; the numbers of this wave; the number of columns, the wave's number, its cells and the bytes of its
//! choices. So one launch serves all.

use super::{Kernels, Launch};
use crate::wave::{Layout, Waves};
use cudarc::driver::{CudaFunction, CudaSlice, PushKernelArg};
use isx_engine::EngineError;
use isx_machine::cuda::{Device, DeviceError, During, KernelFile, OrNull, grid};

/// Threads of a block.
const THREADS: u64 = 256;
/// Bytes to which a wave's choices are rounded up.
const ALIGN: usize = 128;

/// The whole numbers that a wave is given.
type Numbers<'a> = Box<dyn Fn(u64) -> Vec<i64> + Sync + 'a>;

/// A recurrence with its printed kernel and what that reads. Cells have 32 bits.
pub struct Printed<'a, W> {
    waves: &'a W,
    widest: usize,
    function: CudaFunction,
    /// Cells of a thread.
    cells: u64,
    /// The number of columns, of a table by anti-diagonals.
    columns: i64,
    arrays: Vec<CudaSlice<u8>>,
    numbers: Numbers<'a>,
}

impl<'a, W: Waves> Printed<'a, W> {
    /// The waves with the kernel printed for them, the arrays and numbers that it reads, and the cells of its threads. The
    /// kernel reads arrays within the waves' rows and columns only.
    pub(crate) fn new(
        device: &Device,
        (file, cells): (&KernelFile, u64),
        waves: &'a W,
        (arrays, columns): (Vec<CudaSlice<u8>>, usize),
        numbers: Numbers<'a>,
    ) -> Result<Self, EngineError> {
        let function = device.kernel(file, file.stem, 0)?;
        let widest = Layout::of(waves)?.widest();
        Ok(Self { waves, widest, function, cells, columns: columns as i64, arrays, numbers })
    }
}

impl<W: Waves> Kernels for Printed<'_, W> {
    type Cell = i32;
    type Waves = W;

    fn table(&self) -> &W {
        self.waves
    }

    fn fill(&self, wave: u64, mut args: Launch<'_, i32>) -> Result<(), DeviceError> {
        let unfit = |why: &str| DeviceError::Unfit { kernel: "recurrence", why: why.into() };
        let (cells, bits) = (self.waves.cells(wave), self.waves.choice_bits());
        let bytes = (cells * bits as usize).div_ceil(8).next_multiple_of(ALIGN);
        let has_place = args.choices.as_ref().is_none_or(|choices| choices.len() >= bytes);
        let is_long = args.before.iter().all(|before| before.len() >= self.widest);
        let is_long = is_long && args.next.len() >= self.widest;
        if args.before.len() != self.waves.reach() || !is_long || !has_place || wave >= self.waves.waves() {
            return Err(unfit("a wave is shorter than its cells"));
        }
        let mut numbers = (self.numbers)(wave);
        numbers.extend([self.columns, wave as i64, cells as i64, bytes as i64]);
        let threads = (bytes as u64 * 8 / u64::from(bits)).div_ceil(self.cells);
        // The first dimension of a grid is a signed 32-bit number.
        let blocks = i32::try_from(threads.div_ceil(THREADS)).map_err(|_| unfit("a wave is too long"))?;
        let mut builder = args.device.stream().launch_builder(&self.function);
        for before in &args.before {
            builder.arg(before);
        }
        builder.arg(&mut args.next).arg(OrNull(args.choices.as_mut()));
        for array in &self.arrays {
            builder.arg(array);
        }
        for number in &numbers {
            builder.arg(number);
        }
        let config = grid(blocks.unsigned_abs(), THREADS as u32, 0);
        // SAFETY: arguments are in the order and of the types of every printed kernel, with the arrays and numbers of this
        // recurrence (what made it brings them); all waves have the cells of the widest and the choices all bytes (checked
        // above); the stream orders the launches.
        unsafe { builder.launch(config) }.map(|_| ()).during("launching a printed kernel")
    }
}
