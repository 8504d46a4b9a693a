//! The rows of all states, and the effect of an element or a class on them.

use isx_engine::{Context, EngineError};
use isx_machine::cpu::lanes::{Isa, Kernel, Lane, Simd};
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Cells that stay in the first-level cache while all items of a class are applied.
const TILE: usize = 2048;

/// An item: the open elements it uses, as bits, its weight in units, its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub uses: u64,
    pub weight: usize,
    pub value: i64,
}

/// Memory for rows: a single allocation, or vectors if it is spent.
pub(super) struct Memory<'m> {
    rest: Mutex<&'m mut [i64]>,
    /// Rows that are not needed any more.
    free: Mutex<Vec<&'m mut [i64]>>,
}

/// A row of values.
pub(super) enum Row<'m> {
    Own(Vec<i64>),
    Part(&'m mut [i64]),
}

impl<'m> Memory<'m> {
    pub fn new(rest: &'m mut [i64]) -> Self {
        Self { rest: Mutex::new(rest), free: Mutex::default() }
    }

    /// A row of as many cells, with the values that far to the right.
    fn shifted(&self, row: &[i64], by: usize) -> Row<'m> {
        let values = &row[..row.len() - by];
        let Some(part) = self.part(row.len()) else {
            let mut shifted = vec![i64::LOWEST; by];
            shifted.extend_from_slice(values);
            return Row::Own(shifted);
        };
        part[..by].fill(i64::LOWEST);
        part[by..].copy_from_slice(values);
        Row::Part(part)
    }

    fn part(&self, cells: usize) -> Option<&'m mut [i64]> {
        if let Some(row) = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            return Some(row);
        }
        let mut rest = self.rest.lock().unwrap_or_else(PoisonError::into_inner);
        let (part, after) = std::mem::take(&mut *rest).split_at_mut_checked(cells)?;
        *rest = after;
        Some(part)
    }

    fn take_back(&self, row: Row<'m>) {
        if let Row::Part(part) = row {
            self.free.lock().unwrap_or_else(PoisonError::into_inner).push(part);
        }
    }
}

impl Deref for Row<'_> {
    type Target = [i64];

    fn deref(&self) -> &[i64] {
        match self {
            Row::Own(row) => row,
            Row::Part(row) => row,
        }
    }
}

impl DerefMut for Row<'_> {
    fn deref_mut(&mut self) -> &mut [i64] {
        match self {
            Row::Own(row) => row,
            Row::Part(row) => row,
        }
    }
}

/// The rows before a class, and what happened around it: everything the traceback needs.
pub(super) struct Level<'m> {
    pub class: usize,
    /// The bits of the elements that opened before it, and their weights.
    pub opened: Vec<(usize, usize)>,
    /// The rows before its items were applied.
    pub rows: Rows<'m>,
    /// No item, then its items.
    pub moves: Vec<Move>,
    /// The bits that closed after it, one after the other.
    pub closed: Vec<usize>,
}

/// One row per state: the greatest value within each weight, [`Lane::LOWEST`] or slightly more if there is none. An
/// impossible state has no row.
pub(super) struct Rows<'m> {
    cells: usize,
    of_states: Vec<Option<Row<'m>>>,
    memory: &'m Memory<'m>,
}

impl<'m> Rows<'m> {
    /// No state.
    pub fn none(cells: usize, memory: &'m Memory<'m>) -> Self {
        Self { cells, of_states: Vec::new(), memory }
    }

    /// A single state without any items.
    pub fn start(cells: usize, memory: &'m Memory<'m>) -> Self {
        Self { cells, of_states: vec![Some(Row::Own(vec![0; cells]))], memory }
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
        let paid = |(state, row): (usize, &Option<Row<'m>>)| {
            if state as u64 & excluded != 0 || weight >= self.cells {
                return None;
            }
            Some(self.memory.shifted(row.as_deref()?, weight))
        };
        let paid: Vec<Option<Row<'m>>> = self.of_states.iter().enumerate().map(paid).collect();
        self.of_states.extend(paid);
        self
    }

    /// Applies the items of a class; taking no item is allowed.
    pub fn moved(&self, moves: &[Move], context: &Context, updates: &mut u64) -> Result<Self, EngineError> {
        let isa = Isa::best();
        let one = |state: u64| -> Result<Option<(Row<'m>, u64)>, EngineError> {
            context.go_on()?;
            let Some(row) = self.of_state(state as usize) else { return Ok(None) };
            let usable = moves.iter().filter(|item| item.uses & !state == 0 && item.weight < row.len());
            let usable: Vec<Move> = usable.copied().collect();
            let mut after = self.memory.shifted(row, 0);
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
        Ok(Self { cells: self.cells, of_states, memory: self.memory })
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
                    self.memory.take_back(b);
                    Some(a)
                }
                (a, b) => a.or(b),
            });
        }
        Self { cells: self.cells, of_states: joined, memory: self.memory }
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

#[cfg(test)]
mod tests {
    use super::*;
    use isx_machine::Machine;

    const CELLS: usize = 40;

    fn front<'m>(memory: &'m Memory<'m>) -> Vec<(usize, i64)> {
        let machine = Machine::default().with_threads(1);
        let context = Context::new(&machine);
        let (mut rows, mut updates) = (Rows::start(CELLS, memory), 0);
        for class in 0..6 {
            let taken = |uses, by: i64| Move { uses, weight: 2 + by as usize, value: 7 * by + class };
            rows = rows.opened(3, 0).opened(1, 1);
            let moves = [taken(0, 1), taken(1, 2 + class), taken(2, 5)];
            rows = rows.moved(&moves, &context, &mut updates).unwrap().closed(1).closed(0);
        }
        rows.front()
    }

    #[test]
    fn rows_in_one_allocation_are_those_of_vectors() {
        let own = front(&Memory::new(&mut []));
        assert!(own.len() > 10, "{own:?}");
        for rows in [1, 7, 60] {
            let mut all = vec![-1; rows * CELLS];
            let memory = Memory::new(&mut all);
            assert_eq!(front(&memory), own);
            assert!(memory.rest.lock().unwrap().len() < CELLS || rows == 60);
        }
    }
}
