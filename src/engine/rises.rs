//! Where a row rises: the points of a front in the last row of a dynamic program.
//!
//! A cell is a point if its value is larger than that of the previous cell; cell 0 always is one. One bit per cell
//! marks the points, so that they are counted first and every thread then writes its share of the result.
//!
//! Worked instance: the row 0 3 3 7 rises at cells 0, 1 and 3; the marks, lowest bit first, are 1101.

use isx_machine::cpu::Team;
use isx_machine::rates;

/// Cells per word of marks.
const WORD: usize = 64;

/// Words of marks processed together.
const CHUNK: usize = 128;

/// The cells at which a row rises.
pub struct Rises {
    /// One bit per cell; cell 0 is the lowest bit of the first word.
    pub marks: Vec<u64>,
    points: usize,
}

/// The cells at which `row` rises, each with `value` of the cell there.
pub fn breakpoints<C: PartialOrd + Sync, V: Clone + Send>(
    row: &[C],
    team: &Team,
    value: impl Fn(&C) -> V + Sync,
) -> (Vec<u64>, Vec<V>) {
    Rises::of(row, team).points(row, team, value)
}

impl Rises {
    /// Where `row` rises.
    pub fn of<C: PartialOrd + Sync>(row: &[C], team: &Team) -> Self {
        let mut marks = vec![0; row.len().div_ceil(WORD)];
        let points = team.sum_chunks(&mut marks, CHUNK, seconds(row), |chunk, marks| {
            let mut points = 0;
            for (mark, word) in marks.iter_mut().zip(chunk * CHUNK..) {
                *mark = rises_of_word(row, word);
                points += u64::from(mark.count_ones());
            }
            points
        });
        Self { marks, points: points as usize }
    }

    /// The marked cells, each with `value` of its cell in `row`; the marks must be the rises of `row`.
    pub fn points<C: Sync, V: Clone + Send>(
        &self,
        row: &[C],
        team: &Team,
        value: impl Fn(&C) -> V + Sync,
    ) -> (Vec<u64>, Vec<V>) {
        let Some(first) = row.first() else { return (Vec::new(), Vec::new()) };
        let mut cells = vec![0; self.points];
        let mut values = vec![value(first); self.points];
        let (mut cells_left, mut values_left) = (&mut cells[..], &mut values[..]);
        let mut jobs = Vec::with_capacity(self.marks.len() / CHUNK + 1);
        for (chunk, marks) in self.marks.chunks(CHUNK).enumerate() {
            let points = marks.iter().map(|word| word.count_ones() as usize).sum();
            let (chunk_cells, cells_rest) = std::mem::take(&mut cells_left).split_at_mut(points);
            let (chunk_values, values_rest) = std::mem::take(&mut values_left).split_at_mut(points);
            (cells_left, values_left) = (cells_rest, values_rest);
            jobs.push((chunk * CHUNK * WORD, marks, chunk_cells, chunk_values));
        }
        team.for_each(jobs, seconds(row), |(first, marks, cells, values)| {
            let mut places = cells.iter_mut().zip(values);
            for (at, &word) in (first..).step_by(WORD).zip(marks) {
                let mut left = word;
                while left != 0 {
                    let cell = at + left.trailing_zeros() as usize;
                    if let Some((place, place_value)) = places.next() {
                        (*place, *place_value) = (cell as u64, value(&row[cell]));
                    }
                    left &= left - 1;
                }
            }
        });
        (cells, values)
    }

    /// The last point's cell.
    pub fn last(&self) -> usize {
        let word = self.marks.iter().rposition(|&word| word != 0).unwrap_or(0);
        let bit = self.marks.get(word).and_then(|word| word.checked_ilog2()).unwrap_or(0);
        word * WORD + bit as usize
    }
}

fn seconds<C>(row: &[C]) -> f64 {
    row.len() as f64 * rates::FRONT_CELL
}

/// The marks of word `word`.
fn rises_of_word<C: PartialOrd>(row: &[C], word: usize) -> u64 {
    let first = word * WORD;
    let cells = &row[first.saturating_sub(1)..row.len().min(first + WORD)];
    let rises =
        cells.windows(2).zip(0..).fold(0, |marks, (pair, bit)| marks | u64::from(pair[1] > pair[0]) << bit);
    // Cell 0 has no previous cell and is always a point.
    if first == 0 { rises << 1 | 1 } else { rises }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_instance_rises_as_documented() {
        let rises = Rises::of(&[0, 3, 3, 7], &Team::alone());
        assert_eq!((&rises.marks[..], rises.last()), (&[0b1011][..], 3));
    }

    #[test]
    fn points_are_the_cells_where_the_row_rises() {
        let workers = isx_machine::cpu::Workers::new(2);
        for team in [Team::alone(), Team::of(&workers)] {
            for cells in [0, 1, 2, 63, 64, 65, 128, 129, 200_000] {
                for step in [1, 3, 64, 1000] {
                    let row: Vec<i32> = (0..cells).map(|cell| cell / step * 4).collect();
                    let (weights, values) = breakpoints(&row, &team, |&value| value >> 2);
                    let points = (cells + step - 1) / step;
                    assert_eq!(weights, (0..points).map(|point| (point * step) as u64).collect::<Vec<_>>());
                    assert_eq!(values, (0..points).collect::<Vec<i32>>());
                }
            }
        }
    }

    #[test]
    fn only_a_rise_is_a_point() {
        let row = [5, 5, 4, 5, 9, 9, 2];
        assert_eq!(breakpoints(&row, &Team::alone(), |&value| value), (vec![0, 3, 4], vec![5, 5, 9]));
    }
}
