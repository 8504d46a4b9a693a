//! `isx-papers waves`: tables swept in waves beside the textbook's loops, and the cost of streaming them.
//!
//! The problems are those of J. O'Connell and C. Mumford, "An exact dynamic programming based method to solve
//! optimisation problems using GPUs", 2014, Figure 4: longest common subsequences of two sequences that share half of
//! their letters by construction, the 0-1 knapsack of 1500 items with growing capacity, profits and weights up to
//! three tenths of it, and the travelling salesman problem, here with as many cities as an exact table can have. The
//! paper prints its results only as curves, and those of other programs come from other machines: none are repeated
//! here.

use super::streaming::{ITEMS, knapsack_of, streamings};
use isx_bench::BenchError;
use isx_bench::Difference;
use isx_bench::comparison::{Comparison, Entry, Problem};
use isx_bench::runner::{Run, Settings, Stopped, Work, outcome, runs};
use isx_bench::timed::series;
use isx_engine::{Choice, Entry as Listed, Family, Hardware, Registry};
use isx_exact::sampling::Sampler;
use isx_knapsack::Wanted;
use isx_machine::Machine as Computer;
use isx_papers::answer::{Question, solve};
use isx_papers::{knapsack, lcs, tsp};
use isx_problems::account::Account;
use isx_solve::{Solution, SolveError};

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
    /// Whether to measure the methods for a GPU.
    pub on_gpu: bool,
    /// How to measure; a contestant is skipped if, judging by its time for the previous size, it would take longer than
    /// patience.
    pub settings: Settings<'a>,
}

/// Measures; every answer is summed again by its witness and compared with the others' before its time is recorded.
/// Fails if an answer is wrong, or a recipe cannot be followed.
pub fn run(options: &Options, command: String) -> Result<Comparison, BenchError> {
    crate::gpu::require(options.on_gpu, &options.settings)?;
    let mut problems = Vec::new();
    problems.extend(subsequences(options, lcs::Wanted::Length)?);
    problems.extend(subsequences(options, lcs::Wanted::Subsequence)?);
    problems.extend(knapsacks(options)?);
    problems.extend(tours(options)?);
    let settings = &options.settings;
    let table = streamings(options.stream, settings)?;
    let about =
        "Problems as in O'Connell and Mumford, 2014, Figure 4, but for the number of cities.".to_owned();
    let report = Comparison::new("Tables in waves", command, about, &settings.machine, problems);
    Ok(Comparison { tables: vec![table], ..report })
}

/// The engines of a registry that are measured.
fn measured<F: Family>(
    registry: &'static Registry<F>,
    options: &Options,
) -> impl Iterator<Item = &'static Listed<F>> + use<F> {
    let on_gpu = options.on_gpu;
    registry.iter().filter(move |entry| on_gpu || entry.hardware == Hardware::Cpu)
}

/// Solves by the engine of that name.
fn answer<Q: Question>(
    registry: &'static Registry<Q>,
    problem: &Q::Problem,
    wanted: Q::Wanted,
    (engine, machine): (&str, &Computer),
    value: impl Fn(&Q::Found) -> String,
) -> Result<(String, Account), SolveError> {
    let engine = registry.named(engine).map_or(Choice::Auto, Choice::Named);
    let Solution { claim, account } = solve(registry, problem, wanted, engine, machine)?;
    Ok((value(&claim), account))
}

fn subsequences(options: &Options, wanted: lcs::Wanted) -> Result<Vec<Problem>, BenchError> {
    let what = if wanted == lcs::Wanted::Length { ", length only" } else { "" };
    let mut panel = Panel::new(options, measured(&lcs::ENGINES, options).map(Entrant::of));
    for &length in options.lengths {
        let pair = lcs::generate::generate(length, 1);
        let cells = (length as f64).powi(2);
        panel.measure(format!("lcs, {length} letters{what}"), cells, |engine, machine| {
            let value = |found: &lcs::Found| found.length.to_string();
            answer(&lcs::ENGINES, &pair, wanted, (engine, machine), value)
        })?;
    }
    Ok(panel.problems)
}

fn knapsacks(options: &Options) -> Result<Vec<Problem>, BenchError> {
    let own = measured(&knapsack::ENGINES, options).map(Entrant::of);
    let judge = isx_knapsack::ENGINES.judge();
    let mut panel = Panel::new(options, judge.map(Entrant::of).into_iter().chain(own));
    for &capacity in options.capacities {
        let problem = knapsack_of(ITEMS, capacity);
        let cells = (ITEMS as f64) * capacity as f64;
        panel.measure(format!("knapsack, capacity {capacity}"), cells, |engine, machine| {
            let engine = judge.filter(|entry| entry.name == engine).or(knapsack::ENGINES.named(engine));
            let options = isx_solve::knapsack::Options {
                engine: engine.map_or(Choice::Auto, Choice::Named),
                wanted: Wanted::Best,
                machine: machine.clone(),
                ..Default::default()
            };
            let solution = isx_solve::knapsack::solve(&problem, &options)?;
            let claim = &solution.claim;
            Ok((claim.profit(claim.len() - 1).unwrap_or_default().to_string(), solution.account))
        })?;
    }
    Ok(panel.problems)
}

/// Cities at random places in a square.
fn tour_of(cities: u64) -> Option<tsp::Problem> {
    let mut sampler = Sampler::new(cities);
    let places: Vec<[i64; 2]> =
        (0..cities).map(|_| [(); 2].map(|()| sampler.uniform(0, 10_000) as i64)).collect();
    let distance = |a: &[i64; 2], b: &[i64; 2]| {
        let square = |at: usize| a[at].abs_diff(b[at]).pow(2);
        (square(0) + square(1)).isqrt() as i64
    };
    tsp::Problem::new(places.iter().flat_map(|a| places.iter().map(move |b| distance(a, b))).collect())
}

fn tours(options: &Options) -> Result<Vec<Problem>, BenchError> {
    let mut panel = Panel::new(options, measured(&tsp::ENGINES, options).map(Entrant::of));
    for &cities in options.cities {
        let Some(problem) = tour_of(cities) else { continue };
        let cells = (cities as f64).powi(2) * 2f64.powi(cities.min(1000) as i32);
        panel.measure(format!("tsp, {cities} cities"), cells, |engine, machine| {
            let value = |tour: &tsp::Tour| tour.length.to_string();
            answer(&tsp::ENGINES, &problem, (), (engine, machine), value)
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
    fn of<F: Family>(entry: &Listed<F>) -> Self {
        Self { name: entry.name, gpu: entry.hardware == Hardware::Gpu, judge: entry.judge, before: None }
    }
}

/// The problems of a family, from small to large.
struct Panel<'a> {
    settings: &'a Settings<'a>,
    entrants: Vec<Entrant>,
    problems: Vec<Problem>,
}

impl<'a> Panel<'a> {
    fn new(options: &'a Options<'a>, entrants: impl Iterator<Item = Entrant>) -> Self {
        Self { settings: &options.settings, entrants: entrants.collect(), problems: Vec::new() }
    }

    /// Measures the engines on a problem; `solve` returns the value of an answer that was summed again, and the
    /// description of the run.
    fn measure(
        &mut self,
        name: String,
        cells: f64,
        solve: impl Fn(&str, &Computer) -> Result<(String, Account), SolveError>,
    ) -> Result<(), BenchError> {
        let Settings { repeat, patience, machine, tell } = self.settings;
        let (mut entries, mut found) = (Vec::new(), None::<String>);
        for entrant in &mut self.entrants {
            tell(&format!("{name}, {}", entrant.name));
            let expects = entrant.before.map_or(0.0, |(before, seconds)| seconds * cells / before);
            let timed = if expects > patience.as_secs_f64() {
                Err(Stopped::Refused(format!("going by the size before it would take {expects:.0} s")))
            } else {
                runs(*repeat, &mut || {
                    let (value, account) = solve(entrant.name, machine)?;
                    let run = Run::of(&account);
                    entrant.before = Some((cells, run.sample.total()));
                    let wanted = found.get_or_insert_with(|| value.clone()).clone();
                    if value != wanted {
                        let difference = Difference { point: None, what: "value", found: value, wanted };
                        return Err(difference.into());
                    }
                    Ok(run)
                })
            };
            let outcome = outcome(entrant.name, &name, timed)?;
            let series = series(entrant.judge, entrant.gpu);
            entries.push(Entry { contestant: entrant.name.to_owned(), work: Work::Reduced, series, outcome });
        }
        let answer =
            found.map_or_else(|| "no engine answered in time".into(), |value| format!("value {value}"));
        self.problems.push(Problem { name, answer, optimum: None, candidates: cells, entries });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn report(patience: u64) -> Comparison {
        let machine = Computer::default();
        let settings =
            Settings { repeat: 2, patience: Duration::from_secs(patience), machine, tell: &|_| {} };
        let options = Options {
            lengths: &[60, 90],
            capacities: &[500],
            cities: &[1, 7],
            stream: None,
            on_gpu: false,
            settings,
        };
        run(&options, "isx-papers waves".into()).unwrap()
    }

    #[test]
    fn who_would_take_too_long_is_left_out_of_larger_sizes() {
        let report = report(0);
        let timed = |name: &str| {
            let problem = report.problems.iter().find(|problem| problem.name == name).unwrap();
            problem.entries.iter().filter(|one| one.outcome.timed().is_some()).count()
        };
        assert!(timed("lcs, 60 letters") > 0);
        assert_eq!(timed("lcs, 90 letters"), 0);
        assert!(report.markdown().contains("going by the size before it would take"));
    }
}
