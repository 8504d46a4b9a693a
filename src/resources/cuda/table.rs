//! The tables of a program on the GPU.

use super::entry::{DIMENSIONS, Step};
use super::places::Places;
use super::program::{FRAME, Program};
use super::resources_front::Last;
use super::resources_table::{Args, ENTRY, launch};
use super::resources_walk::Tables;
use cudarc::driver::CudaSlice;
use isx_engine::Context;
use isx_machine::cuda::{Cell, Device, DeviceError, During};

/// A program with its tables.
pub(super) struct Table<'a, V> {
    device: &'a Device,
    program: &'a Program,
    pub layout: Places,
    cells: CudaSlice<V>,
    frames: CudaSlice<i64>,
    /// In the order of the rows that they read, and in the order of items if those are asked for.
    by_row: CudaSlice<i64>,
    by_item: Option<CudaSlice<i64>>,
    starts: CudaSlice<i32>,
    /// Where the starts of each step begin.
    step_starts: Vec<i64>,
    step_starts_there: CudaSlice<i64>,
    places: CudaSlice<i64>,
}

/// Bytes of the tables of a program, two in turn; `None` if they cannot be counted.
pub(super) fn least_bytes(program: &Program, cell: usize) -> Option<u64> {
    Places::in_turn(&cells(program)?).cells.checked_mul(cell as u64)
}

/// Bytes of the uploaded description of the tables, and of the memory lost to page ends.
fn uploaded(program: &Program) -> u64 {
    const PAGES: u64 = 16 << 10;
    let of_step = |step: &Step| 2 * 8 * ENTRY * step.entries.len() + 4 * step.starts.len();
    let steps: usize = program.steps.iter().map(of_step).sum();
    PAGES + (steps + 8 * (FRAME + 2) * program.frames.len()) as u64
}

/// Cells of the tables of every boundary.
fn cells(program: &Program) -> Option<Vec<u64>> {
    (0..program.frames.len()).map(|at| program.cells(at)).collect()
}

impl<'a, V: Cell> Table<'a, V> {
    /// Takes memory for the tables, of which `reserve` bytes are to stay free: for all of them, if items are asked for and
    /// there is enough, else for as many as are needed at a time.
    pub fn new(
        device: &'a Device,
        program: &'a Program,
        keep: bool,
        reserve: u64,
    ) -> Result<Self, DeviceError> {
        let bytes = size_of::<V>() as u64;
        let free = device.usable_memory()?;
        let reserve = reserve.saturating_add(uploaded(program));
        let memory = |cells: u64| DeviceError::Memory {
            needed: cells.saturating_mul(bytes).saturating_add(reserve),
            free,
        };
        let cells = cells(program).ok_or_else(|| memory(u64::MAX))?;
        let most = free.saturating_sub(reserve) / bytes;
        let layout = if keep { Places::kept(&cells, most).map_err(memory)? } else { Places::in_turn(&cells) };
        if layout.cells > most {
            return Err(memory(layout.cells));
        }
        let (mut by_row, mut by_item, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        let mut step_starts = Vec::new();
        for step in &program.steps {
            step_starts.push(starts.len() as i64);
            let first = (by_row.len() / ENTRY) as u64;
            starts.extend(step.starts.iter().map(|start| (first + u64::from(*start)) as i32));
            by_row.extend(step.by_row().iter().flat_map(|entry| entry.words()));
            by_item.extend(step.entries.iter().flat_map(|entry| entry.words()));
        }
        let places: Vec<i64> = layout.starts.iter().map(|start| *start as i64).collect();
        let frames: Vec<i64> = program.frames.iter().flat_map(|frame| frame.words()).collect();
        let mut table = Self {
            device,
            program,
            cells: device.unwritten("tables", layout.cells as usize)?,
            layout,
            frames: device.upload("how tables are laid out", &frames)?,
            by_row: device.upload("entries", &by_row)?,
            by_item: if keep { Some(device.upload("entries", &by_item)?) } else { None },
            starts: device.upload("where entries begin", &starts)?,
            step_starts_there: device.upload("where steps begin", &step_starts)?,
            step_starts,
            places: device.upload("where tables begin", &places)?,
        };
        table.begin()?;
        Ok(table)
    }

    /// Writes the table before the first step: its one cell is 0.
    fn begin(&mut self) -> Result<(), DeviceError> {
        let place = self.layout.starts[0] as usize;
        let cells = self.program.frames[0].row() as usize;
        let mut first = self.cells.slice_mut(place..place + cells);
        self.device.stream().memset_zeros(&mut first).during("clearing the first table")
    }

    /// Starts filling the tables of a segment; those of the segments before must have been filled. Stops between two steps
    /// if the computation is cancelled.
    pub fn fill(&mut self, segment: usize, context: &Context) -> Result<(), DeviceError> {
        for step in self.layout.segments[segment].clone() {
            if context.machine.is_cancelled() {
                break;
            }
            self.step(step)?;
        }
        Ok(())
    }

    fn step(&mut self, at: usize) -> Result<(), DeviceError> {
        let Self { program, layout, cells, .. } = self;
        let [before, after] = [at, at + 1].map(|at| {
            let start = layout.starts[at] as usize;
            start..start + program.cells(at).unwrap_or(0) as usize
        });
        let (mut low, mut high) = cells.split_at_mut(before.start.max(after.start));
        let (input, mut output) = if before.start < after.start {
            (low.slice(before), high.slice_mut(..after.len()))
        } else {
            (high.slice(..before.len()), low.slice_mut(after))
        };
        let starts = self.step_starts[at] as usize;
        let states = program.states(at + 1);
        let mut args = Args {
            input,
            output: &mut output,
            entries: self.by_row.as_view(),
            starts: self.starts.slice(starts..=starts + states),
            before: self.frames.slice(FRAME * at..FRAME * (at + 1)),
            after: self.frames.slice(FRAME * (at + 1)..FRAME * (at + 2)),
        };
        let frames = [&program.frames[at], &program.frames[at + 1]];
        launch(self.device, frames, [program.states(at), states], &mut args)
    }

    /// The last table.
    pub fn last(&self) -> Last<'_, V> {
        let at = self.program.steps.len();
        let start = self.layout.starts[at] as usize;
        let cells = self.program.cells(at).unwrap_or(0) as usize;
        Last {
            table: self.cells.slice(start..start + cells),
            words: self.frames.slice(FRAME * at..),
            frame: self.program.frames[at],
            resources: self.program.resources.min(DIMENSIONS),
            objectives: self.program.objectives,
        }
    }

    /// What the walk reads, if items were asked for.
    pub fn tables(&self) -> Option<Tables<'_, V>> {
        Some(Tables {
            cells: &self.cells,
            places: &self.places,
            frames: &self.frames,
            entries: self.by_item.as_ref()?,
            starts: &self.starts,
            step_starts: &self.step_starts_there,
            resources: self.program.resources,
            room: room(self.program),
            steps: self.program.steps.len(),
        })
    }
}

/// The most states of a table.
pub(super) fn room(program: &Program) -> usize {
    (0..program.frames.len()).map(|at| program.states(at)).max().unwrap_or(1)
}
