//! The one runner of all benchmarks: runs a contestant until its times say enough.
//!
//! The first run of a contestant is fully checked and serves as warm-up; its time counts only if it is too long to be
//! repeated. Then up to [`Settings::repeat`] runs are timed, fewer if they take more than two seconds together. Times
//! are the library's own, separately for `reduce`, `solve` and `traceback`. A wrong answer ends the benchmark.

use super::BenchError;
use super::compare::Difference;
use super::timed::{Sample, Timed};
use isx_engine::{EngineError, Refusal};
use isx_machine::Machine;
use isx_machine::cpu::seconds_waited;
use isx_problems::account::Account;
use isx_solve::SolveError;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The name of the planner's choice in lists of engines.
pub const AUTO: &str = "auto";

/// How much of a problem a contestant examines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Work {
    /// Every item, dominated or not: no reduction, no bounds.
    Raw,
    /// The items that remain after the reduction.
    Reduced,
}

/// How to measure.
#[derive(Clone)]
pub struct Settings<'a> {
    /// Most timed runs per contestant.
    pub repeat: usize,
    /// A contestant that expects to take longer is skipped; the textbook engine never is.
    pub patience: Duration,
    /// Memory and a GPU; a contestant brings its own number of threads.
    pub machine: Machine,
    /// Notified of what is measured next.
    pub tell: &'a dyn Fn(&str),
}

/// The outcome for a contestant.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Its answer was right, with these times.
    Timed(Timed),
    /// It was not run, or gave no answer, for this reason.
    NotMeasured(String),
}

impl Outcome {
    /// The times, if there are any.
    pub fn timed(&self) -> Option<&Timed> {
        match self {
            Self::Timed(timed) => Some(timed),
            Self::NotMeasured(_) => None,
        }
    }
}

/// One run, whose answer is right.
pub struct Run {
    /// Its time.
    pub sample: Sample,
    /// The engine's own description of the run.
    pub ran_on: String,
    /// Of the processor.
    pub threads: usize,
    /// What it computed with.
    pub arithmetic: String,
    /// Cells of the table that it computed.
    pub updates: u64,
}

impl Run {
    /// The run that an account describes.
    pub fn of(account: &Account) -> Self {
        Self {
            sample: Sample::of(&account.timings),
            ran_on: account.ran_on(),
            threads: account.threads,
            arithmetic: account.arithmetic.to_string(),
            updates: account.updates,
        }
    }
}

/// Why a contestant has no times.
pub enum Stopped {
    /// It refuses the problem.
    Solve(SolveError),
    /// It was not run, for this reason.
    Refused(String),
    /// Its answer is wrong.
    Wrong(Difference),
}

impl From<SolveError> for Stopped {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::SelfCheck(mismatch) => Self::Wrong(mismatch.into()),
            error => Self::Solve(error),
        }
    }
}

impl From<Difference> for Stopped {
    fn from(difference: Difference) -> Self {
        Self::Wrong(difference)
    }
}

impl Stopped {
    /// Why it has no times, without its name, which is printed next to it.
    /// Fails if its answer is wrong.
    pub fn why(self, contestant: &str, instance: &str) -> Result<String, BenchError> {
        Ok(match self {
            Self::Solve(SolveError::Engine(Refusal { cause: EngineError::Unavailable(why), .. })) => why,
            Self::Solve(SolveError::Engine(Refusal { cause, .. })) => format!("it {cause}"),
            Self::Solve(error) => error.to_string(),
            Self::Refused(why) => why,
            Self::Wrong(difference) => return Err(BenchError::wrong(contestant, instance, difference)),
        })
    }
}

/// The outcome for a contestant on an instance.
/// Fails if its answer is wrong; a refusal is an outcome.
pub fn outcome(
    contestant: &str,
    instance: &str,
    timed: Result<Timed, Stopped>,
) -> Result<Outcome, BenchError> {
    match timed {
        Ok(timed) => Ok(Outcome::Timed(timed)),
        Err(stopped) => stopped.why(contestant, instance).map(Outcome::NotMeasured),
    }
}

/// Runs end once they have taken this long together.
const ENOUGH: Duration = Duration::from_secs(2);

/// The times of up to `repeat` runs after the first; with 0 the first one's. `once` solves, and checks the answer.
pub fn runs(repeat: usize, once: &mut dyn FnMut() -> Result<Run, Stopped>) -> Result<Timed, Stopped> {
    let waited_before = seconds_waited();
    let started = Instant::now();
    let Run { sample, ran_on, threads, arithmetic, updates } = once()?;
    let mut samples = Vec::new();
    if repeat == 0 || started.elapsed() >= ENOUGH {
        samples.push(sample);
    }
    while samples.len() < repeat && (samples.is_empty() || started.elapsed() < ENOUGH) {
        samples.push(once()?.sample);
    }
    let spent = started.elapsed().as_secs_f64().max(1e-9);
    let waited = || Some((seconds_waited()? - waited_before?) / spent);
    Ok(Timed { waited: waited(), ran_on, threads: Some(threads), arithmetic, updates, samples })
}
