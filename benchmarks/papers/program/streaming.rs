//! A knapsack table of four times the allowed memory: kept on the GPU, copied to the host, and streamed there.

use isx_bench::BenchError;
use isx_bench::Difference;
use isx_bench::charts::measured::{duration, rate};
use isx_bench::comparison::Table;
use isx_bench::runner::Settings;
use isx_engine::{Context, EngineError};
use isx_exact::sampling::Sampler;
use isx_machine::Machine as Computer;
use isx_papers::knapsack::cuda::{Streaming, streaming};
use isx_papers::wave::cuda::Place;
use isx_problems::knapsack::{Item, Knapsack};
use isx_problems::reduce::knapsack as reduction;

/// Items of the knapsacks, as in the paper.
pub(super) const ITEMS: u64 = 1500;

/// The paper's knapsack with this capacity.
pub(super) fn knapsack_of(items: u64, capacity: u64) -> Knapsack {
    let mut sampler = Sampler::new(capacity);
    let most = (capacity * 3 / 10).max(1);
    let mut item = |_| Item { profit: sampler.uniform(1, most).into(), weight: sampler.uniform(1, most) };
    Knapsack { items: (0..items).map(&mut item).collect(), capacity }
}

const HEAD: &str = "items|capacity|decisions|GPU allowed|GPU taken|host taken|in memory|copy alone|streamed|cells a second|of \
                    the rate in memory|overlap|way back";

/// Tables of four times the allowed memory, with the paper's 1500 items and with twice as many.
pub fn streamings(allowed: Option<u64>, settings: &Settings) -> Result<Table, BenchError> {
    let mut table = Table {
        title: "A table of four times the memory allowed".into(),
        about: "Overlap: how much of the shorter of computing and copying was hidden behind the other. Best of the runs; \
                items and profit equal."
            .into(),
        head: HEAD.split('|').map(str::to_owned).collect(),
        rows: Vec::new(),
    };
    let Some(allowed) = allowed else {
        return Ok(Table { about: "Not measured: it was not asked for.".to_owned(), ..table });
    };
    for items in [ITEMS, 2 * ITEMS] {
        (settings.tell)(&format!("streaming, {items} items"));
        match streamed(settings, items, allowed) {
            Ok(row) => table.rows.push(row?),
            Err(why) => table.about = format!("Not measured: it {why}."),
        }
    }
    Ok(table)
}

/// The row of a table, or a wrong answer.
fn streamed(
    settings: &Settings,
    items: u64,
    allowed: u64,
) -> Result<Result<Vec<String>, BenchError>, EngineError> {
    let capacity = allowed * 4 * 8 / items;
    let mut problem = knapsack_of(items, capacity);
    // Profits sum to at most 32 bits, so that all tables have cells of 32 bits.
    let most = problem.items.iter().map(|item| item.profit).max().unwrap_or(1);
    for item in &mut problem.items {
        item.profit = (item.profit * 100_000 / most).max(1);
    }
    let goal = reduction::Goal::OneCapacity;
    let reduced = reduction::reduce(&problem, reduction::Options { goal, dominance: false });
    let all = settings.machine.clone();
    let part = settings.machine.clone().with_gpu_memory(allowed);
    let of = |machine: &Computer, place| -> Result<Streaming, EngineError> {
        streaming(machine.gpu().device()?, &reduced, &Context::new(machine), place)
    };
    // The first run of each is a warm-up.
    let mut kept = of(&all, Place::Device)?;
    let mut streamed = of(&part, Place::Host)?;
    for _ in 0..settings.repeat {
        let (again, anew) = (of(&all, Place::Device)?, of(&part, Place::Host)?);
        if again.filling < kept.filling {
            kept = again;
        }
        if anew.filling < streamed.filling {
            streamed = anew;
        }
    }
    if kept.chosen != streamed.chosen || kept.profit != streamed.profit {
        let (found, wanted) = (streamed.profit.to_string(), kept.profit.to_string());
        let difference = Difference { point: None, what: "profit or items", found, wanted };
        let wrong = BenchError::wrong("cuda-wave, streamed", &format!("{items} items"), difference);
        return Ok(Err(wrong));
    }
    let seconds = [kept.filling, kept.copying, streamed.filling].map(|time| time.as_secs_f64().max(1e-9));
    let [computing, copying, together] = seconds;
    let cells = (reduced.items.len() as u64 * (reduced.capacity + 1)) as f64;
    let gigabytes = |bytes: u64| format!("{:.2} GB", bytes as f64 / 1e9);
    let percent = |part: f64| format!("{:.0} %", 100.0 * part);
    Ok(Ok(vec![
        reduced.items.len().to_string(),
        reduced.capacity.to_string(),
        gigabytes(kept.bytes),
        gigabytes(allowed),
        gigabytes(streamed.taken[0]),
        gigabytes(streamed.taken[1]),
        duration(computing),
        duration(copying),
        duration(together),
        rate(cells / together),
        percent(computing / together),
        percent((computing + copying - together) / computing.min(copying)),
        duration(streamed.walking.as_secs_f64()),
    ]))
}
