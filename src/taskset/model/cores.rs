//! The cores of a chip: equal processors among which the tasks are distributed.
//!
//! What the processor takes is given for a chip with one core, which is what every question but `isx partition` is about:
//! [`Resources::base`](super::Resources::base). Each further core costs that less what is built once for the chip. A file without the cost of a core has all of it in every core; in one with `cores: {cost: ..}`
//! the `base` is the rest of the chip.

use super::{Cores, TaskSet};
use isx_exact::quantity::Rational;
use num_bigint::BigInt;
use num_traits::Zero;

/// The maximum number of cores of a task set.
pub const MAX_CORES: u32 = 64;

impl Cores {
    /// The core on which a task must run.
    pub fn pin(&self, task: usize) -> Option<u32> {
        self.pins.iter().find(|(pinned, _)| *pinned as usize == task).map(|(_, core)| *core)
    }
}

/// Reads a number of cores, `4`, or a range of them, `1..4`.
///
/// ```
/// assert_eq!(isx_taskset::cores_in("1..4"), Ok((1, 4)));
/// assert_eq!(isx_taskset::cores_in("2"), Ok((2, 2)));
/// ```
/// Fails with what is wrong, as the end of a sentence.
pub fn cores_in(text: &str) -> Result<(u32, u32), String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u32>().ok();
    match (number(least), number(most)) {
        (Some(0), _) => Err("must be at least 1".to_owned()),
        (Some(least), Some(most)) if least > most => {
            Err(format!("begins with {least}, which is above {most}"))
        }
        (Some(_), Some(most)) if most > MAX_CORES => Err(format!("must be at most {MAX_CORES}")),
        (Some(least), Some(most)) => Ok((least, most)),
        _ => Err("is not a number of cores".to_owned()),
    }
}

impl TaskSet {
    /// What a core costs of each resource, without choices and blocks.
    pub fn core_cost(&self) -> Vec<Rational> {
        let chip = self.cores.as_ref().map_or(&[][..], |cores| &cores.chip_cost);
        let zero = Rational::zero();
        let base = self.resources.base.iter().enumerate();
        base.map(|(at, base)| base - chip.get(at).unwrap_or(&zero)).collect()
    }

    /// The area of a core without choices and blocks: its cost of the first resource.
    pub fn core_area(&self) -> Rational {
        self.core_cost().into_iter().next().unwrap_or_default()
    }

    /// What a chip with this many cores costs of each resource, without choices and blocks.
    pub fn cost_of_cores(&self, count: u32) -> Vec<Rational> {
        let more = BigInt::from(i64::from(count) - 1);
        self.resources.base.iter().zip(self.core_cost()).map(|(base, core)| base + core * &more).collect()
    }

    /// The area of such a chip: its cost of the first resource.
    pub fn area_of_cores(&self, count: u32) -> Rational {
        self.cost_of_cores(count).into_iter().next().unwrap_or_default()
    }

    /// Adds a core that was given beside the base, which is then the rest of the chip.
    pub(crate) fn add_core(&mut self, cost: &[Rational]) {
        if let Some(cores) = &mut self.cores {
            cores.chip_cost.clone_from(&self.resources.base);
            self.resources.base.iter_mut().zip(cost).for_each(|(base, cost)| *base += cost);
        }
    }
}
