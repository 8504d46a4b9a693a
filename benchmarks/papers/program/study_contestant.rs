//! Contestants that compute the case study's tables.

use super::study_front::{StudyFront, exact_front};
use isx_bench::measure::Named;
use isx_bench::runner::{Run, Settings};
use isx_bench::timed::Sample;
use isx_mckp::Wanted;
use isx_papers::thesis::float_front::{FloatVariant, float_front};
use isx_solve::{Options, solve_with};
use isx_taskset::formulate::Formulation;

/// A run of a table, with its front.
pub struct StudyRun {
    /// The front.
    pub front: StudyFront,
    /// The run: table and front, including transfers.
    pub run: Run,
}

/// A run of this many seconds.
pub fn run_of(seconds: f64, updates: u64, ran_on: String, threads: usize, arithmetic: &str) -> Run {
    let sample = Sample { reduce: 0.0, solve: seconds, traceback: 0.0 };
    Run { sample, ran_on, threads, arithmetic: arithmetic.to_owned(), updates }
}

type RunStudy = dyn Fn(&Formulation, &Settings) -> Result<StudyRun, String>;

/// A table of the case study.
pub struct StudyContestant {
    /// Its name.
    pub name: &'static str,
    /// Computes the front, or returns why it cannot.
    pub run: Box<RunStudy>,
}

impl StudyContestant {
    /// A float table on one core.
    pub fn floats(name: &'static str, variant: FloatVariant) -> Self {
        let run = move |formulation: &Formulation, settings: &Settings| {
            let front =
                float_front(formulation, variant, &settings.machine).map_err(|error| error.to_string())?;
            Ok(StudyRun {
                run: run_of(
                    front.solve.as_secs_f64(),
                    front.updates,
                    format!("{} (1 thread)", variant.name()),
                    1,
                    variant.name(),
                ),
                front: StudyFront::Floats {
                    areas: front.areas,
                    utilizations: front.utilizations,
                    epsilon: variant.epsilon(),
                },
            })
        };
        Self { name, run: Box::new(run) }
    }

    /// The fastest of several, run one after the other.
    pub fn soonest(name: &'static str, of: Vec<Self>) -> Self {
        let run = move |formulation: &Formulation, settings: &Settings| {
            let runs = of.iter().map(|contestant| (contestant.run)(formulation, settings));
            let sooner = |one: Result<StudyRun, String>, other: Result<StudyRun, String>| match (one, other) {
                (Ok(one), Ok(other)) => {
                    Ok(if one.run.sample.total() <= other.run.sample.total() { one } else { other })
                }
                (one, other) => one.or(other),
            };
            runs.reduce(sooner).unwrap_or_else(|| Err("there is nobody to run".into()))
        };
        Self { name, run: Box::new(run) }
    }

    /// An exact engine; on all the work if `raw`.
    pub fn engine(name: &'static str, (engine_name, engine): Named, raw: bool, threads: usize) -> Self {
        let run = move |formulation: &Formulation, settings: &Settings| {
            let machine = settings.machine.clone().with_threads(threads);
            let options = Options { raw, wanted: Wanted::Values, machine, ..Options::default() };
            let solution = solve_with(&formulation.mckp(), engine_name, engine, &options)
                .map_err(|error| error.to_string())?;
            let front = exact_front(formulation, &solution);
            Ok(StudyRun { front, run: Run::of(&solution.account) })
        };
        Self { name, run: Box::new(run) }
    }
}
