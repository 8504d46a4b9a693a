//! The method on the CPU: the same rows, words and walks as on a GPU; all threads share a row.

use super::method::{Compression, Filled, Sorted, WORD, WordRow};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_knapsack::Knapsack;
use isx_machine::cpu::{Team, in_words, shared_seconds};
use isx_problems::value::Tier;
use std::time::Instant;

/// The engine of Boyer, El Baz and Elkihel, without a GPU.
pub struct OnCpu;

/// Seconds per cell, on a common core: rows that fit no cache come from memory for every item.
const CELL: f64 = 2.5e-9;
/// Threads share a row in parts of this many cells.
const PART: usize = 1 << 14;

impl Engine<Knapsack> for OnCpu {
    fn plan<'a>(&'a self, request: Request<'a, Knapsack>) -> Result<Plan<'a, Knapsack>, EngineError> {
        let Request { problem, wanted, context } = request;
        if problem.tier != Tier::I32 {
            return Err(EngineError::Arithmetic(problem.tier));
        }
        let machine = context.machine;
        // Two rows and one of words; memory for the compressed words is asked for as their size becomes known.
        let bytes = problem.capacity.saturating_add(1).saturating_mul(12);
        machine.allow(bytes)?;
        let cells = problem.capacity as f64 + 1.0;
        let row = shared_seconds(cells * CELL, cells / PART as f64, machine.threads());
        let estimate = Estimate { seconds: row * problem.items.len() as f64, bytes };
        Ok(Plan::new(estimate, move || {
            let (started, sorted) = (Instant::now(), Sorted::new(problem, wanted));
            let filled = fill(&sorted, context, bytes)?;
            Ok(sorted.answer(filled, started, in_words(machine.threads()), machine.threads()))
        }))
    }
}

fn fill(sorted: &Sorted, context: &Context, bytes: u64) -> Result<Filled, EngineError> {
    let Sorted { problem, wanted, order, weights, .. } = sorted;
    let team = Team::of(context.machine.workers());
    let cells = usize::try_from(problem.capacity).unwrap_or(usize::MAX).saturating_add(1);
    let (mut before, mut row) = (vec![0i32; cells], vec![0i32; cells]);
    let mut words = vec![0u32; if wanted.picks() { cells } else { 0 }];
    let (mut word_rows, mut compression, mut updates) = (Vec::new(), Compression::default(), 0);
    let mut after: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    context.progress.begin("solving", order.len() as u64);
    for (order, weights) in order.chunks(WORD).zip(weights.chunks(WORD)) {
        let first = sorted.lower(after - u128::from(weights[0])) as usize;
        for (bit, (&index, &weight)) in order.iter().zip(weights).enumerate() {
            context.go_on()?;
            after -= u128::from(weight);
            let lower = sorted.lower(after) as usize;
            // Profits of this tier have 32 bits.
            let profit = problem.items[index as usize].profit as i32;
            let item = (profit, usize::try_from(weight).unwrap_or(usize::MAX));
            // Where no items are wanted, nor are their bits.
            let bits = words.get_mut(lower..).unwrap_or_default().chunks_mut(PART);
            let bits = bits.chain(std::iter::repeat_with(|| &mut [][..]));
            let jobs = row[lower..].chunks_mut(PART).zip(bits).enumerate().collect();
            team.for_each(jobs, (cells - lower) as f64 * CELL, |(at, (row, bits))| {
                add(&before, lower + at * PART, item, row, bits, 1 << bit);
            });
            updates += (cells - lower) as u64;
            std::mem::swap(&mut before, &mut row);
        }
        context.progress.advance(order.len() as u64);
        if wanted.picks() {
            let started = Instant::now();
            let all = u32::MAX >> (WORD - order.len());
            let matter = &mut words[first..];
            let from = matter.iter().position(|&word| word != 0).unwrap_or(matter.len());
            let end = matter.iter().rposition(|&word| word != all).map_or(from, |last| from.max(last + 1));
            word_rows.push(WordRow { from: (first + from) as u64, words: matter[from..end].to_vec() });
            matter.fill(0);
            compression.words += (end - from) as u64 + 2;
            compression.whole += problem.capacity;
            compression.time += started.elapsed();
            context.machine.allow(bytes.saturating_add(compression.words.saturating_mul(4)))?;
        }
    }
    Ok((before.split_off(sorted.lower(0) as usize), word_rows, compression, updates))
}

/// Fills the cells of a row from `first` on from the row before and an item, and marks where the item is taken.
fn add(
    before: &[i32],
    first: usize,
    (profit, weight): (i32, usize),
    row: &mut [i32],
    bits: &mut [u32],
    bit: u32,
) {
    let light = weight.saturating_sub(first).min(row.len());
    let leave = &before[first..first + row.len()];
    row[..light].copy_from_slice(&leave[..light]);
    let (row, leave) = (&mut row[light..], &leave[light..]);
    let take = &before[(first + light).saturating_sub(weight)..];
    for ((cell, &leave), &take) in row.iter_mut().zip(leave).zip(take) {
        // Within 31 bits; a check of every sum would cost most of the speed.
        *cell = leave.max(take.wrapping_add(profit));
    }
    for ((word, cell), leave) in bits.iter_mut().skip(light).zip(row).zip(leave) {
        *word |= if *cell > *leave { bit } else { 0 };
    }
}
