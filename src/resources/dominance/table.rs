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
        let axes: Vec<(usize, usize)> =
            axes.iter().map(|axis| (axis.stride as usize, axis.limit as usize)).collect();
        let mut cells = vec![V::MOST; cells];
        clear(&mut cells, &axes);
        Self { cells, axes }
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

/// Marks the cells within the limits as without a sum.
fn clear<V: Number>(cells: &mut [V], axes: &[(usize, usize)]) {
    match axes {
        [] => cells[..1].fill(V::LEAST),
        [(_, last)] => cells[..=*last].fill(V::LEAST),
        [(stride, last), further @ ..] => {
            cells.chunks_mut(*stride).take(last + 1).for_each(|part| clear(part, further));
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
