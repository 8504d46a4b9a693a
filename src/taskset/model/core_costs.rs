//! What the cores of a set cost.

use super::TaskSet;
use isx_exact::quantity::Rational;
use num_bigint::BigInt;
use num_traits::Zero;

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
