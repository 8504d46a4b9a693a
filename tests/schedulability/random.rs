//! Random task sets.

use crate::judge::{Task, gcd, hyperperiod, load};

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `low` to `high`, both included.
    pub fn between(&mut self, low: i128, high: i128) -> i128 {
        low + i128::from(self.next()) % (high - low + 1)
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.between(0, from.len() as i128 - 1) as usize]
    }
}

/// How close to 1 a utilization is to be.
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
            // A last task of period h / g and wcet left / g, with g a common divisor, takes exactly what is left.
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
    let count = random.between(1, 5);
    let base = random.pick(&[12, 24, 36, 60, 72, 120, 360]);
    let divisors: Vec<i128> = (2..=base).filter(|period| base % period == 0).collect();
    let coprime = random.between(0, 2) == 0;
    let task = |_| {
        let period = if coprime { random.between(2, 10) } else { random.pick(&divisors) };
        let wcet = random.between(1, (3 * period / (2 * count + 1)).max(1));
        (wcet, period, deadline(random, wcet, period))
    };
    (0..count).map(task).collect()
}

/// Less than the period, the period, or more; seldom too short for the job itself.
fn deadline(random: &mut Random, wcet: i128, period: i128) -> i128 {
    match random.between(0, 5) {
        0 => random.between(1, period),
        1 => random.between(wcet.min(period), period),
        2 => random.between((period - 2).max(1), period),
        3 => period,
        4 => period + random.between(1, 5),
        _ => random.between(period, 3 * period),
    }
}
