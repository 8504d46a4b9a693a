//! The driver on the CPU.

use super::layout::Layout;
use super::ring::Ring;
use super::{Recurrence, WaveError};
use isx_machine::Machine;
use isx_machine::cpu::Arena;
use isx_parallel as parallel;
use std::ops::Range;

/// Cells that a thread fills at a time: whole bytes of choices, and enough to be worth a thread.
const CHUNK: usize = 8192;

/// Waves filled between two checks for cancellation.
const LOOK: u64 = 64;

/// A swept table, and the choices of its cells.
pub struct Table<'a, R: Recurrence> {
    recurrence: &'a R,
    machine: &'a Machine,
    layout: Layout,
    /// The pieces; the choices of a piece are stored together.
    pieces: Vec<Range<u64>>,
    /// The waves before every piece; not needed for a single piece.
    checkpoints: Vec<Ring<R::Cell>>,
    /// The choices of piece `held`.
    choices: Arena,
    held: usize,
    /// The last wave.
    last: Vec<R::Cell>,
    bytes: u64,
    filled: u64,
}

impl<R: Recurrence> std::fmt::Debug for Table<'_, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table")
            .field("pieces", &self.pieces.len())
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl<'a, R: Recurrence> Table<'a, R> {
    /// Bytes that a sweep of the table would take within `allowed`, and the number of pieces.
    ///
    /// # Errors
    ///
    /// As [`Table::sweep`], before anything is allocated.
    pub fn plan(recurrence: &R, keep: bool, allowed: u64) -> Result<(u64, usize), WaveError> {
        let layout = Layout::of(recurrence)?;
        let (pieces, bytes) = planned(recurrence, &layout, keep, allowed)?;
        Ok((bytes, pieces.len()))
    }

    /// Fills the table wave by wave on the machine's threads, within the machine's memory; `keep` says whether
    /// choices will be requested. `progress` is notified of every batch of waves filled for the first time.
    ///
    /// # Errors
    ///
    /// If not even checkpoints fit the machine's memory, or the computation is canceled.
    pub fn sweep(
        recurrence: &'a R,
        machine: &'a Machine,
        keep: bool,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Self, WaveError> {
        let layout = Layout::of(recurrence)?;
        let (pieces, bytes) = planned(recurrence, &layout, keep, machine.max_memory())?;
        machine.allow(bytes)?;
        let choices = Arena::new(if keep { layout.largest(&pieces) as usize } else { 0 })?;
        let mut table = Self {
            recurrence,
            machine,
            layout,
            checkpoints: Vec::with_capacity(pieces.len()),
            held: pieces.len() - 1,
            pieces,
            choices,
            last: Vec::new(),
            bytes,
            filled: 0,
        };
        let mut ring = Ring::new(recurrence.reach());
        for piece in 0..table.pieces.len() {
            if table.pieces.len() > 1 {
                table.checkpoints.push(ring.checkpoint());
            }
            // All but the last piece's choices are recomputed when they are requested.
            let keep = keep && piece == table.held;
            table.fill(&mut ring, piece, keep, progress)?;
        }
        table.last = ring.last().to_vec();
        Ok(table)
    }

    /// The cells of the last wave.
    #[must_use]
    pub fn last(&self) -> &[R::Cell] {
        &self.last
    }

    /// Peak memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Number of pieces; all but the last are recomputed when their choices are requested.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Cells filled so far, including recomputed ones.
    #[must_use]
    pub fn filled(&self) -> u64 {
        self.filled
    }

    /// The choice of a cell, for a table whose choices are stored. Walks go from the last wave to the first: if
    /// memory could store only checkpoints, each step forward to another piece recomputes it.
    ///
    /// # Errors
    ///
    /// If it is canceled while a piece is recomputed.
    ///
    /// # Panics
    ///
    /// If there is no such cell.
    pub fn choice(&mut self, wave: u64, at: usize) -> Result<u8, WaveError> {
        let piece = self.pieces.partition_point(|piece| piece.end <= wave);
        if piece != self.held {
            let mut ring = self.checkpoints[piece].clone();
            self.fill(&mut ring, piece, true, &|_| ())?;
            self.held = piece;
        }
        let (byte, bit) = self.layout.place(wave, at);
        let byte = byte - self.layout.at(self.pieces[piece].start);
        Ok(self.layout.unpacked(self.choices.cells::<u8>()[byte as usize], bit))
    }

    /// Fills a piece, and its choices if they are stored.
    fn fill(
        &mut self,
        ring: &mut Ring<R::Cell>,
        piece: usize,
        keep: bool,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), WaveError> {
        let (recurrence, machine, layout) = (self.recurrence, self.machine, &self.layout);
        let waves = self.pieces[piece].clone();
        let (choices, filled) = (self.choices.cells_mut::<u8>(), &mut self.filled);
        machine.workers().run(move || {
            let first = layout.at(waves.start);
            for wave in waves {
                if wave % LOOK == 0 {
                    progress(LOOK.min(layout.waves() - wave));
                }
                if machine.is_cancelled() {
                    return Err(WaveError::Cancelled);
                }
                let cells = recurrence.cells(wave);
                *filled += cells as u64;
                let of_wave = match keep {
                    true => {
                        &mut choices
                            [(layout.at(wave) - first) as usize..(layout.at(wave + 1) - first) as usize]
                    }
                    false => &mut [][..],
                };
                fill_wave(recurrence, wave, ring, of_wave);
            }
            Ok(())
        })
    }
}

/// The pieces of a table, and the peak bytes of a sweep.
fn planned<R: Recurrence>(
    recurrence: &R,
    layout: &Layout,
    keep: bool,
    allowed: u64,
) -> Result<(Vec<Range<u64>>, u64), WaveError> {
    let (reach, widest) = (recurrence.reach(), layout.widest());
    // The ring, and the last wave in addition.
    let always = Ring::<R::Cell>::bytes(reach, widest).saturating_add(Ring::<R::Cell>::bytes(0, widest));
    let over = |needed| WaveError::Memory(isx_machine::OverMemory { needed, allowed });
    let rest = allowed.checked_sub(always).ok_or(over(always))?;
    if !keep {
        return Ok((std::iter::once(0..layout.waves()).collect(), always));
    }
    // A walk back needs a copy of the ring in addition to its checkpoint.
    let checkpoint = Ring::<R::Cell>::bytes(reach - 1, widest);
    let pieces =
        layout.checkpointed(checkpoint, rest).map_err(|error| over(always.saturating_add(error.needed)))?;
    let kept = checkpoint.saturating_mul(pieces.len() as u64 - 1).saturating_add(layout.largest(&pieces));
    Ok((pieces, always.saturating_add(kept)))
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
