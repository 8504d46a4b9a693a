//! The plane of values and the decision bits of a problem.

use super::pass::{Cell, GROUP, Grid, Pass, Step};
use crate::multidim::Layers;
use crate::multidim::layers::{left, within};
use isx_engine::{Context, EngineError};
use isx_machine::cpu::lanes::Isa;
use isx_problems::multidim::PerDimension;
use isx_problems::reduce::multidim::Reduced;
use isx_problems::value::Tier;

/// A table that is reused from problem to problem.
pub struct Table<V> {
    isa: Isa,
    grid: Grid,
    /// Rows of cells, each after its padding.
    cells: Vec<V>,
    /// For every item with a layer, the bits of all groups of cells.
    bits: Vec<u64>,
    /// The last cell of the current layer.
    reach: PerDimension,
}

/// Bytes that a problem's table takes, at most `u64::MAX`.
pub fn bytes(layers: &Layers, tier: Tier) -> u64 {
    let [first, second, third] = layers.last_cell().map(|cell| cell.saturating_add(1));
    let rows = first.saturating_mul(second);
    let groups = third.div_ceil(GROUP as u64);
    let cell = match tier {
        Tier::I32 => 4,
        Tier::I64 => 8,
        Tier::I128 | Tier::Big => 16,
    };
    let cells = rows.saturating_mul(groups.saturating_add(1)).saturating_mul(GROUP as u64 * cell);
    cells.saturating_add(rows.saturating_mul(groups).saturating_mul(8 * layers.swept as u64))
}

impl<V: Cell> Table<V> {
    /// A table for this instruction set; memory is allocated when it is needed.
    pub fn new(isa: Isa) -> Self {
        Self {
            isa,
            grid: Grid::default(),
            cells: Vec::new(),
            bits: Vec::new(),
            reach: PerDimension::default(),
        }
    }

    /// Fills the table with the layers of all items that have one, two at a time.
    pub fn sweep(
        &mut self,
        problem: &Reduced,
        profits: &[V],
        layers: &Layers,
        context: &Context,
    ) -> Result<(), EngineError> {
        self.begin(layers);
        let words = self.grid.words();
        let mut at = 0;
        while at < layers.swept {
            context.go_on()?;
            let two = at + 1 < layers.swept;
            let after = at + 1 + usize::from(two);
            self.extend_to(layers.reach[after]);
            let step = |item: usize| Step { weights: problem.items[item].weights, profit: profits[item] };
            let (first, rest) = self.bits[at * words..].split_at_mut(words);
            let pass = Pass {
                grid: self.grid,
                cells: &mut self.cells,
                first: (step(at), first),
                second: two.then(|| (step(at + 1), &mut rest[..words])),
                low: layers.low[after].map(|cell| cell as usize),
                reach: layers.reach[after].map(|cell| cell as usize),
            };
            V::run(self.isa, pass);
            at = after;
        }
        Ok(())
    }

    /// Allocates the memory and initializes it with layer 0.
    fn begin(&mut self, layers: &Layers) {
        self.grid = Grid::new(layers.last_cell());
        let cells = self.grid.rows() * self.grid.row_length();
        if self.cells.len() < cells {
            self.cells = vec![V::zero(); cells];
        }
        let bits = self.grid.words() * layers.swept;
        if self.bits.len() < bits {
            self.bits = vec![0; bits];
        }
        for row in self.cells[..cells].chunks_mut(self.grid.row_length()) {
            row[..GROUP].fill(V::UNREACHABLE);
        }
        let zero = self.grid.cell([0; 3]);
        self.cells[zero] = V::zero();
        self.reach = PerDimension::default();
    }

    /// Writes the cells up to `reach`; so far they equal those at the previous reach.
    fn extend_to(&mut self, reach: PerDimension) {
        let old = self.reach.map(|cell| cell as usize);
        let new = reach.map(|cell| cell as usize);
        for x in 0..=new[0] {
            for y in 0..=new[1] {
                let from = self.grid.cell([x.min(old[0]), y.min(old[1]), 0]);
                let to = self.grid.cell([x, y, 0]);
                if from != to {
                    self.cells.copy_within(from..=from + old[2], to);
                }
                let last = self.cells[to + old[2]];
                self.cells[to + old[2] + 1..=to + new[2]].fill(last);
            }
        }
        self.reach = reach;
    }

    /// The best profit of the items with a layer within `cell`.
    pub fn value(&self, cell: PerDimension) -> V {
        self.cells[self.grid.cell(within(cell, &self.reach).map(|cell| cell as usize))]
    }

    /// The items with a layer that give the value of a cell, smallest number first.
    pub fn walk_back(&self, problem: &Reduced, layers: &Layers, mut cell: PerDimension) -> Vec<usize> {
        let words = self.grid.words();
        let mut chosen = Vec::new();
        let mut after = layers.swept;
        while after > 0 {
            // Passes start at item 0, so only the last pass can have one item.
            let at = (after - 1) / 2 * 2;
            cell = within(cell, &layers.reach[after]);
            let (word, bit) = self.grid.bit(cell.map(|cell| cell as usize));
            for item in (at..after).rev() {
                if self.bits[item * words + word] >> bit & 1 == 1 {
                    chosen.push(item);
                    // An item is taken only where it fits.
                    cell = left(&cell, &problem.items[item].weights).unwrap_or_default();
                }
            }
            after = at;
        }
        chosen.reverse();
        chosen
    }
}
