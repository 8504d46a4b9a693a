//! A drawn set in machine integers, without a model of it: for sets whose designs are sums over their tasks and which are
//! schedulable up to a utilization of 1.

use super::drawn::GeneratedTiming;
use super::recipe::{Deadlines, GeneratedKernel, TaskSetRecipe};
use crate::model::Scheduler;
use isx_exact::quantity::Rational;
use isx_exact::sampling::DecimalRange;

/// Sums must stay below this.
const MOST: u64 = 1 << 61;

/// What a set adds up to. The designs of the set that a reader makes of its text have the same utilizations and areas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// The least common multiple of the periods, in cycles.
    pub hyperperiod: u64,
    /// The demand of the software-only design in a hyperperiod, in cycles.
    pub demand: u64,
    /// How many of the counted parts make a unit of area: 100 if areas have two decimals.
    pub parts: u64,
    /// For every choice its area in these parts, and the cycles that it saves in a
    /// hyperperiod, at least 1; task after task.
    pub choices: Vec<(u64, u64)>,
    /// Where the choices of each task end.
    pub ends: Vec<usize>,
    timings: Vec<GeneratedTiming>,
}

/// Whether the sets of a recipe are known by their sums: nothing but areas and WCETs counts.
pub(super) fn are_enough(recipe: &TaskSetRecipe) -> bool {
    recipe.scheduler == Scheduler::Edf
        && recipe.deadlines == Deadlines::Implicit
        && recipe.kernel == GeneratedKernel::default()
        && recipe.blocks.is_none()
        && recipe.cores.is_none()
        && recipe.resources.is_empty()
        && recipe.modes == 1
}

impl Sums {
    /// The utilization of a design that saves so many cycles in a hyperperiod; no design saves all.
    pub fn utilization(&self, saved: u64) -> Rational {
        let demand = self.demand - saved;
        let common = gcd(demand, self.hyperperiod);
        // Neither is 0, and what is left has no common divisor.
        Rational::new_raw((demand / common).into(), (self.hyperperiod / common).into())
    }

    /// The choices of each task.
    pub fn classes(&self) -> impl Iterator<Item = &[(u64, u64)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.choices[start..end])
    }

    /// The most cycles that a design saves in a hyperperiod.
    pub fn most_saved(&self) -> u64 {
        self.classes().filter_map(|choices| choices.iter().map(|(_, saved)| saved).max()).sum()
    }

    /// Begins a set with areas of this range.
    pub(super) fn begin(&mut self, area: DecimalRange) {
        self.parts = area.unit();
        self.choices.clear();
        self.ends.clear();
        self.timings.clear();
    }

    /// Ends a task whose choices were added, each with the cycles that it saves per job.
    pub(super) fn end_task(&mut self, timing: GeneratedTiming) {
        self.ends.push(self.choices.len());
        self.timings.push(timing);
    }

    /// Adds up the tasks; `false` if a sum is 2^61 or more.
    pub(super) fn add_up(&mut self, clock_mhz: u64) -> bool {
        self.largest(clock_mhz).is_some_and(|largest| largest < MOST)
    }

    /// Adds up the tasks. The largest sum; `None` if it does not fit 64 bits.
    fn largest(&mut self, clock_mhz: u64) -> Option<u64> {
        let mut period = 1;
        for timing in &self.timings {
            let own = timing.period_us;
            if period % own != 0 {
                period = (period / gcd(period, own)).checked_mul(own)?;
            }
        }
        self.hyperperiod = period.checked_mul(clock_mhz)?;
        self.demand = 0;
        let (mut area, mut start) = (0u64, 0);
        for (timing, &end) in self.timings.iter().zip(&self.ends) {
            let jobs = period / timing.period_us;
            self.demand = self.demand.checked_add(timing.wcet.checked_mul(jobs)?)?;
            for (own, saved) in &mut self.choices[start..end] {
                // Less than the demand.
                *saved *= jobs;
                area = area.checked_add(*own)?;
            }
            start = end;
        }
        Some(self.hyperperiod.max(self.demand).max(area))
    }
}

/// An area that was counted in so many parts of a unit.
pub fn in_units(area: u64, parts: u64) -> Rational {
    match parts {
        1 => Rational::from_integer(area.into()),
        parts => Rational::new(area.into(), parts.into()),
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
