//! Code shared by the GPU tests and benchmarks: seeded instances, a plain parallel CPU table, and comparisons.

#![allow(dead_code)]

pub use super::harness::*;
pub use super::random::Random;

use isx::engine::mckp::Answer;
use isx::problem::mckp::{Choice, Item, Mckp};
use isx::reduce::mckp::{Class, Options, Reduced, Tiered, reduce};
use rayon::prelude::*;

/// The relation between values and weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Uncorrelated,
    Strong,
}

/// An instance of the thesis's recipe (section 5.1): 10 to 1024 items per class, weights and values in 1..10000;
/// strongly correlated ones have value = weight + 10.
pub fn paper_instance(kind: Kind, classes: usize, capacity: u64, seed: u64) -> Mckp<i64> {
    let mut random = Random(seed);
    let mut class = |_| {
        let items = random.within(10, 1024);
        (0..items).map(|_| paper_item(kind, &mut random)).collect()
    };
    Mckp { classes: (0..classes).map(&mut class).collect(), capacity, choice: Choice::ExactlyOne }
}

fn paper_item(kind: Kind, random: &mut Random) -> Item<i64> {
    let weight = random.within(1, 10_000);
    let value = if kind == Kind::Strong { weight + 10 } else { random.within(1, 10_000) };
    Item { value, weight: weight as u64 }
}

/// `classes` classes of `items` items of distinct weights, value = weight + 10: nothing is dominated.
pub fn nothing_dominated(classes: usize, items: usize, capacity: u64, seed: u64) -> Mckp<i64> {
    let mut random = Random(seed);
    let mut class = |_| {
        let mut weights = std::collections::BTreeSet::new();
        while weights.len() < items {
            weights.insert(random.within(1, 10_000));
        }
        let item = |weight: i64| Item { value: weight + 10, weight: weight as u64 };
        weights.into_iter().map(item).collect()
    };
    Mckp { classes: (0..classes).map(&mut class).collect(), capacity, choice: Choice::Optional }
}

/// The items of each class have weights within `spread` of each other (table 5.3 of the thesis).
pub fn spread_instance(spread: u64, classes: usize, items: usize, capacity: u64, seed: u64) -> Mckp<i64> {
    let mut random = Random(seed);
    let mut class = |_| {
        let lightest = random.within(1, 10_000 - spread as i64 + 1);
        let mut item = |at: usize| {
            let more = if at == 0 { 0 } else { random.within(0, spread as i64) };
            Item { value: random.within(1, 10_000), weight: (lightest + more) as u64 }
        };
        (0..items).map(&mut item).collect()
    };
    Mckp { classes: (0..classes).map(&mut class).collect(), capacity, choice: Choice::ExactlyOne }
}

pub fn reduced(problem: &Mckp<i64>, raw: bool) -> Tiered {
    reduce(problem, Options { raw, ..Options::default() }).expect("the instances are feasible")
}

pub fn as_i32(problem: &Tiered) -> &Reduced<i32> {
    match problem {
        Tiered::I32(problem) => problem,
        _ => panic!("the instance should fit 32 bits"),
    }
}

/// The same problem in 64-bit values.
pub fn widened(problem: &Reduced<i32>) -> Reduced<i64> {
    let item = |item: &Item<i32>| Item { value: i64::from(item.value), weight: item.weight };
    let class = |class: &Class<i32>| Class {
        items: class.items.iter().map(item).collect(),
        zero: class.zero,
        origin: class.origin.clone(),
    };
    Reduced {
        classes: problem.classes.iter().map(class).collect(),
        capacity: problem.capacity,
        back: problem.back.clone(),
    }
}

/// All rows of the table, on every core: the outer loop is over items, the inner over cells, so that it is
/// vectorized.
pub fn cpu_rows(problem: &Reduced<i32>) -> Vec<Vec<i32>> {
    let cells = problem.capacity as usize + 1;
    let mut rows = vec![vec![0i32; cells]];
    for class in &problem.classes {
        rows.push(cpu_row(&rows[rows.len() - 1], class));
    }
    rows
}

pub fn cpu_row(previous: &[i32], class: &Class<i32>) -> Vec<i32> {
    const CHUNK: usize = 4096;
    let mut next = previous.to_vec();
    next.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, next)| {
        let start = chunk * CHUNK;
        for item in &class.items {
            let weight = item.weight as usize;
            if weight >= start + next.len() {
                continue;
            }
            let skip = weight.saturating_sub(start);
            let from = start + skip - weight;
            let source = &previous[from..from + next.len() - skip];
            for (cell, before) in next[skip..].iter_mut().zip(source) {
                *cell = (*cell).max(before + item.value);
            }
        }
    });
    next
}

/// The cells at which the row rises, and their values.
pub fn front_of(row: &[i32]) -> (Vec<u64>, Vec<i64>) {
    let rises = |&cell: &usize| cell == 0 || row[cell] > row[cell - 1];
    let cells: Vec<usize> = (0..row.len()).filter(rises).collect();
    (
        cells.iter().map(|&cell| cell as u64).collect(),
        cells.iter().map(|&cell| i64::from(row[cell])).collect(),
    )
}

pub fn values_of(answer: &Answer) -> Vec<i64> {
    use isx::problem::value::Values;
    match &answer.values {
        Values::I32(values) => values.iter().map(|&value| i64::from(value)).collect(),
        Values::I64(values) => values.clone(),
        _ => panic!("the CUDA engine has 32- and 64-bit values"),
    }
}

/// Every point's items are the canonical ones according to CPU rows; `points` are the picks' points in order.
pub fn assert_canonical(problem: &Reduced<i32>, rows: &[Vec<i32>], answer: &Answer, points: &[u64]) {
    let from = answer.weights.len() - points.len();
    (0..points.len()).into_par_iter().with_min_len(64).for_each(|point| {
        let items = answer.items(from + point, problem.classes.len()).expect("items were asked for");
        let mut cell = points[point] as usize;
        for (at, class) in problem.classes.iter().enumerate().rev() {
            let wanted = rows[at + 1][cell];
            let explains = |item: &Item<i32>| {
                cell.checked_sub(item.weight as usize)
                    .is_some_and(|before| rows[at][before] + item.value == wanted)
            };
            assert_eq!(class.items.iter().position(explains), Some(items[at]), "point {point}, class {at}");
            cell -= class.items[items[at]].weight as usize;
        }
    });
}

/// Two engines' answers about a problem of some classes are equal, including the items of every point.
pub fn assert_same(classes: usize, judge: &Answer, answer: &Answer, what: &str) {
    assert_eq!(judge.weights, answer.weights, "{what}: weights");
    assert_eq!(judge.values, answer.values, "{what}: values");
    for point in 0..judge.weights.len() {
        let items = [judge, answer].map(|answer| answer.items(point, classes));
        assert_eq!(items[0], items[1], "{what}: items of point {point}");
    }
}
