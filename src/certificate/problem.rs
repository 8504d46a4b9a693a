//! Problems as the bytes that a certificate is about. They hold all numbers of the input and none of its names.

use super::numbers::Numbers;
use crate::formulate::{BEYOND_BUDGET, Formulation, Policy, TimedTask};
use crate::problem::knapsack::Knapsack;
use crate::problem::mckp::{Choice, Mckp};
pub use isx_checker::problem::hash;
use num_bigint::{BigInt, BigUint};
use std::collections::HashMap;
use std::io;

/// The bytes of a problem.
fn bytes(write: impl FnOnce(&mut Numbers<&mut Vec<u8>>) -> io::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Writing to memory does not fail.
    let _ = write(&mut Numbers::new(&mut bytes));
    bytes
}

/// A task set's.
#[must_use]
pub fn of_task_set(formulation: &Formulation) -> Vec<u8> {
    bytes(|numbers| task_set(formulation, numbers))
}

/// A multiple-choice knapsack problem's.
#[must_use]
pub fn of_mckp<V: Clone + Into<BigInt>>(problem: &Mckp<V>) -> Vec<u8> {
    bytes(|numbers| {
        numbers.small(1)?;
        numbers.small(problem.capacity)?;
        numbers.flag(problem.choice == Choice::Optional)?;
        numbers.count(problem.classes.len())?;
        for class in &problem.classes {
            numbers.count(class.len())?;
            for item in class {
                numbers.signed(&item.value.clone().into())?;
                numbers.small(item.weight)?;
            }
        }
        Ok(())
    })
}

/// A 0-1 knapsack problem's.
#[must_use]
pub fn of_knapsack(problem: &Knapsack) -> Vec<u8> {
    bytes(|numbers| {
        numbers.small(2)?;
        numbers.small(problem.capacity)?;
        numbers.count(problem.items.len())?;
        for item in &problem.items {
            numbers.big(&BigUint::from(item.profit.unsigned_abs()))?;
            numbers.small(item.weight)?;
        }
        Ok(())
    })
}

fn task_set(formulation: &Formulation, numbers: &mut Numbers<&mut Vec<u8>>) -> io::Result<()> {
    numbers.small(0)?;
    for unit in [&formulation.area_unit, &formulation.time_unit] {
        numbers.big(unit.numer().magnitude())?;
        numbers.big(unit.denom().magnitude())?;
    }
    numbers.small(formulation.problem.capacity)?;
    let ranks: Option<HashMap<u32, u64>> = match &formulation.policy {
        Policy::Edf => None,
        Policy::FixedPriority(order) => Some(order.iter().copied().zip(0..).collect()),
    };
    numbers.flag(ranks.is_some())?;
    let clocks = formulation.clocks.count();
    numbers.count(clocks)?;
    numbers.count(formulation.sharing.elements.len())?;
    for (block, element) in formulation.sharing.elements.iter().enumerate() {
        numbers.small(element.weight)?;
        numbers.small(element.group.map_or(0, |group| u64::from(group) + 1))?;
        numbers.count(formulation.clocks.of_block(block))?;
    }
    let at_clocks: Vec<&[TimedTask]> = (0..clocks).map(|clock| formulation.tasks_at(clock)).collect();
    numbers.count(formulation.tasks.len())?;
    for (at, task) in formulation.tasks.iter().enumerate() {
        numbers.big(task.period.magnitude())?;
        numbers.big(task.deadline.magnitude())?;
        if let Some(ranks) = &ranks {
            numbers.small(ranks.get(&(at as u32)).copied().unwrap_or(u64::MAX))?;
        }
        numbers.flag(task.forced)?;
        numbers.count(task.choices.len())?;
        for (number, choice) in (0..).zip(&task.choices) {
            let within = choice.area != BEYOND_BUDGET;
            numbers.small(if within { choice.area + 1 } else { 0 })?;
            let uses = formulation.sharing.uses_of(at, number);
            let mut uses = uses.to_vec();
            uses.sort_unstable();
            numbers.count(uses.len())?;
            uses.iter().try_for_each(|&block| numbers.small(block.into()))?;
        }
        for tasks in &at_clocks {
            let choices = tasks[at].choices.iter().map(|choice| &choice.wcet);
            std::iter::once(&tasks[at].wcet)
                .chain(choices)
                .try_for_each(|wcet| numbers.big(wcet.magnitude()))?;
        }
    }
    Ok(())
}
