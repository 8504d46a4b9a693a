//! Sets of one size in the order of their masks, numbered from 0: the combinatorial number system.
//!
//! The set {e_1 < e_2 < .. < e_k} has the number C(e_1, 1) + C(e_2, 2) + .. + C(e_k, k) (D. H. Lehmer, "The machine
//! tools of combinatorics", 1964), which is its position among all sets of k elements ordered by their masks as
//! numbers. The complements are in the reverse order.
//!
//! Worked instance: of 4 elements, k = 2: 0011, 0101, 0110, 1001, 1010, 1100 are numbers 0 to 5; {1, 3} is
//! C(1, 1) + C(3, 2) = 4.

/// Binomial coefficients, stored contiguously for each lower index; they saturate.
pub(super) struct Choose {
    elements: usize,
    table: Vec<u64>,
}

impl Choose {
    /// C(e, k) for every e and k up to `elements`.
    pub fn new(elements: usize) -> Self {
        let side = elements + 1;
        let mut table = vec![0u64; side * side];
        table[..side].fill(1);
        for k in 1..side {
            for e in 1..side {
                let at = k * side + e;
                table[at] = table[at - 1].saturating_add(table[at - 1 - side]);
            }
        }
        Self { elements, table }
    }

    /// The number of k-element subsets of e elements.
    #[inline(always)]
    pub fn of(&self, e: usize, k: usize) -> u64 {
        self.table[k * (self.elements + 1) + e]
    }

    /// The number of the set with that mask, among the sets of its size.
    pub fn number(&self, mask: u64) -> u64 {
        let elements = (0..self.elements).filter(|&e| mask >> e & 1 == 1);
        elements.zip(1..).map(|(e, k)| self.of(e, k)).sum()
    }

    /// The mask of the set of k elements with that number.
    pub fn mask(&self, mut number: u64, k: usize) -> u64 {
        let mut mask = 0;
        let mut end = self.elements;
        for k in (1..=k).rev() {
            // The largest element is the largest e with at most `number` sets before it, C(e, k).
            let row = &self.table[k * (self.elements + 1)..][..end];
            let e = row.partition_point(|&before| before <= number) - 1;
            number -= row[e];
            mask |= 1 << e;
            end = e;
        }
        mask
    }
}

/// The next mask with the same number of elements; arbitrary if there is none, or for the empty set.
#[inline(always)]
pub(super) fn next(mask: u64) -> u64 {
    // The lowest run of ones: its highest bit moves up by one, the others move to the bottom (R. W. Gosper).
    let lowest = mask & mask.wrapping_neg();
    let moved = mask.wrapping_add(lowest);
    let fallen = (mask ^ moved).checked_shr(2 + lowest.trailing_zeros()).unwrap_or(0);
    moved | fallen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_in_the_order_of_their_masks() {
        for elements in 0..=11 {
            let choose = Choose::new(elements);
            for k in 0..=elements {
                let masks: Vec<u64> =
                    (0..1u64 << elements).filter(|mask| mask.count_ones() as usize == k).collect();
                assert_eq!(choose.of(elements, k), masks.len() as u64);
                let mut walked = choose.mask(0, k);
                for (number, &mask) in masks.iter().enumerate() {
                    assert_eq!((choose.mask(number as u64, k), choose.number(mask)), (mask, number as u64));
                    assert_eq!(walked, mask);
                    walked = next(walked);
                }
            }
        }
        let choose = Choose::new(47);
        assert_eq!(choose.of(47, 23), 16_123_801_841_550);
        assert_eq!(choose.mask(choose.of(47, 23) - 1, 23), ((1 << 23) - 1) << 24);
    }
}
