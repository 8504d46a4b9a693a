//! The most value with no more of several resources of small limits: a table with a cell for each vector.

use crate::number::Number;
use crate::shape::Axis;

/// The most value in each cell; the border, where a limit is exceeded, has more than any value.
pub(crate) struct Table<V> {
    cells: Vec<V>,
    /// Cells between neighbors and the last place within the limit, of every axis.
    axes: Vec<(usize, usize)>,
}

impl<V: Number> Table<V> {
    pub fn new(axes: &[Axis], cells: usize) -> Self {
        let is_inside = |cell: usize| {
            let mut left = cell as u64;
            axes.iter().all(|axis| {
                let amount = left / axis.stride;
                left %= axis.stride;
                amount <= axis.limit
            })
        };
        let cells = (0..cells).map(|cell| if is_inside(cell) { V::LEAST } else { V::MOST });
        let axes = axes.iter().map(|axis| (axis.stride as usize, axis.limit as usize));
        Self { cells: cells.collect(), axes: axes.collect() }
    }

    /// The most value within the vector of this key.
    pub fn at(&self, key: u64) -> V {
        self.cells[key as usize]
    }

    /// The most value within the vector of every key.
    pub fn cells(&self) -> &[V] {
        &self.cells
    }

    /// Adds a sum.
    pub fn add(&mut self, key: u64, value: V) {
        match &self.axes[..] {
            [] => self.cells[0] = self.cells[0].max(value),
            axes => {
                raise(&mut self.cells, axes, 0, key as usize, value);
            }
        }
    }
}

/// Raises all cells from `base` on that have no less than `left` along the axes; returns whether one was raised.
fn raise<V: Number>(cells: &mut [V], axes: &[(usize, usize)], base: usize, left: usize, value: V) -> bool {
    let Some((&(stride, last), further)) = axes.split_first() else { return false };
    let place = left / stride;
    if further.is_empty() {
        let row = &mut cells[base + place..=base + last];
        if row[0] >= value {
            return false;
        }
        // Values never fall along an axis.
        row.iter_mut().take_while(|cell| **cell < value).for_each(|cell| *cell = value);
        return true;
    }
    let mut raised = false;
    for place in place..=last {
        if !raise(cells, further, base + place * stride, left % stride, value) {
            break;
        }
        raised = true;
    }
    raised
}
