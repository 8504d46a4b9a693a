//! What the cores of a set cost.

use super::TaskSet;
use isx_exact::quantity::Rational;
use num_bigint::BigInt;
use num_traits::{One, Zero};

impl TaskSet {
    /// The area of a core without choices and blocks, in a set with one area.
    pub fn core_area(&self) -> Rational {
        let chip = self.cores.as_ref().map(|cores| &cores.chip_area);
        chip.map_or_else(|| self.processor_area.clone(), |chip| &self.processor_area - chip)
    }

    /// The area of a chip with this many cores without choices and blocks, in a set with one area.
    pub fn area_of_cores(&self, count: u32) -> Rational {
        &self.processor_area + self.core_area() * (Rational::from(BigInt::from(count)) - Rational::one())
    }

    /// What a core costs of each resource, without choices and blocks; empty in a set with one area.
    pub(crate) fn core_cost(&self) -> Vec<Rational> {
        let base = self.resources.as_ref().map_or(&[][..], |resources| &resources.base);
        let chip = self.cores.as_ref().map_or(&[][..], |cores| &cores.chip_cost);
        let zero = Rational::zero();
        base.iter().enumerate().map(|(at, base)| base - chip.get(at).unwrap_or(&zero)).collect()
    }

    /// Adds a core that was given beside the base, which is then the rest of the chip.
    pub(crate) fn add_core(&mut self, area: Rational, cost: &[Rational]) {
        self.processor_area += area;
        if let (Some(resources), Some(cores)) = (&mut self.resources, &mut self.cores) {
            cores.chip_cost.clone_from(&resources.base);
            resources.base.iter_mut().zip(cost).for_each(|(base, cost)| *base += cost);
        }
    }
}
