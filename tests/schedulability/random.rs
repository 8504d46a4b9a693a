//! Random task sets.

use crate::judge::{Task, gcd, hyperperiod, load};

#[path = "../common/random.rs"]
mod numbers;

pub use numbers::Random;

/// The distance of a utilization from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    Any,
    /// U = 1 + this / H.
    Full(i128),
}

/// A set of at most 6 tasks with hyperperiod up to 2520.
pub fn task_set(random: &mut Random, wanted: Load) -> Vec<Task> {
    loop {
        let mut tasks = some_tasks(random);
        if let Load::Full(excess) = wanted {
            let h = hyperperiod(&tasks);
            let left = h - load(&tasks) + excess;
            if left <= 0 {
                continue;
            }
            // A last task of period h / g and wcet left / g, with g a common divisor, has exactly the remaining
            // demand.
            let common = gcd(left, h);
            let divisors: Vec<i128> = (1..=common).filter(|divisor| common % divisor == 0).collect();
            let divisor = random.pick(&divisors);
            let (wcet, period) = (left / divisor, h / divisor);
            let deadline = deadline(random, wcet, period);
            tasks.push((wcet, period, deadline));
            assert_eq!(load(&tasks), hyperperiod(&tasks) + excess);
        }
        return tasks;
    }
}

fn some_tasks(random: &mut Random) -> Vec<Task> {
    let count = random.within(1, 5);
    let base = random.pick(&[12, 24, 36, 60, 72, 120, 360]);
    let divisors: Vec<i128> = (2..=base).filter(|period| base % period == 0).collect();
    let coprime = random.within(0, 2) == 0;
    let task = |_| {
        let period = if coprime { random.within(2, 10) } else { random.pick(&divisors) };
        let wcet = random.within(1, (3 * period / (2 * count + 1)).max(1));
        (wcet, period, deadline(random, wcet, period))
    };
    (0..count).map(task).collect()
}

/// Less than the period, the period, or more; rarely too short for the job itself.
fn deadline(random: &mut Random, wcet: i128, period: i128) -> i128 {
    match random.within(0, 5) {
        0 => random.within(1, period),
        1 => random.within(wcet.min(period), period),
        2 => random.within((period - 2).max(1), period),
        3 => period,
        4 => period + random.within(1, 5),
        _ => random.within(period, 3 * period),
    }
}
