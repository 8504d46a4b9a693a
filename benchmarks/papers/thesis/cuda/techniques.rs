//! The thesis's own techniques, implemented as described, for comparison with the tiled engine.
//!
//! B. Suri, "Accelerating the knapsack problem on GPUs", master's thesis, Linköping University, 2011, chapter 4.
//! Every technique fills all rows; the rows stay on the GPU, where the walks find the items of front points.

use super::mckp_prevrow::Weights;
use super::occupancy::{Occupancy, occupancy};
use super::row::{self, Args, ItemRecord, RowKernel, items_in_shared, nothing_in_shared};
use super::{mckp_prevrow, mckp_sync};
use cudarc::driver::CudaSlice;
use isx_engine::rises::breakpoints;
use isx_engine::{Engine, EngineError, Estimate, Plan, Request};
use isx_machine::Machine;
use isx_machine::cpu::Team;
use isx_machine::cuda::Device;
use isx_machine::cuda::{DeviceError, During};
use isx_mckp::answer::Answer;
use isx_mckp::cuda::Cell;
use isx_mckp::cuda::Layers;
use isx_mckp::cuda::Walk;
use isx_mckp::cuda::nothing_to_choose;
use isx_mckp::{Mckp, Wanted};
use isx_problems::reduce::mckp::{Class, Reduced, Tiered};
use std::time::Instant;

/// A technique of the thesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// CUDA-GLOBAL, algorithm 4.1.
    Global,
    /// CUDA-SHARED, algorithm 4.2.
    Shared,
    /// CUDA-PREVROW, algorithm 4.3 with the rule of equation 4.2.
    Prevrow,
    /// CUDA-MULTICELL, algorithm 4.4.
    Multicell,
    /// The adjacent cells per thread of figure 4.4, in place of CUDA-MULTICELL's.
    Adjacent,
    /// CUDA-MULTICELL where the host waits for every row before it launches the next, as in algorithm B.1: what the
    /// thesis compares CUDA-SYNC with. A stream orders launches by itself, so the others do not wait.
    HostSync,
    /// CUDA-SYNC, algorithm 4.5.
    Sync,
    /// The parallel reduction of section 4.5.
    Reduction,
}

impl Technique {
    /// All of them, in the thesis's order.
    pub const ALL: &'static [Self; 8] = &[
        Self::Global,
        Self::Shared,
        Self::Prevrow,
        Self::Multicell,
        Self::Adjacent,
        Self::HostSync,
        Self::Sync,
        Self::Reduction,
    ];

    /// The thesis's name, or what it is.
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "CUDA-GLOBAL",
            Self::Shared => "CUDA-SHARED",
            Self::Prevrow => "CUDA-PREVROW",
            Self::Multicell => "CUDA-MULTICELL",
            Self::Adjacent => "adjacent cells",
            Self::HostSync => "CUDA-MULTICELL, host waits",
            Self::Sync => "CUDA-SYNC",
            Self::Reduction => "reduction",
        }
    }
}

impl Engine<Mckp> for Technique {
    /// These are only compared: there is no time model, only whether they can run.
    fn plan<'a>(&'a self, request: Request<'a, Mckp>) -> Result<Plan<'a, Mckp>, EngineError> {
        let Request { problem, wanted, context } = request;
        let machine = context.machine;
        machine.gpu().info()?;
        if !matches!(problem, Tiered::I32(_) | Tiered::I64(_)) {
            return Err(EngineError::Arithmetic(problem.tier()));
        }
        Ok(Plan::new(Estimate { seconds: 0.0, bytes: 0 }, move || {
            let device = machine.gpu().device()?;
            match problem {
                Tiered::I32(problem) => Ok(solve_by(*self, device, problem, wanted, machine)?),
                Tiered::I64(problem) => Ok(solve_by(*self, device, problem, wanted, machine)?),
                wider => Err(EngineError::Arithmetic(wider.tier())),
            }
        }))
    }
}

/// Cells of the longest cache line.
const ROW_ALIGNMENT: usize = 32;

/// A problem on the GPU, ready to be filled by one technique.
pub struct ThesisTable<'a, V: Cell> {
    device: &'a Device,
    problem: &'a Reduced<V>,
    technique: Technique,
    kernel: Kernel,
    rows: CudaSlice<V>,
    items: CudaSlice<ItemRecord<V>>,
    offsets: Vec<usize>,
    offsets_on_device: CudaSlice<i32>,
    weights: Vec<Weights>,
    barrier: CudaSlice<u32>,
    stride: usize,
}

enum Kernel {
    Row(RowKernel),
    Prevrow(mckp_prevrow::Prevrow),
    Sync(mckp_sync::Sync),
}

impl<'a, V: Cell> ThesisTable<'a, V> {
    /// Copies the problem to the GPU and allocates memory for all rows.
    /// Fails if the rows exceed the GPU's free memory, the technique does not support the problem, or a call fails.
    pub fn new(
        device: &'a Device,
        problem: &'a Reduced<V>,
        technique: Technique,
    ) -> Result<Self, DeviceError> {
        // Rows are aligned to cache lines.
        let stride = (problem.capacity as usize + 1).next_multiple_of(ROW_ALIGNMENT);
        let needed = (problem.classes.len() as u64 + 1) * stride as u64 * size_of::<V>() as u64;
        let free = device.free_memory()?;
        if needed > free {
            return Err(DeviceError::Memory { needed, free });
        }
        let most_items = problem.classes.iter().map(|class| class.items.len()).max().unwrap_or(1);
        let row = |file, names, shared| {
            RowKernel::load::<V>(device, file, names, shared, most_items).map(Kernel::Row)
        };
        let kernel = match technique {
            Technique::Global => {
                let names = ("mckp_global_i32", "mckp_global_i64");
                row(&kernel_file!("mckp_global"), names, nothing_in_shared)?
            }
            Technique::Shared => {
                let names = ("mckp_shared_i32", "mckp_shared_i64");
                row(&kernel_file!("mckp_shared"), names, items_in_shared)?
            }
            Technique::Adjacent => {
                let names = ("mckp_adjacent_i32", "mckp_adjacent_i64");
                row(&kernel_file!("mckp_multicell"), names, items_in_shared)?
            }
            Technique::Multicell | Technique::HostSync => {
                let names = ("mckp_multicell_i32", "mckp_multicell_i64");
                row(&kernel_file!("mckp_multicell"), names, items_in_shared)?
            }
            Technique::Reduction => {
                let names = ("mckp_reduction_i32", "mckp_reduction_i64");
                row(&kernel_file!("mckp_reduction"), names, nothing_in_shared)?
            }
            Technique::Prevrow => Kernel::Prevrow(mckp_prevrow::load::<V>(device)?),
            Technique::Sync => Kernel::Sync(mckp_sync::load::<V>(device, most_items)?),
        };
        let mut offsets = vec![0];
        let mut items = Vec::new();
        for class in &problem.classes {
            // The capacity is below 2^31 if the kernels run at all, and no item is heavier.
            let record = |item: &isx_problems::mckp::Item<V>| ItemRecord {
                value: item.value,
                weight: item.weight as i32,
            };
            items.extend(class.items.iter().map(record));
            offsets.push(items.len());
        }
        let starts: Vec<i32> = offsets.iter().map(|&offset| offset as i32).collect();
        Ok(Self {
            device,
            problem,
            technique,
            kernel,
            rows: device.zeros("rows of the table", stride * (problem.classes.len() + 1))?,
            items: device.upload("items", &items)?,
            offsets,
            offsets_on_device: device.upload("where classes begin", &starts)?,
            weights: problem.classes.iter().map(weights).collect(),
            barrier: device.zeros("a barrier", mckp_sync::BARRIER_WORDS)?,
            stride,
        })
    }

    /// Starts filling all rows.
    /// Fails if a launch is refused.
    pub fn fill(&mut self) -> Result<(), DeviceError> {
        if let Kernel::Sync(kernel) = &self.kernel {
            self.device.stream().memset_zeros(&mut self.barrier).during("clearing a barrier")?;
            let mut args = mckp_sync::Args {
                rows: &mut self.rows,
                stride: self.stride as i64,
                items: &self.items,
                offsets: &self.offsets_on_device,
                class_count: self.problem.classes.len() as i32,
                capacity: i32::try_from(self.problem.capacity)
                    .ok()
                    .filter(|&capacity| capacity < row::MOST_CELLS)
                    .ok_or_else(|| DeviceError::Unfit {
                        kernel: "mckp_sync",
                        why: "rows of 2^30 cells and more are for the tiled kernel".into(),
                    })?,
                barrier: &mut self.barrier,
            };
            return mckp_sync::launch(self.device, kernel, &mut args);
        }
        (0..self.problem.classes.len()).try_for_each(|class| self.fill_row(class))
    }

    fn fill_row(&mut self, class: usize) -> Result<(), DeviceError> {
        let cells = self.problem.capacity as usize + 1;
        let (before, mut after) = self.rows.split_at_mut((class + 1) * self.stride);
        let args = Args {
            previous: before.slice(class * self.stride..class * self.stride + cells),
            next: after.slice_mut(..cells),
            items: self.items.slice(self.offsets[class]..self.offsets[class + 1]),
        };
        let device = self.device;
        match (&self.kernel, self.technique) {
            // One thread per cell.
            (Kernel::Row(kernel), Technique::Global | Technique::Shared) => {
                kernel.launch(device, row::blocks_for(cells), args)
            }
            // A grid that just fills the GPU, whose threads, or warps, loop over the row.
            (Kernel::Row(kernel), _) => {
                let shared = (kernel.shared)(args.items.len(), size_of::<ItemRecord<V>>());
                let blocks = kernel
                    .resident_blocks(device, shared)?
                    .min(row::blocks_for(cells) * isx_mckp::cuda::WARP);
                kernel.launch(device, blocks, args)?;
                if self.technique == Technique::HostSync { device.finish(kernel.name) } else { Ok(()) }
            }
            (Kernel::Prevrow(kernel), _) => mckp_prevrow::launch(device, kernel, self.weights[class], args),
            // Filled in one launch by the caller.
            (Kernel::Sync(_), _) => Ok(()),
        }
    }

    /// Equation 3.1 for the class with the most items.
    /// Fails if the driver does not say what the kernel takes.
    pub fn occupancy(&self) -> Result<Occupancy, DeviceError> {
        let class = (0..self.weights.len()).max_by_key(|&at| self.problem.classes[at].items.len());
        let items = class.map_or(0, |at| self.problem.classes[at].items.len());
        let (function, shared) = match &self.kernel {
            Kernel::Row(kernel) => (&kernel.function, (kernel.shared)(items, size_of::<ItemRecord<V>>())),
            Kernel::Prevrow(kernel) => {
                let weights = class.map_or(Weights { lightest: 0, heaviest: 0 }, |at| self.weights[at]);
                (&kernel.function, mckp_prevrow::shared::<V>(kernel, items, weights).1)
            }
            Kernel::Sync(kernel) => (&kernel.function, kernel.shared),
        };
        occupancy(self.device, function, row::THREADS, shared)
    }

    /// Waits for the rows and checks that they were filled completely.
    /// Fails if the GPU reports a fault, or blocks did not meet at the barrier.
    pub fn finish(&self) -> Result<(), DeviceError> {
        self.device.finish(self.technique.name())?;
        let barrier = self.device.stream().clone_dtoh(&self.barrier).during("copying a barrier")?;
        if barrier[1] != 0 {
            let why = "blocks did not meet at the barrier in time".into();
            return Err(DeviceError::Unbelievable { kernel: "mckp_sync", why });
        }
        Ok(())
    }

    /// The last row.
    /// Fails if the copy fails.
    pub fn last_row(&self) -> Result<Vec<V>, DeviceError> {
        let cells = self.problem.capacity as usize + 1;
        let from = self.problem.classes.len() * self.stride;
        self.device.download("a row", &self.rows.slice(from..from + cells))
    }
}

fn weights<V>(class: &Class<V>) -> Weights {
    let of = |pick: fn(u64, u64) -> u64| {
        class.items.iter().map(|item| item.weight).reduce(pick).map_or(0, |weight| weight as i32)
    };
    Weights { lightest: of(u64::min), heaviest: of(u64::max) }
}

/// The whole front by one of the thesis's techniques, with the requested items.
/// Fails as [`ThesisTable::new`], and if the GPU's answer is inconsistent.
pub fn solve_by<V: Cell>(
    technique: Technique,
    device: &Device,
    problem: &Reduced<V>,
    wanted: Wanted,
    machine: &Machine,
) -> Result<Answer, DeviceError> {
    if problem.classes.is_empty() {
        return Ok(nothing_to_choose::<V>(device, wanted));
    }
    let started = Instant::now();
    let mut table = ThesisTable::new(device, problem, technique)?;
    table.fill()?;
    table.finish()?;
    let last = table.last_row()?;
    let team = Team::of(machine.workers());
    let (weights, values) = breakpoints(&last, &team, |&cell| cell);
    let solve = started.elapsed();

    let started = Instant::now();
    let starts = match wanted {
        Wanted::Values => &[],
        Wanted::BestPicks => &weights[weights.len() - 1..],
        Wanted::AllPicks => &weights[..],
    };
    let picks = match wanted {
        Wanted::Values => None,
        _ => {
            let layers = Layers::new(problem);
            let mut walk = Walk::new(device, &layers, 0, starts)?;
            walk.back_through(&table.rows, table.stride, &layers, 0..problem.classes.len())?;
            Some(walk.picks())
        }
    };
    let items: u64 = problem.classes.iter().map(|class| class.items.len() as u64).sum();
    Ok(Answer {
        values: V::store(values),
        picks: picks.map(|picks| picks.of_last(weights.len())),
        how: format!("{}, {}", device.info().name, technique.name()),
        threads: team.took_part(),
        updates: items * last.len() as u64,
        weights,
        solve,
        traceback: started.elapsed(),
    })
}
