//! The thesis's case study on the GPU: the least utilization of a task set within each area, one row per task.
//!
//! B. Suri, "Accelerating the knapsack problem on GPUs", master's thesis, Linköping University, 2011, chapter 6. The
//! thesis divides savings by periods, or multiplies by reciprocals, in floating point; both variants are here for
//! comparison, and are inexact. The exact variant multiplies by integer frequencies over the hyperperiod.

use super::row::{ItemRecord, MOST_CELLS, THREADS, blocks_for, items_in_shared};
use cudarc::driver::{CudaSlice, ValidAsZeroBits};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile, Plain, grid};
use isx_machine::launch;
use isx_mckp::cuda::Cell;

/// How savings of different tasks are made comparable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Divided by the period in 32-bit floats; inexact.
    DivisionF32,
    /// Divided by the period in 64-bit floats; inexact.
    DivisionF64,
    /// Times the reciprocal of the period in 32-bit floats; inexact.
    ReciprocalF32,
    /// Times the reciprocal of the period in 64-bit floats; inexact.
    ReciprocalF64,
    /// Times the integer frequency, in 32-bit integers.
    ExactI32,
    /// Times the integer frequency, in 64-bit integers.
    ExactI64,
}

impl Arithmetic {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::DivisionF32,
        Self::DivisionF64,
        Self::ReciprocalF32,
        Self::ReciprocalF64,
        Self::ExactI32,
        Self::ExactI64,
    ];

    /// The name; for an inexact variant that of [`FloatVariant`](crate::thesis::float_front::FloatVariant).
    pub fn name(self) -> &'static str {
        match self {
            Self::DivisionF32 => "div-f32",
            Self::DivisionF64 => "div-f64",
            Self::ReciprocalF32 => "recip-f32",
            Self::ReciprocalF64 => "recip-f64",
            Self::ExactI32 => "i32",
            Self::ExactI64 => "i64",
        }
    }

    /// Its file and kernel.
    fn kernel(self) -> (&'static KernelFile, &'static str) {
        match self {
            Self::DivisionF32 => (&kernel_file!("utilization_division"), "utilization_division_f32"),
            Self::DivisionF64 => (&kernel_file!("utilization_division"), "utilization_division_f64"),
            Self::ReciprocalF32 => (&kernel_file!("utilization_reciprocal"), "utilization_reciprocal_f32"),
            Self::ReciprocalF64 => (&kernel_file!("utilization_reciprocal"), "utilization_reciprocal_f64"),
            Self::ExactI32 => (&kernel_file!("utilization_exact"), "utilization_exact_i32"),
            Self::ExactI64 => (&kernel_file!("utilization_exact"), "utilization_exact_i64"),
        }
    }

    /// The divisor or factor of a task's savings.
    fn timing<R: Real>(self, task: &StudyTask) -> R {
        match self {
            Self::DivisionF32 | Self::DivisionF64 => R::from_integer(task.period),
            Self::ReciprocalF32 | Self::ReciprocalF64 => R::ratio(1, task.period),
            Self::ExactI32 | Self::ExactI64 => R::from_integer(task.frequency),
        }
    }

    /// Whether the arithmetic is exact.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::ExactI32 | Self::ExactI64)
    }
}

/// A task in integers of one time unit.
#[derive(Clone, Debug)]
pub struct StudyTask {
    /// E_i.
    pub wcet: i64,
    /// P_i.
    pub period: i64,
    /// F_i = H / P_i.
    pub frequency: i64,
    /// Saving delta_ik and area c_ik of each choice.
    pub choices: Vec<(i64, u64)>,
}

/// The last row of a table, a cell for each area from 0 on.
#[derive(Clone, Debug)]
pub enum StudyAnswer {
    /// The least utilization, of an inexact variant.
    Utilization(Vec<f64>),
    /// The most demand saved in a hyperperiod, of an exact one.
    Saved(Vec<i64>),
}

/// A cell of the case study's table.
pub trait Real: Plain + ValidAsZeroBits {
    /// From an integer, rounded if the type cannot represent it.
    fn from_integer(value: i64) -> Self;
    /// The quotient of two integers, rounded if the type cannot represent it.
    fn ratio(numerator: i64, denominator: i64) -> Self;
    /// Rounded to the type.
    fn from_f64(value: f64) -> Self;
    /// As a 64-bit float.
    fn to_f64(self) -> f64;
    /// Rounded down to an integer; exact for the integer types.
    fn to_integer(self) -> i64;
}

macro_rules! real {
    ($type:ty, $ratio:expr) => {
        // The inexact variants round to the type on purpose; exact ones are range-checked first.
        #[allow(clippy::cast_possible_truncation, clippy::cast_lossless)]
        impl Real for $type {
            fn from_integer(value: i64) -> Self {
                value as Self
            }
            fn ratio(numerator: i64, denominator: i64) -> Self {
                $ratio(numerator as Self, denominator as Self)
            }
            fn from_f64(value: f64) -> Self {
                value as Self
            }
            fn to_f64(self) -> f64 {
                self as f64
            }
            fn to_integer(self) -> i64 {
                self as i64
            }
        }
    };
}
real!(f32, |a: f32, b: f32| a / b);
real!(f64, |a: f64, b: f64| a / b);
real!(i32, |a: i32, b: i32| a / b.max(1));
real!(i64, |a: i64, b: i64| a / b.max(1));

/// The least utilization at every area from 0 to `max_area`.
/// Fails if the rows exceed the GPU's memory, an exact sum would exceed its integers, or a call fails.
pub fn least_utilization(
    device: &Device,
    tasks: &[StudyTask],
    max_area: u64,
    arithmetic: Arithmetic,
) -> Result<StudyAnswer, DeviceError> {
    match arithmetic {
        Arithmetic::DivisionF32 => run::<f32>(device, tasks, max_area, arithmetic),
        Arithmetic::DivisionF64 => run::<f64>(device, tasks, max_area, arithmetic),
        Arithmetic::ReciprocalF32 => run::<f32>(device, tasks, max_area, arithmetic),
        Arithmetic::ReciprocalF64 => run::<f64>(device, tasks, max_area, arithmetic),
        Arithmetic::ExactI32 => exact::<i32>(device, tasks, max_area, arithmetic),
        Arithmetic::ExactI64 => exact::<i64>(device, tasks, max_area, arithmetic),
    }
}

/// Runs an exact variant after checking that its sums fit.
fn exact<R: Real + Cell>(
    device: &Device,
    tasks: &[StudyTask],
    max_area: u64,
    arithmetic: Arithmetic,
) -> Result<StudyAnswer, DeviceError> {
    let largest = |task: &StudyTask| {
        let most = task.choices.iter().map(|&(saving, _)| i128::from(saving).abs()).max().unwrap_or(0);
        most * i128::from(task.frequency)
    };
    if tasks.iter().map(largest).sum::<i128>() >> (R::WIDTH.bits() - 1) > 0 {
        let why = format!("the demand in a hyperperiod passes {} bits", R::WIDTH.bits());
        return Err(DeviceError::Unfit { kernel: "utilization_exact", why });
    }
    run::<R>(device, tasks, max_area, arithmetic)
}

fn run<R: Real>(
    device: &Device,
    tasks: &[StudyTask],
    max_area: u64,
    arithmetic: Arithmetic,
) -> Result<StudyAnswer, DeviceError> {
    let (file, name) = arithmetic.kernel();
    let unfit = |why: String| DeviceError::Unfit { kernel: name, why };
    let last_area = i32::try_from(max_area).ok().filter(|&area| area < MOST_CELLS - 1);
    let last_area =
        last_area.ok_or_else(|| unfit("areas of 2^30 units and more are for the tiled kernel".into()))?;
    let cells = max_area as usize + 1;
    let needed = (tasks.len() as u64 + 1) * cells as u64 * size_of::<R>() as u64;
    let free = device.free_memory()?;
    if needed > free {
        return Err(DeviceError::Memory { needed, free });
    }
    let mut offsets = vec![0];
    let mut choices = Vec::new();
    for task in tasks {
        let fitting = task.choices.iter().filter(|&&(_, area)| area <= max_area);
        choices.extend(
            fitting.map(|&(saving, area)| ItemRecord { value: R::from_integer(saving), weight: area as i32 }),
        );
        offsets.push(choices.len());
    }
    // The driver cannot copy empty arrays.
    choices.push(ItemRecord { value: R::default(), weight: 0 });
    let choices = device.upload("choices", &choices)?;
    let software: f64 = tasks.iter().map(|task| task.wcet as f64 / task.period as f64).sum();
    let start = if arithmetic.is_exact() { R::default() } else { R::from_f64(software) };
    let mut rows: CudaSlice<R> = device.zeros("rows of the table", cells * (tasks.len() + 1))?;
    let mut first = rows.slice_mut(..cells);
    device
        .stream()
        .memcpy_htod(&vec![start; cells], &mut first)
        .during("copying the first row to the GPU")?;
    let most_choices = tasks.iter().map(|task| task.choices.len()).max().unwrap_or(0);
    let shared = items_in_shared(most_choices, size_of::<ItemRecord<R>>());
    if shared > device.info().shared_per_block {
        return Err(unfit(format!("a task of {most_choices} choices does not fit a block's shared memory")));
    }
    let function = device.kernel(file, name, shared)?;
    for (at, task) in tasks.iter().enumerate() {
        let (before, mut after) = rows.split_at_mut((at + 1) * cells);
        let (previous, mut next) = (before.slice(at * cells..), after.slice_mut(..cells));
        let of_task = choices.slice(offsets[at]..offsets[at + 1]);
        let (count, timing) = (of_task.len() as i32, arithmetic.timing::<R>(task));
        let shared = items_in_shared(of_task.len(), size_of::<ItemRecord<R>>());
        let config = grid(blocks_for(cells) as u32, THREADS as u32, shared as u32);
        // SAFETY: arguments are in the kernels' common order and of their types; both rows have last_area + 1 cells and
        // `count` is the number of choices; shared memory has room for the choices.
        unsafe {
            launch!(device, function, name, config; &previous, &mut next, &of_task, &count, &timing, &last_area)
        }?;
    }
    device.finish("utilization")?;
    let last = device.download("a row", &rows.slice(tasks.len() * cells..))?;
    Ok(match arithmetic.is_exact() {
        true => StudyAnswer::Saved(last.iter().map(|cell| cell.to_integer()).collect()),
        false => StudyAnswer::Utilization(last.iter().map(|cell| cell.to_f64()).collect()),
    })
}
