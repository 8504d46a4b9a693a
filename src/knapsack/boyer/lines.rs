//! The decisions of 32 items at a time, without the cells at which none of them is taken and those at which all are.
//!
//! Worked instance, three items to a line, seven cells:
//!
//! ```text
//! item 0   0 0 1 1 1 1 1      lc = 2: the first cell at which an item is taken
//! item 1   0 0 0 1 1 1 1      rc = 5: from here on every item is
//! item 2   0 0 0 1 0 1 1      kept: cells 2, 3 and 4
//! ```
//!
//! The ends are rounded to words here: the stored part begins and ends with a word of 64 cells.

use crate::Selections;

pub const ITEMS: usize = 32;

const WORD: usize = 64;

/// The items of a line at the cells from `from` up to `to`.
#[derive(Debug)]
struct Line {
    /// The first cell at which an item is taken, rounded to whole words.
    from: usize,
    /// The first cell from which on all are taken, rounded to whole words.
    to: usize,
    /// The words between, item by item.
    kept: Vec<u64>,
    /// rc - lc, in cells.
    cells: u64,
}

/// All decisions, and the cells at which selections begin.
#[derive(Debug)]
pub struct Lines {
    lines: Vec<Line>,
    weights: Vec<u64>,
    numbers: Vec<u32>,
    starts: Vec<u64>,
}

impl Lines {
    /// No lines yet, for items of these weights and numbers.
    pub fn new(weights: Vec<u64>, numbers: Vec<u32>) -> Self {
        Self { lines: Vec::new(), weights, numbers, starts: Vec::new() }
    }

    /// Sets the cells at which selections begin.
    pub fn starting_at(self, starts: Vec<u64>) -> Self {
        Self { starts, ..self }
    }

    /// Adds a line, from the bits of its items at every cell, and clears them.
    pub fn add<'a>(&mut self, rows: impl Iterator<Item = &'a mut [u64]>) {
        let mut rows: Vec<&mut [u64]> = rows.collect();
        let words = rows.first().map_or(0, |row| row.len());
        let cells = words * WORD;
        let first = |row: &[u64]| {
            let word = row.iter().position(|&word| word != 0);
            word.map_or(cells, |word| word * WORD + row[word].trailing_zeros() as usize)
        };
        let last = |row: &[u64]| {
            let word = row.iter().rposition(|&word| word != u64::MAX);
            word.map_or(0, |word| (word + 1) * WORD - row[word].leading_ones() as usize)
        };
        let lc = rows.iter().map(|row| first(row)).min().unwrap_or(0);
        let rc = rows.iter().map(|row| last(row)).max().unwrap_or(0).max(lc);
        let (from, to) = (lc / WORD, rc.div_ceil(WORD).max(lc / WORD));
        let kept = rows.iter().map(|row| &row[from..to]).collect::<Vec<_>>().concat();
        self.lines.push(Line { from, to, kept, cells: (rc - lc) as u64 });
        for row in &mut rows {
            row.fill(0);
        }
    }

    pub fn bytes(&self) -> u64 {
        self.lines.iter().map(|line| 8 * line.kept.len() as u64).sum()
    }

    /// The factor of compression: stored words of 32 items and two ends per line, over those of all lines at every
    /// capacity.
    pub fn factor(&self, capacity: usize) -> f64 {
        let kept: u64 = self.lines.iter().map(|line| line.cells + 2).sum();
        kept as f64 / (self.lines.len() as f64 * capacity.max(1) as f64)
    }

    /// The items of the selection that begins at start `index`, smallest first.
    pub fn selection(&self, index: usize) -> Vec<u32> {
        let mut chosen = Vec::new();
        self.write(index, &mut chosen);
        chosen
    }
}

impl Line {
    /// Whether item `item` of the line is taken at that cell.
    fn takes(&self, item: usize, cell: usize) -> bool {
        let word = cell / WORD;
        match word {
            _ if word < self.from => false,
            _ if word >= self.to => true,
            _ => self.kept[item * (self.to - self.from) + word - self.from] >> (cell % WORD) & 1 == 1,
        }
    }
}

impl Selections for Lines {
    fn write(&self, index: usize, chosen: &mut Vec<u32>) {
        chosen.clear();
        let mut cell = self.starts[index];
        for (at, (&weight, &number)) in self.weights.iter().zip(&self.numbers).enumerate().rev() {
            if self.lines[at / ITEMS].takes(at % ITEMS, cell as usize) {
                chosen.push(number);
                cell -= weight;
            }
        }
        chosen.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_instance_is_kept_as_told() {
        // Seven cells of a word; all cells after them are taken.
        let rows = [0b111_1100u64, 0b111_1000, 0b110_1000].map(|row| row | u64::MAX << 7);
        let mut bits: Vec<u64> = rows.iter().flat_map(|&row| [0, row, u64::MAX]).collect();
        let mut lines = Lines::new(vec![1, 1, 1], vec![5, 3, 4]);
        lines.add(bits.chunks_mut(3));
        assert!(bits.iter().all(|&word| word == 0), "cleared for the next line");
        let line = &lines.lines[0];
        assert_eq!((line.from, line.to, line.cells, &line.kept[..]), (1, 2, 3, &rows[..]));
        assert_eq!(lines.bytes(), 24);
        assert!((lines.factor(100) - 0.05).abs() < 1e-12);
        for cell in 0..192usize {
            for (item, &row) in rows.iter().enumerate() {
                let bit = cell >= 64 && (cell >= 128 || row >> (cell - 64) & 1 == 1);
                assert_eq!(line.takes(item, cell), bit, "{item} {cell}");
            }
        }
        let lines = lines.starting_at(vec![0, 66, 68, 69]);
        let read = |index| lines.selection(index);
        assert_eq!([0, 1, 2, 3].map(read), [vec![], vec![5], vec![3, 5], vec![3, 4, 5]]);
    }

    #[test]
    fn lines_of_one_kind_of_decision_keep_nothing() {
        for word in [0, u64::MAX] {
            let mut lines = Lines::new(vec![1; 2], vec![0, 1]);
            lines.add([word; 8].chunks_mut(4));
            assert_eq!((lines.bytes(), lines.lines[0].takes(1, 7)), (0, word != 0));
        }
    }
}
