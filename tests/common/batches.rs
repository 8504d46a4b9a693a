//! Random batches of small multiple-choice knapsack problems, for the tests on CPU and GPU.

#![allow(dead_code)]

use super::random::Random;
use isx::problem::mckp::Choice;
use isx_batch::Batch;

/// The relation between values and weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Uncorrelated,
    Weak,
    Strong,
    Subset,
    /// Values and weights of a few sizes, including negative and zero ones: ties everywhere.
    Tied,
}

pub const KINDS: [Kind; 5] = [Kind::Uncorrelated, Kind::Weak, Kind::Strong, Kind::Subset, Kind::Tied];

fn item(random: &mut Random, kind: Kind, heaviest: u64) -> (i64, u64) {
    let weight = random.within(0, heaviest);
    let value = match kind {
        Kind::Uncorrelated => random.within(-2, heaviest as i64),
        Kind::Weak => weight as i64 + random.within(-9i64, 9),
        Kind::Strong => weight as i64 + 10,
        Kind::Subset => weight as i64,
        Kind::Tied => return (random.within(-1, 3), random.within(0, 3)),
    };
    (value, weight)
}

/// A batch of small problems of every kind and size, some without classes or items, some in which nothing fits, and
/// one in a hundred with values or weights at the limits of their ranges.
pub fn random_batch(random: &mut Random, choice: Choice, problems: usize) -> Batch {
    let mut batch = Batch::new(choice);
    for _ in 0..problems {
        let kind = random.pick(&KINDS);
        let heaviest = random.pick(&[3u64, 20, 100, 1000]);
        let classes = random.within(0u64, 12);
        let most = random.pick(&[1u64, 3, 10]);
        let wide = random.one_in(100);
        for _ in 0..classes {
            let least = u64::from(!random.one_in(50));
            let items: Vec<(i64, u64)> = (0..random.within(least, most))
                .map(|_| match wide && random.one_in(3) {
                    true => (
                        random.pick(&[i64::MAX, i64::MIN, 1 << 29, -(1 << 30), 1 << 40]),
                        random.pick(&[0, 1 << 30, 1 << 62, u64::MAX]),
                    ),
                    false => item(random, kind, heaviest),
                })
                .collect();
            batch.class(items);
        }
        let capacity = match random.within(0u64, 9) {
            0 => 0,
            1 => random.pick(&[u64::MAX, 1 << 62, 1 << 30, (1 << 30) - 1]),
            _ => random.within(0, heaviest * (classes + 1)),
        };
        batch.problem(capacity);
    }
    batch
}

/// The benchmark's problems: `problems` of 12 classes of 10 items, weights up to 2000, capacity 10,000, like task
/// sets of 12 tasks with 10 choices and an area budget; savings depend on areas as the kind says, each task's
/// multiplied by its frequency.
pub fn task_sets(random: &mut Random, kind: Kind, problems: usize) -> Batch {
    let mut batch = Batch::new(Choice::Optional);
    for _ in 0..problems {
        for _ in 0..12 {
            // If values equal weights, the capacity can be filled completely in many ways.
            let frequency = if kind == Kind::Subset { 1 } else { random.within(1i64, 20) };
            let choice = |_| {
                let area = random.within(1u64, 2000);
                let saving = match kind {
                    Kind::Uncorrelated => random.within(1i64, 10_000),
                    Kind::Weak => (area as i64 + random.within(-200i64, 200)).max(1),
                    Kind::Strong => area as i64 + 10,
                    Kind::Subset | Kind::Tied => area as i64,
                };
                (saving * frequency, area)
            };
            let choices: Vec<(i64, u64)> = (0..10).map(choice).collect();
            batch.class(choices);
        }
        batch.problem(10_000);
    }
    batch
}
