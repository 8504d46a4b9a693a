//! Task sets with a design whose utilization is exactly 1, or 1/H more or less.

use super::{PlainTask, Random};
use num_integer::Integer;

/// A set in which the design `choices` has a demand of H + `off` over the hyperperiod H and is on the front: no other
/// design of no more area needs as little.
pub struct NearOne {
    pub tasks: Vec<PlainTask>,
    pub choices: Vec<Option<u32>>,
    pub hyperperiod: u64,
    /// -1, 0 or 1.
    pub off: i64,
}

/// Periods whose least common multiples stay below 10^9.
const PERIODS: [u64; 12] = [7, 9, 10, 11, 13, 16, 17, 19, 20, 25, 30, 50];

impl NearOne {
    /// One to five tasks, most with a choice that the design takes, and a last one that uses the remaining demand.
    pub fn new(seed: u64) -> Self {
        let mut random = Random(seed ^ 0x1e1);
        let off = random.within(-1, 1i64);
        let mut left = 1.0;
        let mut tasks = Vec::new();
        for _ in 0..random.within(1, 5u32) {
            let period = random.pick(&PERIODS);
            // At most a third of the remainder; the last task takes the rest.
            let most = ((period as f64 * left / 3.0) as u64).max(1);
            let wcet = random.within(1, most);
            left = f64::max(left - wcet as f64 / period as f64, 0.05);
            tasks.push(PlainTask { wcet, period, deadline: period, choices: Vec::new() });
        }
        let hyperperiod = random.within(1, 3) * tasks.iter().fold(1, |lcm: u64, task| lcm.lcm(&task.period));
        let demand: u64 = tasks.iter().map(|task| task.wcet * (hyperperiod / task.period)).sum();
        let wcet = (hyperperiod.saturating_sub(demand) as i64 + off).max(1) as u64;
        let off = (demand + wcet) as i64 - hyperperiod as i64;
        tasks.push(PlainTask { wcet, period: hyperperiod, deadline: hyperperiod, choices: Vec::new() });
        let mut choices = vec![None; tasks.len()];
        for (task, choice) in tasks.iter_mut().zip(&mut choices) {
            if random.one_in(2) {
                // The design's WCET is that of the choice; software needs more.
                task.choices.push((random.within(1, 9), task.wcet));
                task.wcet += random.within(1, 5);
                *choice = Some(0);
            }
        }
        Self { tasks, choices, hyperperiod, off }
    }

    /// Whether the design is within half a job of 1 at all, which fails if the tasks without the last exceed it.
    pub fn is_near(&self) -> bool {
        self.off.abs() <= 1
    }
}
