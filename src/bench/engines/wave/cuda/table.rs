//! A table swept on a GPU, with its choices wherever they are stored.

use super::Kernels;
use super::plan::{Place, Plan, Room};
use super::ring::{Checkpoint, Ring};
use crate::wave::{Layout, WaveError};
use cudarc::driver::{CudaEvent, CudaSlice, CudaStream};
use isx_machine::Machine;
use isx_machine::cpu::Arena;
use isx_machine::cuda::{Device, DeviceError, During};
use std::ops::Range;
use std::sync::Arc;

/// Bytes that a walk copies at a time, for waves of many bytes and of few.
const PAGE: u64 = 64 << 10;
const PAGE_OF_SMALL_WAVES: u64 = 1 << 20;

/// A swept table.
pub struct Table<'a, K: Kernels> {
    kernels: &'a K,
    machine: &'a Machine,
    device: &'a Device,
    layout: Layout,
    plan: Plan,
    ring: Ring<K::Cell>,
    /// Choices on the GPU: those of the current piece, or of two groups in transfer to the host.
    buffers: Vec<CudaSlice<u8>>,
    /// Choices on the host.
    host: Arena,
    /// The waves before every piece but the first.
    checkpoints: Vec<Checkpoint<K::Cell>>,
    held: usize,
    /// Choices copied from the GPU, and the byte position of the first among all choices.
    page: (u64, Vec<u8>),
    filled: u64,
}

impl<K: Kernels> std::fmt::Debug for Table<'_, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("plan", &self.plan).finish_non_exhaustive()
    }
}

impl<'a, K: Kernels> Table<'a, K> {
    /// Fills the table wave by wave on a GPU; `keep` says whether choices will be requested, and `place` where to
    /// store them, if not at the first place with room. `progress` is notified every few waves.
    ///
    /// # Errors
    ///
    /// If the GPU's memory cannot store the waves that are needed at once, or the host's the checkpoints, a call
    /// fails, or the computation is canceled.
    pub fn sweep(
        kernels: &'a K,
        (machine, device): (&'a Machine, &'a Device),
        keep: bool,
        place: Option<Place>,
        progress: &dyn Fn(u64),
    ) -> Result<Self, WaveError> {
        let layout = Layout::of(kernels)?;
        let (reach, widest) = (kernels.reach(), layout.widest());
        let ring_bytes = Ring::<K::Cell>::bytes(reach, widest);
        let room = Room { device: device.usable_memory()?, host: machine.max_memory() };
        let checkpoint = Ring::<K::Cell>::bytes(reach - 1, widest);
        let plan = Plan::new(&layout, (ring_bytes, checkpoint), room, keep, place)?;
        let (on_device, on_host) = match plan.place {
            Place::Nowhere => (vec![], 0),
            Place::Device | Place::Pieces => (vec![layout.largest(&plan.pieces)], 0),
            Place::Host => (vec![plan.group; 2], layout.total()),
        };
        let buffer = |bytes: &u64| device.unwritten("choices", *bytes as usize);
        let mut table = Self {
            ring: Ring::new(device, reach, widest)?,
            buffers: on_device.iter().map(buffer).collect::<Result<_, _>>()?,
            host: Arena::new(on_host as usize)?,
            checkpoints: Vec::new(),
            held: plan.pieces.len() - 1,
            page: (0, Vec::new()),
            filled: 0,
            kernels,
            machine,
            device,
            layout,
            plan,
        };
        table.sweep_all(progress)?;
        Ok(table)
    }

    fn sweep_all(&mut self, progress: &dyn Fn(u64)) -> Result<(), WaveError> {
        if self.plan.place == Place::Host {
            return self.stream(progress);
        }
        for piece in 0..self.plan.pieces.len() {
            let waves = self.plan.pieces[piece].clone();
            if piece > 0 {
                self.checkpoints.push(self.ring.checkpoint(self.device, waves.start)?);
            }
            // All but the last piece's choices are recomputed when they are requested.
            self.fill(&waves, piece == self.held, progress)?;
        }
        Ok(())
    }

    /// Fills the waves of a piece, whose choices stay on the GPU if they are stored.
    fn fill(&mut self, waves: &Range<u64>, keep: bool, progress: &dyn Fn(u64)) -> Result<(), WaveError> {
        let keep = keep && self.plan.place != Place::Nowhere;
        let mut before: Option<CudaEvent> = None;
        for group in self.layout.groups(waves, self.plan.group) {
            self.go_on()?;
            let choices = keep.then_some((0, self.layout.at(waves.start)));
            self.launch(&group, choices)?;
            progress(group.end - group.start);
            // The host stays one group ahead, so that it can cancel.
            let filled = self.device.stream().record_event(None).during("filling waves")?;
            if let Some(before) = before.replace(filled) {
                before.synchronize().during("filling waves")?;
            }
        }
        Ok(self.device.finish("of a wave")?)
    }

    /// Fills all waves group by group, copying the choices of one group to the host while the next is filled.
    fn stream(&mut self, progress: &dyn Fn(u64)) -> Result<(), WaveError> {
        let what = "making a stream for copies";
        let copies = self.device.stream().context().new_stream().during(what)?;
        let groups = self.layout.groups(&(0..self.layout.waves()), self.plan.group);
        let mut filled: Option<(usize, Range<u64>, CudaEvent)> = None;
        for (number, group) in groups.into_iter().enumerate() {
            self.go_on()?;
            let buffer = number % 2;
            self.launch(&group, Some((buffer, self.layout.at(group.start))))?;
            progress(group.end - group.start);
            let event = self.device.stream().record_event(None).during("filling waves")?;
            if let Some((buffer, group, event)) = filled.replace((buffer, group, event)) {
                self.bring(&copies, buffer, &group, &event)?;
            }
        }
        if let Some((buffer, group, event)) = filled {
            self.bring(&copies, buffer, &group, &event)?;
        }
        Ok(self.device.finish("of a wave")?)
    }

    /// Copies a group's choices to the host, while the GPU continues with the next group.
    fn bring(
        &mut self,
        copies: &Arc<CudaStream>,
        buffer: usize,
        group: &Range<u64>,
        filled: &CudaEvent,
    ) -> Result<(), WaveError> {
        copies.wait(filled).during("waiting for waves")?;
        let bytes = self.layout.at(group.start) as usize..self.layout.at(group.end) as usize;
        let from = self.buffers[buffer].slice(..bytes.len());
        let to = &mut self.host.cells_mut::<u8>()[bytes];
        let device = self.device;
        let copied =
            self.machine.workers().run(|| device.download_parts(copies, "choices", &from, vec![(0, to)]));
        Ok(copied?)
    }

    /// Launches the waves of a group; `choices` is their buffer and the position of its first byte among all choices.
    fn launch(&mut self, group: &Range<u64>, choices: Option<(usize, u64)>) -> Result<(), DeviceError> {
        for wave in group.clone() {
            let of_wave = match choices {
                None => None,
                Some((buffer, first)) => {
                    let range =
                        (self.layout.at(wave) - first) as usize..(self.layout.at(wave + 1) - first) as usize;
                    let view = self.buffers[buffer].try_slice_mut(range);
                    Some(view.ok_or(DeviceError::Unfit {
                        kernel: "of a wave",
                        why: "the choices of a wave have no place".into(),
                    })?)
                }
            };
            self.ring.fill(self.device, self.kernels, wave, of_wave)?;
            self.filled += self.kernels.cells(wave) as u64;
        }
        Ok(())
    }

    fn go_on(&self) -> Result<(), WaveError> {
        if self.machine.is_cancelled() { Err(WaveError::Cancelled) } else { Ok(()) }
    }

    /// Cells of the last wave; must be requested before any choice.
    ///
    /// # Errors
    ///
    /// When the copy fails.
    pub fn last(&self, cells: Range<usize>) -> Result<Vec<K::Cell>, WaveError> {
        Ok(self.ring.cells(self.device, self.layout.waves() - 1, cells)?)
    }

    /// Where the choices are stored.
    #[must_use]
    pub fn place(&self) -> Place {
        self.plan.place
    }

    /// Number of pieces; all but the last are recomputed when their choices are requested.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.plan.pieces.len()
    }

    /// Bytes allocated on the GPU and on the host.
    #[must_use]
    pub fn bytes(&self) -> [u64; 2] {
        [self.plan.device_bytes, self.plan.host_bytes]
    }

    /// Bytes of all choices.
    #[must_use]
    pub fn choice_bytes(&self) -> u64 {
        self.layout.total()
    }

    /// Copies the choices of the current piece from the GPU to the host, as a streamed table does, to measure the
    /// copy by itself. Does nothing if they are on the host already.
    ///
    /// # Errors
    ///
    /// If the system is out of memory, or a copy fails.
    pub fn copy_out(&self) -> Result<(), WaveError> {
        if !matches!(self.plan.place, Place::Device | Place::Pieces) {
            return Ok(());
        }
        let bytes = self.layout.bytes(&self.plan.pieces[self.held]) as usize;
        let mut host = Arena::new(bytes)?;
        let (device, from) = (self.device, self.buffers[0].slice(..bytes));
        let to = &mut host.cells_mut::<u8>()[..bytes];
        let copy = || device.download_parts(device.stream(), "choices", &from, vec![(0, to)]);
        Ok(self.machine.workers().run(copy)?)
    }

    /// Cells filled so far, including recomputed ones.
    #[must_use]
    pub fn filled(&self) -> u64 {
        self.filled
    }

    /// The choice of a cell, for a table whose choices are stored. Walks go from the last wave to the first: with a
    /// table in pieces, each step forward to another piece recomputes it.
    ///
    /// # Errors
    ///
    /// If a copy or a computation fails, or it is canceled while a piece is recomputed.
    ///
    /// # Panics
    ///
    /// If there is no such cell.
    pub fn choice(&mut self, wave: u64, at: usize) -> Result<u8, WaveError> {
        let (byte, bit) = self.layout.place(wave, at);
        if self.plan.place == Place::Host {
            return Ok(self.layout.unpacked(self.host.cells::<u8>()[byte as usize], bit));
        }
        let piece = self.plan.pieces.partition_point(|piece| piece.end <= wave);
        if piece != self.held {
            self.go_back_to(piece)?;
        }
        let (start, page) = &self.page;
        let held = byte.checked_sub(*start).and_then(|at| page.get(at as usize)).copied();
        let held = match held {
            Some(held) => held,
            None => self.turn_to(wave, byte, piece)?,
        };
        Ok(self.layout.unpacked(held, bit))
    }

    /// Copies the page around a byte from the GPU, and returns the byte.
    fn turn_to(&mut self, wave: u64, byte: u64, piece: usize) -> Result<u8, WaveError> {
        let piece = &self.plan.pieces[piece];
        let (first, end) = (self.layout.at(piece.start), self.layout.at(piece.end));
        let wide = self.layout.bytes(&(wave..wave + 1)) > PAGE_OF_SMALL_WAVES;
        let page = if wide { PAGE } else { PAGE_OF_SMALL_WAVES };
        // Walks go back, so the byte is near the page's end, with a margin after it for walks that stay.
        let last = (byte + page / 8).min(end);
        let start = last.saturating_sub(page).max(first);
        let from = self.buffers[0].slice((start - first) as usize..(last - first) as usize);
        self.page = (start, self.device.download("choices", &from)?);
        Ok(self.page.1[(byte - start) as usize])
    }

    /// Recomputes a piece, with its choices.
    fn go_back_to(&mut self, piece: usize) -> Result<(), WaveError> {
        match piece.checked_sub(1) {
            None => self.ring.clear(self.device)?,
            Some(before) => {
                let wave = self.plan.pieces[piece].start;
                self.ring.restore(self.device, wave, &self.checkpoints[before])?;
            }
        }
        let waves = self.plan.pieces[piece].clone();
        self.fill(&waves, true, &|_| ())?;
        self.held = piece;
        self.page = (0, Vec::new());
        Ok(())
    }
}
