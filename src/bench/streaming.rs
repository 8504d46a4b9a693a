//! A knapsack table of four times the allowed memory: kept on the GPU, copied to the host, and streamed there.

use super::BenchError;
use super::compare::Difference;
use super::comparison::{Entry, Problem, Table};
use super::runner::{Outcome, Settings, Work};
use super::timed::Timed;
use crate::charts::chart::Series;
use crate::charts::measured::{duration, rate};
use isx_bench::knapsack::cuda::{Streaming, streaming};
use isx_bench::wave::cuda::Place;
use isx_engine::{Context, EngineError};
use isx_exact::sampling::Sampler;
use isx_machine::Machine as Computer;
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

/// A table kept on the GPU, and the same table streamed through a part of its memory.
#[derive(Clone, Debug)]
pub struct Streamed {
    /// Items and capacity.
    pub items: u64,
    /// Its capacity.
    pub capacity: u64,
    /// Bytes of decisions.
    pub bytes: u64,
    /// GPU memory in bytes: the limit for streaming, and its peak by the driver's count.
    pub device_allowed: u64,
    /// See [`Streamed::device_allowed`].
    pub device_taken: u64,
    /// Bytes of host memory that the table took.
    pub host_taken: u64,
    /// Seconds to fill it with its decisions kept on the GPU.
    pub computing: f64,
    /// Seconds to copy them to the host afterwards.
    pub copying: f64,
    /// Seconds to fill it with its decisions streamed.
    pub streamed: f64,
    /// Seconds to find the items afterwards.
    pub walking: f64,
}

impl Streamed {
    /// How fast it was streamed, as a share of the rate in memory.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.computing / self.streamed.max(1e-9)
    }

    /// The hidden fraction of the shorter of copying and computing.
    #[must_use]
    pub fn overlap(&self) -> f64 {
        let hidden = self.computing + self.copying - self.streamed;
        hidden / self.computing.min(self.copying).max(1e-9)
    }

    fn row(&self) -> Vec<String> {
        let gigabytes = |bytes: u64| format!("{:.2} GB", bytes as f64 / 1e9);
        vec![
            self.items.to_string(),
            self.capacity.to_string(),
            gigabytes(self.bytes),
            gigabytes(self.device_allowed),
            gigabytes(self.device_taken),
            gigabytes(self.host_taken),
            duration(self.computing),
            duration(self.copying),
            duration(self.streamed),
            rate(self.rate(self.streamed)),
            format!("{:.0} %", 100.0 * self.share()),
            format!("{:.0} %", 100.0 * self.overlap()),
            duration(self.walking),
        ]
    }

    fn problem(&self) -> Problem {
        let entry = |contestant: &str, seconds| {
            let (series, outcome) = (Series::Gpu, Outcome::Timed(Timed::once("GPU", seconds)));
            Entry { contestant: contestant.to_owned(), work: Work::Raw, series, outcome }
        };
        Problem {
            optimum: None,
            name: format!("knapsack, {} items, {:.0} GB of decisions", self.items, self.bytes as f64 / 1e9),
            answer: "items and profit equal".into(),
            candidates: (self.items * (self.capacity + 1)) as f64,
            entries: vec![
                entry("kept on the GPU", self.computing),
                entry("copied afterwards", self.copying),
                entry("streamed", self.streamed),
            ],
        }
    }

    /// Cells a second.
    #[must_use]
    pub fn rate(&self, seconds: f64) -> f64 {
        (self.items * (self.capacity + 1)) as f64 / seconds.max(1e-9)
    }
}

/// Tables of four times the allowed memory, with the paper's 1500 items and with twice as many.
pub fn streamings(allowed: Option<u64>, settings: &Settings) -> Result<(Vec<Problem>, Table), BenchError> {
    let mut table = Table {
        title: "A table of four times the memory allowed".into(),
        about: "Overlap: how much of the shorter of computing and copying was hidden behind the other. Best of the runs; \
                items and profit equal."
            .into(),
        head: HEAD.map(str::to_owned).into(),
        rows: Vec::new(),
    };
    let mut problems = Vec::new();
    let why = match allowed {
        None => Some("it was not asked for".to_owned()),
        Some(_) => settings.machine.gpu().info().err().map(|why| why.to_string()),
    };
    if let Some(why) = why {
        return Ok((problems, Table { about: format!("Not measured: {why}."), ..table }));
    }
    for items in [ITEMS, 2 * ITEMS] {
        (settings.tell)(&format!("streaming, {items} items"));
        match streamed(settings, items, allowed.unwrap_or(0)) {
            Ok(streamed) => {
                table.rows.push(streamed.row());
                problems.push(streamed.problem());
            }
            Err(Streams::Not(why)) => table.about = format!("Not measured: {why}."),
            Err(Streams::Wrong(error)) => return Err(error),
        }
    }
    Ok((problems, table))
}

const HEAD: [&str; 13] = [
    "items",
    "capacity",
    "decisions",
    "GPU allowed",
    "GPU taken",
    "host taken",
    "in memory",
    "copy alone",
    "streamed",
    "cells a second",
    "of the rate in memory",
    "overlap",
    "way back",
];

enum Streams {
    Not(String),
    Wrong(BenchError),
}

impl From<EngineError> for Streams {
    fn from(error: EngineError) -> Self {
        Self::Not(format!("it {error}"))
    }
}

fn streamed(settings: &Settings, items: u64, allowed: u64) -> Result<Streamed, Streams> {
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
        let difference = Difference {
            point: None,
            what: "profit or items",
            found: streamed.profit.to_string(),
            wanted: kept.profit.to_string(),
        };
        return Err(Streams::Wrong(BenchError::wrong(
            "cuda-wave, streamed",
            &format!("{items} items"),
            difference,
        )));
    }
    Ok(Streamed {
        items: reduced.items.len() as u64,
        capacity: reduced.capacity,
        bytes: kept.bytes,
        device_allowed: allowed,
        device_taken: streamed.taken[0],
        host_taken: streamed.taken[1],
        computing: kept.filling.as_secs_f64(),
        copying: kept.copying.as_secs_f64(),
        streamed: streamed.filling.as_secs_f64(),
        walking: streamed.walking.as_secs_f64(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_right_times() {
        let table = Streamed {
            items: 10,
            capacity: 99,
            bytes: 1,
            device_allowed: 1,
            device_taken: 1,
            host_taken: 1,
            computing: 2.0,
            copying: 1.0,
            streamed: 2.5,
            walking: 0.1,
        };
        assert!((table.share() - 0.8).abs() < 1e-12);
        assert!((table.overlap() - 0.5).abs() < 1e-12);
        assert!((table.rate(2.5) - 400.0).abs() < 1e-9);
    }
}
