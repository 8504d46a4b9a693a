//! `isx-bench lemos`: the multi-dimensional engines on a batch with as many and as large instances as in the paper.
//!
//! D. Lemos, H. Longo, W. Martins and L. Foulds, "A GPU-based DP algorithm for solving multiple instances of the
//! knapsack problem", Table 1: 630 instances of 20 items, capacities 1000 and 1000. Their instances are not
//! available; the generator's recipe replaces them. Times are of whole runs: they include reduction, transfers in
//! both directions and items, but not the start of a GPU.

use super::compare::Difference;
use super::machine::Machine;
use super::measure::Work;
use super::timed::median_of;
use super::{BenchError, gpu};
use isx_bench::multidim::ENGINES as COMPARED;
use isx_classics::multidim::{Answer, Batch, ENGINES, Multidim as Family};
use isx_engine::{Context, Entry, Hardware, Refusal, Request};
use isx_machine::Machine as Computer;
use isx_problems::multidim::generate::{MultidimRecipe, generate_multidim};
use isx_problems::multidim::{Multidim, witness};
use isx_problems::reduce::multidim::{Reduced, reduce};
use isx_solve::SolveError;
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// The schema's name.
pub const SCHEMA: &str = "isx.bench.lemos/1";

/// What to measure.
pub struct Options<'a> {
    /// The batch.
    pub recipe: MultidimRecipe,
    /// Names of engines; all if empty. The textbook engine always runs.
    pub engines: &'a [String],
    /// Timed runs of each contestant.
    pub repeat: usize,
    /// A contestant that expects to take more seconds is skipped; the textbook engine never is.
    pub patience: f64,
    /// Threads, memory and a GPU.
    pub machine: Computer,
    /// Notified of what is measured next.
    pub tell: &'a dyn Fn(&str),
}

/// All measurements of the benchmark.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LemosReport {
    /// [`SCHEMA`].
    pub schema: String,
    /// The command that repeats the measurement.
    pub command: String,
    /// The machine.
    pub machine: Machine,
    /// The command that generates the batch.
    pub recipe: String,
    /// Number of instances.
    pub instances: usize,
    /// Candidates of the textbook table: cells times items, over all instances.
    pub candidates: u64,
    /// The contestants, the textbook engine first.
    pub contestants: Vec<Contestant>,
}

/// A contestant and its runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Contestant {
    /// The engine's name.
    pub engine: String,
    /// Whether it computes every cell of every layer, or only what is needed.
    pub work: Work,
    /// Whether it is the textbook engine, the reference of the others.
    pub judge: bool,
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

/// Measures; every answer is summed again and compared with the textbook engine's before its time is recorded.
///
/// # Errors
///
/// If an answer is wrong, the textbook engine gives none, or an engine is unknown.
pub fn run(options: &Options, command: String) -> Result<LemosReport, BenchError> {
    let all = || ENGINES.iter().chain(COMPARED.iter());
    let unknown = |name: &&String| all().all(|entry| entry.name != **name);
    if let Some(name) = options.engines.iter().find(unknown) {
        let why = "there is none of that name".to_owned();
        return Err(BenchError::Unavailable { engine: name.clone(), why });
    }
    let problems = generate_multidim(&options.recipe)?;
    let mut found = Found { options, problems: &problems, profits: None };
    let judge = all().filter(|entry| entry.judge).map(|entry| (entry, Work::Raw));
    let asked = |entry: &&Entry<Family>| {
        options.engines.is_empty() || options.engines.contains(&entry.name.to_owned())
    };
    let others = all().filter(|entry| !entry.judge).filter(asked);
    // Lemos's scheme always does all the work.
    let works = |entry: &'static Entry<Family>| [Work::Raw, Work::Reduced].map(|work| (entry, work));
    let mut contestants = Vec::new();
    for (entry, work) in judge.chain(others.flat_map(works)) {
        contestants.push(found.contestant(entry, work)?);
    }
    let cells = |problem: &Multidim| {
        let reduced = reduce(problem);
        reduced.cells().saturating_mul(reduced.items.len() as u64)
    };
    Ok(LemosReport {
        schema: SCHEMA.to_owned(),
        command,
        machine: Machine::here(gpu::words(&options.machine)),
        recipe: format!("isx generate multidim {}", options.recipe),
        instances: problems.len(),
        candidates: problems.iter().map(cells).fold(0, u64::saturating_add),
        contestants,
    })
}

/// The benchmark's settings, and the textbook engine's answer once it exists.
struct Found<'a> {
    options: &'a Options<'a>,
    problems: &'a [Multidim],
    profits: Option<Vec<BigInt>>,
}

impl Found<'_> {
    fn contestant(&mut self, entry: &'static Entry<Family>, work: Work) -> Result<Contestant, BenchError> {
        let Options { repeat, tell, .. } = *self.options;
        let work_name = if work == Work::Raw { "all the work" } else { "what is needed" };
        tell(&format!("{}, {work_name}", entry.name));
        let mut contestant = Contestant {
            engine: entry.name.into(),
            work,
            judge: entry.judge,
            gpu: entry.hardware == Hardware::Gpu,
            how: String::new(),
            updates: 0,
            seconds: Vec::new(),
        };
        // The first run is checked, and serves as warm-up. The textbook engine is timed by it.
        let runs = if entry.judge { 1 } else { repeat + 1 };
        for run in 0..runs {
            let started = Instant::now();
            let reduced: Vec<Reduced> = self.problems.iter().map(reduce).collect();
            let batch = Batch::new(reduced);
            let answer = match self.answer(entry, work, &batch) {
                Ok(Ok(answer)) => answer,
                Ok(Err(why)) => return Ok(Contestant { how: why, ..contestant }),
                Err(refusal) if entry.judge => return Err(no_judge(refusal)),
                Err(refusal) => return Ok(Contestant { how: format!("it {}", refusal.cause), ..contestant }),
            };
            let seconds = started.elapsed().as_secs_f64();
            self.check(entry, &batch, &answer)?;
            if run > 0 || entry.judge {
                contestant.seconds.push(seconds);
            }
            contestant.how = answer.how;
            contestant.updates = answer.updates;
        }
        Ok(contestant)
    }

    /// An answer, or why the contestant was skipped.
    fn answer(
        &self,
        entry: &'static Entry<Family>,
        work: Work,
        batch: &Batch,
    ) -> Result<Result<Answer, String>, Refusal> {
        let Options { machine, patience, .. } = self.options;
        let context = Context { all_candidates: work == Work::Raw, ..Context::new(machine) };
        let refused = |cause| Refusal { engine: entry.name, cause };
        let plan =
            entry.engine.plan(Request { problem: batch, wanted: (), context: &context }).map_err(refused)?;
        let expects = plan.estimate.seconds;
        if expects > *patience && !entry.judge {
            return Ok(Err(format!(
                "it expects to take up to {expects:.0} s, --patience allows {patience:.0} s"
            )));
        }
        plan.run().map(Ok).map_err(refused)
    }

    /// Sums the answer again and compares it with the textbook engine's.
    fn check(&mut self, entry: &Entry<Family>, batch: &Batch, answer: &Answer) -> Result<(), BenchError> {
        let wrong = |instance: usize, difference: Difference| BenchError::Wrong {
            contestant: entry.name.into(),
            instance: format!("instance {instance}"),
            difference: Box::new(difference),
        };
        let mut profits = Vec::with_capacity(self.problems.len());
        for (at, (problem, reduced)) in self.problems.iter().zip(batch.problems()).enumerate() {
            let Some(best) = answer.best.get(at) else {
                let found = answer.best.len().to_string();
                let wanted = self.problems.len().to_string();
                return Err(wrong(at, Difference { point: None, what: "answers", found, wanted }));
            };
            let claim = reduced.claim(problem, &best.profit, &best.chosen);
            witness(problem, &claim).map_err(|mismatch| wrong(at, mismatch.into()))?;
            if let Some(wanted) =
                self.profits.as_ref().map(|profits| &profits[at]).filter(|&wanted| *wanted != claim.profit)
            {
                let (found, wanted) = (claim.profit.to_string(), wanted.to_string());
                return Err(wrong(at, Difference { point: None, what: "profit", found, wanted }));
            }
            profits.push(claim.profit);
        }
        self.profits.get_or_insert(profits);
        Ok(())
    }
}

fn no_judge(refusal: Refusal) -> BenchError {
    BenchError::NoJudge { instance: "the batch".into(), cause: SolveError::Engine(refusal) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Report;

    fn report(engines: &[String]) -> Result<LemosReport, BenchError> {
        let recipe = MultidimRecipe { instances: Some(4), items: 12, capacities: vec![60, 70], seed: 2 };
        let options = Options {
            recipe,
            engines,
            repeat: 2,
            patience: 9.0,
            machine: Computer::default(),
            tell: &|_| {},
        };
        run(&options, "isx-bench lemos".into())
    }

    #[test]
    fn every_engine_is_measured_on_both_kinds_of_work_and_the_judge_once() {
        let report = report(&[]).unwrap();
        assert_eq!((report.instances, report.candidates), (4, 4 * 12 * 61 * 71));
        assert_eq!(report.contestants.len(), 1 + 2 * ENGINES.iter().count());
        let judge = &report.contestants[0];
        assert!(judge.judge && judge.seconds.len() == 1 && judge.updates == report.candidates);
        let dense: Vec<_> = report.contestants.iter().filter(|one| one.engine == "dense").collect();
        assert!(dense.iter().all(|one| one.seconds.len() == 2 && one.median().is_some()));
        assert!(dense[1].updates < dense[0].updates);
        let (text, charts) = (report.markdown(), report.charts());
        assert!(text.contains("dense (") && text.contains("× textbook"), "{text}");
        assert_eq!(charts[0].1.groups[0].rows.len(), report.contestants.len());
    }

    #[test]
    fn engines_can_be_named_and_must_exist() {
        let contestants = report(&["dense".into()]).unwrap().contestants;
        assert_eq!(
            contestants.iter().map(|one| &one.engine[..]).collect::<Vec<_>>(),
            ["reference", "dense", "dense"]
        );
        assert!(matches!(report(&["abacus".into()]), Err(BenchError::Unavailable { .. })));
    }
}
