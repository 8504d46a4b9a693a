//! What several whole-program tests share.
#![allow(dead_code)]

use isx::quantity::Rational;
use isx::taskset::{Choice, Task, TaskSet, TimeBase};

/// SplitMix64 (S. Steele, D. Lea, C. Flood, OOPSLA 2014): small, seeded, the same everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `low..=high`.
    pub fn within(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.next().is_multiple_of(n)
    }
}

/// A task in whole units, as the tests make them up: times in `1/time_scale`, areas in `1/area_scale`.
#[derive(Clone, Debug)]
pub struct PlainTask {
    pub wcet: u64,
    pub period: u64,
    pub deadline: u64,
    /// (area, new WCET).
    pub choices: Vec<(u64, u64)>,
}

/// The task set of these tasks, its numbers divided by the scales.
pub fn task_set(tasks: &[PlainTask], time_scale: u64, area_scale: u64) -> TaskSet {
    let time = |units: u64| Rational::new(units.into(), time_scale.into());
    let area = |units: u64| Rational::new(units.into(), area_scale.into());
    let choice = |(at, &(units, wcet)): (usize, &(u64, u64))| Choice {
        name: format!("c{at}"),
        area: area(units),
        wcet: time(wcet),
        source: None,
    };
    let task = |(at, task): (usize, &PlainTask)| Task {
        name: format!("t{at}"),
        wcet: time(task.wcet),
        period: time(task.period),
        deadline: time(task.deadline),
        choices: task.choices.iter().enumerate().map(choice).collect(),
    };
    TaskSet {
        name: "random".into(),
        description: None,
        area_unit: String::new(),
        time_base: TimeBase::Unnamed,
        tasks: tasks.iter().enumerate().map(task).collect(),
    }
}
