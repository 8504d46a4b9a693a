//! Walks of front points back through rows that are on the GPU.

use super::cell::Cell;
use super::mckp_walk;
use crate::engine::mckp::answer::{ItemIndices, LayerPicks, Picks};
use crate::machine::cuda::Device;
use crate::machine::cuda::{DeviceError, During};
use crate::reduce::mckp::Reduced;
use cudarc::driver::CudaSlice;
use std::ops::Range;

/// Walks under way: where each point stands, and the layers already passed.
pub(crate) struct Walk<'a, V> {
    device: &'a Device,
    problem: &'a Reduced<V>,
    items: CudaSlice<[i64; 2]>,
    offsets: CudaSlice<i64>,
    cells: CudaSlice<i64>,
    strays: CudaSlice<u32>,
    points: usize,
    /// Last class first.
    layers: Vec<LayerPicks>,
}

impl<'a, V: Cell> Walk<'a, V> {
    /// Walks from the cells `starts` of the last row; the rows' values are shifted left by `shift` bits.
    pub fn new(
        device: &'a Device,
        problem: &'a Reduced<V>,
        shift: u32,
        starts: &[u64],
    ) -> Result<Self, DeviceError> {
        let mut offsets = vec![0i64];
        let mut items = Vec::new();
        for class in &problem.classes {
            items.extend(class.items.iter().map(|item| [item.weight as i64, item.value.to_i64() << shift]));
            offsets.push(items.len() as i64);
        }
        let cells: Vec<i64> = starts.iter().map(|&start| start as i64).collect();
        Ok(Self {
            device,
            problem,
            items: device.upload("items", &items)?,
            offsets: device.upload("where classes begin", &offsets)?,
            cells: device.upload("front points", &cells)?,
            strays: device.zeros("a counter", 1)?,
            points: starts.len(),
            layers: Vec::with_capacity(problem.classes.len()),
        })
    }

    /// Goes back through `classes`, whose rows (and the one before) `rows` holds, `stride` cells apart.
    pub fn back_through(
        &mut self,
        rows: &CudaSlice<V>,
        stride: usize,
        classes: Range<usize>,
    ) -> Result<(), DeviceError> {
        let mut picks: CudaSlice<u32> =
            self.device.unwritten("picks of the front points", classes.len() * self.points)?;
        let mut args = mckp_walk::Args {
            rows,
            stride: stride as i64,
            items: &self.items,
            offsets: self.offsets.slice(classes.start..=classes.end),
            class_count: classes.len() as i32,
            cells: &mut self.cells,
            points: self.points as i64,
            picks: &mut picks,
            strays: &mut self.strays,
        };
        mckp_walk::launch(self.device, &mut args)?;
        self.device.finish("mckp_walk")?;
        let picks = self.device.download("picks", &picks.as_view())?;
        let problem = self.problem;
        let layer = |(class, picks): (usize, &[u32])| states(picks, problem.classes[class].items.len());
        self.layers.extend(classes.zip(picks.chunks(self.points)).rev().map(layer));
        Ok(())
    }

    /// The walks, once all classes are behind them.
    pub fn picks(mut self) -> Result<Picks, DeviceError> {
        let strays = self.device.stream().clone_dtoh(&self.strays).during("copying a counter")?;
        if strays[0] != 0 {
            let why = format!("{} steps back found no item that explains the value", strays[0]);
            return Err(DeviceError::Unbelievable { kernel: "mckp_walk", why });
        }
        self.layers.reverse();
        Ok(Picks { start: (0..self.points as u64).collect(), layers: self.layers })
    }
}

/// One state a point: its walk stays in its own column.
fn states(picks: &[u32], items: usize) -> LayerPicks {
    let mut item = ItemIndices::zeros(picks.len(), items);
    for (at, &pick) in picks.iter().enumerate() {
        // A stray's index is one past the class; the answer is refused for it later.
        item.set(at, (pick as usize).min(items - 1));
    }
    LayerPicks::States { item, parent: (0..picks.len() as u32).collect() }
}
