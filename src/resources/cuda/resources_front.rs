//! Binding of `kernels/resources/resources_front.cu`: the points of the last table.

use super::program::{Asked, FRAME, Frame};
use cudarc::driver::{CudaSlice, CudaView};
use isx_machine::cuda::{Cell, Device, DeviceError, During, KernelFile, grid};
use isx_machine::{kernel_file, launch};

const FILE: KernelFile = kernel_file!("resources_front"; 70);

/// Threads of a block that has a word of every row; the others have [`FEW`].
const THREADS: u32 = 1024;
const FEW: u32 = 256;

/// The last table, the numbers of its frame, and which resources are objectives.
pub(super) struct Last<'a, V> {
    pub table: CudaView<'a, V>,
    pub words: CudaView<'a, i64>,
    pub frame: Frame,
    pub resources: usize,
    pub objectives: usize,
}

/// The points as bits, and the number of points before each cell of a row.
pub(super) struct Marked {
    bits: CudaSlice<u32>,
    totals: CudaSlice<i64>,
    /// Rows of the objectives, and words of a row.
    rows: u32,
    words: i32,
    /// The number of points.
    pub points: usize,
}

/// Costs in units and values of points.
pub(super) struct Points {
    /// A column per resource.
    pub costs: CudaSlice<u64>,
    pub values: CudaSlice<i64>,
    pub count: usize,
}

fn unfit(kernel: &'static str, why: &str) -> DeviceError {
    DeviceError::Unfit { kernel, why: why.into() }
}

impl<V: Cell> Last<'_, V> {
    /// Rows in which the resources that are no objectives are at their last coordinate.
    fn rows(&self) -> Option<u64> {
        self.frame.rows(1..self.objectives.max(1))
    }

    /// Bytes that marking the points takes; `None` if they cannot be counted.
    pub fn marking_bytes(frame: &Frame, objectives: usize) -> Option<u64> {
        let bits = frame.rows(1..objectives.max(1))?.checked_mul((frame.last[0] + 1).div_ceil(32) * 4)?;
        bits.checked_add((frame.last[0] + 2) * 8)
    }

    /// Marks and counts the points; waits for it. There is at least one objective.
    pub fn mark(&self, device: &Device, asked: Asked) -> Result<Marked, DeviceError> {
        let name = V::either("resources_front_i32_mark", "resources_front_i64_mark");
        let held = self.frame.cells().is_some_and(|cells| cells <= self.table.len() as u64);
        if !held || self.words.len() < FRAME || self.objectives == 0 {
            return Err(unfit(name, "the table is shorter than its frame says"));
        }
        let too_many = || unfit(name, "the table has more rows than a launch can hold");
        let cells = self.frame.last[0] + 1;
        let rows = self.rows().and_then(|rows| u32::try_from(rows).ok()).ok_or_else(too_many)?;
        let tiles = cells.div_ceil(FEW.into());
        let blocks = u64::from(rows) * tiles;
        let blocks =
            u32::try_from(blocks).ok().filter(|blocks| *blocks <= i32::MAX as u32).ok_or_else(too_many)?;
        let words = cells.div_ceil(32) as u32;
        let mut bits = device.unwritten("bits of the points", rows as usize * words as usize)?;
        let mut totals = device.unwritten("counts of the points", cells as usize + 1)?;
        let (least, most) = (V::at_most(asked.least), V::at_most(asked.most));
        let (objectives, tiles) = (self.objectives as i32, tiles as i32);
        let (words, cells) = (words as i32, cells as i32);
        // SAFETY: arguments are in the kernel's order and of its types; the table has the cells of its frame (checked
        // above), bits a word for every 32 cells of each row, totals one number more than a row has cells; rows, blocks
        // and cells of a row are counted in 32 bits.
        unsafe {
            launch!(device, FILE => name, grid(blocks, FEW, 0);
                &self.table, &self.words, &objectives, &least, &most, &tiles, &mut bits, &words)?;
            launch!(device, FILE => "resources_front_count", grid(words as u32, THREADS, 0);
                &bits, &words, &rows, &cells, &mut totals)?;
            launch!(device, FILE => "resources_front_scan", grid(1, THREADS, 0); &mut totals, &cells)?;
        }
        let total = device.download("the number of points", &totals.slice(cells as usize..))?;
        let most = u64::from(rows) * cells as u64;
        match total[..] {
            [points] if points >= 0 && points as u64 <= most => {
                Ok(Marked { bits, totals, rows, words, points: points as usize })
            }
            _ => Err(DeviceError::Unbelievable {
                kernel: name,
                why: "it counts more points than cells".into(),
            }),
        }
    }

    /// The points marked, in lexicographic order of the objectives.
    pub fn points(&self, device: &Device, marked: &Marked) -> Result<Points, DeviceError> {
        let name = V::either("resources_front_i32_write", "resources_front_i64_write");
        let count = marked.points;
        let mut points = Points {
            costs: device.unwritten("costs of the points", count * self.resources)?,
            values: device.unwritten("values of the points", count)?,
            count,
        };
        if count == 0 {
            return Ok(points);
        }
        let (objectives, total) = (self.objectives as i32, count as i64);
        // SAFETY: arguments are in the kernel's order and of its types; bits and totals are those of this table, so that
        // every point has a place below their total, for which both columns have room.
        unsafe {
            launch!(device, FILE => name, grid(marked.words as u32, THREADS, 0);
                &self.table, &self.words, &objectives, &marked.bits, &marked.words, &marked.rows, &marked.totals, &total,
                &mut points.costs, &mut points.values)?;
        }
        self.least(device, &mut points)?;
        Ok(points)
    }

    /// The cell of the greatest value, and its least costs; no point if it has none. Waits for it.
    pub fn greatest(&self, device: &Device) -> Result<Points, DeviceError> {
        let strides = self.frame.strides();
        let last: u64 = self.frame.last.iter().zip(strides).map(|(last, stride)| last * stride).sum();
        let value =
            device.download("the greatest value", &self.table.slice(last as usize..=last as usize))?;
        let values: Vec<i64> = value.into_iter().map(Into::into).filter(|value| *value >= 0).collect();
        let count = values.len();
        let values = if count == 0 {
            device.unwritten("no value", 1)?
        } else {
            device.upload("the greatest value", &values)?
        };
        let mut points = Points { costs: device.zeros("its costs", self.resources)?, values, count };
        self.least(device, &mut points)?;
        Ok(points)
    }

    /// Finds the costs in the resources that are no objectives.
    fn least(&self, device: &Device, points: &mut Points) -> Result<(), DeviceError> {
        if self.objectives == self.resources || points.count == 0 {
            return Ok(());
        }
        let name = V::either("resources_front_i32_least", "resources_front_i64_least");
        let (objectives, resources, total) =
            (self.objectives as i32, self.resources as i32, points.count as i64);
        let blocks = blocks_of(name, points.count)?;
        // SAFETY: arguments are in the kernel's order and of its types; the columns have one number per point and
        // resource, and the objectives' are coordinates of the table.
        unsafe {
            launch!(device, FILE => name, grid(blocks, FEW, 0);
                &self.table, &self.words, &objectives, &resources, &total, &mut points.costs, &points.values)
        }
    }
}

/// Blocks with a thread for each point.
fn blocks_of(kernel: &'static str, points: usize) -> Result<u32, DeviceError> {
    let blocks =
        u32::try_from(points.div_ceil(FEW as usize)).ok().filter(|blocks| *blocks <= i32::MAX as u32);
    blocks.ok_or_else(|| unfit(kernel, "there are more points than a launch can hold"))
}

impl Points {
    /// The costs of a resource in units of the problem: `unit * cost + base`, modulo 2^64.
    pub fn scale_costs(
        &mut self,
        device: &Device,
        resource: usize,
        [unit, base]: [u64; 2],
    ) -> Result<(), DeviceError> {
        let mut column = self.costs.slice_mut(resource * self.count..(resource + 1) * self.count);
        if self.count == 0 || (unit == 1 && base == 0) {
            return Ok(());
        }
        let (blocks, count) = (blocks_of("resources_front_scale", self.count)?, self.count as i64);
        let (unit, base) = (unit as i64, base as i64);
        // SAFETY: arguments are in the kernel's order and of its types; the column has so many numbers.
        unsafe {
            launch!(device, FILE => "resources_front_scale", grid(blocks, FEW, 0);
                &mut column, &count, &unit, &base)
        }
    }

    /// Adds to all values.
    pub fn move_values(&mut self, device: &Device, offset: i64) -> Result<(), DeviceError> {
        if self.count == 0 || offset == 0 {
            return Ok(());
        }
        let (blocks, count) = (blocks_of("resources_front_scale", self.count)?, self.count as i64);
        // SAFETY: arguments are in the kernel's order and of its types; there are so many values.
        unsafe {
            launch!(device, FILE => "resources_front_scale", grid(blocks, FEW, 0);
                &mut self.values, &count, &1i64, &offset)
        }
    }

    /// A copy of the values of some points.
    pub fn values_of(
        &self,
        device: &Device,
        points: std::ops::Range<usize>,
    ) -> Result<CudaSlice<i64>, DeviceError> {
        let mut copy = device.unwritten("values left", points.len())?;
        let copying = "copying values of points";
        if !points.is_empty() {
            device.stream().memcpy_dtod(&self.values.slice(points), &mut copy).during(copying)?;
        }
        Ok(copy)
    }
}
