//! Vectors of amounts, loads and a cost: is there one that is nowhere larger?
//!
//! What a new vector dominates is removed: sums come in rising order of one resource, and of all that came few are
//! undominated in the others. New vectors are in a short list first. A full list becomes a page (module `page`) together
//! with the pages that are not much larger, so that a vector is moved only a few times.

use super::cost::Cost;
use super::page::{Page, Sought, Vectors};

pub use super::page::Vector;

/// Vectors in the list.
const LISTED: usize = 64;
/// Most vectors of a page.
const PAGE: usize = 4096;

/// The vectors.
pub struct Pages<C> {
    pages: Vec<Page<C>>,
    listed: Vectors<C>,
}

impl<C: Cost> Pages<C> {
    /// None yet, of this many amounts and loads.
    pub fn new(amounts: usize, loads: usize) -> Self {
        Self { pages: Vec::new(), listed: Vectors::new((amounts, loads)) }
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.pages.clear();
        self.listed.clear();
    }

    /// Whether some vector is nowhere larger.
    pub fn beats(&self, vector: &Vector<'_, C>) -> bool {
        let sought = Sought::new(*vector);
        let mut listed = 0..self.listed.costs.len();
        listed.any(|at| self.listed.at(at).is_no_worse(&sought.vector))
            || self.pages.iter().any(|page| page.beats(&sought))
    }

    /// Adds a vector that is not beaten.
    pub fn add(&mut self, vector: &Vector<'_, C>) {
        let sought = Sought::new(*vector);
        self.pages.iter_mut().for_each(|page| page.remove_beaten(&sought));
        self.listed.push(sought.vector);
        if self.listed.costs.len() >= LISTED {
            self.turn();
        }
    }

    /// Makes a page of the list and of pages with few vectors left.
    fn turn(&mut self) {
        let mut all = Vectors::new(self.listed.widths);
        for at in 0..self.listed.costs.len() {
            let vector = self.listed.at(at);
            // None before beats it; one after it may.
            let mut later = at + 1..self.listed.costs.len();
            if !later.any(|later| self.listed.at(later).is_no_worse(&vector)) {
                all.push(vector);
            }
        }
        self.listed.clear();
        // The smallest pages are last.
        while let Some(page) = self.pages.last() {
            let (left, _) = page.counts();
            if left > 2 * all.costs.len() || left + all.costs.len() > PAGE {
                break;
            }
            page.vectors().for_each(|vector| all.push(vector));
            self.pages.pop();
        }
        self.pages.push(Page::new(all));
        self.pages.sort_by_key(|page| std::cmp::Reverse(page.counts().0));
    }
}
