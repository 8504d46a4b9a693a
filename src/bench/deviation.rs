//! Measures how wrong floats are, on task sets built to show it.

use super::BenchError;
use super::runner::Settings;
use super::study::Study;
use super::study_front::{StudyFront, exact_front};
use isx_bench::thesis::float_front::{FloatFront, FloatVariant, float_front};
use isx_exact::quantity::Rational;
use isx_exact::sampling::Sampler;
use isx_taskset::{Choice, KernelCosts, Resources, Scheduler, Task, TaskSet, TimeBase, WrittenUnits};
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

impl Study {
    /// Compares a float front with the exact one, after summing its configurations exactly.
    #[must_use]
    pub fn deviation(&self, front: &FloatFront) -> Deviation {
        let exact: BTreeSet<(u64, BigInt)> = match exact_front(&self.formulation, &self.exact) {
            StudyFront::Exact { areas, demands } => areas.into_iter().zip(demands).collect(),
            StudyFront::Floats { .. } => BTreeSet::new(),
        };
        let one = Rational::from(BigInt::from(1));
        let mut found = BTreeSet::new();
        let mut deviation =
            Deviation { points: front.len(), exact_points: exact.len(), ..Deviation::default() };
        for point in 0..front.len() {
            let choices = front.choices(point);
            let utilization = self.formulation.utilization(choices);
            let area = self.formulation.area_units(choices).unwrap_or(u64::MAX);
            let demand = (&utilization * &self.formulation.hyperperiod).to_integer();
            let design = (area, demand);
            deviation.spurious += usize::from(!exact.contains(&design));
            deviation.wrong_verdicts +=
                usize::from((front.utilizations[point] <= 1.0) != (utilization <= one));
            found.insert(design);
        }
        deviation.missing = exact.difference(&found).count();
        deviation
    }
}

/// The errors of fronts that floats computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deviation {
    /// Points in the float front.
    pub points: usize,
    /// Points in the exact front.
    pub exact_points: usize,
    /// Points of the float front whose design, summed exactly, is not on the exact front.
    pub spurious: usize,
    /// Points of the exact front that are missing.
    pub missing: usize,
    /// Points of the float front for which U <= 1 is decided wrongly.
    pub wrong_verdicts: usize,
}

impl Deviation {
    fn add(&mut self, other: Self) {
        self.points += other.points;
        self.exact_points += other.exact_points;
        self.spurious += other.spurious;
        self.missing += other.missing;
        self.wrong_verdicts += other.wrong_verdicts;
    }
}

/// The deviations of every variant, summed over small task sets, each with a design of utilization exactly 1.
///
/// # Errors
///
/// When a set is not solved.
pub fn deviations_at_one(
    sets: u64,
    settings: &Settings,
) -> Result<Vec<(FloatVariant, Deviation)>, BenchError> {
    let mut sums = FloatVariant::ALL.map(|variant| (variant, Deviation::default()));
    for seed in 0..sets {
        let study = Study::new(&set_at_one(seed), None)?;
        for (variant, sum) in &mut sums {
            let front = float_front(&study.formulation, *variant, &settings.machine)
                .map_err(|cause| BenchError::NoFloats { instance: study.name.clone(), cause })?;
            sum.add(study.deviation(&front));
        }
    }
    Ok(sums.to_vec())
}

/// Periods in milliseconds; the last is a multiple of all.
const PERIODS: [u64; 7] = [10, 20, 25, 40, 50, 100, 200];
/// Time units per millisecond: so coarse that many designs tie, which floats miss.
const MILLISECOND: u64 = 1;

/// A set of two to six tasks with one design of utilization 1: its demands sum to the hyperperiod.
pub(super) fn set_at_one(seed: u64) -> TaskSet {
    let mut sampler = Sampler::new(seed);
    let count = sampler.uniform(2, 6);
    let hyperperiod = PERIODS[PERIODS.len() - 1];
    let mut left = hyperperiod * MILLISECOND;
    let mut tasks = Vec::new();
    for number in 1..=count {
        // The last task's period is the hyperperiod, so the remaining demand is an integer WCET for it.
        let last = number == count;
        let period = if last { hyperperiod } else { sampler.pick(&PERIODS).copied().unwrap_or(hyperperiod) };
        let wcet = if last { left } else { sampler.uniform(1, period * MILLISECOND / count) };
        left = left.saturating_sub(wcet * (hyperperiod / period));
        tasks.push(random_task(number, wcet, period * MILLISECOND, &mut sampler));
    }
    let name = format!("a set with a design at U = 1, seed {seed}");
    TaskSet {
        name,
        description: None,
        source: None,
        time_base: TimeBase::Unnamed,
        written: WrittenUnits::default(),
        scheduler: Scheduler::Edf,
        switch: Rational::default(),
        blocks: Vec::new(),
        resources: Resources::area(""),
        priced: None,
        variants: Vec::new(),
        modes: Vec::new(),
        cores: None,
        tasks,
        what_if: Vec::new(),
        overruns: None,
        margin: Rational::default(),
    }
}

/// A task whose first choice has the given execution time.
fn random_task(number: u64, wcet: u64, period: u64, sampler: &mut Sampler) -> Task {
    let integer = |value: u64| Rational::from(BigInt::from(value));
    let saving = sampler.uniform(1, wcet);
    let mut choice = |name: &str, lost: u64| Choice {
        name: name.into(),
        cost: vec![integer(sampler.uniform(1, 60))],
        wcets: vec![integer(wcet + lost)],
        wcet_high: None,
        locks: None,
        uses: Vec::new(),
        source: None,
    };
    let choices = vec![choice("planted", 0), choice("half", saving / 2), choice("quarter", saving / 4)];
    Task {
        name: format!("task-{number}"),
        wcets: vec![integer(wcet + saving)],
        wcet_high: None,
        period: integer(period),
        deadline: integer(period),
        timings: Vec::new(),
        priority: None,
        kernel: KernelCosts::default(),
        choices,
        forced: false,
    }
}
