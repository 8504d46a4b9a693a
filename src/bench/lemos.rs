//! `isx-bench lemos`: the multi-dimensional engines on a batch with as many and as large instances as in the paper.
//!
//! D. Lemos, H. Longo, W. Martins and L. Foulds, "A GPU-based DP algorithm for solving multiple instances of the
//! knapsack problem", Table 1: 630 instances of 20 items, capacities 1000 and 1000. Their instances are not
//! available; the generator's recipe replaces them. Times are of whole runs: they include reduction, transfers in
//! both directions and items, but not the start of a GPU.

use super::BenchError;
use super::compare::Difference;
use super::comparison::{Comparison, Entry, Problem};
use super::runner::{Run, Settings, Stopped, Work, outcome, runs};
use super::timed::{Sample, series};
use isx_bench::multidim::ENGINES as COMPARED;
use isx_classics::multidim::{Answer, Batch, ENGINES, Multidim as Family};
use isx_engine::{Context, Entry as Engine, Hardware, Refusal, Request};
use isx_problems::multidim::generate::{MultidimRecipe, generate_multidim};
use isx_problems::multidim::{Multidim, witness};
use isx_problems::reduce::multidim::reduce;
use isx_solve::SolveError;
use num_bigint::BigInt;
use std::time::Instant;

/// What to measure.
pub struct Options<'a> {
    /// The batch.
    pub recipe: MultidimRecipe,
    /// Names of engines; all if empty. The textbook engine always runs.
    pub engines: &'a [String],
    /// How to measure; the textbook engine always runs, once.
    pub settings: Settings<'a>,
}

/// Measures; every answer is summed again and compared with the textbook engine's before its time is recorded.
///
/// # Errors
///
/// If an answer is wrong, the textbook engine gives none, or an engine is unknown.
pub fn run(options: &Options, command: String) -> Result<Comparison, BenchError> {
    let all = || ENGINES.iter().chain(COMPARED.iter());
    let unknown = |name: &&String| all().all(|entry| entry.name != **name);
    if let Some(name) = options.engines.iter().find(unknown) {
        let why = "there is none of that name".to_owned();
        return Err(BenchError::Unavailable { engine: name.clone(), why });
    }
    let problems = generate_multidim(&options.recipe)?;
    let mut found = Found { options, problems: &problems, profits: None };
    let judge = all().filter(|entry| entry.judge).map(|entry| (entry, Work::Raw));
    let asked = |entry: &&Engine<Family>| {
        options.engines.is_empty() || options.engines.contains(&entry.name.to_owned())
    };
    let others = all().filter(|entry| !entry.judge).filter(asked);
    // Lemos's scheme always does all the work.
    let works = |entry: &'static Engine<Family>| [Work::Raw, Work::Reduced].map(|work| (entry, work));
    let mut entries = Vec::new();
    for (entry, work) in judge.chain(others.flat_map(works)) {
        entries.push(found.contestant(entry, work)?);
    }
    let cells = |problem: &Multidim| {
        let reduced = reduce(problem);
        reduced.cells().saturating_mul(reduced.items.len() as u64)
    };
    let problem = Problem {
        optimum: None,
        name: format!("{} instances", problems.len()),
        answer: "profits summed again and equal to the textbook engine's".into(),
        candidates: problems.iter().map(cells).fold(0, u64::saturating_add) as f64,
        entries,
    };
    let about = format!("A batch of `isx generate multidim {}`.", options.recipe);
    let machine = &options.settings.machine;
    Ok(Comparison::new(
        "Batches of multi-dimensional knapsack problems",
        command,
        about,
        machine,
        vec![problem],
    ))
}

/// The benchmark's settings, and the textbook engine's answer once it exists.
struct Found<'a> {
    options: &'a Options<'a>,
    problems: &'a [Multidim],
    profits: Option<Vec<BigInt>>,
}

impl Found<'_> {
    fn contestant(&mut self, entry: &'static Engine<Family>, work: Work) -> Result<Entry, BenchError> {
        let settings = &self.options.settings;
        let all = if work == Work::Raw { ", all the work" } else { "" };
        (settings.tell)(&format!("{}{all}", entry.name));
        // The textbook engine is timed by its first run.
        let timed = runs(if entry.judge { 0 } else { settings.repeat }, &mut || {
            let started = Instant::now();
            let batch = Batch::new(self.problems.iter().map(reduce).collect());
            let context = Context { all_candidates: work == Work::Raw, ..Context::new(&settings.machine) };
            let refused = |cause| SolveError::from(Refusal { engine: entry.name, cause });
            let request = Request { problem: &batch, wanted: (), context: &context };
            let plan = entry.engine.plan(request).map_err(refused)?;
            if !entry.judge {
                settings.allows(plan.estimate.seconds)?;
            }
            let answer = plan.run().map_err(refused)?;
            let sample = Sample { reduce: 0.0, solve: started.elapsed().as_secs_f64(), traceback: 0.0 };
            self.check(&batch, &answer)?;
            let Answer { how: ran_on, threads, updates, .. } = answer;
            Ok(Run { sample, ran_on, threads, arithmetic: batch.tier().to_string(), updates })
        });
        let instance = "the batch";
        let outcome = match timed {
            Err(Stopped::Solve(cause)) if entry.judge => {
                return Err(BenchError::NoJudge { instance: instance.into(), cause });
            }
            timed => outcome(entry.name, instance, timed)?,
        };
        let series = series(entry.judge, entry.hardware == Hardware::Gpu);
        let contestant = if entry.judge { "textbook loop" } else { entry.name };
        Ok(Entry { contestant: contestant.to_owned(), work, series, outcome })
    }

    /// Sums the answer again and compares it with the textbook engine's.
    fn check(&mut self, batch: &Batch, answer: &Answer) -> Result<(), Stopped> {
        let mut profits = Vec::with_capacity(self.problems.len());
        for (at, (problem, reduced)) in self.problems.iter().zip(batch.problems()).enumerate() {
            let Some(best) = answer.best.get(at) else {
                let found = answer.best.len().to_string();
                let wanted = self.problems.len().to_string();
                return Err(Difference { point: None, what: "answers", found, wanted }.into());
            };
            let claim = reduced.claim(problem, &best.profit, &best.chosen);
            witness(problem, &claim).map_err(Difference::from)?;
            if let Some(wanted) =
                self.profits.as_ref().map(|profits| &profits[at]).filter(|&wanted| *wanted != claim.profit)
            {
                let (found, wanted) = (claim.profit.to_string(), wanted.to_string());
                let point = Some(at);
                return Err(Difference { point, what: "profit", found, wanted }.into());
            }
            profits.push(claim.profit);
        }
        self.profits.get_or_insert(profits);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Report;
    use std::time::Duration;

    fn report(engines: &[String]) -> Result<Comparison, BenchError> {
        let recipe = MultidimRecipe { instances: Some(4), items: 12, capacities: vec![60, 70], seed: 2 };
        let machine = isx_machine::Machine::default();
        let settings = Settings { repeat: 2, patience: Duration::from_secs(9), machine, tell: &|_| {} };
        run(&Options { recipe, engines, settings }, "isx-bench lemos".into())
    }

    #[test]
    fn every_engine_is_measured_on_both_kinds_of_work_and_the_judge_once() {
        let report = report(&[]).unwrap();
        let Problem { candidates, entries, .. } = &report.problems[0];
        assert_eq!(*candidates, f64::from(4 * 12 * 61 * 71));
        assert_eq!(entries.len(), 1 + 2 * (ENGINES.iter().count() + COMPARED.iter().count() - 1));
        let judge = entries[0].outcome.timed().unwrap();
        assert_eq!((judge.samples.len(), judge.updates as f64), (1, *candidates));
        let dense: Vec<_> = entries.iter().filter(|one| one.contestant == "dense").collect();
        let dense: Vec<_> = dense.iter().map(|one| one.outcome.timed().unwrap()).collect();
        assert!(dense.iter().all(|timed| timed.samples.len() == 2) && dense[1].updates < dense[0].updates);
        let (text, charts) = (report.markdown(), report.charts());
        assert!(text.contains("| dense, all the work") && text.contains("× textbook"), "{text}");
        assert_eq!(charts[0].1.groups[0].rows.len(), entries.len());
    }

    #[test]
    fn engines_can_be_named_and_must_exist() {
        let entries = report(&["dense".into()]).unwrap().problems.remove(0).entries;
        let names: Vec<&str> = entries.iter().map(|one| &one.contestant[..]).collect();
        assert_eq!(names, ["textbook loop", "dense", "dense"]);
        assert!(matches!(report(&["abacus".into()]), Err(BenchError::Unavailable { .. })));
    }
}
