//! The textbook dynamic program: one table row per class, one loop over the items per cell.
//!
//! ```text
//! G_0(j) = 0        G_i(j) = max_k { G_{i-1}(j - w_ik) + v_ik : w_ik <= j }      j = 0..C
//! ```
//!
//! Algorithm 2.2 of B. Suri, "Accelerating the knapsack problem on GPUs", master's thesis, Linköping University,
//! 2011, in its "at most j" form. The other engines are tested against it and the benchmarks use it as their
//! baseline, so it stays as simple as the book. Time O(n C) for n items in total, memory O(m C).
//!
//! Worked instance: classes {0, (3,1)} and {0, (2,1), (4,2)} as (value, weight), C = 3.
//! G_1 = 0 3 3 3, G_2 = 0 3 5 7; the front is (0,0), (1,3), (2,5), (3,7).

use super::answer::{Answer, LayerPicks, Picks, Value, item_weights};
use super::{Mckp, Wanted};
use isx_engine::rises::breakpoints;
use isx_engine::{Context, Engine, EngineError, Estimate, ItemIndices, Plan, Request};
use isx_machine::cpu::Team;
use isx_machine::rates;
use isx_problems::reduce::mckp::{Class, Reduced, for_tier};
use std::time::Instant;

/// The textbook engine.
pub struct Reference;

impl Engine<Mckp> for Reference {
    fn plan<'a>(&'a self, request: Request<'a, Mckp>) -> Result<Plan<'a, Mckp>, EngineError> {
        let Request { problem, wanted, context } = request;
        let cells = problem.capacity().saturating_add(1) as f64;
        let bytes = for_tier!(problem, problem => table_bytes(problem));
        context.machine.allow(bytes)?;
        let seconds = cells * problem.items() as f64 * rates::MCKP_TEXTBOOK;
        let estimate = Estimate { seconds, bytes };
        Ok(Plan::new(estimate, move || for_tier!(problem, problem => solve(problem, wanted, context))))
    }
}

fn table_bytes<V: Value>(problem: &Reduced<V>) -> u64 {
    let rows = problem.classes.len() as u64 + 1;
    problem.capacity.saturating_add(1).saturating_mul(rows).saturating_mul(size_of::<V>() as u64)
}

fn solve<V: Value>(problem: &Reduced<V>, wanted: Wanted, context: &Context) -> Result<Answer, EngineError> {
    let started = Instant::now();
    context.progress.begin("solving", problem.classes.len() as u64);
    let cells = problem.capacity as usize + 1;
    let mut rows = vec![vec![V::zero(); cells]];
    for class in &problem.classes {
        context.go_on()?;
        let row = next_row(&rows[rows.len() - 1], class);
        rows.push(row);
        context.progress.advance(1);
    }
    let last = &rows[rows.len() - 1];
    let (weights, values) = breakpoints(last, &Team::alone(), V::clone);
    let solve = started.elapsed();

    let started = Instant::now();
    let picks = match wanted {
        Wanted::Values => None,
        Wanted::BestPicks => Some(walk_back(problem, &rows, &weights[weights.len() - 1..])),
        Wanted::AllPicks => Some(walk_back(problem, &rows, &weights)),
    };
    let items: usize = problem.classes.iter().map(|class| class.items.len()).sum();
    Ok(Answer {
        picks: picks.map(|picks| picks.of_last(weights.len())),
        weights,
        values: V::store(values),
        how: "1 thread".into(),
        threads: 1,
        updates: items as u64 * cells as u64,
        solve,
        traceback: started.elapsed(),
    })
}

fn next_row<V: Value>(previous: &[V], class: &Class<V>) -> Vec<V> {
    let mut row = Vec::with_capacity(previous.len());
    for cell in 0..previous.len() {
        // The zero item fits every cell.
        let mut best = previous[cell].clone();
        for item in &class.items {
            if let Some(before) = cell.checked_sub(item.weight as usize) {
                best = best.max(previous[before].plus(&item.value));
            }
        }
        row.push(best);
    }
    row
}

/// Follows the traceback from each start, one after the other, from the last class to the first.
fn walk_back<V: Value>(problem: &Reduced<V>, rows: &[Vec<V>], starts: &[u64]) -> Picks {
    let layer = |class: usize| LayerPicks::Cells {
        item: ItemIndices::zeros(rows[0].len(), problem.classes[class].items.len()),
        weights: item_weights(problem, class),
    };
    let mut layers: Vec<LayerPicks> = (0..problem.classes.len()).map(layer).collect();
    for &start in starts {
        let mut cell = start as usize;
        for (at, class) in problem.classes.iter().enumerate().rev() {
            let picked = explains(class, &rows[at], cell, &rows[at + 1][cell]);
            if let LayerPicks::Cells { item, .. } = &mut layers[at] {
                item.set(cell, picked);
            }
            cell -= class.items[picked].weight as usize;
        }
    }
    Picks { start: starts.to_vec(), layers }
}

/// The first item in canonical order that gives `value` at `cell` from the previous row.
fn explains<V: Value>(class: &Class<V>, previous: &[V], cell: usize, value: &V) -> usize {
    let reaches = |item: &isx_problems::mckp::Item<V>| {
        cell.checked_sub(item.weight as usize)
            .is_some_and(|before| previous[before].plus(&item.value) == *value)
    };
    // There always is one, since the value is the maximum over the items.
    class.items.iter().position(reaches).unwrap_or(class.zero)
}
