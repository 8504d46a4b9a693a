//! The textbook table by anti-diagonals on a GPU, swept by the wave driver, as O'Connell and Mumford sweep it.
//!
//! Rows are waves, too (`../wave.rs`), and need one row where anti-diagonals need those of the last w + 1 waves, w the
//! heaviest item: with n = 1500 items of weights up to three tenths of the capacity, three tenths of the table. So this
//! engine is a comparison only. The ring of waves is its own: the driver lends a kernel one buffer per wave, and there
//! may be hundreds of thousands. The driver keeps the decisions, or streams them to the host, as the paper does with
//! whole waves.

use super::super::wave::{Cell, Rows, points, refuse_all_items};
use super::knapsack_diagonal::{Args, Record, launch, load};
use super::knapsack_wave::WaveCell;
use crate::wave::cuda::{Kernels, Launch, Place, Table};
use crate::wave::{Layout, Waves};
use cudarc::driver::{CudaFunction, CudaSlice};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_knapsack::{Answer, Knapsack, Wanted, slack};
use isx_machine::cpu::Team;
use isx_machine::cuda::{Device, DeviceError};
use isx_problems::reduce::knapsack::Reduced;
use isx_problems::value::{Tier, Values};
use std::time::Instant;

/// The engine.
pub struct Diagonals;

/// More waves, a launch each, are refused.
const MOST_WAVES: u64 = 1 << 26;
/// Seconds per launch, and cells per second. (Assumed: those of the rows and of the common subsequence on an H200.)
const LAUNCH: f64 = 4e-6;
const CELLS_A_SECOND: f64 = 1e11;

impl Engine<Knapsack> for Diagonals {
    fn plan<'a>(&'a self, request: Request<'a, Knapsack>) -> Result<Plan<'a, Knapsack>, EngineError> {
        let Request { problem, wanted, context } = request;
        refuse_all_items(wanted)?;
        if problem.capacity.saturating_add(problem.items.len() as u64) >= MOST_WAVES {
            let why = "it takes a launch per anti-diagonal, and has up to 2^26";
            return Err(EngineError::Unavailable(why.into()));
        }
        let cell = match problem.tier {
            Tier::I32 => size_of::<i32>(),
            Tier::I64 => size_of::<i64>(),
            wider => return Err(EngineError::Arithmetic(wider)),
        };
        let machine = context.machine;
        let info = machine.gpu().info()?;
        let shape = Shape::of(problem);
        let needed = shape.bytes(cell);
        if needed > info.memory {
            return Err(EngineError::GpuMemory { needed, free: info.memory });
        }
        let bits = if wanted.picks() { Layout::of(&shape)?.total() } else { 0 };
        let bytes = if bits.saturating_add(needed) > info.memory { bits } else { 0 };
        machine.allow(bytes)?;
        let cells = problem.items.len() as f64 * problem.capacity as f64;
        let filling = shape.waves() as f64 * LAUNCH + cells / CELLS_A_SECOND;
        let estimate = Estimate { seconds: machine.seconds_to_start_gpu() + filling, bytes };
        Ok(Plan::new(estimate, move || diagonals(machine.gpu().device()?, problem, wanted, context, None)))
    }
}

/// The answer; decisions are stored at `place` if one is given.
///
/// # Errors
///
/// If the profits' sum exceeds 64 bits, items of all capacities are requested, memory runs short, a call fails, or
/// the computation is canceled.
pub fn diagonals(
    device: &Device,
    problem: &Reduced,
    wanted: Wanted,
    context: &Context,
    place: Option<Place>,
) -> Result<Answer, EngineError> {
    refuse_all_items(wanted)?;
    match problem.tier {
        Tier::I32 => solve::<i32>(device, problem, wanted, context, place),
        Tier::I64 => solve::<i64>(device, problem, wanted, context, place),
        wider => Err(EngineError::Arithmetic(wider)),
    }
}

/// The anti-diagonals of a problem's table. Wave d has the cells (i, d - i), from the least i on; row 0 holds zeros.
#[derive(Clone, Copy)]
struct Shape {
    items: u64,
    capacity: u64,
    /// Waves of the ring.
    slots: u64,
}

impl Shape {
    fn of(problem: &Reduced) -> Self {
        let capacity = problem.capacity;
        let weights = problem.items.iter().map(|item| item.weight);
        let heaviest = weights.filter(|&weight| weight <= capacity).max().unwrap_or(0);
        Self { items: problem.items.len() as u64, capacity, slots: heaviest.saturating_add(2) }
    }

    /// Cells of a wave in the ring.
    fn stride(&self) -> u64 {
        self.items + 1
    }

    /// The least row of a wave.
    fn top(&self, wave: u64) -> u64 {
        wave.saturating_sub(self.capacity)
    }

    /// Bytes on the GPU without the decisions: the ring and the last row.
    fn bytes(&self, cell: usize) -> u64 {
        let cells = self.slots.saturating_mul(self.stride()).saturating_add(self.capacity + 1);
        cells.saturating_mul(cell as u64)
    }
}

impl Waves for Shape {
    fn waves(&self) -> u64 {
        self.items + self.capacity + 1
    }

    fn cells(&self, wave: u64) -> usize {
        (wave.min(self.items) - self.top(wave) + 1) as usize
    }

    /// What the driver is to keep: nothing, but it has no fewer waves than one.
    fn reach(&self) -> usize {
        1
    }

    fn choice_bits(&self) -> u32 {
        1
    }
}

/// The waves with their ring, items and last row on the GPU.
struct OnDevice<V> {
    shape: Shape,
    function: CudaFunction,
    ring: CudaSlice<V>,
    items: CudaSlice<Record>,
    last: CudaSlice<V>,
}

impl<V: WaveCell> OnDevice<V> {
    fn new(device: &Device, problem: &Reduced, shape: Shape) -> Result<Self, DeviceError> {
        // An item heavier than the capacity fits nowhere; one record stands for none, since nothing copies nothing.
        let record = |item: &isx_problems::knapsack::Item| Record {
            weight: i64::try_from(item.weight).unwrap_or(i64::MAX),
            profit: i64::try_from(item.profit).unwrap_or(i64::MAX),
        };
        let mut items: Vec<Record> = problem.items.iter().map(record).collect();
        items.push(Record::default());
        Ok(Self {
            function: load::<V>(device)?,
            ring: device.unwritten("waves of a table", (shape.slots * shape.stride()) as usize)?,
            items: device.upload("items", &items)?,
            last: device.unwritten("the last row", shape.capacity as usize + 1)?,
            shape,
        })
    }
}

impl<V: WaveCell> Waves for OnDevice<V> {
    fn waves(&self) -> u64 {
        self.shape.waves()
    }

    fn cells(&self, wave: u64) -> usize {
        self.shape.cells(wave)
    }

    fn reach(&self) -> usize {
        self.shape.reach()
    }

    fn choice_bits(&self) -> u32 {
        self.shape.choice_bits()
    }
}

impl<V: WaveCell> Kernels for OnDevice<V> {
    type Cell = V;

    fn fill(&self, wave: u64, Launch { device, choices, .. }: Launch<'_, V>) -> Result<(), DeviceError> {
        let Shape { items, slots, .. } = self.shape;
        let args = Args {
            ring: &self.ring,
            last: &self.last,
            choices,
            items: &self.items,
            item_count: items,
            slots,
            wave,
            top: self.shape.top(wave),
            cells: self.cells(wave),
        };
        launch(device, &self.function, args)
    }
}

fn solve<V: Cell + WaveCell>(
    device: &Device,
    problem: &Reduced,
    wanted: Wanted,
    context: &Context,
    place: Option<Place>,
) -> Result<Answer, EngineError> {
    let started = Instant::now();
    let (rows, shape) = (Rows::<V>::new(problem)?, Shape::of(problem));
    context.progress.begin("solving", shape.waves());
    let advance = |waves| context.progress.advance(waves);
    let kernels = OnDevice::<V>::new(device, problem, shape)?;
    let mut table = Table::sweep(&kernels, (context.machine, device), wanted.picks(), place, &advance)?;
    if table.pieces() > 1 {
        // A piece is computed again from the driver's waves, and these are not among them.
        return Err(EngineError::Unavailable("neither GPU nor host has room for its decisions".into()));
    }
    let mut answer = Answer::new(Vec::new(), Values::I64(Vec::new()), None);
    answer.how.clone_from(&device.info().name);
    let first = match wanted {
        Wanted::AllValues => 0,
        _ => (problem.capacity - slack(&problem.items, problem.capacity)) as usize,
    };
    let last = device.download("the last row", &kernels.last.slice(first..))?;
    points(&mut answer, first, &last, wanted, &Team::of(context.machine.workers()));
    answer.solve = started.elapsed();
    if wanted == Wanted::Best {
        let takes = |item, cell: usize| {
            let wave = item + 1 + cell as u64;
            Ok::<_, EngineError>(table.choice(wave, (item + 1 - shape.top(wave)) as usize)? != 0)
        };
        answer.picks = Answer::one_selection(rows.walk(answer.weights[0], takes)?);
        if table.place() == Place::Host {
            answer.how += ", decisions streamed to the host";
        }
    }
    answer.updates = table.filled();
    answer.traceback = started.elapsed() - answer.solve;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel's loop, its ring and its bits, a cell at a time.
    #[test]
    fn a_ring_of_the_heaviest_item_and_two_waves_holds_what_every_cell_reads() {
        let weights = [3usize, 1, 7, 2, 9, 4];
        let profits = [5u64, 2, 9, 3, 20, 6];
        for capacity in [0usize, 1, 5, 8, 20, 40] {
            let heaviest = weights.iter().filter(|&&weight| weight <= capacity).max().copied().unwrap_or(0);
            let shape = Shape { items: 6, capacity: capacity as u64, slots: heaviest as u64 + 2 };
            let (slots, stride) = (shape.slots as usize, shape.stride() as usize);
            let (mut ring, mut last, mut cells) = (vec![u64::MAX; slots * stride], vec![0; capacity + 1], 0);
            for wave in 0..shape.waves() as usize {
                let (top, slot) = (shape.top(wave as u64) as usize, wave % slots);
                let before = if slot > 0 { slot - 1 } else { slots - 1 };
                for i in top..top + shape.cells(wave as u64) {
                    let mut best = 0;
                    if i > 0 {
                        let weight = weights[i - 1];
                        best = ring[before * stride + i - 1];
                        if weight <= wave - i {
                            let from = (before + slots - weight) % slots;
                            best = best.max(ring[from * stride + i - 1] + profits[i - 1]);
                        }
                    }
                    ring[slot * stride + i] = best;
                    if i == 6 {
                        last[wave - i] = best;
                    }
                    cells += 1;
                }
            }
            let mut row = vec![0; capacity + 1];
            for (&weight, &profit) in weights.iter().zip(&profits) {
                for j in (weight..=capacity).rev() {
                    row[j] = row[j].max(row[j - weight] + profit);
                }
            }
            assert_eq!((last, cells), (row, 7 * (capacity + 1)), "{capacity}");
        }
    }
}
