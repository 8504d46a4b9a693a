//! 0-1 knapsack engines on named instances: checked answers and the times of whole runs.
//!
//! An answer is checked before its time is recorded: its items are summed again, and its profit must be the known
//! optimum of the instance, or else that of the other engines. If only one engine was requested and no optimum is
//! known, another engine answers too, without being timed. Fronts are compared point by point. Times are the
//! library's own (reduction, solve, items); the first run is a warm-up and counts only if it is too long to be
//! repeated.

use super::BenchError;
use super::compare::Difference;
use super::comparison::{Entry, Problem};
use super::patience::Patient;
use super::runner::{AUTO, Outcome, Run, Settings, Stopped, Work, outcome, runs};
use super::timed::{Timed, series};
use crate::charts::chart::Series;
use isx_engine::{Auto, Entry as Engine, Hardware, Registry, Threads};
use isx_knapsack::cuda::{Cuda, Options as OnGpu, Width};
use isx_knapsack::{ENGINES, Knapsack as Family, Wanted};
use isx_problems::knapsack::{Claim, Knapsack};
use isx_solve::knapsack::{Options as Solving, Solution, solve, solve_with};
use num_bigint::BigInt;

/// The title of the benchmarks.
pub const TITLE: &str = "0-1 knapsack engines";

/// An instance and a question.
pub struct Case {
    /// Its name.
    pub name: String,
    /// The problem.
    pub problem: Knapsack,
    /// The question: one capacity or all.
    pub wanted: Wanted,
    /// The optimum, if known.
    pub optimum: Option<BigInt>,
    /// The time of combo on another machine, if it is recorded; none if it did not finish.
    pub recorded: Option<Option<f64>>,
}

/// A contestant: an engine of the registry, or the planner.
#[derive(Clone, Copy)]
enum Who {
    Planner,
    Engine(&'static Engine<Family>, Work),
}

impl Who {
    fn name(self) -> &'static str {
        match self {
            Self::Planner => AUTO,
            Self::Engine(entry, _) => entry.name,
        }
    }

    fn work(self) -> Work {
        match self {
            Self::Planner => Work::Reduced,
            Self::Engine(_, work) => work,
        }
    }

    fn is_gpu(self) -> bool {
        matches!(self, Self::Engine(Engine { hardware: Hardware::Gpu, .. }, _))
    }
}

/// Engines that are measured only: other settings of the product's.
#[rustfmt::skip]
pub static SETTINGS: Registry<Family> = Registry(&[
    Engine { name: "cuda-wide", about: "the cuda engine with the lightest items first and cells of at least 32 bits", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &Cuda(OnGpu { at_least: Width::W32, heaviest_first: false, ..OnGpu::DEFAULT }) },
]);

/// Who is measured: engines by name, of the product's registry and of one that is measured only.
#[derive(Clone, Copy)]
pub struct Entrants<'a> {
    /// Names, `auto` among them, or with `:raw` after the name to get the items as they are; if empty, all that the planner
    /// may select.
    pub names: &'a [String],
    /// The registry beside the product's.
    pub also: &'static Registry<Family>,
}

impl Entrants<'_> {
    fn engines(&self) -> impl Iterator<Item = &'static Engine<Family>> + use<> {
        ENGINES.iter().chain(self.also.iter())
    }

    fn contestants(&self) -> Result<Vec<Who>, BenchError> {
        if self.names.is_empty() {
            let taken = ENGINES.iter().filter(|entry| !entry.judge && entry.auto != Auto::Never);
            return Ok(taken.map(|entry| Who::Engine(entry, Work::Reduced)).collect());
        }
        let find = |given: &String| {
            let (name, work) = match given.strip_suffix(":raw") {
                Some(name) => (name, Work::Raw),
                None => (given.as_str(), Work::Reduced),
            };
            match self.engines().find(|entry| entry.name == name) {
                _ if given == AUTO => Ok(Who::Planner),
                Some(entry) => Ok(Who::Engine(entry, work)),
                None => {
                    let why = "there is no engine of that name".to_owned();
                    Err(BenchError::Unavailable { engine: given.clone(), why })
                }
            }
        };
        self.names.iter().map(find).collect()
    }
}

/// Measures every contestant on an instance; without names, those that the planner may select. `again` lets another engine
/// solve it where nothing else confirms the only answer. Fails if an engine is unknown or an answer is wrong; a contestant that
/// refuses is noted.
pub fn measure_one(
    case: &Case,
    entrants: Entrants,
    settings: &Settings,
    again: bool,
) -> Result<Problem, BenchError> {
    let contestants = &entrants.contestants()?;
    let mut judge = Judge { case, settings, entrants, first: None };
    let mut entries = Vec::new();
    for &who in contestants {
        (settings.tell)(&format!("{}, {}", case.name, who.name()));
        entries.push(judge.contestant(who)?);
    }
    let answered = entries.iter().filter(|entry: &&Entry| entry.outcome.timed().is_some()).count();
    let checked_by = match (&case.optimum, answered) {
        (_, 0) => "no engine answered in time".to_owned(),
        (Some(_), _) => "the set's optimum".to_owned(),
        (None, 1) if again => judge.second(contestants)?,
        (None, 1) => "the sum of its items".to_owned(),
        (None, answered) => format!("{answered} engines that agree"),
    };
    let optimum = judge.first.as_ref().and_then(|claim| claim.profit(claim.len() - 1));
    let answer = match &optimum {
        Some(optimum) => format!("profit {optimum}, checked by {checked_by}"),
        None => checked_by,
    };
    if let Some(seconds) = case.recorded {
        entries.push(Entry {
            contestant: RECORDED.to_owned(),
            work: Work::Reduced,
            series: Series::Baseline,
            outcome: match seconds {
                Some(seconds) => Outcome::Timed(Timed::once("another machine", seconds)),
                None => Outcome::NotMeasured("not finished".into()),
            },
        });
    }
    let candidates = case.problem.items.len() as f64 * (case.problem.capacity as f64 + 1.0);
    let optimum = optimum.map(|profit| profit.to_string());
    Ok(Problem { name: case.name.clone(), answer, optimum, candidates, entries })
}

/// The program whose times lie in the set.
const RECORDED: &str = "combo, recorded on another machine";

/// An instance and the first answer to it, with which the others are compared.
struct Judge<'a> {
    case: &'a Case,
    settings: &'a Settings<'a>,
    entrants: Entrants<'a>,
    first: Option<Claim>,
}

impl Judge<'_> {
    fn contestant(&mut self, who: Who) -> Result<Entry, BenchError> {
        let timed = runs(self.settings.repeat, &mut || {
            let solution = self.answer(who)?;
            let run = Run::of(&solution.account);
            self.check(solution.claim)?;
            Ok(run)
        });
        let outcome = outcome(who.name(), &self.case.name, timed)?;
        let series = series(false, who.is_gpu());
        Ok(Entry { contestant: who.name().to_owned(), work: who.work(), series, outcome })
    }

    /// An answer whose items were summed again.
    fn answer(&self, who: Who) -> Result<Solution, Stopped> {
        let Case { problem, wanted, .. } = self.case;
        let Settings { machine, patience, .. } = self.settings;
        let options = Solving { wanted: *wanted, machine: machine.clone(), ..Solving::default() };
        let Who::Engine(entry, work) = who else { return Ok(solve(problem, &options)?) };
        let options = Solving { raw: work == Work::Raw, ..options };
        let patient = Patient { engine: entry.engine, patience: *patience };
        Ok(solve_with(problem, entry.name, &patient, &options)?)
    }

    /// Compares an answer with the known optimum and the first answer.
    fn check(&mut self, claim: Claim) -> Result<(), Difference> {
        let last = claim.len() - 1;
        let differs = |what, found, wanted| Difference { point: None, what, found, wanted };
        let profit = claim.profit(last);
        let printed = |profit: &Option<BigInt>| profit.as_ref().map_or("nothing".into(), ToString::to_string);
        if let Some(optimum) = &self.case.optimum
            && profit.as_ref() != Some(optimum)
        {
            return Err(differs("profit", printed(&profit), optimum.to_string()));
        }
        let Some(first) = &self.first else {
            self.first = Some(claim);
            return Ok(());
        };
        if claim.len() != first.len() {
            return Err(differs("points", claim.len().to_string(), first.len().to_string()));
        }
        for point in 0..claim.len() {
            let (found, wanted) = (claim.profit(point), first.profit(point));
            if found != wanted || claim.weights[point] != first.weights[point] {
                let printed =
                    |claim: &Claim, profit| format!("{} at {}", printed(&profit), claim.weights[point]);
                let (found, wanted) = (printed(&claim, found), printed(first, wanted));
                return Err(Difference { point: Some(point), what: "profit", found, wanted });
            }
        }
        Ok(())
    }

    /// Lets another engine answer, so that the only answer is compared with another; returns its name.
    fn second(&mut self, contestants: &[Who]) -> Result<String, BenchError> {
        let asked = |entry: &&Engine<Family>| contestants.iter().any(|who| who.name() == entry.name);
        for entry in self.entrants.engines().filter(|entry| !asked(entry)) {
            let who = Who::Engine(entry, Work::Reduced);
            if let Ok(solution) = self.answer(who) {
                let wrong = |difference| BenchError::wrong(entry.name, &self.case.name, difference);
                self.check(solution.claim).map_err(wrong)?;
                return Ok(format!("the {} engine, which agrees", entry.name));
            }
        }
        Ok("the sum of its items alone: no other engine answers in time".into())
    }
}
