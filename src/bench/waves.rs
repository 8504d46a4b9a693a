//! `isx-bench waves`: tables swept in waves compared with the other engines, and the cost of streaming them.
//!
//! The problems are those of J. O'Connell and C. Mumford, "An exact dynamic programming based method to solve
//! optimisation problems using GPUs", 2014, Figure 4: longest common subsequences of two sequences that share half of
//! their letters by construction, the 0-1 knapsack of 1500 items with growing capacity, profits and weights up to
//! three tenths of it, and the travelling salesman problem, here with as many cities as an exact table can have. The
//! paper prints its results only as curves, and those of other programs come from other machines: none are repeated
//! here.

use super::compare::Difference;
use super::machine::Machine;
use super::streaming::{ITEMS, Streamed, knapsack_of, streamings};
use super::timed::median_of;
use super::{BenchError, gpu};
use crate::knapsack;
use isx_classics::{lcs, tsp};
use isx_engine::{Choice, Hardware, Refusal};
use isx_exact::sampling::Sampler;
use isx_knapsack::Wanted;
use isx_machine::Machine as Computer;
use isx_problems::account::Account;
use isx_problems::lcs::generate::{LcsRecipe, generate_lcs};
use isx_problems::tsp::Tsp;
use isx_solve::{self as solve, SolveError};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// The schema's name.
pub const SCHEMA: &str = "isx.bench.waves/1";

/// What to measure.
pub struct Options<'a> {
    /// Letters of both sequences.
    pub lengths: &'a [u64],
    /// Capacities of the knapsacks.
    pub capacities: &'a [u64],
    /// Cities of the tours.
    pub cities: &'a [u64],
    /// Bytes of GPU memory for the streamed table; its decisions take four times as many.
    pub stream: Option<u64>,
    /// Timed runs of each contestant.
    pub repeat: usize,
    /// A contestant is skipped if, judging by its time for the previous size, it would take more seconds.
    pub patience: f64,
    /// Threads, memory and a GPU.
    pub machine: Computer,
    /// Notified of what is measured next.
    pub tell: &'a dyn Fn(&str),
}

/// All measurements of the benchmark.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WavesReport {
    /// [`SCHEMA`].
    pub schema: String,
    /// The command that repeats the measurement.
    pub command: String,
    /// The machine.
    pub machine: Machine,
    /// The problems, family by family, and their contestants.
    pub problems: Vec<Problem>,
    /// Tables kept on the GPU and the same tables streamed to the host, or why that was not measured.
    pub streaming: Result<Vec<Streamed>, String>,
}

/// A problem and its contestants.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Problem {
    /// Its description.
    pub name: String,
    /// Cells of the textbook table.
    pub cells: f64,
    /// The value that all contestants found.
    pub value: String,
    /// The contestants, measured or skipped.
    pub contestants: Vec<Contestant>,
}

/// A contestant and its runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Contestant {
    /// The engine's name.
    pub engine: String,
    /// Whether it runs on a GPU.
    pub gpu: bool,
    /// Whether it is the textbook engine.
    pub judge: bool,
    /// The engine's own description of the run; without times, why it was not measured.
    pub how: String,
    /// Seconds of every timed run, including reduction, transfers and the walk back, but not the start of a GPU.
    pub seconds: Vec<f64>,
}

impl Contestant {
    /// The median of its runs, if there are any.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        median_of(&self.seconds)
    }
}

/// Measures; every answer is summed again by its witness and compared with the others' before its time is recorded.
///
/// # Errors
///
/// If an answer is wrong, or a recipe cannot be followed.
pub fn run(options: &Options, command: String) -> Result<WavesReport, BenchError> {
    let mut problems = Vec::new();
    problems.extend(subsequences(options, lcs::Wanted::Length)?);
    problems.extend(subsequences(options, lcs::Wanted::Subsequence)?);
    problems.extend(knapsacks(options)?);
    problems.extend(tours(options)?);
    Ok(WavesReport {
        schema: SCHEMA.to_owned(),
        command,
        machine: Machine::here(gpu::words(&options.machine)),
        problems,
        streaming: streamings(options.stream, &options.machine, options.repeat, options.tell)?,
    })
}

fn subsequences(options: &Options, wanted: lcs::Wanted) -> Result<Vec<Problem>, BenchError> {
    let what = if wanted == lcs::Wanted::Length { ", length only" } else { "" };
    let engines = || lcs::ENGINES.iter().chain(isx_bench::lcs::ENGINES.iter());
    let mut panel = Panel::new(options, engines().map(Entrant::of));
    for &length in options.lengths {
        let pair = generate_lcs(&LcsRecipe { lengths: [length; 2], common: 50, ..LcsRecipe::default() })?;
        let cells = (length as f64).powi(2);
        panel.measure(format!("lcs, {length} letters{what}"), cells, |engine, machine| {
            let engine = engines().find(|entry| entry.name == engine).map_or(Choice::Auto, Choice::Named);
            let options =
                solve::lcs::Options { engine, wanted, machine: machine.clone(), ..Default::default() };
            let solution = solve::lcs::solve(&pair, &options)?;
            Ok((solution.claim.length.to_string(), solution.account))
        })?;
    }
    Ok(panel.problems)
}

fn knapsacks(options: &Options) -> Result<Vec<Problem>, BenchError> {
    let mut panel = Panel::new(options, knapsack::engines().map(Entrant::of));
    for &capacity in options.capacities {
        let problem = knapsack_of(ITEMS, capacity);
        let cells = (ITEMS as f64) * capacity as f64;
        panel.measure(format!("knapsack, capacity {capacity}"), cells, |engine, machine| {
            let engine = knapsack::named(engine).map_or(Choice::Auto, Choice::Named);
            let options = solve::knapsack::Options {
                engine,
                wanted: Wanted::Best,
                machine: machine.clone(),
                ..Default::default()
            };
            let solution = solve::knapsack::solve(&problem, &options)?;
            let claim = &solution.claim;
            Ok((claim.profit(claim.len() - 1).unwrap_or_default().to_string(), solution.account))
        })?;
    }
    Ok(panel.problems)
}

/// Cities at random places in a square.
fn tour_of(cities: u64) -> Option<Tsp> {
    let mut sampler = Sampler::new(cities);
    let places: Vec<[i64; 2]> =
        (0..cities).map(|_| [(); 2].map(|()| sampler.uniform(0, 10_000) as i64)).collect();
    let distance = |a: &[i64; 2], b: &[i64; 2]| {
        let square = |at: usize| a[at].abs_diff(b[at]).pow(2);
        (square(0) + square(1)).isqrt() as i64
    };
    let distances = places.iter().flat_map(|a| places.iter().map(move |b| distance(a, b)));
    Tsp::new((1..=cities).collect(), distances.collect()).ok()
}

fn tours(options: &Options) -> Result<Vec<Problem>, BenchError> {
    let mut panel = Panel::new(options, tsp::ENGINES.iter().map(Entrant::of));
    for &cities in options.cities {
        let Some(problem) = tour_of(cities) else { continue };
        let cells = (cities as f64).powi(2) * 2f64.powi(cities.min(1000) as i32);
        panel.measure(format!("tsp, {cities} cities"), cells, |engine, machine| {
            let engine = tsp::ENGINES.named(engine).map_or(Choice::Auto, Choice::Named);
            let options = solve::tsp::Options { engine, machine: machine.clone(), ..Default::default() };
            let solution = solve::tsp::solve(&problem, &options)?;
            Ok((solution.claim.length.to_string(), solution.account))
        })?;
    }
    Ok(panel.problems)
}

/// An engine as a contestant.
struct Entrant {
    name: &'static str,
    gpu: bool,
    judge: bool,
    /// Cells of the last problem, and its seconds.
    before: Option<(f64, f64)>,
}

impl Entrant {
    fn of<F: isx_engine::Family>(entry: &isx_engine::Entry<F>) -> Self {
        Self { name: entry.name, gpu: entry.hardware == Hardware::Gpu, judge: entry.judge, before: None }
    }
}

/// The problems of a family, from small to large.
struct Panel<'a> {
    options: &'a Options<'a>,
    entrants: Vec<Entrant>,
    problems: Vec<Problem>,
}

impl<'a> Panel<'a> {
    fn new(options: &'a Options<'a>, entrants: impl Iterator<Item = Entrant>) -> Self {
        Self { options, entrants: entrants.collect(), problems: Vec::new() }
    }

    /// Measures the engines on a problem; `solve` returns the value of an answer that was summed again, and the
    /// description of the run.
    fn measure(
        &mut self,
        name: String,
        cells: f64,
        solve: impl Fn(&str, &Computer) -> Result<(String, Account), SolveError>,
    ) -> Result<(), BenchError> {
        let mut problem = Problem { name, cells, value: String::new(), contestants: Vec::new() };
        for entrant in &mut self.entrants {
            (self.options.tell)(&format!("{}, {}", problem.name, entrant.name));
            let mut contestant = Contestant {
                engine: entrant.name.into(),
                gpu: entrant.gpu,
                judge: entrant.judge,
                how: String::new(),
                seconds: Vec::new(),
            };
            contestant.how = match entrant.run(self.options, cells, &mut contestant.seconds, &solve)? {
                Err(why) => why,
                Ok((value, how)) => {
                    if problem.value.is_empty() {
                        problem.value.clone_from(&value);
                    }
                    if value != problem.value {
                        let wanted = problem.value.clone();
                        let difference = Difference { point: None, what: "value", found: value, wanted };
                        return Err(BenchError::wrong(entrant.name, &problem.name, difference));
                    }
                    how
                }
            };
            problem.contestants.push(contestant);
        }
        self.problems.push(problem);
        Ok(())
    }
}

impl Entrant {
    /// The value and the description of its runs, or why there are none.
    fn run(
        &mut self,
        options: &Options,
        cells: f64,
        times: &mut Vec<f64>,
        solve: impl Fn(&str, &Computer) -> Result<(String, Account), SolveError>,
    ) -> Result<Result<(String, String), String>, BenchError> {
        let expects = self.before.map_or(0.0, |(before, seconds)| seconds * cells / before);
        if expects > options.patience {
            return Ok(Err(format!("going by the size before it would take {expects:.0} s")));
        }
        let mut last = None;
        // The first run is a warm-up, and counts only if it is too long to be repeated.
        for run in 0..=options.repeat {
            let started = Instant::now();
            let (value, account) = match solve(self.name, &options.machine) {
                Ok(solved) => solved,
                Err(SolveError::Engine(Refusal { cause, .. })) => return Ok(Err(format!("it {cause}"))),
                Err(error) => return Err(BenchError::Set(format!("{}: {error}", self.name))),
            };
            let seconds = started.elapsed().as_secs_f64();
            let long = seconds > 2.0;
            if run > 0 || long {
                times.push(seconds);
            }
            self.before = Some((cells, seconds));
            last = Some((value, account.ran_on()));
            if long {
                break;
            }
        }
        Ok(last.ok_or_else(|| "it was not run".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Report;

    fn report(patience: f64) -> WavesReport {
        let options = Options {
            lengths: &[60, 90],
            capacities: &[500],
            cities: &[1, 7],
            stream: None,
            repeat: 2,
            patience,
            machine: Computer::default(),
            tell: &|_| {},
        };
        run(&options, "isx-bench waves".into()).unwrap()
    }

    #[test]
    fn every_engine_of_every_family_finds_the_same_value() {
        let report = report(9.0);
        let names: Vec<&str> = report.problems.iter().map(|problem| &problem.name[..]).collect();
        assert_eq!(names.len(), 2 * 2 + 1 + 2, "{names:?}");
        for problem in &report.problems {
            assert!(!problem.value.is_empty());
            let measured = problem.contestants.iter().filter(|one| !one.gpu);
            assert!(measured.clone().count() >= 2, "{}", problem.name);
            assert!(measured.clone().all(|one| one.seconds.len() == 2), "{:?}", problem.contestants);
        }
        let (text, charts) = (report.markdown(), report.charts());
        assert!(
            text.contains("## lcs, 90 letters, length only") && text.contains("## tsp, 7 cities"),
            "{text}"
        );
        assert!(text.contains("Not measured: it was not asked for."), "{text}");
        assert!(charts[0].1.groups.len() >= names.len());
    }

    #[test]
    fn who_would_take_too_long_is_left_out_of_larger_sizes() {
        let report = report(0.0);
        let of = |name: &str| report.problems.iter().find(|problem| problem.name == name).unwrap();
        assert!(of("lcs, 60 letters").contestants.iter().any(|one| !one.seconds.is_empty()));
        let later = of("lcs, 90 letters");
        assert!(later.contestants.iter().all(|one| one.seconds.is_empty()), "{later:?}");
        assert!(report.markdown().contains("going by the size before it would take"));
    }
}
