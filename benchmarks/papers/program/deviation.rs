//! Measures how wrong floats are, on task sets built to show it.

use super::study::Study;
use super::study_front::{StudyFront, exact_front};
use isx_bench::BenchError;
use isx_bench::runner::Settings;
use isx_exact::quantity::Rational;
use isx_exact::sampling::Sampler;
use isx_papers::thesis::float_front::{FloatFront, FloatVariant, float_front};
use isx_taskset::{TaskSet, read_str};
use num_bigint::BigInt;
use std::collections::BTreeSet;

impl Study {
    /// Compares a float front with the exact one, after summing its configurations exactly.
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
            let area = self.formulation.weight(choices).unwrap_or(u64::MAX);
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// Its counts, in the order of the fields.
    pub fn counts(&self) -> [usize; 5] {
        [self.points, self.exact_points, self.spurious, self.missing, self.wrong_verdicts]
    }

    fn add(&mut self, other: Self) {
        self.points += other.points;
        self.exact_points += other.exact_points;
        self.spurious += other.spurious;
        self.missing += other.missing;
        self.wrong_verdicts += other.wrong_verdicts;
    }
}

/// The deviations of every variant, summed over small task sets, each with a design of utilization exactly 1.
/// Fails when a set is not solved.
pub fn deviations_at_one(
    sets: u64,
    settings: &Settings,
) -> Result<Vec<(FloatVariant, Deviation)>, BenchError> {
    let mut sums = FloatVariant::ALL.map(|variant| (variant, Deviation::default()));
    for seed in 0..sets {
        let study = Study::new(&set_at_one(seed)?, None)?;
        for (variant, sum) in &mut sums {
            let front = float_front(&study.formulation, *variant, &settings.machine)
                .map_err(|cause| study.no_floats(cause))?;
            sum.add(study.deviation(&front));
        }
    }
    Ok(sums.to_vec())
}

/// Periods in milliseconds; the last is a multiple of all.
const PERIODS: [u64; 7] = [10, 20, 25, 40, 50, 100, 200];

/// A set of two to six tasks with one design of utilization 1: its demands sum to the hyperperiod. Its times are in
/// milliseconds, so coarse that many designs tie, which floats miss.
/// Fails if the text is no task set.
pub(super) fn set_at_one(seed: u64) -> Result<TaskSet, BenchError> {
    let mut sampler = Sampler::new(seed);
    let count = sampler.uniform(2, 6);
    let hyperperiod = PERIODS[PERIODS.len() - 1];
    let (mut left, mut text) =
        (hyperperiod, format!("name: a set with a design at U = 1, seed {seed}\ntasks:\n"));
    for number in 1..=count {
        // The last task's period is the hyperperiod, so the remaining demand is an integer WCET for it.
        let last = number == count;
        let period = if last { hyperperiod } else { sampler.pick(&PERIODS).copied().unwrap_or(hyperperiod) };
        let wcet = if last { left } else { sampler.uniform(1, period / count) };
        left = left.saturating_sub(wcet * (hyperperiod / period));
        // The first choice has that execution time.
        let saving = sampler.uniform(1, wcet);
        let choices = [("planted", 0), ("half", saving / 2), ("quarter", saving / 4)].map(|(name, lost)| {
            let (area, wcet) = (sampler.uniform(1, 60), wcet + lost);
            format!("{{name: {name}, area: {area}, wcet: {wcet}}}")
        });
        let (wcet, choices) = (wcet + saving, choices.join(", "));
        text +=
            &format!("  - {{name: task-{number}, wcet: {wcet}, period: {period}, choices: [{choices}]}}\n");
    }
    let unread = |error: isx_taskset::ReadError| BenchError::Set(error.to_string());
    read_str("a set at U = 1", &text).map_err(unread).map(|reading| reading.task_set)
}
