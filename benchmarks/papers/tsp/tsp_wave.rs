//! Binding of `kernels/papers/tsp_wave.cu`: the sets of one size from those of the size before, and a byte per cell.

use super::wave::Sets;
use crate::wave::Waves;
use crate::wave::cuda::{Kernels, Launch};
use cudarc::driver::{CudaFunction, CudaSlice};
use isx_machine::cuda::{Device, DeviceError, KernelFile, OrNull, grid};
use isx_machine::launch;

const FILE: KernelFile = kernel_file!("tsp_wave");

/// Cities but the first, at most: a lane for each.
pub(super) const MOST_OTHERS: usize = 32;
/// Threads of a block, a warp per set.
const THREADS: u32 = 256;
/// Bytes to which a wave's choices are rounded up.
const ALIGN: usize = 128;

const NAME: &str = "tsp_wave_i64";

/// The sets, with their distances on the GPU.
pub(super) struct OnDevice<'a> {
    sets: &'a Sets,
    function: CudaFunction,
    /// 32 columns for each city.
    distances: CudaSlice<i64>,
    /// The same with the way home in every column.
    home: CudaSlice<i64>,
    /// 32 cells.
    start: CudaSlice<i64>,
    /// C(e, k) at 32 k + e.
    choose: CudaSlice<u32>,
}

impl<'a> OnDevice<'a> {
    pub fn new(device: &Device, sets: &'a Sets) -> Result<Self, DeviceError> {
        let others = sets.others;
        let each = |of: &dyn Fn(usize, usize) -> i64| -> Vec<i64> {
            let at = |at: usize| {
                let (from, to) = (at / MOST_OTHERS, at % MOST_OTHERS);
                if from < others && to < others { of(from, to) } else { 0 }
            };
            (0..MOST_OTHERS * MOST_OTHERS).map(at).collect()
        };
        let choose = |at: usize| {
            let (k, e) = (at / MOST_OTHERS, at % MOST_OTHERS);
            // Of a city that is not there no set is asked for, but every lane reads one.
            if e < others && k <= others { sets.choose.of(e, k) as u32 } else { u32::MAX }
        };
        let choose: Vec<u32> = (0..(MOST_OTHERS + 1) * MOST_OTHERS).map(choose).collect();
        let distances = each(&|from, to| sets.distances[from * others + to]);
        Ok(Self {
            sets,
            function: device.kernel(&FILE, NAME, 0)?,
            distances: device.upload("distances", &distances)?,
            home: device.upload("distances", &each(&|from, _| sets.home[from]))?,
            start: device.upload("distances", &each(&|_, to| sets.start[to])[..MOST_OTHERS])?,
            choose: device.upload("binomial coefficients", &choose)?,
        })
    }
}

impl Kernels for OnDevice<'_> {
    type Cell = i64;
    type Waves = Sets;

    fn table(&self) -> &Sets {
        self.sets
    }

    fn fill(&self, wave: u64, mut args: Launch<'_, i64>) -> Result<(), DeviceError> {
        let unfit = |why: &str| DeviceError::Unfit { kernel: NAME, why: why.into() };
        let [previous] = &args.before[..] else { return Err(unfit("it needs the one wave before")) };
        let cells = self.sets.cells(wave);
        let bytes = cells.next_multiple_of(ALIGN);
        let has_place = args.choices.as_ref().is_none_or(|choices| choices.len() >= bytes);
        let before = wave.checked_sub(1).map_or(0, |before| self.sets.cells(before));
        if wave >= self.sets.waves() || previous.len() < before || args.next.len() < cells || !has_place {
            return Err(unfit("a wave is shorter than its cells"));
        }
        let sets = u32::try_from(self.sets.sets(wave)).map_err(|_| unfit("there are too many sets"))?;
        let (others, size) = (self.sets.others as i32, wave as i32);
        let distances = if size == others { &self.home } else { &self.distances };
        let (bytes, choices) = (bytes as u64, OrNull(args.choices.as_mut()));
        let config = grid(sets.div_ceil(THREADS / 32), THREADS, 0);
        // SAFETY: arguments are in the kernel's order and of its types; both waves have their cells and the choices all bytes
        // (checked above); distances and coefficients have 32 columns for each of at most 32 cities; the number of a set
        // without a city, and the place of that city in its row, are cells of the wave before; the stream orders the launches.
        unsafe {
            launch!(args.device, self.function, NAME, config; previous, &mut args.next, choices, distances, &self.start, &self.choose, &others, &size, &sets, &bytes)
        }
    }
}
