//! The items of every point, as the GPU wrote them.

use isx_problems::mckp::Configurations;
use std::ops::Range;

/// Positions in their classes of neighboring points' items, class by class.
#[derive(Debug)]
pub(super) struct Portion {
    pub first: usize,
    pub count: usize,
    pub items: Vec<u8>,
}

/// All points' items.
#[derive(Debug)]
pub(super) struct Picked {
    /// What the answer calls the items of each class.
    numbers: Vec<Vec<u32>>,
    /// Bytes of a position.
    width: usize,
    portions: Vec<Portion>,
}

impl Picked {
    pub fn new(numbers: Vec<Vec<u32>>, width: usize, portions: Vec<Portion>) -> Self {
        Self { numbers, width, portions }
    }
}

impl Configurations for Picked {
    fn write(&self, configurations: Range<usize>, columns: &mut [u32]) {
        let wanted = configurations.len();
        assert_eq!(columns.len(), wanted * self.numbers.len(), "one item per class and configuration");
        for portion in &self.portions {
            let from = configurations.start.max(portion.first);
            let to = configurations.end.min(portion.first + portion.count);
            if from >= to {
                continue;
            }
            let classes = self.numbers.iter().zip(columns.chunks_exact_mut(wanted));
            for ((numbers, column), items) in
                classes.zip(portion.items.chunks_exact(portion.count * self.width))
            {
                let items = items[(from - portion.first) * self.width..].chunks_exact(self.width);
                for (number, item) in
                    column[from - configurations.start..to - configurations.start].iter_mut().zip(items)
                {
                    *number = numbers[position(item)];
                }
            }
        }
    }
}

/// A position of which the lowest byte comes first.
fn position(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |position, byte| position << 8 | usize::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_read_across_portions() {
        let numbers = vec![vec![7, 8, 9], vec![5; 300].into_iter().chain([6]).collect()];
        let bytes = |items: &[u16]| items.iter().flat_map(|item| item.to_le_bytes()).collect();
        let portions = vec![
            Portion { first: 0, count: 2, items: bytes(&[0, 1, 0, 300]) },
            Portion { first: 2, count: 3, items: bytes(&[2, 2, 0, 300, 1, 2]) },
        ];
        let picked = Picked::new(numbers, 2, portions);
        let mut columns = [0; 6];
        picked.write(1..4, &mut columns);
        assert_eq!(columns, [8, 9, 9, 6, 6, 5]);
    }
}
