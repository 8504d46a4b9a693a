//! The multiple-choice set-union knapsack problem: items that need shared elements, each paid for once.
//!
//! A multiple-choice knapsack problem with optional choice, whose items each use a set of *elements*. The weight of a
//! selection is the sum of its items' weights plus the weights of all elements used, each counted once:
//!
//! ```text
//! max  sum_i v_{i,k(i)}   s.t.   sum_i w_{i,k(i)} + sum_{e in union of S_{i,k(i)}} w_e <= C
//! ```
//!
//! A selection uses at most one element of a *group*. With one item per class and item weights of 0 it is the
//! set-union knapsack problem (O. Goldschmidt, D. Nehme, G. Yu, "Note: On the set-union knapsack problem", Naval
//! Research Logistics 41, 1994), which is NP-hard in the strong sense.

/// An element that any number of items may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its weight, paid once if any item taken uses it.
    pub weight: u64,
    /// Elements of the same group exclude each other.
    pub group: Option<u32>,
}

/// The shared elements of a multiple-choice knapsack problem's items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sharing {
    /// The elements.
    pub elements: Vec<Element>,
    /// `uses[class][item]`: indices into `elements`, without duplicates.
    pub uses: Vec<Vec<Vec<u32>>>,
}

impl Sharing {
    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The elements that an item uses; empty if the item does not exist.
    pub fn uses_of(&self, class: usize, item: u32) -> &[u32] {
        self.uses.get(class).and_then(|items| items.get(item as usize)).map_or(&[], Vec::as_slice)
    }

    /// The elements that a selection uses (one item or none per class), in order; `None` if two of them exclude each
    /// other.
    pub fn used(&self, items: &[Option<u32>]) -> Option<Vec<u32>> {
        let taken = items.iter().enumerate().filter_map(|(class, item)| Some((class, (*item)?)));
        let mut used: Vec<u32> = taken.flat_map(|(class, item)| self.uses_of(class, item)).copied().collect();
        used.sort_unstable();
        used.dedup();
        let mut groups: Vec<u32> =
            used.iter().filter_map(|&element| self.elements.get(element as usize)?.group).collect();
        groups.sort_unstable();
        groups.windows(2).all(|pair| pair[0] != pair[1]).then_some(used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_used_twice_are_listed_once_and_excluding_ones_are_refused() {
        let element = |weight, group| Element { weight, group };
        let elements = vec![element(5, None), element(7, Some(1)), element(11, Some(1))];
        let sharing =
            Sharing { elements, uses: vec![vec![vec![0], vec![0, 1]], vec![], vec![vec![1], vec![2]]] };
        assert_eq!(sharing.used(&[None, None, None]), Some(vec![]));
        assert_eq!(sharing.used(&[Some(0), None, Some(0)]), Some(vec![0, 1]));
        assert_eq!(sharing.used(&[Some(1), None, Some(0)]), Some(vec![0, 1]));
        assert_eq!(sharing.used(&[Some(1), None, Some(1)]), None);
    }
}
