//! A table of the tiled engine on the GPU: upload and filling. `read_back.rs` downloads the results, `plan.rs` makes
//! the plan.

use super::cell::Cell;
use super::layout::{ClassRecord, Layers, Segment};
use super::plan::{Options, Plan};
use super::shape::Shape;
use super::{mckp_packed, mckp_tiled};
use cudarc::driver::CudaSlice;
use isx_machine::cuda::{Device, DeviceError, During};
use isx_problems::reduce::mckp::Reduced;
use std::ops::Range;

/// A problem on the GPU, ready to be filled.
pub struct Table<'a, V: Cell> {
    pub(super) device: &'a Device,
    pub(super) problem: &'a Reduced<V>,
    pub(super) plan: Plan,
    pub(super) on_device: OnDevice<V>,
}

/// The buffers of a table.
pub(super) struct OnDevice<V> {
    pub rows: CudaSlice<V>,
    constants: CudaSlice<[i32; 4]>,
    records: CudaSlice<[i32; 4]>,
    segments: CudaSlice<Segment>,
    classes: CudaSlice<ClassRecord>,
    pub picks: Option<CudaSlice<u8>>,
    progress: CudaSlice<u32>,
    wide_tiles: CudaSlice<u64>,
}

impl<'a, V: Cell> Table<'a, V> {
    /// Lays out the problem, which has at least one class, and copies it to the GPU. Fails if two rows do not fit
    /// into the GPU's free memory, or a call fails.
    pub fn new(
        device: &'a Device,
        problem: &'a Reduced<V>,
        indexed: bool,
        options: &Options,
    ) -> Result<Self, DeviceError> {
        let free = device.usable_memory()?;
        let plan = Plan::new(Layers::new(problem), device.info(), free, indexed, options)?;
        let on_device = OnDevice::new(device, &plan)?;
        Ok(Self { device, problem, plan, on_device })
    }

    /// The number of runs of classes, filled one after the other, each from the last row of the previous one.
    pub fn runs(&self) -> usize {
        self.plan.runs.len()
    }

    /// Kernels launched to fill all runs.
    pub fn launches(&self) -> usize {
        self.plan.runs.iter().map(|run| run.launches.len()).sum()
    }

    /// The number of candidates computed: items times cells.
    pub fn updates(&self) -> u64 {
        self.plan.layout.candidates.saturating_mul(self.problem.capacity.saturating_add(1))
    }

    /// The shape of its tiles.
    pub fn shape(&self) -> Shape {
        self.plan.layout.shape
    }

    /// Whether two cells share a word where values allow it.
    pub fn is_packed(&self) -> bool {
        self.plan.packed
    }

    /// Tiles that [`Filling::Packed`](super::Filling::Packed) had to fill with full cells, counted per class and
    /// summed over all launches so far. Fails if the copy fails.
    pub fn wide_tiles(&self) -> Result<u64, DeviceError> {
        let counted =
            self.device.stream().clone_dtoh(&self.on_device.wide_tiles).during("copying a counter")?;
        Ok(counted[0])
    }

    /// Starts filling run `run`, whose first row must be in place (it is for the first run). Fails if a launch is
    /// refused.
    pub fn fill(&mut self, run: usize) -> Result<(), DeviceError> {
        let clearing = "clearing the progress counts";
        self.device.stream().memset_zeros(&mut self.on_device.progress).during(clearing)?;
        for launch in 0..self.plan.runs[run].launches.len() {
            self.launch(run, launch)?;
        }
        Ok(())
    }

    fn launch(&mut self, run: usize, launch: usize) -> Result<(), DeviceError> {
        let Plan { layout, stride, tiles, packed, runs, .. } = &self.plan;
        let layers = runs[run].launches[launch].clone();
        let before = layers.start - runs[run].layers.start;
        let unfit = |what: &str| DeviceError::Unfit {
            kernel: self.plan.kernel_name(),
            why: format!("its integers cannot count the {what}"),
        };
        let in_32_bits = |what, number: usize| i32::try_from(number).map_err(|_| unfit(what));
        let how = mckp_tiled::Launch {
            shape: layout.shape,
            tiles: *tiles,
            shared_bytes: u32::try_from(layout.shared_bytes).map_err(|_| unfit("bytes of shared memory"))?,
            record_capacity: in_32_bits("items of a band", layout.record_capacity)?,
            window_capacity: in_32_bits("cells of a window", layout.window_capacity)?,
            class_count: in_32_bits("classes", layers.len())?,
            // The plan ensured that a run's number of tickets does not overflow.
            first_ticket: tiles.wrapping_mul(launch as u32),
            classes_before: u32::try_from(before).map_err(|_| unfit("classes"))?,
        };
        let on_device = &mut self.on_device;
        let rows = on_device.rows.slice_mut(before * stride..(before + layers.len() + 1) * stride);
        let items =
            on_device.constants.slice(layout.constants_at[layers.start]..layout.constants_at[layers.end]);
        let classes = on_device.classes.slice(layers);
        let stride = *stride as i64;
        let mut args = mckp_tiled::Args {
            rows,
            stride,
            items,
            records: &on_device.records,
            segments: &on_device.segments,
            classes,
            picks: on_device.picks.as_mut(),
            mask: V::at_most((1 << layout.pick_bits) - 1),
            progress: &mut on_device.progress,
            wide_tiles: &mut on_device.wide_tiles,
        };
        let launch = if *packed { mckp_packed::launch } else { mckp_tiled::launch };
        launch(self.device, &how, &mut args)
    }

    /// Waits until run `run` is filled and checks that every tile finished. Fails if the GPU reports a fault, or a
    /// block gave up waiting.
    pub fn finish(&self, run: usize) -> Result<(), DeviceError> {
        let kernel = self.plan.kernel_name();
        self.device.finish(kernel)?;
        let counts = self.on_device.progress.slice(..=mckp_tiled::GAVE_UP);
        let counts = self.device.stream().clone_dtoh(&counts).during("copying the progress counts")?;
        let tickets = self.plan.layout.tiles * self.plan.runs[run].launches.len();
        if counts[mckp_tiled::GAVE_UP] != 0 || counts[mckp_tiled::TICKETS] as usize != tickets {
            return Err(DeviceError::Unbelievable {
                kernel,
                why: "a block gave up waiting for its neighbour, or never ran".into(),
            });
        }
        Ok(())
    }

    /// Copies the last row of a finished run to the first row.
    pub(super) fn roll_over(&mut self, run: usize) -> Result<(), DeviceError> {
        let stride = self.plan.stride;
        let last = self.plan.runs[run].layers.len() * stride;
        let (mut first, rest) = self.on_device.rows.split_at_mut(stride);
        let last = rest.slice(last - stride..last);
        self.device.stream().memcpy_dtod(&last, &mut first).during("moving a row of the table")
    }

    /// Fills run `run` again from the row it started from; `checkpoints` contains the first rows of all runs but the
    /// first.
    pub(super) fn restart(&mut self, run: usize, checkpoints: &[Vec<V>]) -> Result<(), DeviceError> {
        let mut first = self.on_device.rows.slice_mut(..self.plan.stride);
        let stream = self.device.stream();
        let started = match run {
            0 => stream.memset_zeros(&mut first),
            _ => stream.memcpy_htod(&checkpoints[run - 1], &mut first),
        };
        started.during("putting back a row of the table")?;
        self.fill(run)?;
        self.finish(run)
    }

    /// The layers of a run.
    pub(super) fn layers_of(&self, run: usize) -> Range<usize> {
        self.plan.runs[run].layers.clone()
    }
}

impl<V: Cell> OnDevice<V> {
    fn new(device: &Device, plan: &Plan) -> Result<Self, DeviceError> {
        let Plan { layout, stride, runs, pick_bytes, .. } = plan;
        let longest_run = runs.iter().map(|run| run.layers.len()).max().unwrap_or(0);
        let mut rows = device.unwritten("rows of the table", stride * (longest_run + 1))?;
        let clearing = "clearing the first row";
        device.stream().memset_zeros(&mut rows.slice_mut(..*stride)).during(clearing)?;
        let picks = pick_bytes.map(|bytes| device.unwritten("item indices", bytes)).transpose()?;
        Ok(Self {
            rows,
            constants: device.upload("items", &layout.constants)?,
            records: device.upload("items of further bands", &layout.records)?,
            segments: device.upload("bands of items", &layout.segments)?,
            classes: device.upload("classes", &layout.classes)?,
            picks,
            progress: device.zeros("progress counts", mckp_tiled::progress_words(layout.tiles))?,
            wide_tiles: device.zeros("a counter", 1)?,
        })
    }
}
