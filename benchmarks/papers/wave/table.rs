//! The driver on the CPU.

use super::layout::Layout;
use super::ring::Ring;
use super::{Recurrence, no_memory};
use isx_engine::EngineError;
use isx_machine::Machine;
use isx_machine::cpu::Arena;
use isx_parallel as parallel;

/// Cells that a thread fills at a time: whole bytes of choices, and enough to be worth a thread.
const CHUNK: usize = 8192;

/// Waves filled between two checks for cancellation.
const LOOK: u64 = 64;

/// A swept table, and the choices of its cells.
pub struct Table<C> {
    layout: Layout,
    choices: Arena,
    /// The last wave.
    last: Vec<C>,
    /// Number of its cells.
    filled: u64,
}

/// Bytes that a sweep of the table takes; `keep` says whether choices will be requested.
/// Fails if that is more than the machine may take.
pub fn bytes_of<R: Recurrence>(recurrence: &R, keep: bool, machine: &Machine) -> Result<u64, EngineError> {
    let layout = Layout::of(recurrence)?;
    let ring = |reach| Ring::<R::Cell>::bytes(reach, layout.widest());
    // The ring, and the last wave in addition.
    let waves = ring(recurrence.reach()).saturating_add(ring(0));
    let bytes = waves.saturating_add(if keep { layout.total() } else { 0 });
    machine.allow(bytes)?;
    Ok(bytes)
}

impl<C: Copy + Default + Send + Sync> Table<C> {
    /// Fills the table wave by wave on the machine's threads; `keep` says whether choices will be requested. `progress` is
    /// notified of every batch of waves.
    /// Fails if the table does not fit the machine's memory, or the computation is canceled.
    pub fn sweep<R: Recurrence<Cell = C>>(
        recurrence: &R,
        machine: &Machine,
        keep: bool,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Self, EngineError> {
        bytes_of(recurrence, keep, machine)?;
        let layout = Layout::of(recurrence)?;
        let mut choices = Arena::new(if keep { layout.total() as usize } else { 0 }).map_err(no_memory)?;
        let mut ring = Ring::new(recurrence.reach());
        let (mut filled, all, waves) = (0, choices.cells_mut::<u8>(), &layout);
        let (ring, filled) = machine.workers().run(move || {
            for wave in 0..waves.waves() {
                if wave % LOOK == 0 {
                    progress(LOOK.min(waves.waves() - wave));
                }
                if machine.is_cancelled() {
                    return Err(EngineError::Cancelled);
                }
                filled += recurrence.cells(wave) as u64;
                let of_wave = if keep { &mut all[waves.within(wave, 0)] } else { &mut [][..] };
                fill_wave(recurrence, wave, &mut ring, of_wave);
            }
            Ok((ring, filled))
        })?;
        Ok(Self { last: ring.last().to_vec(), layout, choices, filled })
    }

    /// The cells of the last wave.
    pub fn last(&self) -> &[C] {
        &self.last
    }

    /// Number of cells.
    pub fn filled(&self) -> u64 {
        self.filled
    }

    /// The choice of a cell, for a table whose choices are stored.
    /// Panics if there is no such cell.
    pub fn choice(&self, wave: u64, at: usize) -> u8 {
        let (byte, bit) = self.layout.place(wave, at);
        self.layout.unpacked(self.choices.cells::<u8>()[byte as usize], bit)
    }
}

/// Fills a wave in parallel if that pays; `choices` is empty if they are not stored.
fn fill_wave<R: Recurrence>(recurrence: &R, wave: u64, ring: &mut Ring<R::Cell>, choices: &mut [u8]) {
    let (cells, before) = ring.fill(recurrence.cells(wave));
    let bytes = CHUNK / 8 * recurrence.choice_bits() as usize;
    let fill = |chunk: usize, cells: &mut [R::Cell], choices: &mut [u8]| {
        recurrence.fill(wave, chunk * CHUNK, &before, cells, choices);
    };
    if cells.len() <= CHUNK {
        fill(0, cells, choices);
    } else if choices.is_empty() {
        let chunks = cells.chunks_mut(CHUNK).enumerate().collect();
        parallel::hand_out(chunks, 1, |(chunk, cells)| fill(chunk, cells, &mut []));
    } else {
        let chunks = cells.chunks_mut(CHUNK).zip(choices.chunks_mut(bytes)).enumerate().collect();
        parallel::hand_out(chunks, 1, |(chunk, (cells, choices))| fill(chunk, cells, choices));
    }
}
