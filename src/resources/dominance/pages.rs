//! Vectors of amounts, each with a value: is there one that is nowhere larger and has at least some value?
//!
//! What a new vector dominates is removed: sums come in rising order of one resource, and of all that came few are
//! undominated in the others. New vectors are in a short list first. A full list becomes a page (module `page`) together
//! with the pages that are not much larger, so that a vector is moved only a few times.

use super::page::{Page, Sought, Vectors};
use crate::number::Number;

/// Vectors in the list.
const LISTED: usize = 64;
/// Most vectors of a page.
const PAGE: usize = 4096;

/// The vectors.
pub(crate) struct Pages<V> {
    pages: Vec<Page<V>>,
    listed: Vectors<V>,
}

impl<V: Number> Pages<V> {
    /// None yet, of this many amounts.
    pub fn new(width: usize) -> Self {
        Self { pages: Vec::new(), listed: Vectors::new(width) }
    }

    /// Whether some vector is nowhere larger and has at least this value.
    pub fn is_beaten(&self, amounts: &[u64], value: V) -> bool {
        let sought = Sought::new(amounts, value);
        let mut listed = 0..self.listed.values.len();
        listed.any(|at| self.listed.at(at).is_no_worse(&sought.vector))
            || self.pages.iter().any(|page| page.beats(&sought))
    }

    /// Adds a vector that is not beaten.
    pub fn add(&mut self, amounts: &[u64], value: V) {
        let sought = Sought::new(amounts, value);
        self.pages.iter_mut().for_each(|page| page.remove_beaten(&sought));
        self.listed.push(sought.vector);
        if self.listed.values.len() >= LISTED {
            self.turn();
        }
    }

    /// Makes a page of the list and of pages with few vectors left.
    fn turn(&mut self) {
        let mut all = Vectors::new(self.listed.width);
        for at in 0..self.listed.values.len() {
            let vector = self.listed.at(at);
            // None before beats it; one after it may.
            let mut later = at + 1..self.listed.values.len();
            if !later.any(|later| self.listed.at(later).is_no_worse(&vector)) {
                all.push(vector);
            }
        }
        self.listed.amounts.clear();
        self.listed.values.clear();
        // The smallest pages are last.
        while let Some(page) = self.pages.last() {
            let (left, _) = page.counts();
            if left > 2 * all.values.len() || left + all.values.len() > PAGE {
                break;
            }
            page.vectors().for_each(|vector| all.push(vector));
            self.pages.pop();
        }
        self.pages.push(Page::new(all));
        self.pages.sort_by_key(|page| std::cmp::Reverse(page.counts().0));
    }
}
