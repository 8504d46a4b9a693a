//! Brute force over all selections of a knapsack or multiple-choice problem.

use isx::problem::knapsack::Knapsack;
use isx::problem::mckp::{Choice, Mckp};
use num_bigint::BigInt;

/// Weight, value, and the number of every class's item (`None`: no item).
pub type Selection = (u64, BigInt, Vec<Option<u32>>);

/// The undominated selections within the capacity, of several with one weight and value the first: from the last class to the
/// first, no item before the first of the file. `None` if there are more than `most` selections of some classes.
pub fn front_of<V: Clone + Into<BigInt>>(problem: &Mckp<V>, most: usize) -> Option<Vec<Selection>> {
    let mut selections = vec![(0u64, BigInt::ZERO, Vec::new())];
    for items in &problem.classes {
        let none = (problem.choice == Choice::Optional).then_some((0, BigInt::ZERO, None));
        let listed = (0u32..).zip(items).map(|(at, item)| (item.weight, item.value.clone().into(), Some(at)));
        let choices: Vec<_> = none.into_iter().chain(listed).collect();
        let extended = selections.iter().flat_map(|(weight, value, picks): &Selection| {
            choices.iter().filter_map(move |(more_weight, more_value, pick)| {
                let weight = weight.checked_add(*more_weight).filter(|sum| *sum <= problem.capacity)?;
                Some((weight, value + more_value, [&picks[..], &[*pick]].concat()))
            })
        });
        if selections.len() * choices.len() > most {
            return None;
        }
        selections = extended.collect();
    }
    selections.sort_by(|a, b| {
        a.0.cmp(&b.0).then(b.1.cmp(&a.1)).then_with(|| a.2.iter().rev().cmp(b.2.iter().rev()))
    });
    let mut front: Vec<Selection> = Vec::new();
    for selection in selections {
        if front.last().is_none_or(|last| selection.1 > last.1) {
            front.push(selection);
        }
    }
    Some(front)
}

/// Weight and profit of the undominated selections of items within the capacity; the last is the lightest of most profit.
pub fn front_of_items(problem: &Knapsack) -> Vec<(u64, BigInt)> {
    let mut selections: Vec<(u64, BigInt)> = vec![(0, BigInt::ZERO)];
    for item in &problem.items {
        for at in 0..selections.len() {
            let (weight, profit) = &selections[at];
            if let Some(sum) = weight.checked_add(item.weight).filter(|sum| *sum <= problem.capacity) {
                selections.push((sum, profit + item.profit));
            }
        }
    }
    selections.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
    let mut front: Vec<(u64, BigInt)> = Vec::new();
    for (weight, profit) in selections {
        if front.last().is_none_or(|(_, best)| profit > *best) {
            front.push((weight, profit));
        }
    }
    front
}
