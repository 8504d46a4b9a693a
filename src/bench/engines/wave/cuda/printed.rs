//! Kernels that `cargo xtask recurrence` prints from a few lines (`kernels/recurrence/`), swept by the driver.
//!
//! Every printed kernel has the same arguments: the waves before, the latest first; the wave and its choices; the arrays of
//! its recurrence; the numbers of this wave; the number of columns, the wave's number, its cells and the bytes of its
//! choices. So one launch serves all; each recurrence has a function that brings what its kernel reads.

use super::{Kernels, Launch};
use crate::wave::Waves;
use cudarc::driver::{CudaFunction, CudaSlice, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile, grid};

/// Threads of a block.
const THREADS: u64 = 256;
/// Bytes to which a wave's choices are rounded up.
const ALIGN: usize = 128;

macro_rules! printed {
    ($stem:literal) => {
        KernelFile {
            stem: $stem,
            ptx: &[(70, include_str!(concat!("../../../../../kernels/ptx/", $stem, ".compute_70.ptx")))],
        }
    };
}

const LCS: KernelFile = printed!("recurrence_lcs");
const EDIT_DISTANCE: KernelFile = printed!("recurrence_edit_distance");
const KNAPSACK: KernelFile = printed!("recurrence_knapsack");

/// The cells of a table.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Those of texts of so many letters, borders included.
    Diagonals { rows: usize, columns: usize },
    /// So many rows of so many cells.
    Rows { rows: u64, cells: usize },
}

/// The whole numbers that a wave is given.
type Numbers<'a> = Box<dyn Fn(u64) -> Vec<i64> + Sync + 'a>;

/// A recurrence with its printed kernel and what that reads. Cells have 32 bits.
pub struct Printed<'a> {
    function: CudaFunction,
    shape: Shape,
    reach: usize,
    choice_bits: u32,
    /// Cells of a thread.
    cells: u64,
    arrays: Vec<CudaSlice<u8>>,
    numbers: Numbers<'a>,
}

impl std::fmt::Debug for Printed<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Printed").field("shape", &self.shape).finish_non_exhaustive()
    }
}

impl<'a> Printed<'a> {
    /// The longest common subsequence: choice 1 is the cell above, 2 the one to the left, 0 a letter.
    ///
    /// # Errors
    ///
    /// When the GPU refuses the kernel or the letters.
    pub fn lcs(device: &Device, rows: &[u8], columns: &[u8]) -> Result<Self, DeviceError> {
        Self::of_texts(device, &LCS, rows, columns)
    }

    /// The edit distance: choice 0 keeps or changes a letter, 1 deletes one of `a`, 2 inserts one of `b`.
    ///
    /// # Errors
    ///
    /// When the GPU refuses the kernel or the letters.
    pub fn edit_distance(device: &Device, a: &[u8], b: &[u8]) -> Result<Self, DeviceError> {
        Self::of_texts(device, &EDIT_DISTANCE, a, b)
    }

    fn of_texts(
        device: &Device,
        file: &KernelFile,
        rows: &[u8],
        columns: &[u8],
    ) -> Result<Self, DeviceError> {
        // The driver cannot copy empty arrays.
        let upload =
            |letters: &[u8]| device.upload("letters", if letters.is_empty() { &[0] } else { letters });
        Ok(Self {
            function: device.kernel(file, file.stem, 0)?,
            shape: Shape::Diagonals { rows: rows.len(), columns: columns.len() },
            reach: 2,
            choice_bits: 2,
            cells: 4,
            arrays: vec![upload(rows)?, upload(columns)?],
            numbers: Box::new(|_| Vec::new()),
        })
    }

    /// The 0-1 knapsack, a row of `cells` per item: choice 1 takes it. `item` gives the weight and the profit of a row's.
    ///
    /// # Errors
    ///
    /// When the GPU refuses the kernel.
    pub fn knapsack(
        device: &Device,
        (rows, cells): (u64, usize),
        item: impl Fn(u64) -> (u64, i32) + Sync + 'a,
    ) -> Result<Self, DeviceError> {
        let numbers = move |wave| {
            let (weight, profit) = item(wave);
            vec![i64::try_from(weight).unwrap_or(i64::MAX), profit.into()]
        };
        Ok(Self {
            function: device.kernel(&KNAPSACK, KNAPSACK.stem, 0)?,
            shape: Shape::Rows { rows, cells },
            reach: 1,
            choice_bits: 1,
            cells: 8,
            arrays: Vec::new(),
            numbers: Box::new(numbers),
        })
    }
}

impl Waves for Printed<'_> {
    fn waves(&self) -> u64 {
        match self.shape {
            Shape::Diagonals { rows, columns } => (rows + columns) as u64 + 1,
            Shape::Rows { rows, .. } => rows,
        }
    }

    fn cells(&self, wave: u64) -> usize {
        match self.shape {
            Shape::Diagonals { rows, columns } => {
                (wave as usize).min(rows) - (wave as usize).saturating_sub(columns) + 1
            }
            Shape::Rows { cells, .. } => cells,
        }
    }

    fn reach(&self) -> usize {
        self.reach
    }

    fn choice_bits(&self) -> u32 {
        self.choice_bits
    }
}

impl Kernels for Printed<'_> {
    type Cell = i32;

    fn fill(&self, wave: u64, mut args: Launch<'_, i32>) -> Result<(), DeviceError> {
        let unfit = |why: &str| DeviceError::Unfit { kernel: "recurrence", why: why.into() };
        let cells = self.cells(wave);
        let bytes = (cells * self.choice_bits as usize).div_ceil(8).next_multiple_of(ALIGN);
        let has_place = args.choices.as_ref().is_none_or(|choices| choices.len() >= bytes);
        let widest = match self.shape {
            Shape::Diagonals { rows, columns } => rows.min(columns) + 1,
            Shape::Rows { cells, .. } => cells,
        };
        let is_long = args.before.iter().all(|before| before.len() >= widest) && args.next.len() >= widest;
        if args.before.len() != self.reach || !is_long || !has_place || wave >= self.waves() {
            return Err(unfit("a wave is shorter than its cells"));
        }
        let column_count = match self.shape {
            Shape::Diagonals { rows, columns } if rows + columns < i32::MAX as usize => columns,
            Shape::Diagonals { .. } => return Err(unfit("a text is too long")),
            Shape::Rows { .. } => 0,
        };
        let mut numbers = (self.numbers)(wave);
        numbers.extend([column_count as i64, wave as i64, cells as i64, bytes as i64]);
        let threads = (bytes as u64 * 8 / u64::from(self.choice_bits)).div_ceil(self.cells);
        // The first dimension of a grid is a signed 32-bit number.
        let blocks = i32::try_from(threads.div_ceil(THREADS)).map_err(|_| unfit("a wave is too long"))?;
        let null = 0u64;
        let mut builder = args.device.stream().launch_builder(&self.function);
        for before in &args.before {
            builder.arg(before);
        }
        builder.arg(&mut args.next);
        match &mut args.choices {
            Some(choices) => builder.arg(choices),
            None => builder.arg(&null),
        };
        for array in &self.arrays {
            builder.arg(array);
        }
        for number in &numbers {
            builder.arg(number);
        }
        let config = grid(blocks.unsigned_abs(), THREADS as u32, 0);
        // SAFETY: arguments are in the order and of the types of every printed kernel, with the arrays and numbers of this
        // recurrence (its function above); all waves have the cells of the widest and the choices all bytes (checked
        // above); letters are read at i - 1 and j - 1 of cells off the border, of which there is one each; a row is read
        // within its cells only; the stream orders the launches.
        unsafe { builder.launch(config) }.map(|_| ()).during("launching a printed kernel")
    }
}
