//! `isx-papers lemos`: the multi-dimensional engines on a batch with as many and as large instances as in the paper.
//!
//! D. Lemos, H. Longo, W. Martins and L. Foulds, "A GPU-based DP algorithm for solving multiple instances of the
//! knapsack problem", Table 1: 630 instances of 20 items, capacities 1000 and 1000. Their instances are not
//! available; the generator's recipe replaces them. Times are of whole runs: they include reduction, transfers in
//! both directions and items, but not the start of a GPU.

use isx_bench::BenchError;
use isx_bench::Difference;
use isx_bench::charts::chart::Series;
use isx_bench::charts::measured::{duration, ratio};
use isx_bench::comparison::{Comparison, Entry, Problem, Table};
use isx_bench::patience::Patient;
use isx_bench::runner::{Run, Settings, Stopped, Work, outcome, runs};
use isx_bench::timed::{Sample, Timed, series};
use isx_engine::{Context, Engine, Hardware, Refusal, Request};
use isx_papers::answer::{Answer, Question};
use isx_papers::multidim::generate::{Recipe, generate};
use isx_papers::multidim::{Batch, Best, ENGINES, Grid, Lemos, Multidim, Problem as Instance};
use isx_solve::SolveError;
use num_bigint::BigInt;
use std::time::{Duration, Instant};

/// What to measure.
pub struct Options<'a> {
    /// The batch.
    pub recipe: Recipe,
    /// Whether the instances have from 1 to the recipe's number of items, in turn.
    pub unequal: bool,
    /// Whether to measure the grids of Table 1, one instance at a time and all at once.
    pub grids: bool,
    /// Whether to measure the methods for a GPU.
    pub on_gpu: bool,
    /// How to measure; the textbook engine always runs, once.
    pub settings: Settings<'a>,
}

/// Measures; every answer is summed again and compared with the textbook engine's before its time is recorded.
/// Fails if an answer is wrong, the textbook engine gives none, or there is no GPU.
pub fn run(options: &Options, command: String) -> Result<Comparison, BenchError> {
    crate::gpu::require(options.on_gpu, &options.settings)?;
    let batch = Batch(problems(options)?);
    let mut found = Found { options, batch: &batch, profits: None };
    let mut entries = Vec::new();
    for entry in ENGINES.iter().filter(|entry| options.on_gpu || entry.hardware == Hardware::Cpu) {
        let series = series(entry.judge, entry.hardware == Hardware::Gpu);
        let name = if entry.judge { "textbook loop" } else { entry.name };
        entries.push(found.contestant((name, entry.engine), series)?);
    }
    let mut tables = Vec::new();
    if options.grids {
        tables.push(found.grids(&entries)?);
    }
    let problem = Problem {
        optimum: None,
        name: format!("{} instances", batch.0.len()),
        answer: "profits summed again and equal to the textbook engine's".into(),
        candidates: batch.0.iter().map(Instance::candidates).fold(0, u64::saturating_add) as f64,
        entries,
    };
    let unequal = if options.unequal { ", with 1, 2, .. items up to that number in turn" } else { "" };
    let about = format!("A batch of the recipe `{}`{unequal}.", options.recipe);
    let machine = &options.settings.machine;
    let title = "Batches of multi-dimensional knapsack problems";
    let report = Comparison::new(title, command, about, machine, vec![problem]);
    Ok(Comparison { tables, ..report })
}

/// The batch; instance i of an unequal one is the i-th of its recipe with as many items as is its turn.
fn problems(options: &Options) -> Result<Vec<Instance>, BenchError> {
    let &Recipe { instances, items, seed, .. } = &options.recipe;
    if !options.unequal {
        return generate(&options.recipe).map_err(BenchError::Set);
    }
    let instance = |at: u64| {
        let (items, seed) = (at % items.max(1) + 1, seed.wrapping_add(at));
        generate(&Recipe { instances: 1, items, seed, ..options.recipe.clone() }).map_err(BenchError::Set)
    };
    let each: Vec<Vec<Instance>> = (0..instances).map(instance).collect::<Result<_, _>>()?;
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
    batch: &'a Batch,
    profits: Option<Vec<BigInt>>,
}

impl Found<'_> {
    fn contestant(
        &mut self,
        (name, engine): (&'static str, &dyn Engine<Multidim>),
        series: Series,
    ) -> Result<Entry, BenchError> {
        let settings = &self.options.settings;
        let judge = series == Series::Baseline;
        (settings.tell)(name);
        // The textbook engine is timed by its first run.
        let timed = runs(if judge { 0 } else { settings.repeat }, &mut || {
            let started = Instant::now();
            let context = Context::new(&settings.machine);
            let refused = |cause| SolveError::from(Refusal { engine: name, cause });
            let request = Request { problem: self.batch, wanted: (), context: &context };
            let patience = if judge { Duration::MAX } else { settings.patience };
            let patient = Patient { engine, patience };
            let answer = patient.plan(request).and_then(|plan| plan.run()).map_err(refused)?;
            let sample = Sample { reduce: 0.0, solve: started.elapsed().as_secs_f64(), traceback: 0.0 };
            let Answer { found, how: ran_on, threads, updates, .. } = answer;
            self.check(found)?;
            Ok(Run { sample, ran_on, threads, arithmetic: self.batch.tier().to_string(), updates })
        });
        let instance = "the batch";
        let outcome = match timed {
            Err(Stopped::Solve(cause)) if judge => {
                return Err(BenchError::NoJudge { instance: instance.into(), cause });
            }
            timed => outcome(name, instance, timed)?,
        };
        Ok(Entry { contestant: name.to_owned(), work: Work::Reduced, series, outcome })
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
                let entry = self.contestant((name, &engine), Series::Gpu)?;
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
    fn check(&mut self, found: Vec<Best>) -> Result<(), Stopped> {
        Multidim::check(self.batch, &found).map_err(Difference::from)?;
        let profits: Vec<BigInt> = found.into_iter().map(|best| best.profit).collect();
        let wanted = self.profits.get_or_insert_with(|| profits.clone());
        match profits.iter().zip(&*wanted).position(|(found, wanted)| found != wanted) {
            Some(at) => {
                let (found, wanted) = (profits[at].to_string(), wanted[at].to_string());
                Err(Difference { point: Some(at), what: "profit", found, wanted }.into())
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unequal_batches_have_every_number_of_items_and_grids_the_papers_figures() {
        let recipe = Recipe { instances: 7, items: 3, capacities: vec![30, 20], seed: 2 };
        let machine = isx_machine::Machine::default();
        let settings = Settings { repeat: 1, patience: Duration::from_secs(9), machine, tell: &|_| {} };
        let options = Options { recipe, unequal: true, grids: true, on_gpu: false, settings };
        let batch = problems(&options).unwrap();
        let items: Vec<usize> = batch.iter().map(|problem| problem.items.len()).collect();
        assert_eq!(items, [1, 2, 3, 1, 2, 3, 1]);
        assert_ne!(batch[1], batch[4]);
        let report = run(&options, "isx-papers lemos".into()).unwrap();
        let rows = &report.tables[0].rows;
        assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [9; 7]);
        assert_eq!(
            [&rows[0][0][..], &rows[0][4], &rows[6][7], &rows[6][8]],
            ["32 x 32", "1.21", "1.10 s", "154"]
        );
        assert!(report.markdown().contains("in turn"));
    }
}
