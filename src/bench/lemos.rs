//! `isx-bench lemos`: the multi-dimensional engines on a batch with as many and as large instances as in the paper.
//!
//! D. Lemos, H. Longo, W. Martins and L. Foulds, "A GPU-based DP algorithm for solving multiple instances of the
//! knapsack problem", Table 1: 630 instances of 20 items, capacities 1000 and 1000. Their instances are not
//! available; the generator's recipe replaces them. Times are of whole runs: they include reduction, transfers in
//! both directions and items, but not the start of a GPU.

use super::BenchError;
use super::compare::Difference;
use super::comparison::{Comparison, Entry, Problem, Table};
use super::runner::{Run, Settings, Stopped, Work, outcome, runs};
use super::timed::{Sample, Timed, series};
use crate::charts::chart::Series;
use crate::charts::measured::{duration, ratio};
use isx_bench::multidim::{ENGINES as COMPARED, Grid, Lemos};
use isx_classics::multidim::{Answer, Batch, ENGINES, Multidim as Family};
use isx_engine::{Context, Engine, Entry as Listed, Hardware, Refusal, Request};
use isx_problems::multidim::generate::{MultidimRecipe, generate_multidim};
use isx_problems::multidim::{Multidim, witness};
use isx_problems::reduce::multidim::reduce;
use isx_solve::SolveError;
use isx_solve::multidim::reduce_many;
use num_bigint::BigInt;
use std::time::Instant;

/// What to measure.
pub struct Options<'a> {
    /// The batch.
    pub recipe: MultidimRecipe,
    /// Whether the instances have from 1 to the recipe's number of items, in turn.
    pub unequal: bool,
    /// Whether to measure the grids of Table 1, one instance at a time and all at once.
    pub grids: bool,
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
    let problems = problems(options)?;
    let mut found = Found { options, problems: &problems, profits: None };
    let judge = all().filter(|entry| entry.judge).map(|entry| (entry, Work::Raw));
    let asked = |entry: &&Listed<Family>| {
        options.engines.is_empty() || options.engines.contains(&entry.name.to_owned())
    };
    let others = all().filter(|entry| !entry.judge).filter(asked);
    // Lemos's scheme always does all the work.
    let works = |entry: &'static Listed<Family>| [Work::Raw, Work::Reduced].map(|work| (entry, work));
    let mut entries = Vec::new();
    for (entry, work) in judge.chain(others.flat_map(works)) {
        let series = series(entry.judge, entry.hardware == Hardware::Gpu);
        let name = if entry.judge { "textbook loop" } else { entry.name };
        entries.push(found.contestant((name, entry.engine), series, work)?);
    }
    let mut tables = Vec::new();
    if options.grids {
        tables.push(found.grids(&entries)?);
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
    let unequal = if options.unequal { " with 1, 2, .. items up to that number in turn" } else { "" };
    let about = format!("A batch of `isx generate multidim {}`{unequal}.", options.recipe);
    let machine = &options.settings.machine;
    let title = "Batches of multi-dimensional knapsack problems";
    let report = Comparison::new(title, command, about, machine, vec![problem]);
    Ok(Comparison { tables, ..report })
}

/// The batch; instance i of an unequal one is the i-th of its recipe with as many items as is its turn.
fn problems(options: &Options) -> Result<Vec<Multidim>, BenchError> {
    let MultidimRecipe { instances, items, .. } = options.recipe;
    if !options.unequal {
        return Ok(generate_multidim(&options.recipe)?);
    }
    let instance = |at: u64| {
        let recipe =
            MultidimRecipe { instances: Some(1), items: at % items.max(1) + 1, ..options.recipe.clone() };
        generate_multidim(&MultidimRecipe { seed: recipe.seed.wrapping_add(at), ..recipe })
    };
    let each: Vec<Vec<Multidim>> = (0..instances.unwrap_or(1)).map(instance).collect::<Result<_, _>>()?;
    Ok(each.concat())
}

/// Table 1 of the paper: blocks and threads per block, and milliseconds for 630 instances one at a time and all at once.
const TABLE_1: [(u32, u32, f64, f64); 7] = [
    (32, 32, 139_682.39, 10_978.94),
    (32, 64, 133_420.01, 5_870.54),
    (64, 64, 127_905.18, 3_358.43),
    (64, 128, 124_914.43, 2_027.44),
    (128, 128, 125_278.91, 1_393.80),
    (128, 256, 123_185.03, 1_100.34),
    (256, 256, 123_837.77, 1_098.56),
];
/// Its sequential time, in seconds.
const SEQUENTIAL: f64 = 168.889_91;

/// The benchmark's settings, and the textbook engine's answer once it exists.
struct Found<'a> {
    options: &'a Options<'a>,
    problems: &'a [Multidim],
    profits: Option<Vec<BigInt>>,
}

impl Found<'_> {
    fn contestant(
        &mut self,
        (name, engine): (&'static str, &dyn Engine<Family>),
        series: Series,
        work: Work,
    ) -> Result<Entry, BenchError> {
        let settings = &self.options.settings;
        let judge = series == Series::Baseline;
        let all = if work == Work::Raw { ", all the work" } else { "" };
        (settings.tell)(&format!("{name}{all}"));
        // The textbook engine is timed by its first run.
        let timed = runs(if judge { 0 } else { settings.repeat }, &mut || {
            let started = Instant::now();
            let batch = Batch::new(reduce_many(self.problems, &settings.machine));
            let context = Context { all_candidates: work == Work::Raw, ..Context::new(&settings.machine) };
            let refused = |cause| SolveError::from(Refusal { engine: name, cause });
            let request = Request { problem: &batch, wanted: (), context: &context };
            let plan = engine.plan(request).map_err(refused)?;
            if !judge {
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
            Err(Stopped::Solve(cause)) if judge => {
                return Err(BenchError::NoJudge { instance: instance.into(), cause });
            }
            timed => outcome(name, instance, timed)?,
        };
        Ok(Entry { contestant: name.to_owned(), work, series, outcome })
    }

    /// Table 1: each of its grids with one instance at a time and with all at once, beside the paper's figures.
    fn grids(&mut self, entries: &[Entry]) -> Result<Table, BenchError> {
        let textbook = entries.first().and_then(|entry| entry.outcome.timed()).map(Timed::total);
        let mut rows = Vec::new();
        for (blocks, threads, one, all) in TABLE_1 {
            let mut row = vec![format!("{blocks} x {threads}")];
            for (together, there) in [(false, one), (true, all)] {
                let engine = Lemos { together, grid: Some(Grid { blocks, threads }) };
                let name = if together { "cuda-lemos" } else { "cuda-lemos-one" };
                let entry = self.contestant((name, &engine), Series::Gpu, Work::Raw)?;
                let time = entry.outcome.timed().map(Timed::total);
                let faster = |time| textbook.map_or("–".into(), |textbook| ratio(textbook / time));
                row.extend([time.map_or("–".into(), duration), time.map_or("–".into(), faster)]);
                row.extend([duration(there / 1e3), ratio(SEQUENTIAL / (there / 1e3))]);
            }
            rows.push(row);
        }
        let head = [
            "blocks x threads",
            "one at a time",
            "×",
            "there",
            "× there",
            "all at once",
            "×",
            "there",
            "× there",
        ];
        Ok(Table {
            title: "Table 1: one at a time and all at once, by blocks and threads".into(),
            about: format!(
                "Algorithms 2.1 and 2.2, and 3.1 to 3.3. ×: the time of the sequential algorithm 1 as a multiple, here {}, \
                 there {} on a Xeon at 2.2 GHz, with a Tesla T4. Every answer was compared with the textbook engine's.",
                textbook.map_or("–".into(), duration),
                duration(SEQUENTIAL)
            ),
            head: head.map(str::to_owned).into(),
            rows,
        })
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
        let (unequal, grids) = (false, false);
        run(&Options { recipe, unequal, grids, engines, settings }, "isx-bench lemos".into())
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

    #[test]
    fn unequal_batches_have_every_number_of_items_and_grids_the_papers_figures() {
        let recipe = MultidimRecipe { instances: Some(7), items: 3, capacities: vec![30, 20], seed: 2 };
        let machine = isx_machine::Machine::default();
        let settings = Settings { repeat: 1, patience: Duration::from_secs(9), machine, tell: &|_| {} };
        let options = Options { recipe, unequal: true, grids: true, engines: &["dense".into()], settings };
        let batch = problems(&options).unwrap();
        let items: Vec<usize> = batch.iter().map(|problem| problem.items.len()).collect();
        assert_eq!(items, [1, 2, 3, 1, 2, 3, 1]);
        assert_ne!(batch[1], batch[4]);
        let report = run(&options, "isx-bench lemos".into()).unwrap();
        let rows = &report.tables[0].rows;
        assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [9; 7]);
        assert_eq!(
            [&rows[0][0][..], &rows[0][4], &rows[6][7], &rows[6][8]],
            ["32 x 32", "1.21", "1.10 s", "154"]
        );
        assert!(report.markdown().contains("in turn"));
    }
}
