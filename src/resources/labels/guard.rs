//! Decides whether a label is dominated by one before it: labels come in rising order of one amount, and the guard holds
//! the others, the loads and the costs.
//!
//! A table has the least cost within a vector of the others. If it has a cell for every vector, it says all. Otherwise a
//! cell stands for a range of vectors: the table is only sure of what it says is dominated, and stairs (one other amount)
//! or pages decide the rest.

use super::shape::Shape;
use isx_problems::resources::{Cost, Pages, Stairs, Vector};

/// Most cells of a table that is not exact.
const ROUGH_CELLS: usize = 1 << 13;

/// An axis of the table.
#[derive(Clone, Debug)]
struct Axis {
    limit: u64,
    stride: usize,
    span: usize,
    /// Steps of one cell, as a power of two.
    shift: u32,
    /// Whether numbers leave out the end of what they stand for.
    cut: bool,
}

impl Axis {
    /// The last cell within the limit.
    fn last(&self) -> usize {
        ((self.limit >> self.shift) as usize).min(self.span - 1)
    }
}

enum Exact<C> {
    /// The table.
    Table,
    /// The least cost at each amount.
    Stairs(Stairs<C>),
    Pages(Pages<C>),
}

/// The labels so far.
pub(super) struct Guard<C> {
    axes: Vec<Axis>,
    /// The least cost in each cell; the border, where a limit is exceeded, has nothing.
    pub cells: Vec<C>,
    exact: Exact<C>,
}

impl<C: Cost> Guard<C> {
    /// No label so far; `most_loads` are the loads that none exceeds.
    pub fn new(shape: &Shape, most_loads: &[C]) -> Self {
        let is_exact = shape.cells.is_some();
        let mut axes: Vec<Axis> = Vec::with_capacity(shape.axes.len() + most_loads.len());
        let axis = |limit: u64, cut| Axis { limit, stride: 0, span: 0, shift: 0, cut };
        axes.extend(shape.axes.iter().map(|own| axis(own.limit, false)));
        axes.extend(most_loads.iter().map(|load| axis(load.rough(), C::BITS > 64)));
        for (axis, own) in axes.iter_mut().zip(&shape.axes).filter(|_| is_exact) {
            axis.span = own.span as usize;
        }
        if !is_exact {
            // Until no more than so many cells are left, the longest axis is halved.
            let span = |axis: &Axis| (axis.limit >> axis.shift).min(1 << 40) as usize + 1;
            loop {
                axes.iter_mut().for_each(|axis| axis.span = span(axis));
                let cells = axes.iter().fold(1f64, |cells, axis| cells * axis.span as f64);
                let longest = axes.iter_mut().max_by_key(|axis| axis.span);
                let Some(longest) = longest.filter(|_| cells > ROUGH_CELLS as f64) else { break };
                longest.shift += 1;
            }
        }
        let mut stride = 1;
        for axis in axes.iter_mut().rev() {
            axis.stride = stride;
            stride *= axis.span;
        }
        let exact = match (is_exact, shape.axes.len(), most_loads.len()) {
            (true, ..) => Exact::Table,
            (_, 1, 0) => Exact::Stairs(Stairs::default()),
            (_, amounts, loads) => Exact::Pages(Pages::new(amounts, loads)),
        };
        let mut cells = vec![C::ZERO; stride];
        clear(&mut cells, &axes);
        Self { axes, cells, exact }
    }

    /// Removes all labels.
    pub fn clear(&mut self) {
        clear(&mut self.cells, &self.axes);
        match &mut self.exact {
            Exact::Table => {}
            Exact::Stairs(stairs) => stairs.clear(),
            Exact::Pages(pages) => pages.clear(),
        }
    }

    /// Whether the table alone says that a label is dominated.
    #[inline]
    fn is_surely_beaten(&self, label: &Vector<'_, C>) -> bool {
        if matches!(self.exact, Exact::Table) {
            return self.cells[label.amounts[0] as usize] <= label.cost;
        }
        let (mut cell, mut at) = (0, 0);
        while at < label.amounts.len() {
            cell += (label.amounts[at] >> self.axes[at].shift) as usize * self.axes[at].stride;
            at += 1;
        }
        for (axis, load) in self.axes[at..].iter().zip(label.loads) {
            cell += (load.rough() >> axis.shift) as usize * axis.stride;
        }
        self.cells[cell] <= label.cost
    }

    /// Whether some label so far is nowhere larger. No amount is beyond its limit, unless the table is exact.
    #[inline]
    pub fn beats(&self, label: &Vector<'_, C>) -> bool {
        if self.is_surely_beaten(label) {
            return true;
        }
        match &self.exact {
            Exact::Table => false,
            Exact::Stairs(stairs) => stairs.beats(label.amounts[0], label.cost),
            Exact::Pages(pages) => pages.beats(label),
        }
    }

    /// Adds a label that is not beaten.
    pub fn add(&mut self, label: &Vector<'_, C>) {
        match &mut self.exact {
            Exact::Table => {
                lower(&mut self.cells, &self.axes, 0, label.amounts[0] as usize, label.cost);
                return;
            }
            Exact::Stairs(stairs) => stairs.add(label.amounts[0], label.cost),
            Exact::Pages(pages) => pages.add(label),
        }
        // The first cell whose vectors are all nowhere smaller.
        let mut cell = 0;
        let amounts = label.amounts.iter().copied().chain(label.loads.iter().map(|load| load.rough()));
        for (axis, amount) in self.axes.iter().zip(amounts) {
            let up = (amount + u64::from(axis.cut)).div_ceil(1 << axis.shift) as usize;
            if up >= axis.span {
                return;
            }
            cell += up * axis.stride;
        }
        lower(&mut self.cells, &self.axes, 0, cell, label.cost);
    }
}

/// Marks the cells within the limits as without a label.
fn clear<C: Cost>(cells: &mut [C], axes: &[Axis]) {
    match axes {
        [] => cells[..1].fill(C::MOST),
        [axis] => {
            cells[..=axis.last()].fill(C::MOST);
            cells[axis.last() + 1..].fill(C::ZERO);
        }
        [axis, further @ ..] => {
            let within = axis.last() + 1;
            cells.chunks_mut(axis.stride).take(within).for_each(|part| clear(part, further));
            cells[within * axis.stride..].fill(C::ZERO);
        }
    }
}

/// Lowers all cells from `base` on that have no less than `left` along the axes; returns whether one was lowered.
fn lower<C: Cost>(cells: &mut [C], axes: &[Axis], base: usize, left: usize, cost: C) -> bool {
    let Some((axis, further)) = axes.split_first() else {
        let is_less = cost < cells[base];
        cells[base] = cells[base].min(cost);
        return is_less;
    };
    let place = left / axis.stride;
    if further.is_empty() {
        let row = &mut cells[base + place..=base + axis.last()];
        if row[0] <= cost {
            return false;
        }
        // Costs never rise along an axis: the cells to lower are the first ones. Eight are compared at once.
        let mut at = 0;
        while at + 8 <= row.len() && row[at + 7] > cost {
            row[at..at + 8].fill(cost);
            at += 8;
        }
        row[at..].iter_mut().take_while(|cell| **cell > cost).for_each(|cell| *cell = cost);
        return true;
    }
    let mut lowered = false;
    for place in place..=axis.last() {
        if !lower(cells, further, base + place * axis.stride, left % axis.stride, cost) {
            break;
        }
        lowered = true;
    }
    lowered
}
