//! A table swept on a GPU, with its choices wherever they are stored.

use super::Kernels;
use super::ring::Ring;
use crate::wave::{Layout, Waves, no_memory};
use cudarc::driver::{CudaEvent, CudaSlice, CudaStream};
use isx_engine::EngineError;
use isx_machine::cpu::Arena;
use isx_machine::cuda::{Device, DeviceError, During};
use isx_machine::{Machine, OverMemory};
use std::ops::Range;
use std::sync::Arc;

/// Bytes that a walk copies at a time, for waves of many bytes and of few.
const PAGE: u64 = 64 << 10;
const PAGE_OF_SMALL_WAVES: u64 = 1 << 20;

/// The most bytes of a group's choices; when streaming to the host, two groups are on the GPU at once.
const MOST_A_GROUP: u64 = 256 << 20;

/// The least number of groups of a table, so that transfers overlap and the computation can be canceled between
/// groups.
const FEWEST_GROUPS: u64 = 16;

/// Where the choices of a table are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: only the last wave is wanted.
    Nowhere,
    /// On the GPU.
    Device,
    /// On the host, streamed there while the table is filled.
    Host,
}

impl Place {
    /// What a run's description says of it.
    pub fn in_words(self) -> &'static str {
        if self == Self::Host { ", choices streamed to the host" } else { "" }
    }
}

/// A swept table.
pub struct Table<'a, K: Kernels> {
    kernels: &'a K,
    machine: &'a Machine,
    device: &'a Device,
    layout: Layout,
    place: Place,
    /// Most bytes of choices of a group of waves.
    group: u64,
    ring: Ring<K::Cell>,
    /// Choices on the GPU: all of them, or those of two groups in transfer to the host.
    buffers: Vec<CudaSlice<u8>>,
    /// Choices on the host.
    host: Arena,
    /// Bytes on the GPU, and on the host.
    bytes: [u64; 2],
    /// Choices copied from the GPU, and the byte position of the first among all choices.
    page: (u64, Vec<u8>),
    filled: u64,
}

/// The first place with enough room on the GPU and the host, or `place` if it has enough, and the bytes of a group.
fn planned(
    layout: &Layout,
    ring: u64,
    [device, host]: [u64; 2],
    place: Option<Place>,
) -> Result<(Place, u64), EngineError> {
    let total = layout.total();
    let largest = layout.groups(0).iter().map(|wave| layout.bytes(wave)).max().unwrap_or(0);
    let too_much = |bytes: u64| EngineError::GpuMemory { needed: ring.saturating_add(bytes), free: device };
    let group = (total / FEWEST_GROUPS).min(MOST_A_GROUP).max(largest);
    let left = device.checked_sub(ring).ok_or_else(|| too_much(0))?;
    match place {
        Some(Place::Nowhere) => Ok((Place::Nowhere, group)),
        None | Some(Place::Device) if total <= left => Ok((Place::Device, group)),
        Some(Place::Device) => Err(too_much(total)),
        _ if 2 * largest > left => Err(too_much(2 * largest)),
        _ if total > host => Err(OverMemory { needed: total, allowed: host }.into()),
        _ => Ok((Place::Host, group.min(left / 2).max(largest))),
    }
}

impl<'a, K: Kernels> Table<'a, K> {
    /// Fills the table wave by wave on a GPU; `place` says where to store the choices, if not at the first place with room.
    /// `progress` is notified every few waves.
    /// Fails if the GPU's memory cannot store the waves that are needed at once, or neither memory the choices, a call fails, or the
    /// computation is canceled.
    pub fn sweep(
        kernels: &'a K,
        (machine, device): (&'a Machine, &'a Device),
        place: Option<Place>,
        progress: &dyn Fn(u64),
    ) -> Result<Self, EngineError> {
        let layout = Layout::of(kernels.table())?;
        let (reach, widest) = (kernels.table().reach(), layout.widest());
        let ring = Ring::<K::Cell>::bytes(reach, widest);
        let room = [device.usable_memory()?, machine.max_memory()];
        let (place, group) = planned(&layout, ring, room, place)?;
        let (on_device, on_host) = match place {
            Place::Nowhere => (vec![], 0),
            Place::Device => (vec![layout.total()], 0),
            Place::Host => (vec![group; 2], layout.total()),
        };
        let buffer = |bytes: &u64| device.unwritten("choices", *bytes as usize);
        let mut table = Self {
            ring: Ring::new(device, reach, widest)?,
            buffers: on_device.iter().map(buffer).collect::<Result<_, _>>()?,
            host: Arena::new(on_host as usize).map_err(no_memory)?,
            bytes: [ring + on_device.iter().sum::<u64>(), on_host],
            page: (0, Vec::new()),
            filled: 0,
            kernels,
            machine,
            device,
            layout,
            place,
            group,
        };
        table.fill(progress)?;
        Ok(table)
    }

    /// Fills all waves group by group. Where choices are streamed, those of one group are copied to the host while the next
    /// is filled.
    fn fill(&mut self, progress: &dyn Fn(u64)) -> Result<(), EngineError> {
        let what = "making a stream for copies";
        let copies = self.device.stream().context().new_stream().during(what)?;
        let mut before: Option<(usize, Range<u64>, CudaEvent)> = None;
        for (number, group) in self.layout.groups(self.group).into_iter().enumerate() {
            if self.machine.is_cancelled() {
                return Err(EngineError::Cancelled);
            }
            self.launch(&group, number % 2)?;
            progress(group.end - group.start);
            let filled = self.device.stream().record_event(None).during("filling waves")?;
            if let Some(before) = before.replace((number % 2, group, filled)) {
                self.bring(&copies, before)?;
            }
        }
        before.map_or(Ok(()), |before| self.bring(&copies, before))?;
        Ok(self.device.finish("of a wave")?)
    }

    /// Waits for a group, so that the host stays one group ahead and can cancel; copies its choices to the host if they are
    /// streamed.
    fn bring(
        &mut self,
        copies: &Arc<CudaStream>,
        (buffer, group, filled): (usize, Range<u64>, CudaEvent),
    ) -> Result<(), EngineError> {
        if self.place != Place::Host {
            return Ok(filled.synchronize().during("filling waves")?);
        }
        copies.wait(&filled).during("waiting for waves")?;
        let bytes = self.layout.at(group.start) as usize..self.layout.at(group.end) as usize;
        let from = self.buffers[buffer].slice(..bytes.len());
        let to = &mut self.host.cells_mut::<u8>()[bytes];
        let device = self.device;
        let copied =
            self.machine.workers().run(|| device.download_parts(copies, "choices", &from, vec![(0, to)]));
        Ok(copied?)
    }

    /// Launches the waves of a group, whose choices are streamed through `buffer` if they are.
    fn launch(&mut self, group: &Range<u64>, buffer: usize) -> Result<(), DeviceError> {
        let (buffer, first) = if self.place == Place::Host { (buffer, group.start) } else { (0, 0) };
        for wave in group.clone() {
            let of_wave = match self.buffers.get_mut(buffer) {
                None => None,
                Some(buffer) => {
                    let view = buffer.try_slice_mut(self.layout.within(wave, first));
                    Some(view.ok_or(DeviceError::Unfit {
                        kernel: "of a wave",
                        why: "the choices of a wave have no place".into(),
                    })?)
                }
            };
            self.ring.fill(self.device, self.kernels, wave, of_wave)?;
            self.filled += self.kernels.table().cells(wave) as u64;
        }
        Ok(())
    }

    /// Cells of the last wave.
    /// Fails when the copy fails.
    pub fn last(&self, cells: Range<usize>) -> Result<Vec<K::Cell>, EngineError> {
        Ok(self.ring.cells(self.device, self.layout.waves() - 1, cells)?)
    }

    /// Where the choices are stored.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Bytes allocated on the GPU and on the host.
    pub fn bytes(&self) -> [u64; 2] {
        self.bytes
    }

    /// Bytes of all choices.
    pub fn choice_bytes(&self) -> u64 {
        self.layout.total()
    }

    /// Copies the choices from the GPU to the host, as a streamed table does, to measure the copy by itself. Does nothing if
    /// they are on the host already.
    /// Fails if the system is out of memory, or a copy fails.
    pub fn copy_out(&self) -> Result<(), EngineError> {
        if self.place != Place::Device {
            return Ok(());
        }
        let bytes = self.layout.total() as usize;
        let mut host = Arena::new(bytes).map_err(no_memory)?;
        let (device, from) = (self.device, self.buffers[0].slice(..bytes));
        let to = &mut host.cells_mut::<u8>()[..bytes];
        let copy = || device.download_parts(device.stream(), "choices", &from, vec![(0, to)]);
        Ok(self.machine.workers().run(copy)?)
    }

    /// Number of cells.
    pub fn filled(&self) -> u64 {
        self.filled
    }

    /// The choice of a cell, for a table whose choices are stored.
    /// Fails if a copy fails.
    /// Panics if there is no such cell.
    pub fn choice(&mut self, wave: u64, at: usize) -> Result<u8, EngineError> {
        let (byte, bit) = self.layout.place(wave, at);
        if self.place == Place::Host {
            return Ok(self.layout.unpacked(self.host.cells::<u8>()[byte as usize], bit));
        }
        let (start, page) = &self.page;
        let held = byte.checked_sub(*start).and_then(|at| page.get(at as usize)).copied();
        let held = match held {
            Some(held) => held,
            None => self.turn_to(wave, byte)?,
        };
        Ok(self.layout.unpacked(held, bit))
    }

    /// Copies the page around a byte from the GPU, and returns the byte.
    fn turn_to(&mut self, wave: u64, byte: u64) -> Result<u8, EngineError> {
        let wide = self.layout.bytes(&(wave..wave + 1)) > PAGE_OF_SMALL_WAVES;
        let page = if wide { PAGE } else { PAGE_OF_SMALL_WAVES };
        // Walks go back, so the byte is near the page's end, with a margin after it for walks that stay.
        let last = (byte + page / 8).min(self.layout.total());
        let start = last.saturating_sub(page);
        let from = self.buffers[0].slice(start as usize..last as usize);
        self.page = (start, self.device.download("choices", &from)?);
        Ok(self.page.1[(byte - start) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Rows(u64, usize);

    impl Waves for Rows {
        fn waves(&self) -> u64 {
            self.0
        }
        fn cells(&self, _: u64) -> usize {
            self.1
        }
        fn reach(&self) -> usize {
            1
        }
        fn choice_bits(&self) -> u32 {
            1
        }
    }

    #[test]
    fn choices_are_kept_where_there_is_room_for_them() {
        // A hundred rows with 1 MiB of choices each, and 64 MiB for the cells of two.
        let layout = Layout::of(&Rows(100, 8 << 20)).unwrap();
        let plan = |device: u64, host: u64, place| {
            planned(&layout, 64 << 20, [device << 20, host << 20], place)
                .map(|(place, group)| (place, group >> 20))
                .map_err(|error| error.to_string())
        };
        assert_eq!(plan(164, 0, None), Ok((Place::Device, 6)));
        assert_eq!(plan(163, 100, None), Ok((Place::Host, 6)));
        assert_eq!(plan(164, 100, Some(Place::Host)), Ok((Place::Host, 6)));
        assert_eq!(plan(66, 100, None), Ok((Place::Host, 1)));
        assert_eq!(plan(64, 0, Some(Place::Nowhere)), Ok((Place::Nowhere, 6)));
        for (device, host, place) in
            [(63, 999, None), (65, 999, None), (163, 99, None), (163, 100, Some(Place::Device))]
        {
            assert!(plan(device, host, place).is_err(), "{device} {host}");
        }
    }
}
