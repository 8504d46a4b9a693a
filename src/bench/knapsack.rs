//! 0-1 knapsack engines on named instances: checked answers and the times of whole runs.
//!
//! An answer is checked before its time is recorded: its items are summed again, and its profit must be the known
//! optimum of the instance, or else that of the other engines. If only one engine was requested and no optimum is
//! known, another engine answers too, without being timed. Fronts are compared point by point. Times are the
//! library's own (reduction, solve, items); the first run is a warm-up and counts only if it is too long to be
//! repeated.

use super::BenchError;
use super::compare::Difference;
use super::machine::Machine;
use super::measure::AUTO;
use super::patience::Patient;
use super::timed::median_of;
use isx_bench::knapsack::ENGINES as COMPARED;
use isx_engine::{Auto, Context, EngineError, Entry, Hardware, Refusal, Request};
use isx_knapsack::{ENGINES, Knapsack as Family, Wanted};
use isx_machine::Machine as Computer;
use isx_problems::knapsack::{Claim, Knapsack};
use isx_problems::reduce::knapsack::{Options as Reduction, reduce};
use isx_solve::SolveError;
use isx_solve::knapsack::{Options as Solving, Solution, solve, solve_with};
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A run of this many seconds or more is not repeated.
const ENOUGH: f64 = 2.0;

/// How to measure.
pub struct Settings<'a> {
    /// Names of engines, `auto` among them; if empty, those that the planner may select, without the textbook engine.
    pub engines: &'a [String],
    /// Most timed runs per contestant.
    pub repeat: usize,
    /// Limit in seconds for a contestant's expected or measured time.
    pub patience: Duration,
    /// Threads, memory and a GPU.
    pub machine: Computer,
    /// Notified of what is measured next.
    pub tell: &'a dyn Fn(&str),
}

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
    /// The recorded time of another program on another machine.
    pub recorded: Option<Recorded>,
}

/// A time recorded in the instance set, from another machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// The program.
    pub program: String,
    /// Seconds; `None` if it did not finish.
    pub seconds: Option<f64>,
}

/// The measurements on an instance.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// The instance's name.
    pub name: String,
    /// Its items.
    pub items: usize,
    /// Its capacity.
    pub capacity: u64,
    /// Whether all capacities were requested.
    pub all_capacities: bool,
    /// The most profit at the capacity, if any contestant answered.
    pub optimum: Option<String>,
    /// The reference that the answers were compared with.
    pub checked_by: String,
    /// A recorded time from the set.
    pub recorded: Option<Recorded>,
    /// The contestants.
    pub contestants: Vec<Contestant>,
}

/// A contestant and its runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Contestant {
    /// The engine's name, or `auto`.
    pub engine: String,
    /// Whether it runs on a GPU.
    pub gpu: bool,
    /// The engine's own description of the run; without times, why it was not measured.
    pub how: String,
    /// Candidates examined.
    pub updates: u64,
    /// Seconds of every timed run.
    pub seconds: Vec<f64>,
}

impl Contestant {
    /// The median of its runs, if there are any.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        median_of(&self.seconds)
    }
}

/// All measurements of a benchmark.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KnapsackReport {
    /// The benchmark's schema.
    pub schema: String,
    /// The command that repeats the measurement.
    pub command: String,
    /// Describes the instances in one or two sentences.
    pub about: String,
    /// The machine.
    pub machine: Machine,
    /// Every instance.
    pub instances: Vec<Measured>,
}

/// A contestant: an engine of the registry, or the planner.
#[derive(Clone, Copy)]
enum Who {
    Planner,
    Engine(&'static Entry<Family>),
}

impl Who {
    fn name(self) -> &'static str {
        match self {
            Self::Planner => AUTO,
            Self::Engine(entry) => entry.name,
        }
    }

    fn is_gpu(self) -> bool {
        matches!(self, Self::Engine(Entry { hardware: Hardware::Gpu, .. }))
    }
}

/// Every engine: the product's and those kept for comparison.
pub fn engines() -> impl Iterator<Item = &'static Entry<Family>> {
    ENGINES.iter().chain(COMPARED.iter())
}

/// The engine of that name.
pub fn named(name: &str) -> Option<&'static Entry<Family>> {
    engines().find(|entry| entry.name == name)
}

/// The contestants of those names.
fn contestants(names: &[String]) -> Result<Vec<Who>, BenchError> {
    if names.is_empty() {
        let taken = ENGINES.iter().filter(|entry| !entry.judge && entry.auto != Auto::Never);
        return Ok(taken.map(Who::Engine).collect());
    }
    let find = |name: &String| match named(name) {
        _ if name == AUTO => Ok(Who::Planner),
        Some(entry) => Ok(Who::Engine(entry)),
        None => {
            let why = "there is no engine of that name".to_owned();
            Err(BenchError::Unavailable { engine: name.clone(), why })
        }
    };
    names.iter().map(find).collect()
}

/// Measures every contestant on every instance.
///
/// # Errors
///
/// If an engine is unknown, an instance cannot be read, or an answer is wrong; a contestant that refuses is noted.
pub fn measure(
    cases: impl Iterator<Item = Result<Case, BenchError>>,
    settings: &Settings,
) -> Result<Vec<Measured>, BenchError> {
    let contestants = contestants(settings.engines)?;
    cases.map(|case| measure_case(&case?, &contestants, settings)).collect()
}

fn measure_case(case: &Case, contestants: &[Who], settings: &Settings) -> Result<Measured, BenchError> {
    let mut judge = Judge { case, settings, first: None };
    let mut measured = Vec::new();
    for &who in contestants {
        (settings.tell)(&format!("{}, {}", case.name, who.name()));
        measured.push(judge.contestant(who)?);
    }
    let answered = measured.iter().filter(|one: &&Contestant| !one.seconds.is_empty()).count();
    let checked_by = match (&case.optimum, answered) {
        (_, 0) => "nobody answered".to_owned(),
        (Some(_), _) => "the set's optimum".to_owned(),
        (None, 1) => judge.second(contestants)?,
        (None, answered) => format!("{answered} engines that agree"),
    };
    let optimum = judge.first.as_ref().and_then(|claim| claim.profit(claim.len() - 1));
    Ok(Measured {
        name: case.name.clone(),
        items: case.problem.items.len(),
        capacity: case.problem.capacity,
        all_capacities: matches!(case.wanted, Wanted::AllValues | Wanted::AllPicks),
        optimum: optimum.map(|optimum| optimum.to_string()),
        checked_by,
        recorded: case.recorded.clone(),
        contestants: measured,
    })
}

/// An instance and the first answer to it, with which the others are compared.
struct Judge<'a> {
    case: &'a Case,
    settings: &'a Settings<'a>,
    first: Option<Claim>,
}

impl Judge<'_> {
    fn contestant(&mut self, who: Who) -> Result<Contestant, BenchError> {
        let (engine, gpu) = (who.name().to_owned(), who.is_gpu());
        let mut contestant = Contestant { engine, gpu, how: String::new(), updates: 0, seconds: Vec::new() };
        for run in 0..=self.settings.repeat {
            let solution = match self.answer(who) {
                Ok(solution) => solution,
                Err(SolveError::SelfCheck(mismatch)) => {
                    return Err(self.wrong(who, Difference::from(mismatch)));
                }
                Err(SolveError::Engine(Refusal { cause: EngineError::Unavailable(why), .. })) => {
                    return Ok(Contestant { how: why, ..contestant });
                }
                Err(SolveError::Engine(Refusal { cause, .. })) => {
                    return Ok(Contestant { how: format!("it {cause}"), ..contestant });
                }
                Err(error) => return Ok(Contestant { how: error.to_string(), ..contestant }),
            };
            let account = &solution.account;
            let timings = account.timings;
            let seconds = (timings.reduce + timings.solve + timings.traceback).as_secs_f64();
            contestant.how = match who {
                Who::Planner => account.ran_on(),
                Who::Engine(_) => account.how.clone(),
            };
            contestant.updates = account.updates;
            self.check(who, solution.claim)?;
            let last = run == 0 && seconds >= ENOUGH;
            if run > 0 || last {
                contestant.seconds.push(seconds);
            }
            if last || contestant.seconds.iter().sum::<f64>() >= ENOUGH {
                break;
            }
        }
        Ok(contestant)
    }

    /// An answer whose items were summed again.
    fn answer(&self, who: Who) -> Result<Solution, SolveError> {
        let Case { problem, wanted, .. } = self.case;
        let Settings { machine, patience, .. } = self.settings;
        let options = Solving { wanted: *wanted, machine: machine.clone(), ..Solving::default() };
        let Who::Engine(entry) = who else { return solve(problem, &options) };
        let reduced = reduce(problem, Reduction { goal: wanted.goal(), dominance: true });
        let context = Context::new(machine);
        if !reduced.items.is_empty() {
            let request = Request { problem: &reduced, wanted: *wanted, context: &context };
            let refused = |cause| Refusal { engine: entry.name, cause };
            let expects = entry.engine.plan(request).map_err(refused)?.estimate.seconds;
            let allowed = patience.as_secs_f64();
            if expects > allowed {
                let why = format!("it expects to take {expects:.0} s, --patience allows {allowed:.0} s");
                return Err(refused(EngineError::Unavailable(why)).into());
            }
        }
        let patient = Patient { engine: entry.engine, patience: *patience };
        solve_with(problem, entry.name, &patient, &options)
    }

    /// Compares an answer with the known optimum and the first answer.
    fn check(&mut self, who: Who, claim: Claim) -> Result<(), BenchError> {
        let last = claim.len() - 1;
        let differs = |what, found: String, wanted: String| {
            self.wrong(who, Difference { point: None, what, found, wanted })
        };
        let profit = claim.profit(last);
        let told = |profit: &Option<BigInt>| profit.as_ref().map_or("nothing".into(), ToString::to_string);
        if let Some(optimum) = &self.case.optimum
            && profit.as_ref() != Some(optimum)
        {
            return Err(differs("profit", told(&profit), optimum.to_string()));
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
                let told = |claim: &Claim, profit| format!("{} at {}", told(&profit), claim.weights[point]);
                let (found, wanted) = (told(&claim, found), told(first, wanted));
                return Err(self.wrong(who, Difference { point: Some(point), what: "profit", found, wanted }));
            }
        }
        Ok(())
    }

    /// Lets another engine answer, so that the only answer is compared with another; returns its name.
    fn second(&mut self, contestants: &[Who]) -> Result<String, BenchError> {
        let asked = |entry: &&Entry<Family>| contestants.iter().any(|who| who.name() == entry.name);
        for entry in engines().filter(|entry| !asked(entry)) {
            let who = Who::Engine(entry);
            if let Ok(solution) = self.answer(who) {
                self.check(who, solution.claim)?;
                return Ok(format!("the {} engine, which agrees", entry.name));
            }
        }
        Ok("the sum of its items alone: no other engine answers in time".into())
    }

    fn wrong(&self, who: Who, difference: Difference) -> BenchError {
        BenchError::Wrong {
            contestant: who.name().into(),
            instance: self.case.name.clone(),
            difference: Box::new(difference),
        }
    }
}
