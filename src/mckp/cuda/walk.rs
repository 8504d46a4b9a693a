//! Tracebacks of front points through rows on the GPU.

use super::cell::Cell;
use super::layout::Layers;
use super::mckp_walk;
use crate::answer::{LayerPicks, Picks};
use cudarc::driver::CudaSlice;
use isx_engine::ItemIndices;
use isx_machine::cuda::{Device, DeviceError, During};
use isx_problems::mckp::Item;
use std::ops::Range;

/// The state of the tracebacks: the current cell of each point, and the layers already passed.
pub struct Walk<'a> {
    device: &'a Device,
    items: CudaSlice<[i64; 2]>,
    offsets: CudaSlice<i64>,
    cells: CudaSlice<i64>,
    strays: CudaSlice<u32>,
    points: usize,
    /// Last class first.
    passed: Vec<LayerPicks>,
}

impl<'a> Walk<'a> {
    /// Starts at the cells `starts` of the last row; the rows' values are shifted left by `shift` bits.
    pub fn new(device: &'a Device, layers: &Layers, shift: u32, starts: &[u64]) -> Result<Self, DeviceError> {
        let mut offsets = vec![0i64];
        let mut items = Vec::new();
        // A weight that exceeds 63 bits is heavier than any capacity, and so is its replacement.
        let signed = |weight: u64| i64::try_from(weight).unwrap_or(i64::MAX);
        for of_class in &layers.items {
            let item = |item: &Item<i64>| [signed(item.weight), item.value << shift];
            items.extend(of_class.iter().map(item));
            offsets.push(items.len() as i64);
        }
        let cells: Vec<i64> = starts.iter().map(|&start| signed(start)).collect();
        Ok(Self {
            device,
            items: device.upload("items", &items)?,
            offsets: device.upload("where classes begin", &offsets)?,
            cells: device.upload("front points", &cells)?,
            strays: device.zeros("a counter", 1)?,
            points: starts.len(),
            passed: Vec::new(),
        })
    }

    /// Follows the tracebacks through the layers `range`; `rows` contains their rows and the one before, `stride`
    /// cells apart.
    pub fn back_through<V: Cell>(
        &mut self,
        rows: &CudaSlice<V>,
        stride: usize,
        layers: &Layers,
        range: Range<usize>,
    ) -> Result<(), DeviceError> {
        let mut picks: CudaSlice<u32> =
            self.device.unwritten("picks of the front points", range.len() * self.points)?;
        let class_count = i32::try_from(range.len()).map_err(|_| DeviceError::Unfit {
            kernel: "mckp_walk",
            why: format!("its integers cannot count {} layers", range.len()),
        })?;
        let mut args = mckp_walk::Args {
            rows,
            stride: stride as i64,
            items: &self.items,
            offsets: self.offsets.slice(range.start..=range.end),
            class_count,
            cells: &mut self.cells,
            points: self.points as i64,
            picks: &mut picks,
            strays: &mut self.strays,
        };
        mckp_walk::launch(self.device, &mut args)?;
        self.device.finish("mckp_walk")?;
        self.refuse_strays()?;
        let picks = self.device.download("picks", &picks.as_view())?;
        for (items, picks) in layers.items[range].iter().zip(picks.chunks(self.points)).rev() {
            let count = items.len();
            if picks.iter().any(|&pick| pick as usize >= count) {
                let why = format!("a pick is none of the {count} items of its layer");
                return Err(DeviceError::Unbelievable { kernel: "mckp_walk", why });
            }
            // Each traceback stays in its own column.
            let item = ItemIndices::of(picks.iter().map(|&pick| pick as usize), count);
            self.passed.push(LayerPicks::States { item, parent: (0..picks.len() as u32).collect() });
        }
        Ok(())
    }

    /// The picks, once all classes are passed.
    pub fn picks(mut self) -> Picks {
        self.passed.reverse();
        Picks { start: (0..self.points as u64).collect(), layers: self.passed }
    }

    /// Refuses tracebacks that found no item at some cell: such a pick is one past its layer's items.
    fn refuse_strays(&self) -> Result<(), DeviceError> {
        let strays = self.device.stream().clone_dtoh(&self.strays).during("copying a counter")?;
        if strays[0] != 0 {
            let why = format!("{} steps back found no item that explains the value", strays[0]);
            return Err(DeviceError::Unbelievable { kernel: "mckp_walk", why });
        }
        Ok(())
    }
}
