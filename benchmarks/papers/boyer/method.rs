//! Two value rows and compressed decisions, as described by V. Boyer, D. El Baz and M. Elkihel ("Solving knapsack
//! problems on GPU", Computers & Operations Research 39, 2012).
//!
//! Items are sorted by profit per weight. Row k contains the most profit of the first k items within every capacity j
//! that still matters: by Toth's bound those from C - (weight of all later items) on, up to the weight of the first k
//! items; beyond that, all of them are taken. One bit says whether item k is taken at j. The bits of 32 items form a
//! word, and of a row of words only those from the first that is not 0 to the last that is not all ones are sent to
//! the host: with the best items first, small capacities take none of the later items and large ones all of the
//! earlier. The host walks back through these words. Finding the ends and sending the words between counts as time of the
//! traceback, which alone needs them.
//!
//! The paper's rows skip the cells below an item's weight and so leave their values from two items before; here these
//! cells are copied, since later items read them.

use super::knapsack_boyer::{HALO, ITEMS, Items, Rows, is_light};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_knapsack::Answer;
use isx_knapsack::slack;
use isx_knapsack::{Knapsack, Selections, Wanted};
use isx_machine::cuda::{Device, During};
use isx_problems::knapsack::Item;
use isx_problems::reduce::knapsack::Reduced;
use isx_problems::value::{Tier, Value};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Items per word.
pub(super) const WORD: usize = 32;
/// Updates per second and multiprocessor, counting those within Toth's bounds; seconds per launch, and per row of
/// words that is sent. (Fitted on an H200 to 10,000 and 100,000 of Boyer's items: 1.2 s of updates, 15 and 30 ms of
/// overhead.)
const UPDATES_A_SECOND: f64 = 5.8e9;
const LEFT: f64 = 0.5;
const LAUNCH: f64 = 1.6e-5;
const WORD_ROW: f64 = 9e-5;

/// The engine of Boyer, El Baz and Elkihel.
pub struct Boyer;

impl Engine<Knapsack> for Boyer {
    fn plan<'a>(&'a self, request: Request<'a, Knapsack>) -> Result<Plan<'a, Knapsack>, EngineError> {
        let Request { problem, wanted, context } = request;
        if problem.tier != Tier::I32 {
            return Err(EngineError::Arithmetic(problem.tier));
        }
        let machine = context.machine;
        let info = machine.gpu().info()?;
        let needed = Rows::bytes(problem.capacity);
        if needed > info.memory {
            return Err(EngineError::GpuMemory { needed, free: info.memory });
        }
        let cells = problem.capacity.saturating_add(1) as f64;
        let items = problem.items.len() as f64;
        // Memory for the compressed words is allocated as their size becomes known.
        let front = if matches!(wanted, Wanted::Value | Wanted::Best) { 0.0 } else { cells * 16.0 };
        let bytes = front as u64;
        machine.allow(bytes)?;
        let rate = UPDATES_A_SECOND * info.multiprocessors.max(1) as f64;
        let start_up = machine.seconds_to_start_gpu();
        let words = if wanted.picks() { items / WORD as f64 * WORD_ROW } else { 0.0 };
        let seconds = cells * items * LEFT / rate + items / ITEMS as f64 * LAUNCH + words;
        let estimate = Estimate { seconds: start_up + seconds, bytes };
        Ok(Plan::new(estimate, move || {
            let answer = boyer(machine.gpu().device()?, problem, wanted, context)?;
            context.go_on()?;
            Ok(answer)
        }))
    }
}

/// The result of the compression.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Compression {
    /// Words that were kept, including the two bounds of every row.
    pub words: u64,
    /// Words of the whole table.
    pub whole: u64,
    /// Finding the bounds of rows and keeping the words between.
    pub time: Duration,
}

impl Compression {
    /// The fraction that was kept, as in the paper's table 1.
    fn factor(self) -> f64 {
        self.words as f64 / self.whole.max(1) as f64
    }
}

/// A row of words, without the zeros on its left and the ones on its right.
#[derive(Debug)]
pub(super) struct WordRow {
    pub from: u64,
    pub words: Vec<u32>,
}

impl WordRow {
    fn bit(&self, cell: u64, bit: usize) -> bool {
        match cell.checked_sub(self.from).map(|at| self.words.get(at as usize)) {
            None => false,
            Some(None) => true,
            Some(Some(word)) => word >> bit & 1 == 1,
        }
    }
}

/// The decisions of all items, and the capacities at which the walks back begin.
#[derive(Debug)]
struct Walks {
    rows: Vec<WordRow>,
    weights: Vec<u64>,
    order: Vec<u32>,
    starts: Vec<u64>,
}

impl Selections for Walks {
    fn write(&self, index: usize, chosen: &mut Vec<u32>) {
        chosen.clear();
        let mut cell = self.starts[index];
        for at in (0..self.order.len()).rev() {
            if self.rows[at / WORD].bit(cell, at % WORD) {
                chosen.push(self.order[at]);
                // Only a wrong decision leads below 0; the final sum over the items detects it.
                cell = cell.saturating_sub(self.weights[at]);
            }
        }
        chosen.sort_unstable();
    }
}

/// Items by profit per weight, the best first.
fn by_profit_a_weight(items: &[Item]) -> Vec<u32> {
    let mut order: Vec<(f64, u32)> =
        (0u32..).zip(items).map(|(index, item)| (item.profit as f64 / item.weight as f64, index)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    order.into_iter().map(|(_, index)| index).collect()
}

/// Items that share a launch: of one word, light, and together no heavier than the halo.
fn launches(weights: &[u64]) -> Vec<Range<usize>> {
    let mut launches: Vec<Range<usize>> = Vec::new();
    let mut shared = 0;
    for (at, &weight) in weights.iter().enumerate() {
        match launches.last_mut() {
            Some(last)
                if is_light(weight)
                    && is_light(weights[last.start])
                    && last.len() < ITEMS
                    && at % WORD != 0
                    && shared + weight <= HALO =>
            {
                last.end = at + 1;
                shared += weight;
            }
            _ => {
                launches.push(at..at + 1);
                shared = weight;
            }
        }
    }
    launches
}

/// The answer; only for the full capacity if `wanted` says so.
/// Fails if the profits' sum exceeds 32 bits, the GPU's memory cannot store two rows and a row of words, or a call fails.
pub fn boyer(
    device: &Device,
    problem: &Reduced,
    wanted: Wanted,
    context: &Context,
) -> Result<Answer, EngineError> {
    if problem.tier != Tier::I32 {
        return Err(EngineError::Arithmetic(problem.tier));
    }
    let started = Instant::now();
    let (needed, free) = (Rows::bytes(problem.capacity), device.usable_memory()?);
    if needed > free {
        return Err(EngineError::GpuMemory { needed, free });
    }
    let sorted = Sorted::new(problem, wanted);
    let filled = fill(device, &sorted, context)?;
    Ok(sorted.answer(filled, started, device.info().name.clone(), 1))
}

/// The items by profit per weight, and what is asked of them.
pub(super) struct Sorted<'a> {
    pub problem: &'a Reduced,
    pub wanted: Wanted,
    pub order: Vec<u32>,
    pub weights: Vec<u64>,
    slack: Option<u64>,
}

impl<'a> Sorted<'a> {
    pub fn new(problem: &'a Reduced, wanted: Wanted) -> Self {
        let one = matches!(wanted, Wanted::Value | Wanted::Best);
        let order = by_profit_a_weight(&problem.items);
        let weights = order.iter().map(|&index| problem.items[index as usize].weight).collect();
        let slack = one.then(|| slack(&problem.items, problem.capacity));
        Self { problem, wanted, order, weights, slack }
    }

    /// The least cell that matters, by Toth's bound, if the items after it have this weight together.
    pub fn lower(&self, after: u128) -> u64 {
        let below =
            |slack| u128::from(self.problem.capacity).saturating_sub(after + u128::from(slack)) as u64;
        self.slack.map_or(0, below)
    }

    /// The answer of a table that was filled since then.
    pub fn answer(self, filled: Filled, started: Instant, ran_on: String, threads: usize) -> Answer {
        let (last, rows, compression, updates) = filled;
        let (mut starts, mut values) = rises(&last);
        if self.slack.is_some() {
            // The last rise is at the least weight of the most profit.
            let first = self.lower(0);
            starts = starts.pop().map(|start| first + start).into_iter().collect();
            values = values.pop().into_iter().collect();
        }
        let solve = started.elapsed().saturating_sub(compression.time);
        let started = Instant::now();
        let Self { weights, order, wanted, .. } = self;
        let walks = wanted.picks().then(|| Walks { rows, weights, order, starts: starts.clone() });
        Answer {
            weights: starts,
            profits: i32::store(values),
            picks: walks.map(|walks| Arc::new(walks) as Arc<dyn Selections>),
            how: format!("{ran_on}, compression {:.5}", compression.factor()),
            threads,
            updates,
            solve,
            traceback: compression.time + started.elapsed(),
        }
    }
}

/// The cells at which a row rises, including the first, and their values.
fn rises(row: &[i32]) -> (Vec<u64>, Vec<i32>) {
    let rises = |&(at, &value): &(usize, &i32)| at == 0 || value > row[at - 1];
    row.iter().enumerate().filter(rises).map(|(at, &value)| (at as u64, value)).unzip()
}

/// The last row, or only its cells that matter; the rows of words, how they were compressed, and the cells computed.
pub(super) type Filled = (Vec<i32>, Vec<WordRow>, Compression, u64);

fn fill(device: &Device, sorted: &Sorted, context: &Context) -> Result<Filled, EngineError> {
    let Sorted { problem, wanted, order, weights, .. } = sorted;
    let (capacity, picks) = (problem.capacity, wanted.picks());
    let mut rows = Rows::new(device, capacity)?;
    let packed = |(&index, &weight): (&u32, &u64)| {
        let profit = i64::try_from(problem.items[index as usize].profit).ok()?;
        Some([i64::try_from(weight).ok()?, profit])
    };
    let host: Option<Vec<[i64; 2]>> = order.iter().zip(weights).map(packed).collect();
    let host = host.ok_or(EngineError::Arithmetic(Tier::I64))?;
    let (mut word_rows, mut compression, mut updates) = (Vec::new(), Compression::default(), 0u64);
    let mut at = 0;
    if !host.is_empty() {
        let on_device = device.upload("items", &host)?;
        let mut after: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
        let (mut first_of_word, mut end_of_word) = (0, 0);
        // The value above the row's last cell: all items so far.
        let (mut last, mut total, mut so_far) = (0, 0i64, 0u128);
        context.progress.begin("solving", order.len() as u64);
        for launch in launches(weights) {
            context.go_on()?;
            let first = after - u128::from(weights[launch.start]);
            after -= weights[launch.clone()].iter().map(|&weight| u128::from(weight)).sum::<u128>();
            let lower = sorted.lower(first);
            let bit = launch.start % WORD;
            if bit == 0 {
                first_of_word = lower;
                let word = launch.start..order.len().min(launch.start + WORD);
                so_far += weights[word].iter().map(|&weight| u128::from(weight)).sum::<u128>();
                end_of_word = so_far.min(capacity.into()) as u64;
                if picks {
                    let clearing = "clearing words of decisions";
                    device.stream().memset_zeros(&mut rows.words).during(clearing)?;
                }
            }
            let items = Items {
                device: on_device.slice(launch.clone()),
                host: &host[launch.clone()],
                shift: bit as u32,
                lower,
                upper: end_of_word,
                last,
                total,
            };
            rows.fill(device, at, &items)?;
            at = 1 - at;
            updates += launch.len() as u64 * (end_of_word + 1 - lower);
            total += host[launch.clone()].iter().map(|item| item[1]).sum::<i64>();
            last = end_of_word;
            context.progress.advance(launch.len() as u64);
            if picks && (launch.end % WORD == 0 || launch.end == order.len()) {
                // So that what the rows take is not counted as compression.
                device.finish("knapsack_boyer")?;
                let started = Instant::now();
                let all = u32::MAX >> (WORD - 1 - (launch.end - 1) % WORD);
                let (from, end) = rows.bounds(device, all, first_of_word..end_of_word + 1)?;
                // If the words are zeros followed by words of all ones, nothing needs to be copied.
                let from = from.min(end_of_word + 1);
                let end = end.clamp(from, end_of_word + 1);
                let view = rows.words.slice(from as usize..end as usize);
                let words = if view.is_empty() {
                    Vec::new()
                } else {
                    device.download("words of decisions", &view)?
                };
                compression.time += started.elapsed();
                compression.words += words.len() as u64 + 2;
                compression.whole += capacity;
                word_rows.push(WordRow { from, words });
                context.machine.allow(compression.words.saturating_mul(4))?;
            }
        }
    }
    let view = sorted.lower(0) as usize..capacity as usize + 1;
    let last = device.download("a row of values", &rows.values[at].slice(view))?;
    Ok((last, word_rows, compression, updates))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_stay_within_a_word_and_the_halo() {
        let light = launches(&[300; 70]);
        let ends: Vec<usize> = light.iter().map(|launch| launch.end).collect();
        assert_eq!(ends, [16, 32, 48, 64, 70]);
        assert_eq!(launches(&[2048, 2048, 2048, 2048, 2048, 2049, 1]), [0..4, 4..5, 5..6, 6..7]);
    }

    #[test]
    fn a_word_row_is_zero_before_its_words_and_ones_after() {
        let row = WordRow { from: 5, words: vec![0b10, 0b01] };
        let bits = |cell| [row.bit(cell, 0), row.bit(cell, 1)];
        assert_eq!([4, 5, 6, 7].map(bits), [[false; 2], [false, true], [true, false], [true; 2]]);
    }
}
