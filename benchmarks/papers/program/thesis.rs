//! `isx-papers thesis`: repeats the comparisons of the thesis's figures on this machine.
//!
//! B. Suri, "Accelerating the knapsack problem on GPUs", master's thesis, Linköping University, 2011: Figures 5.1 to
//! 5.4 compare ways of filling the same table on random problems, Figures 6.1 to 6.4 on the task sets of the case
//! study. As in the thesis every contestant examines every item, and the time of a GPU includes the transfers. The
//! multi-core contestant is the dense engine on all threads. In addition to the thesis there is the best CPU
//! algorithm, with reduction, whose time is no measure of the machine.
//!
//! A figure is a table of instances and contestants of what was measured once; see `thesis_tables.rs`.

use super::deviation::{Deviation, deviations_at_one};
use super::study::Study;
use super::study_contestant::StudyContestant;
use super::{gpu, thesis_tables};
use isx_bench::BenchError;
use isx_bench::charts::chart::Series;
use isx_bench::comparison::{Comparison, Entry, Problem, Table};
use isx_bench::instances::{Family, Instance, recipes};
use isx_bench::measure::{Contestant, Judge, Named, judge, measure};
use isx_bench::runner::{Outcome, Settings, Work};
use isx_engine::{Auto, Hardware};
use isx_mckp::{ENGINES, MckpEngine, Wanted};
use isx_papers::thesis::cuda::{Occupancy, mean_references_per_access};
use isx_papers::thesis::float_front::{FloatVariant, float_front};
use isx_problems::mckp::generate::{Correlation, MckpRecipe};
use isx_problems::mckp::{Item, Mckp};

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
    /// Whether to measure the methods for a GPU.
    pub on_gpu: bool,
    /// How to measure.
    pub settings: Settings<'a>,
}

/// The measurements on an instance.
pub struct Measured {
    /// The instance and its contestants.
    pub problem: Problem,
    /// The figure group of the instance.
    pub part: Part,
    /// Which instance of its size it is, from 0; the figures are of the first.
    pub copy: u64,
    /// Equation 4.2: references to the previous row per access to global memory if a block fetches its part of it; the
    /// mean over the classes.
    pub references: Option<f64>,
    /// Equation 3.1 for the techniques of the thesis.
    pub occupancy: Vec<(&'static str, Occupancy)>,
}

impl Measured {
    /// What became of a contestant, if it took part.
    pub fn outcome(&self, contestant: &str) -> Option<&Outcome> {
        self.problem.entries.iter().find(|entry| entry.contestant == contestant).map(|entry| &entry.outcome)
    }
}

/// The figure group of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Measures; every answer is checked before its time is recorded.
/// Fails if an answer is wrong, the textbook engine gives none, or a GPU is required and there is none.
pub fn run(options: &Options, command: String) -> Result<Comparison, BenchError> {
    gpu::require(options.on_gpu, &options.settings)?;
    let mut measured = Vec::new();
    for recipe in recipes(options.families) {
        for copy in 0..options.each {
            // The rows of a table have the seeds 1 to 5.
            let seed = recipe.seed + 10 * copy;
            measured.push(on_problem(&Instance::new(MckpRecipe { seed, ..recipe })?, copy, options)?);
        }
    }
    let studies = (1..).map_while(Study::thesis).collect::<Result<Vec<_>, _>>()?;
    for study in &studies {
        measured.push(on_task_set(study, options)?);
    }
    let mut tables = thesis_tables::of(&measured, options.each);
    tables.push(deviations(&studies, &options.settings)?);
    let about = "Values only, transfers included. In parentheses: updates a second as a multiple of the first row's, where at \
                 least half of its candidates are looked at (cells that no items so far can reach are left out by the dense and \
                 tiled engines)."
        .to_owned();
    let problems = measured.into_iter().map(|one| one.problem).collect();
    let report =
        Comparison::new("The thesis's comparisons", command, about, &options.settings.machine, problems);
    Ok(Comparison { tables, ..report })
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
    let techniques = if options.on_gpu { gpu::techniques() } else { Vec::new() };
    let techniques =
        techniques.into_iter().map(|(name, engine)| Contestant::unlisted(name, engine, Work::Raw, threads));
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

/// A contestant's entry; its name says where it ran.
fn entry(contestant: &str, outcome: Outcome) -> Entry {
    let work = if contestant == BEST { Work::Reduced } else { Work::Raw };
    let series = match contestant {
        MULTI_CORE | EXACT_MULTI_CORE | EXACT_TWO_CORES | BEST => Series::Cpu,
        sequential if sequential.starts_with(SEQUENTIAL) => Series::Baseline,
        _ => Series::Gpu,
    };
    Entry { contestant: contestant.to_owned(), work, series, outcome }
}

fn on_problem(instance: &Instance, copy: u64, options: &Options) -> Result<Measured, BenchError> {
    let settings = &options.settings;
    (settings.tell)(&format!("{}: {}", instance.name, judge()?.name));
    let judge = Judge::new(instance, Wanted::BestPicks, settings)?;
    let mut entries = vec![entry(SEQUENTIAL, Outcome::Timed(judge.timed.clone()))];
    for contestant in contestants(options) {
        (settings.tell)(&format!("{}: {}", instance.name, contestant.name));
        let outcome = measure(&contestant, instance, Wanted::Values, &judge, settings)?;
        entries.push(entry(&contestant.name, outcome));
    }
    (settings.tell)(&format!("{}: {BEST}", instance.name));
    entries.push(entry(BEST, best_on(instance, &judge, options)?));
    let part = match instance.recipe {
        recipe if recipe.spread.is_some() => Part::Spread,
        recipe if recipe.kind != Correlation::Uncorrelated => Part::Correlated,
        // The thesis's own boundary between small and large.
        recipe if recipe.classes <= 10 => Part::Small,
        _ => Part::Large,
    };
    let answer = format!("{} items, {} points", instance.items(), judge.solution.claim.len());
    let candidates = judge.timed.updates as f64;
    let problem = Problem { name: instance.name.clone(), answer, optimum: None, candidates, entries };
    let occupancy = match options.on_gpu {
        true => gpu::occupancies(&settings.machine, &instance.problem),
        false => Vec::new(),
    };
    Ok(Measured { problem, part, copy, references: Some(references(&instance.problem)), occupancy })
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
    let threads = options.threads;
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
    if options.on_gpu {
        contestants.extend(gpu::study());
        let technique = |named: Named| StudyContestant::engine(named.0, named, true, threads);
        contestants.extend(gpu::techniques().into_iter().map(technique));
    }
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
        entries.push(entry(contestant.name, study.measure(&contestant, &options.settings)?));
    }
    let formulation = &study.formulation;
    let (tasks, area) = (formulation.tasks.len(), formulation.capacity());
    let answer = format!("{tasks} tasks, areas up to {area}, {} points", study.points());
    let updates = entries.iter().filter_map(|entry| Some(entry.outcome.timed()?.updates)).max();
    let candidates = updates.unwrap_or(0) as f64;
    let problem = Problem { name: study.name.clone(), answer, optimum: None, candidates, entries };
    Ok(Measured { problem, part: Part::TaskSet, copy: 0, references: None, occupancy: Vec::new() })
}

/// What floats get wrong on the thesis's task sets, and on small ones.
fn deviations(studies: &[Study], settings: &Settings) -> Result<Table, BenchError> {
    (settings.tell)("float variants on small sets with a design at U = 1");
    let mut rows = Vec::new();
    for (variant, at_one) in deviations_at_one(SETS_AT_ONE, settings)? {
        let mut add = |of: String, deviation: &Deviation| {
            let name = format!("{}, {of}", variant.name());
            rows.push(
                std::iter::once(name).chain(deviation.counts().map(|count| count.to_string())).collect(),
            );
        };
        for study in studies {
            let front = float_front(&study.formulation, variant, &settings.machine);
            add(study.name.clone(), &study.deviation(&front.map_err(|cause| study.no_floats(cause))?));
        }
        add(format!("{SETS_AT_ONE} small sets"), &at_one);
    }
    let head =
        ["", "points", "exact points", "spurious", "missing", "wrong U <= 1"].map(str::to_owned).to_vec();
    let about = "Every design that a float table finds is summed again exactly. Spurious: it is not on the front. Missing: a \
                 point of the front that was not found. Wrong: its U <= 1 is decided wrongly. Each of the small sets has a \
                 design of utilization exactly 1."
        .to_owned();
    Ok(Table { title: "What floats get wrong".to_owned(), about, head, rows })
}
