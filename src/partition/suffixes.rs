//! The fronts of area against size of the last tasks: a lower bound on what any tasks still to be decided need.

use crate::budget::{Budget, Stopped};
use crate::problem::Opt;

/// The maximum length of a front; beyond it every second point is dropped in favor of a bound below both.
const MOST_POINTS: usize = 200_000;

/// For each number of tasks decided, the front of those left: areas rise and sizes fall.
pub(crate) struct Suffixes {
    fronts: Vec<Vec<(i64, i64)>>,
}

impl Suffixes {
    /// The fronts of tasks in this order, as far as sizes matter: all of them together may take `room`.
    pub fn new(options: &[Vec<Opt>], order: &[usize], room: i64, budget: &Budget) -> Result<Self, Stopped> {
        let least = |task: &usize| options[*task].iter().map(|opt| opt.size).min().unwrap_or(0);
        let mut before: i64 = order.iter().map(least).sum();
        let mut fronts = vec![Vec::new(); order.len() + 1];
        fronts[order.len()] = vec![(0, 0)];
        for (at, &task) in order.iter().enumerate().rev() {
            before -= least(&task);
            let mut front: Vec<(i64, i64)> = Vec::new();
            for opt in &options[task] {
                budget.spend(8 * (front.len() + fronts[at + 1].len()) as u64)?;
                front = merged(&front, &fronts[at + 1], opt, room - before);
            }
            while front.len() > MOST_POINTS {
                front = front.chunks(2).map(|pair| (pair[0].0, pair[pair.len() - 1].1)).collect();
            }
            fronts[at] = front;
        }
        Ok(Self { fronts })
    }

    /// The least area of the tasks from `decided` on with at most this size.
    pub fn area(&self, decided: usize, room: i64) -> Option<i64> {
        let front = &self.fronts[decided];
        front.get(front.partition_point(|point| point.1 > room)).map(|point| point.0)
    }
}

/// Merges a front with another one to which an option is added.
fn merged(one: &[(i64, i64)], other: &[(i64, i64)], opt: &Opt, room: i64) -> Vec<(i64, i64)> {
    let mut out = Vec::with_capacity(one.len() + other.len());
    let mut others = other.iter().map(|point| (point.0 + opt.area, point.1 + opt.size)).peekable();
    let mut ones = one.iter().copied().peekable();
    let mut least = i64::MAX;
    loop {
        let next = match (ones.peek(), others.peek()) {
            (Some(a), Some(b)) if a <= b => ones.next(),
            (_, Some(_)) => others.next(),
            (_, None) => ones.next(),
        };
        let Some(point) = next else { return out };
        if point.1 < least {
            least = point.1;
            if point.1 <= room {
                out.push(point);
            }
        }
    }
}
