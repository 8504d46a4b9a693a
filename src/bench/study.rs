//! The thesis's case study: task sets, the tables that compute their fronts, and how far floats lead astray.
//!
//! A float table is timed once its step function is everywhere as close to the exact one as its rounding allows. That
//! is not to be right: [`Deviation`] counts the points that are no points, those that are missing, and the verdicts
//! that are wrong.

use super::gpu::Named;
use super::measure::{Outcome, Sample, Settings, Timed, seconds_waited};
use super::{BenchError, Difference};
use isx::engine::mckp::Wanted;
use isx::formulate::{Formulation, formulate};
use isx::quantity::{Rational, approx};
use isx::sampling::Sampler;
use isx::solve::{Options, Solution, solve_unchecked, solve_with};
use isx::taskset::generate::generate;
use isx::taskset::recipe::thesis_set;
use isx::taskset::{Choice, Task, TaskSet, TimeBase, read_str};
use isx::thesis::float_front::{FloatFront, FloatVariant, float_front};
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// A task set with its exact front.
pub struct Study {
    /// Name of the task set.
    pub name: String,
    /// The task set in integers.
    pub formulation: Formulation,
    exact: Solution,
}

/// A table's front, as its own arithmetic sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum StudyFront {
    /// Areas and utilizations; computed with this rounding.
    Floats {
        /// Areas, strictly rising.
        areas: Vec<u64>,
        /// Utilizations, strictly falling.
        utilizations: Vec<f64>,
        /// The distance from 1 to the next float.
        epsilon: f64,
    },
    /// Areas and demands over a hyperperiod, exactly.
    Exact {
        /// Areas, strictly rising.
        areas: Vec<u64>,
        /// Demands, strictly falling.
        demands: Vec<BigInt>,
    },
}

impl StudyFront {
    /// The front of a row of utilizations, one an area from 0 on.
    #[must_use]
    pub fn of_utilizations(row: &[f64], epsilon: f64) -> Self {
        let (mut areas, mut utilizations) = (Vec::new(), Vec::new());
        for (area, &utilization) in (0..).zip(row) {
            if utilizations.last().is_none_or(|&least| utilization < least) {
                areas.push(area);
                utilizations.push(utilization);
            }
        }
        Self::Floats { areas, utilizations, epsilon }
    }

    /// The front of a row of demands saved over a hyperperiod, one an area from 0 on; `base` is the software's demand.
    #[must_use]
    pub fn of_savings(row: &[i64], base: &BigInt) -> Self {
        let (mut areas, mut demands) = (Vec::new(), Vec::new());
        let mut most = None;
        for (area, &saved) in (0..).zip(row) {
            if most.is_none_or(|most| saved > most) {
                most = Some(saved);
                areas.push(area);
                demands.push(base - saved);
            }
        }
        Self::Exact { areas, demands }
    }
}

/// A run of a table: its front, its time in seconds, and the candidates it looked at.
pub struct StudyRun {
    /// The front.
    pub front: StudyFront,
    /// Seconds of table and front, transfers included.
    pub seconds: f64,
    /// Candidates.
    pub updates: u64,
    /// How it ran.
    pub ran_on: String,
    /// Threads that took part.
    pub threads: usize,
    /// The arithmetic.
    pub arithmetic: String,
}

type RunStudy = dyn Fn(&Formulation, &Settings) -> Result<StudyRun, String>;

/// A table of the case study.
pub struct StudyContestant {
    /// Its name.
    pub name: &'static str,
    /// Computes the front, or says why not.
    pub run: Box<RunStudy>,
}

impl StudyContestant {
    /// A float table on one core.
    #[must_use]
    pub fn floats(name: &'static str, variant: FloatVariant) -> Self {
        let run = move |formulation: &Formulation, settings: &Settings| {
            let front =
                float_front(formulation, variant, &settings.machine).map_err(|error| error.to_string())?;
            Ok(StudyRun {
                seconds: front.solve.as_secs_f64(),
                updates: front.updates,
                ran_on: format!("{} (1 thread)", variant.name()),
                threads: 1,
                arithmetic: variant.name().into(),
                front: StudyFront::Floats {
                    areas: front.areas,
                    utilizations: front.utilizations,
                    epsilon: variant.epsilon(),
                },
            })
        };
        Self { name, run: Box::new(run) }
    }

    /// The soonest of several, run one after the other.
    #[must_use]
    pub fn soonest(name: &'static str, of: Vec<Self>) -> Self {
        let run = move |formulation: &Formulation, settings: &Settings| {
            let runs = of.iter().map(|contestant| (contestant.run)(formulation, settings));
            let sooner = |one: Result<StudyRun, String>, other: Result<StudyRun, String>| match (one, other) {
                (Ok(one), Ok(other)) => Ok(if one.seconds <= other.seconds { one } else { other }),
                (one, other) => one.or(other),
            };
            runs.reduce(sooner).unwrap_or_else(|| Err("there is nobody to run".into()))
        };
        Self { name, run: Box::new(run) }
    }

    /// An exact engine; on all the work if `raw`.
    #[must_use]
    pub fn engine(name: &'static str, (engine_name, engine): Named, raw: bool, threads: usize) -> Self {
        let run = move |formulation: &Formulation, settings: &Settings| {
            let machine = settings.machine.clone().with_threads(threads);
            let options = Options { raw, wanted: Wanted::Values, machine, ..Options::default() };
            let solution = solve_with(&formulation.problem, engine_name, engine, &options)
                .map_err(|error| error.to_string())?;
            let account = &solution.account;
            Ok(StudyRun {
                seconds: (account.timings.reduce + account.timings.solve).as_secs_f64(),
                updates: account.updates,
                ran_on: account.ran_on(),
                threads: account.threads,
                arithmetic: account.arithmetic.to_string(),
                front: exact_front(formulation, &solution),
            })
        };
        Self { name, run: Box::new(run) }
    }
}

fn exact_front(formulation: &Formulation, solution: &Solution) -> StudyFront {
    let claim = &solution.claim;
    StudyFront::Exact {
        areas: claim.weights.clone(),
        demands: (0..claim.len()).map(|point| &formulation.base_demand - claim.values.get(point)).collect(),
    }
}

impl Study {
    /// Task set 1 to 5 of Table 6.1, with generated figures; `None` beyond.
    ///
    /// # Errors
    ///
    /// When the set cannot be generated, read, put in integers or solved.
    pub fn thesis(number: usize) -> Option<Result<Self, BenchError>> {
        let recipe = thesis_set(number)?;
        let made = generate(&recipe).map_err(BenchError::from).and_then(|text| {
            let unread = |error: isx::taskset::ReadError| BenchError::TaskSet {
                name: recipe.name.clone(),
                why: error.to_string(),
            };
            let reading = read_str(&recipe.name, &text).map_err(unread)?;
            Self::new(&reading.task_set)
        });
        Some(made)
    }

    /// A task set with its exact front, found by the planner's engine.
    ///
    /// # Errors
    ///
    /// When it cannot be put in integers or solved.
    pub fn new(task_set: &TaskSet) -> Result<Self, BenchError> {
        let formulation = formulate(task_set, None)?;
        let exact = solve_unchecked(&formulation.problem, &Options::default())
            .map_err(|cause| BenchError::NoJudge { instance: task_set.name.clone(), cause })?;
        Ok(Self { name: task_set.name.clone(), formulation, exact })
    }

    /// Points of the exact front.
    #[must_use]
    pub fn points(&self) -> usize {
        self.exact.claim.len()
    }

    /// The exact least demand within an area; the front begins at area 0.
    fn demand_within(&self, area: u64) -> BigInt {
        let point = self.exact.claim.within(area).saturating_sub(1);
        &self.formulation.base_demand - self.exact.claim.values.get(point)
    }

    /// Holds a front against the exact one: equal if it is exact, everywhere within its rounding if not.
    fn check(&self, front: &StudyFront) -> Result<(), Difference> {
        let different = |point: usize, what, found: String, wanted: String| {
            Err(Difference { point: Some(point), what, found, wanted })
        };
        match front {
            StudyFront::Exact { .. } => {
                let exact = exact_front(&self.formulation, &self.exact);
                let (StudyFront::Exact { areas, demands }, StudyFront::Exact { areas: a, demands: d }) =
                    (front, &exact)
                else {
                    return Ok(());
                };
                if areas.len() != a.len() {
                    let (found, wanted) = (areas.len().to_string(), a.len().to_string());
                    return Err(Difference { point: None, what: "points", found, wanted });
                }
                for point in 0..a.len() {
                    if areas[point] != a[point] {
                        return different(point, "weight", areas[point].to_string(), a[point].to_string());
                    }
                    if demands[point] != d[point] {
                        return different(point, "value", demands[point].to_string(), d[point].to_string());
                    }
                }
                Ok(())
            }
            StudyFront::Floats { areas, utilizations, epsilon } => {
                // Each of the m sums and m + m quotients rounds by half an epsilon of a figure below the software's.
                let base = self.utilization(&self.formulation.base_demand);
                let tolerance = (2 * self.formulation.tasks.len() + 4) as f64 * epsilon * base.max(1.0);
                let exact = (0..self.exact.claim.len()).map(|point| self.exact.claim.weights[point]);
                let corners: BTreeSet<u64> = areas.iter().copied().chain(exact).collect();
                for area in corners {
                    let wanted = self.utilization(&self.demand_within(area));
                    let point = areas.partition_point(|&other| other <= area);
                    let found = point.checked_sub(1).map_or(f64::INFINITY, |point| utilizations[point]);
                    let close = (found - wanted).abs() <= tolerance;
                    if !close {
                        return different(
                            point.saturating_sub(1),
                            "utilization",
                            found.to_string(),
                            wanted.to_string(),
                        );
                    }
                }
                Ok(())
            }
        }
    }

    fn utilization(&self, demand: &BigInt) -> f64 {
        approx(&Rational::new(demand.clone(), self.formulation.hyperperiod.clone()))
    }

    /// Measures a contestant: the first run is checked and warms up, every other is checked too.
    ///
    /// # Errors
    ///
    /// [`BenchError::Wrong`] when a front is not what it must be.
    pub fn measure(&self, contestant: &StudyContestant, settings: &Settings) -> Result<Outcome, BenchError> {
        let waited_before = seconds_waited();
        let started = Instant::now();
        let mut timed: Option<Timed> = None;
        for run in 0..=settings.repeat.max(1) {
            let answered = match (contestant.run)(&self.formulation, settings) {
                Ok(answered) => answered,
                Err(why) => return Ok(Outcome::NotMeasured(why)),
            };
            self.check(&answered.front).map_err(|difference| BenchError::Wrong {
                contestant: contestant.name.into(),
                instance: self.name.clone(),
                difference: Box::new(difference),
            })?;
            let sample = Sample { reduce: 0.0, solve: answered.seconds, traceback: 0.0 };
            match &mut timed {
                None => {
                    let StudyRun { ran_on, threads, arithmetic, updates, .. } = answered;
                    timed = Some(Timed {
                        ran_on,
                        threads: Some(threads),
                        arithmetic,
                        updates,
                        samples: vec![sample],
                        waited: None,
                    });
                }
                // The first run only warmed up.
                Some(timed) if run == 1 => timed.samples = vec![sample],
                Some(timed) => timed.samples.push(sample),
            }
            if run > 0 && started.elapsed() > Duration::from_secs(4) {
                break;
            }
        }
        let waited =
            || Some((seconds_waited()? - waited_before?) / started.elapsed().as_secs_f64().max(1e-9));
        let timed = timed.map(|timed| Timed { waited: waited(), ..timed });
        Ok(timed.map_or_else(|| Outcome::NotMeasured("no run".into()), Outcome::Timed))
    }

    /// How far a float front is from the exact one, its configurations summed exactly.
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

/// What is wrong with fronts that floats computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deviation {
    /// Points that floats found.
    pub points: usize,
    /// Points there are.
    pub exact_points: usize,
    /// Points found whose design, summed exactly, is not on the front.
    pub spurious: usize,
    /// Points of the front that were not found.
    pub missing: usize,
    /// Points found whose U <= 1 is decided wrongly.
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

/// The deviations of every variant, summed over small task sets each of which has a design of utilization exactly 1.
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
        let study = Study::new(&set_at_one(seed))?;
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
/// Time units of a millisecond: so coarse that many designs tie, which floats do not see.
const MILLISECOND: u64 = 1;

/// A set of two to six tasks of which one design has utilization 1: its demands add up to the hyperperiod.
fn set_at_one(seed: u64) -> TaskSet {
    let mut sampler = Sampler::new(seed);
    let count = sampler.uniform(2, 6);
    let hyperperiod = PERIODS[PERIODS.len() - 1];
    let mut left = hyperperiod * MILLISECOND;
    let mut tasks = Vec::new();
    for number in 1..=count {
        // The last task has the hyperperiod as its period, so whatever is left is a whole time of it.
        let last = number == count;
        let period = if last { hyperperiod } else { sampler.pick(&PERIODS).copied().unwrap_or(hyperperiod) };
        let wcet = if last { left } else { sampler.uniform(1, period * MILLISECOND / count) };
        left = left.saturating_sub(wcet * (hyperperiod / period));
        tasks.push(random_task(number, wcet, period * MILLISECOND, &mut sampler));
    }
    let name = format!("a set with a design at U = 1, seed {seed}");
    TaskSet { name, description: None, area_unit: String::new(), time_base: TimeBase::Unnamed, tasks }
}

/// A task whose first choice has the given execution time.
fn random_task(number: u64, wcet: u64, period: u64, sampler: &mut Sampler) -> Task {
    let integer = |value: u64| Rational::from(BigInt::from(value));
    let saving = sampler.uniform(1, wcet);
    let mut choice = |name: &str, lost: u64| Choice {
        name: name.into(),
        area: integer(sampler.uniform(1, 60)),
        wcet: integer(wcet + lost),
        source: None,
    };
    let choices = vec![choice("planted", 0), choice("half", saving / 2), choice("quarter", saving / 4)];
    Task {
        name: format!("task-{number}"),
        wcet: integer(wcet + saving),
        period: integer(period),
        deadline: integer(period),
        choices,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx::engine::mckp::ENGINES;
    use isx::machine::Machine;

    fn settings() -> Settings<'static> {
        Settings { repeat: 2, patience: Duration::from_secs(5), machine: Machine::default(), tell: &|_| {} }
    }

    #[test]
    fn every_small_set_has_a_design_at_one() {
        for seed in 0..200 {
            let formulation = formulate(&set_at_one(seed), None).unwrap();
            let planted = vec![Some(0); formulation.tasks.len()];
            assert_eq!(formulation.utilization(&planted).to_string(), "1", "seed {seed}");
        }
    }

    #[test]
    fn floats_go_astray_and_exact_tables_do_not() {
        let deviations = deviations_at_one(300, &settings()).unwrap();
        for (variant, deviation) in &deviations {
            assert!(deviation.points > 1000, "{variant:?} {deviation:?}");
            assert!(deviation.spurious + deviation.wrong_verdicts > 0, "{variant:?} {deviation:?}");
        }
        let [double, single] = [0, 1].map(|at: usize| deviations[at].1);
        assert!(single.points >= double.points || single.missing >= double.missing);
    }

    #[test]
    fn a_wrong_table_is_not_timed() {
        let study = Study::new(&set_at_one(7)).unwrap();
        let contestant = |spoil: fn(&mut StudyFront), exact: bool| {
            let right = if exact {
                let list = ENGINES.named("list").unwrap();
                StudyContestant::engine("spoilt", (list.name, list.engine), false, 1)
            } else {
                StudyContestant::floats("spoilt", FloatVariant::DivF64)
            };
            let run = move |formulation: &Formulation, settings: &Settings| {
                let mut run = (right.run)(formulation, settings)?;
                spoil(&mut run.front);
                Ok(run)
            };
            StudyContestant { name: "spoilt", run: Box::new(run) }
        };
        let spoil = |front: &mut StudyFront| match front {
            StudyFront::Floats { utilizations, .. } => utilizations[1] += 1e-9,
            StudyFront::Exact { demands, .. } => demands[1] += 1,
        };
        for exact in [false, true] {
            assert!(study.measure(&contestant(|_| {}, exact), &settings()).unwrap().timed().is_some());
            let error = study.measure(&contestant(spoil, exact), &settings()).unwrap_err();
            assert!(matches!(error, BenchError::Wrong { .. }), "{error}");
        }
    }
}
