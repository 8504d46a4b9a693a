//! Demands as sizes in integers.

use isx_exact::quantity::gcd;
use isx_taskset::formulate::Formulation;
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

/// The capacity of a core to which larger ones are rounded.
pub const MOST_CAPACITY: i64 = 1 << 52;

/// How demands become sizes.
pub struct Scale {
    /// The blocks that choices use: bit k of a mask is the k-th.
    pub blocks: Vec<u32>,
    /// What sizes are divided by.
    unit: BigInt,
    hyperperiod: BigInt,
    pub capacity: i64,
    pub is_exact: bool,
}

impl Scale {
    /// `None` if there are too many blocks for a mask.
    pub fn of(scenario: &Formulation) -> Option<Self> {
        let mut blocks: Vec<u32> = scenario.sharing.uses.iter().flatten().flatten().copied().collect();
        blocks.sort_unstable();
        blocks.dedup();
        let hyperperiod = scenario.hyperperiod.clone();
        let mut unit = hyperperiod.clone();
        for task in &scenario.tasks {
            let frequency = &hyperperiod / &task.period;
            for wcet in [&task.wcet].into_iter().chain(task.choices.iter().map(|choice| &choice.wcet)) {
                unit = gcd(&unit, &(wcet * &frequency));
            }
        }
        let capacity = (&hyperperiod / &unit).to_i64().filter(|&capacity| capacity <= MOST_CAPACITY);
        let is_exact = capacity.is_some();
        let capacity = capacity.unwrap_or(MOST_CAPACITY);
        (blocks.len() <= 64).then_some(Self { blocks, unit, hyperperiod, capacity, is_exact })
    }

    pub fn size(&self, demand: &BigInt, rounded_up: bool) -> i64 {
        let size = if self.is_exact {
            demand / &self.unit
        } else {
            let more = if rounded_up { &self.hyperperiod - BigInt::one() } else { BigInt::zero() };
            (demand * BigInt::from(MOST_CAPACITY) + more) / &self.hyperperiod
        };
        // Sizes far above a core's capacity all mean that the core cannot hold the task.
        size.to_i64().unwrap_or(i64::MAX).clamp(1, 2 * MOST_CAPACITY)
    }
}
