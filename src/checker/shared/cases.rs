//! That no design is schedulable: a reason for each clock, or a tree of cases that have a reason each.
//!
//! A node of the tree divides the options of a task in two parts: those that are listed, and all others. Every design
//! takes an option of one part, so the two cases are complete whatever is listed. A case is divided further or has a
//! reason, which is checked like the reason of a clock, of the designs that take the options that are left. Both parts
//! have an option, so a tree is at most as deep as there are options; its open nodes are in a vector, not on the stack.
//!
//! Worked instance: EDF, an area of 1, three tasks (E, P, D) = (4, 16, 5), (3, 4, 4), (3, 16, 16); the first two have a
//! choice of area 1 and WCET 2. If the first is in software, by 5 the jobs take at least 4 + 2. If it takes its choice,
//! nothing is left for the second, and U = 2/16 + 3/4 + 3/16 > 1. Neither reason holds in both cases.

use super::failure::Wrong;
use super::problem::{Offer, Problem};

/// Walks a tree of cases: the problem has only the options of the current case.
pub struct Cases<'a> {
    problem: &'a mut Problem,
    open: Vec<Node>,
}

/// A divided task on the way to the current case.
struct Node {
    class: usize,
    /// The options of the part that is not the current one.
    other: Vec<Offer>,
    is_second: bool,
}

impl<'a> Cases<'a> {
    /// The only case: all designs of a problem.
    pub fn new(problem: &'a mut Problem) -> Self {
        Self { problem, open: Vec::new() }
    }

    /// The problem with the options of the current case.
    pub fn problem(&self) -> &Problem {
        self.problem
    }

    /// Divides the current case: first the case of these options of a class, in ascending order, then that of its
    /// others. Fails if a part has no option or the class lacks a listed one.
    pub fn divide(&mut self, class: usize, listed: &[u32]) -> Result<(), Wrong> {
        let wrong = |problem: &str| Wrong::Verdict(format!("a case of task {class} {problem}"));
        let offers = self.problem.classes.get_mut(class).ok_or_else(|| wrong("does not exist"))?;
        if !listed.is_sorted_by(|a, b| a < b) {
            return Err(wrong("has options that are not in order"));
        }
        let is_listed = |offer: &Offer| listed.binary_search(&offer.option).is_ok();
        let found = offers.iter().filter(|offer| is_listed(offer)).count();
        if found < listed.len() {
            return Err(wrong("has options that the case before does not have"));
        }
        if listed.is_empty() || found == offers.len() {
            return Err(wrong("has no option"));
        }
        let (first, other) = std::mem::take(offers).into_iter().partition(is_listed);
        *offers = first;
        self.open.push(Node { class, other, is_second: false });
        Ok(())
    }

    /// Goes on to the next case; returns whether there is one. After the last the problem has all options again.
    pub fn advance(&mut self) -> bool {
        while let Some(mut node) = self.open.pop() {
            let offers = &mut self.problem.classes[node.class];
            if !node.is_second {
                std::mem::swap(offers, &mut node.other);
                self.open.push(Node { is_second: true, ..node });
                return true;
            }
            offers.append(&mut node.other);
            offers.sort_unstable_by_key(|offer| offer.option);
        }
        false
    }
}
