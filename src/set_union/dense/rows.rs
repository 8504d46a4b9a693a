//! The rows of all states, and the effect of an element or a class on them.

use isx_engine::{Context, EngineError};
use isx_machine::cpu::lanes::{Isa, Kernel, Lane, Simd};

/// Cells that stay in the first-level cache while all items of a class are applied.
const TILE: usize = 2048;

/// An item: the open elements it uses, as bits, its weight in units, its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub uses: u64,
    pub weight: usize,
    pub value: i64,
}

/// The rows before a class, and what happened around it: everything the traceback needs.
pub(super) struct Level {
    pub class: usize,
    /// The bits of the elements that opened before it, and their weights.
    pub opened: Vec<(usize, usize)>,
    /// The rows before its items were applied.
    pub rows: Rows,
    /// No item, then its items.
    pub moves: Vec<Move>,
    /// The bits that closed after it, one after the other.
    pub closed: Vec<usize>,
}

/// One row per state: the greatest value within each weight, [`Lane::LOWEST`] or slightly more if there is none. An
/// impossible state has no row.
pub(super) struct Rows {
    cells: usize,
    of_states: Vec<Option<Vec<i64>>>,
}

impl Rows {
    /// No state.
    pub fn none(cells: usize) -> Self {
        Self { cells, of_states: Vec::new() }
    }

    /// A single state without any items.
    pub fn start(cells: usize) -> Self {
        Self { cells, of_states: vec![Some(vec![0; cells])] }
    }

    /// Adds a state.
    pub fn push(&mut self, row: Option<Vec<i64>>) {
        self.of_states.push(row);
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.of_states.len()
    }

    /// The row of a state, if the state is possible.
    pub fn of_state(&self, state: usize) -> Option<&[i64]> {
        self.of_states.get(state)?.as_deref()
    }

    /// The points of the only state: the cells at which the value rises.
    pub fn front(&self) -> Vec<(usize, i64)> {
        let row = self.of_state(0).unwrap_or_default();
        let rises = |&(cell, &value): &(usize, &i64)| cell == 0 || value > row[cell - 1];
        row.iter().enumerate().filter(rises).map(|(cell, &value)| (cell, value)).collect()
    }

    /// Opens one more element of that weight, which excludes others.
    pub fn opened(mut self, weight: usize, excluded: u64) -> Self {
        let paid = |(state, row): (usize, &Option<Vec<i64>>)| {
            if state as u64 & excluded != 0 || weight >= self.cells {
                return None;
            }
            let row = row.as_ref()?;
            let mut shifted = vec![i64::LOWEST; weight];
            shifted.extend_from_slice(&row[..self.cells - weight]);
            Some(shifted)
        };
        let paid: Vec<Option<Vec<i64>>> = self.of_states.iter().enumerate().map(paid).collect();
        self.of_states.extend(paid);
        self
    }

    /// Applies the items of a class; taking no item is allowed.
    pub fn moved(&self, moves: &[Move], context: &Context, updates: &mut u64) -> Result<Self, EngineError> {
        let isa = Isa::best();
        let one = |state: u64| -> Result<Option<(Vec<i64>, u64)>, EngineError> {
            context.go_on()?;
            let Some(row) = self.of_state(state as usize) else { return Ok(None) };
            let usable = moves.iter().filter(|item| item.uses & !state == 0 && item.weight < row.len());
            let usable: Vec<Move> = usable.copied().collect();
            let mut after = row.to_vec();
            isa.run(Relax { row, moves: &usable, after: &mut after });
            Ok(Some((after, (usable.len() * row.len()) as u64)))
        };
        let states = self.of_states.len();
        let parallel = states > 1 && states * self.cells > 1 << 14;
        let moved = context.machine.workers().map(states as u64, parallel, one);
        let mut of_states = Vec::with_capacity(states);
        for row in moved {
            of_states.push(row?.map(|(row, made)| {
                *updates += made;
                row
            }));
        }
        Ok(Self { cells: self.cells, of_states })
    }

    /// Closes the element at bit `position`: merges the rows with and without it.
    pub fn closed(mut self, position: usize) -> Self {
        let bit = 1usize << position;
        let states = self.of_states.len();
        let mut joined = Vec::with_capacity(states / 2);
        for without in (0..states).filter(|state| state & bit == 0) {
            let (a, b) = (self.of_states[without].take(), self.of_states[without | bit].take());
            joined.push(match (a, b) {
                (Some(mut a), Some(b)) => {
                    Isa::best().run(Join { into: &mut a, other: &b });
                    Some(a)
                }
                (a, b) => a.or(b),
            });
        }
        Self { cells: self.cells, of_states: joined }
    }
}

/// Applies the items of a class to a row.
struct Relax<'a> {
    row: &'a [i64],
    moves: &'a [Move],
    after: &'a mut [i64],
}

impl Kernel for Relax<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { row, moves, after } = self;
        let mut from = 0;
        for tile in after.chunks_mut(TILE) {
            for item in moves {
                // The item cannot reach cells below its weight.
                let skipped = item.weight.saturating_sub(from);
                if skipped >= tile.len() {
                    continue;
                }
                let source = &row[from + skipped - item.weight..];
                for (cell, &before) in tile[skipped..].iter_mut().zip(source) {
                    *cell = (*cell).max(before.plus(item.value));
                }
            }
            from += TILE;
        }
    }
}

/// The cell-wise maximum of two rows.
struct Join<'a> {
    into: &'a mut [i64],
    other: &'a [i64],
}

impl Kernel for Join<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for (cell, &other) in self.into.iter_mut().zip(self.other) {
            *cell = (*cell).max(other);
        }
    }
}
