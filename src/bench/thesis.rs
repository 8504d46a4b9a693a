//! `isx-bench thesis`: repeats the comparisons of the thesis's figures on this machine.
//!
//! B. Suri, "Accelerating the knapsack problem on GPUs", master's thesis, Linköping University, 2011: Figures 5.1 to
//! 5.4 compare ways of filling the same table on random problems, Figures 6.1 to 6.4 on the task sets of the case
//! study. As in the thesis every contestant examines every item, and the time of a GPU includes the transfers. The
//! multi-core contestant is the dense engine on all threads. In addition to the thesis there is the best CPU
//! algorithm, with reduction, whose time is no measure of the machine.
//!
//! A figure selects instances and contestants from what was measured once; see `thesis_report.rs`.

use super::deviation::{Deviation, deviations_at_one};
use super::instances::{Family, Instance, recipes};
use super::machine::Machine;
use super::measure::{Contestant, Judge, Named, judge, measure};
use super::runner::{Outcome, Settings, Work};
use super::study::Study;
use super::study_contestant::StudyContestant;
use super::{BenchError, gpu};
use isx_bench::thesis::cuda::{Occupancy, mean_references_per_access};
use isx_bench::thesis::float_front::{FloatVariant, float_front};
use isx_engine::{Auto, Hardware};
use isx_mckp::{ENGINES, MckpEngine, Wanted};
use isx_problems::mckp::generate::MckpRecipe;
use isx_problems::mckp::{Item, Mckp};
use serde::{Deserialize, Serialize};

/// The schema's name.
pub const SCHEMA: &str = "isx.bench.thesis/1";

/// The textbook loop on one core.
pub const SEQUENTIAL: &str = "sequential";
/// The dense engine on all threads.
pub const MULTI_CORE: &str = "multi-core";
/// The faster of the CPU engines `list` and `dense`, on the reduced problem.
pub const BEST: &str = "best CPU algorithm (reduced)";

/// Number of small task sets with a design at U = 1 on which floats are tried.
const SETS_AT_ONE: u64 = 2000;

/// What to measure.
#[derive(Clone)]
pub struct Options<'a> {
    /// The instances of chapter 5.
    pub families: &'a [Family],
    /// How many instances of each, at least 1.
    pub each: u64,
    /// Threads of the multi-core contestants.
    pub threads: usize,
    /// Whether to fail if there is no GPU.
    pub insist_on_gpu: bool,
    /// How to measure.
    pub settings: Settings<'a>,
}

/// All measurements of the benchmark.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ThesisReport {
    /// [`SCHEMA`].
    pub schema: String,
    /// The command that repeats the measurement.
    pub command: String,
    /// The machine.
    pub machine: Machine,
    /// Most timed runs per contestant.
    pub repeat: usize,
    /// Why no GPU was measured, if none was.
    pub no_gpu: Option<String>,
    /// Chapter 5: random problems.
    pub problems: Vec<Measured>,
    /// Chapter 6: task sets.
    pub task_sets: Vec<Measured>,
    /// Float variants on the task sets and on small sets with a design at U = 1.
    pub deviations: Vec<VariantDeviation>,
    /// Number of small sets with a design at U = 1 that were tried.
    pub sets_at_one: u64,
}

/// The measurements on an instance.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Its name.
    pub instance: String,
    /// The figure group of the instance.
    pub part: Part,
    /// Its size, as text.
    pub size: String,
    /// Equation 4.2: references to the previous row per access to global memory if a block fetches its part of it; the
    /// mean over the classes.
    #[serde(default)]
    pub references: Option<f64>,
    /// Equation 3.1 for the techniques of the thesis.
    #[serde(default)]
    pub occupancy: Vec<(String, Occupancy)>,
    /// Which instance of its size it is, from 0; the figures are of the first.
    #[serde(default)]
    pub copy: u64,
    /// The contestants in order.
    pub entries: Vec<Entry>,
}

/// The figure group of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The small ones of Table 5.2.
    Small,
    /// The large ones of Table 5.2.
    Large,
    /// Table 5.3.
    Spread,
    /// Correlated.
    Correlated,
    /// Table 6.1.
    TaskSet,
}

/// The measurements of a contestant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Its name.
    pub contestant: String,
    /// Its times, for values only.
    pub outcome: Outcome,
}

/// The errors of a float variant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VariantDeviation {
    /// The variant's name.
    pub variant: String,
    /// On each of the thesis's task sets.
    pub task_sets: Vec<Deviation>,
    /// Summed over the small sets with a design at U = 1.
    pub at_one: Deviation,
}

/// Measures; every answer is checked before its time is recorded.
///
/// # Errors
///
/// If an answer is wrong, the textbook engine gives none, or a GPU is required and there is none.
pub fn run(options: &Options, command: String) -> Result<ThesisReport, BenchError> {
    let no_gpu = gpu::techniques(&options.settings.machine).err();
    if let Some(why) = no_gpu.as_ref().filter(|_| options.insist_on_gpu) {
        let gpu = ENGINES.iter().find(|entry| entry.hardware == Hardware::Gpu);
        let engine = gpu.map_or("GPU", |entry| entry.name).to_owned();
        return Err(BenchError::Unavailable { engine, why: why.clone() });
    }
    let mut problems = Vec::new();
    for recipe in recipes(options.families) {
        for copy in 0..options.each {
            // The rows of a table have the seeds 1 to 5.
            let seed = recipe.seed + 10 * copy;
            problems.push(on_problem(&Instance::new(MckpRecipe { seed, ..recipe })?, copy, options)?);
        }
    }
    let studies = (1..).map_while(Study::thesis).collect::<Result<Vec<_>, _>>()?;
    let task_sets = studies.iter().map(|study| on_task_set(study, options)).collect::<Result<_, _>>()?;
    Ok(ThesisReport {
        schema: SCHEMA.to_owned(),
        command,
        machine: Machine::here(gpu::words(&options.settings.machine)),
        repeat: options.settings.repeat,
        no_gpu,
        problems,
        task_sets,
        deviations: deviations(&studies, &options.settings)?,
        sets_at_one: SETS_AT_ONE,
    })
}

/// The CPU engines that the planner may select: the best algorithm is one of them.
fn cpu_engines() -> impl Iterator<Item = &'static MckpEngine> {
    ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu && entry.auto != Auto::Never)
}

/// The CPU engine that examines every candidate of a table.
fn table_engine() -> Option<&'static MckpEngine> {
    cpu_engines().find(|entry| entry.auto == Auto::ByEstimate)
}

/// The contestants of chapter 5 except the textbook loop and the best algorithm.
fn contestants(options: &Options) -> Vec<Contestant> {
    let threads = options.threads;
    let named = |name: &str, contestant| Contestant { name: name.into(), ..contestant };
    let table = table_engine().map(|engine| named(MULTI_CORE, Contestant::new(engine, Work::Raw, threads)));
    let techniques = gpu::techniques(&options.settings.machine).unwrap_or_default().into_iter();
    let techniques = techniques.map(|(name, engine)| Contestant::unlisted(name, engine, Work::Raw, threads));
    table.into_iter().chain(techniques).collect()
}

/// The faster of the CPU engines, on the reduced problem.
fn best_on(instance: &Instance, judge: &Judge, options: &Options) -> Result<Outcome, BenchError> {
    let mut best = Outcome::NotMeasured("there is no CPU engine".into());
    for engine in cpu_engines() {
        let contestant = Contestant::new(engine, Work::Reduced, options.threads);
        let outcome = measure(&contestant, instance, Wanted::Values, judge, &options.settings)?;
        let sooner = match (outcome.timed(), best.timed()) {
            (Some(time), Some(best)) => time.total() < best.total(),
            (Some(_), None) => true,
            (None, timed) => timed.is_none(),
        };
        best = if sooner { outcome } else { best };
    }
    Ok(best)
}

fn on_problem(instance: &Instance, copy: u64, options: &Options) -> Result<Measured, BenchError> {
    let settings = &options.settings;
    (settings.tell)(&format!("{}: {}", instance.name, judge()?.name));
    let judge = Judge::new(instance, Wanted::BestPicks, settings)?;
    let textbook = Outcome::Timed(judge.timed.clone());
    let mut entries = vec![Entry { contestant: SEQUENTIAL.into(), outcome: textbook }];
    for contestant in contestants(options) {
        (settings.tell)(&format!("{}: {}", instance.name, contestant.name));
        let outcome = measure(&contestant, instance, Wanted::Values, &judge, settings)?;
        entries.push(Entry { contestant: contestant.name, outcome });
    }
    (settings.tell)(&format!("{}: {BEST}", instance.name));
    let outcome = best_on(instance, &judge, options)?;
    entries.push(Entry { contestant: BEST.into(), outcome });
    let part = match instance.recipe {
        recipe if recipe.spread.is_some() => Part::Spread,
        recipe if recipe.kind != isx_problems::mckp::generate::Correlation::Uncorrelated => Part::Correlated,
        // The thesis's own boundary between small and large.
        recipe if recipe.classes <= 10 => Part::Small,
        _ => Part::Large,
    };
    let size = format!("{} items, {} points", instance.items(), judge.solution.claim.len());
    let references = Some(references(&instance.problem));
    let occupancy = gpu::occupancies(&settings.machine, &instance.problem);
    let occupancy = occupancy.into_iter().map(|(name, occupancy)| (name.to_owned(), occupancy)).collect();
    Ok(Measured { instance: instance.name.clone(), part, size, references, occupancy, copy, entries })
}

/// See [`Measured::references`].
fn references(problem: &Mckp<i64>) -> f64 {
    let weights = |class: &Vec<Item<i64>>| {
        let of = |pick: fn(u64, u64) -> u64| class.iter().map(|item| item.weight).reduce(pick).unwrap_or(0);
        (class.len(), of(u64::min), of(u64::max))
    };
    mean_references_per_access(problem.classes.iter().map(weights))
}

/// The contestants of chapter 6, the baseline first.
fn study_contestants(options: &Options) -> Result<Vec<StudyContestant>, BenchError> {
    let (threads, machine) = (options.threads, &options.settings.machine);
    let mut contestants = vec![
        StudyContestant::floats(DIV_F64, FloatVariant::DivF64),
        StudyContestant::floats(RECIP_F64, FloatVariant::RecipF64),
        StudyContestant::floats(DIV_F32, FloatVariant::DivF32),
        StudyContestant::floats(RECIP_F32, FloatVariant::RecipF32),
    ];
    let listed = |name, entry: &MckpEngine, raw, threads| {
        StudyContestant::engine(name, (entry.name, entry.engine), raw, threads)
    };
    contestants.push(listed(EXACT, judge()?, true, 1));
    contestants.extend(table_engine().map(|entry| listed(EXACT_MULTI_CORE, entry, true, threads)));
    contestants.extend(table_engine().map(|entry| listed(EXACT_TWO_CORES, entry, true, 2)));
    contestants.extend(gpu::study(machine).unwrap_or_default());
    let techniques = gpu::techniques(machine).unwrap_or_default();
    let technique = |named: Named| StudyContestant::engine(named.0, named, true, threads);
    contestants.extend(techniques.into_iter().map(technique));
    let reduced = cpu_engines().map(|entry| listed(entry.name, entry, false, threads));
    contestants.push(StudyContestant::soonest(BEST, reduced.collect()));
    Ok(contestants)
}

/// The sequential tables of chapter 6.
pub const DIV_F64: &str = "sequential, div-f64";
/// See [`DIV_F64`].
pub const DIV_F32: &str = "sequential, div-f32";
/// See [`DIV_F64`].
pub const RECIP_F64: &str = "sequential, recip-f64";
/// See [`DIV_F64`].
pub const RECIP_F32: &str = "sequential, recip-f32";
/// The textbook loop over integer frequencies.
pub const EXACT: &str = "sequential, exact integers";
/// The dense engine over integer frequencies.
pub const EXACT_MULTI_CORE: &str = "multi-core, exact integers";
/// The same on two threads.
pub const EXACT_TWO_CORES: &str = "two cores, exact integers";

fn on_task_set(study: &Study, options: &Options) -> Result<Measured, BenchError> {
    let mut entries = Vec::new();
    for contestant in study_contestants(options)? {
        (options.settings.tell)(&format!("{}: {}", study.name, contestant.name));
        let outcome = study.measure(&contestant, &options.settings)?;
        entries.push(Entry { contestant: contestant.name.into(), outcome });
    }
    let formulation = &study.formulation;
    let (tasks, area) = (formulation.tasks.len(), formulation.problem.capacity);
    let size = format!("{tasks} tasks, areas up to {area}, {} points", study.points());
    let instance = study.name.clone();
    let (references, occupancy, copy) = (None, Vec::new(), 0);
    Ok(Measured { instance, part: Part::TaskSet, size, references, occupancy, copy, entries })
}

fn deviations(studies: &[Study], settings: &Settings) -> Result<Vec<VariantDeviation>, BenchError> {
    (settings.tell)("float variants on small sets with a design at U = 1");
    let mut deviations = Vec::new();
    for (variant, at_one) in deviations_at_one(SETS_AT_ONE, settings)? {
        let of = |study: &Study| {
            float_front(&study.formulation, variant, &settings.machine)
                .map(|front| study.deviation(&front))
                .map_err(|cause| BenchError::NoFloats { instance: study.name.clone(), cause })
        };
        let task_sets = studies.iter().map(of).collect::<Result<_, _>>()?;
        deviations.push(VariantDeviation { variant: variant.name().to_owned(), task_sets, at_one });
    }
    Ok(deviations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Report;
    use std::time::Duration;

    #[test]
    fn the_cpu_side_is_measured_without_a_gpu() {
        let settings = Settings {
            repeat: 1,
            patience: Duration::from_secs(9),
            machine: isx_machine::Machine::default(),
            tell: &|_| {},
        };
        let options =
            Options { families: &[Family::Tiny], each: 2, threads: 3, insist_on_gpu: false, settings };
        let mut report = run(&options, "isx-bench thesis".into()).unwrap();
        let occupancy = vec![(SEQUENTIAL.to_owned(), Occupancy { equation: 0.75, driver: 0.5 })];
        report.problems[0].occupancy = occupancy;
        assert_eq!((report.problems.len(), report.task_sets.len()), (6, 5));
        for measured in report.problems.iter().chain(&report.task_sets) {
            assert!(measured.entries[0].outcome.timed().is_some(), "{measured:?}");
            assert_eq!(measured.references.is_some(), measured.part != Part::TaskSet);
            assert!(measured.entries.iter().any(|entry| entry.contestant == BEST));
        }
        let text = report.markdown();
        for figure in ["5.1", "5.2", "5.3", "5.4", "6.1", "6.2", "6.3", "6.4"] {
            assert!(text.contains(&format!("Figure {figure}")), "{figure}");
        }
        let two_cores = |one: &Measured| one.entries.iter().any(|entry| entry.contestant == EXACT_TWO_CORES);
        assert!(report.task_sets.iter().all(two_cores) && text.contains(EXACT_TWO_CORES));
        assert!(text.contains("means of 2 instances"), "{text}");
        assert!(text.contains(": 75 % (50 %)"), "{text}");
        let equations = text.matches("| equation 4.2").count();
        assert!(equations >= 1, "{text}");
        if let Some(why) = &report.no_gpu {
            assert!(text.contains(why.as_str()));
            let insisting = Options { insist_on_gpu: true, ..options.clone() };
            let refused = run(&insisting, String::new());
            assert!(matches!(refused, Err(BenchError::Unavailable { .. })));
        }
        assert!(report.charts().iter().all(|(_, chart)| !chart.groups.is_empty()));
    }
}
