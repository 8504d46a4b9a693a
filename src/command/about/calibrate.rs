//! `isx devices --calibrate`: measures the rates of this machine and keeps them for later runs.
//!
//! A *group* of rates belongs to one engine, or to one of its inner loops. The work of a small problem is known in units of
//! every rate (`isx_engine::forecasts`), so a measured time t gives the factor f of the group that does most of it:
//!
//! ```text
//! t = (predicted - share of the group) + f * (share of the group)
//! ```
//!
//! The rates of a group keep their ratios. Groups that no problem isolates take the factor of one like them. The least of a
//! few runs counts: whatever else the machine does only adds time.

use crate::failure::{Failure, Outcome};
use crate::terminal::{Talk, note, talk};
use isx_exact::sampling::IntRange;
use isx_machine::cpu::{Arena, Team, Workers, cores};
use isx_machine::rates::{ROWS, Rate, Rates};
use isx_machine::{Machine, calibration};
use isx_problems::knapsack::generate::{Kind, KnapsackRecipe};
use isx_problems::mckp::generate::{Correlation, MckpRecipe};
use isx_problems::recipe::RecipeError;
use isx_report::files::write_whole;
use isx_solve::samples::{self, Sample};
use std::io::Write;
use std::time::{Duration, Instant};

/// Time for the runs of a problem.
const EACH: Duration = Duration::from_millis(80);

/// Runs of what is no problem.
const RUNS: usize = 8;

/// Factors beyond this are not believed.
const FARTHEST: f64 = 100.0;

/// A problem whose time is mostly that of a group of rates, for the engine that the group is named for.
struct Probe {
    group: &'static str,
    sample: Sample,
}

/// Groups that take the factor of another one: lists and hash tables that of the textbook's loops, vectors that of the
/// tables of MCKP.
const LIKE: [(&str, &str); 7] = [
    ("mckp.list", "mckp.reference"),
    ("knapsack.core", "mckp.reference"),
    ("set-union.list", "mckp.reference"),
    ("resources.list", "mckp.reference"),
    ("resources.reference", "mckp.reference"),
    ("set-union.dense", "mckp.dense"),
    ("front", "mckp.dense"),
];

/// Measures the rates, writes them and prints the factors.
pub fn calibrate() -> Result<Outcome, Failure> {
    let place = calibration::place().ok_or_else(|| {
        Failure::Usage(format!(
            "no place for the calibration: set {}, XDG_CACHE_HOME or HOME",
            calibration::PLACE
        ))
    })?;
    let rates = measured();
    let identity = calibration::Identity::of_this_machine();
    write_whole(&place, |out| write!(out, "{}", calibration::Text(&identity, &rates)))?;
    let mut out = std::io::stdout().lock();
    if talk() == Talk::Verbose {
        for row in &ROWS {
            let (name, unit, was) = (row.name, row.unit, row.default);
            writeln!(
                out,
                "{name:32} {:>10.3e} {unit:12} {:.2} times the default",
                rates[row.rate],
                rates[row.rate] / was
            )?;
        }
    }
    writeln!(out, "wrote {}", place.display())?;
    Ok(Outcome::Done)
}

/// The rates of this machine.
fn measured() -> Rates {
    // One thread, so that what threads gain is measured by itself.
    let mut machine = Machine::default().with_threads(1);
    let mut rates = with_memory(with_threads(Rates::DEFAULT, cores()));
    machine = machine.with_rates(&rates);
    let on_gpu = if machine.has_gpu() { Some(gpu_probes()) } else { None };
    if on_gpu.is_some()
        && let Some((start, round_trip)) = started(&machine)
    {
        rates = rates.with(Rate::GpuStart, start).with(Rate::GpuRoundTrip, round_trip);
    }
    // A recipe here that the generators refuse is a mistake that the tests find.
    let probes = probes().unwrap_or_default().into_iter().map(|probe| (probe, false));
    let of_gpu = on_gpu.into_iter().flatten().flatten().map(|probe| (probe, true));
    for (Probe { group, sample }, compiles) in probes.chain(of_gpu) {
        machine = machine.with_rates(&rates);
        if compiles {
            // The first run compiles kernels and gets memory; whether it fails, the next one shows.
            let _ = sample.solve(engine_of(group), &machine);
        }
        match factor(group, &sample, &machine) {
            Some(factor) => {
                rates = rates.scaled(group, factor);
                let like = LIKE.iter().filter(|(_, of)| *of == group);
                rates = like.fold(rates, |rates, (group, _)| rates.scaled(group, factor));
            }
            None if talk() == Talk::Verbose => note(&format!("{group} was not measured and stays as it is")),
            None => {}
        }
    }
    rates
}

/// With the rates of passing work to threads and of starting them.
fn with_threads(rates: Rates, cores: usize) -> Rates {
    if cores < 2 {
        return rates;
    }
    let workers = Workers::new(cores);
    let (first, ()) = timed(|| drop(workers.map(cores as u64, true, |at| at)));
    let team = Team::sharing_everything(&workers);
    // A piece so small that only passing it takes time.
    let passing = least_of(|| drop(team.map(cores, 1.0, |at| at)));
    let busy = |jobs: usize| (0..jobs).map(|job| spin(job as u64)).fold(0, u64::wrapping_add);
    let alone = least_of(|| {
        std::hint::black_box(busy(cores));
    });
    let together = least_of(|| drop(std::hint::black_box(team.map(cores, 1.0, |job| spin(job as u64)))));
    let further = ((alone / together - 1.0) / (cores - 1) as f64).clamp(0.3, 1.0);
    let factor = passing / (rates[Rate::Fork] + rates[Rate::ForkThread] * cores as f64);
    let factor = factor.clamp(1.0 / FARTHEST, FARTHEST);
    rates
        .clone()
        .with(Rate::ThreadStart, (first / cores as f64).clamp(1e-5, 1e-3))
        .with(Rate::Fork, rates[Rate::Fork] * factor)
        .with(Rate::ForkThread, rates[Rate::ForkThread] * factor)
        .with(Rate::FurtherThread, further)
}

/// A millisecond or less of arithmetic that no compiler shortens.
fn spin(seed: u64) -> u64 {
    (0..400_000u64).fold(seed, |sum, at| {
        std::hint::black_box(sum.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(at))
    })
}

/// With the rates of getting memory from the system.
fn with_memory(rates: Rates) -> Rates {
    // One byte per small page makes the system provide the page.
    let seconds_a_byte = |bytes: usize| {
        let seconds = least_of(|| {
            if let Ok(mut arena) = Arena::new(bytes) {
                arena.cells_mut::<u8>().iter_mut().step_by(4096).for_each(|byte| *byte = 1);
            }
        });
        seconds / bytes as f64
    };
    let mapping = seconds_a_byte(1) / rates[Rate::Mapping];
    let large = seconds_a_byte(64 << 20) / rates[Rate::LargePageByte];
    let small = seconds_a_byte(2 << 20) / rates[Rate::SmallPageByte];
    let [mapping, large, small] =
        [mapping, large, small].map(|factor| factor.clamp(1.0 / FARTHEST, FARTHEST));
    let mapping = rates[Rate::Mapping] * mapping;
    let later = rates[Rate::LaterByte] * large;
    let (large, small) = (rates[Rate::LargePageByte] * large, rates[Rate::SmallPageByte] * small);
    rates
        .with(Rate::Mapping, mapping)
        .with(Rate::LargePageByte, large)
        .with(Rate::SmallPageByte, small)
        .with(Rate::LaterByte, later)
}

/// Seconds until a GPU solves a problem so small that it does nothing but start, and seconds for it from then on.
fn started(machine: &Machine) -> Option<(f64, f64)> {
    let sample = samples::mckp(&classes(2, 2, 100, 100, Correlation::Strong), false).ok()?;
    let engine = engine_of("mckp.cuda");
    let (start, solved) = timed(|| sample.solve(engine, machine));
    solved.ok()?;
    let (_, again) = sample.timed(engine, machine, EACH).ok()?;
    Some((start.clamp(1e-3, 30.0), again.engine.clamp(1e-5, 1e-2)))
}

fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let begun = Instant::now();
    let done = work();
    (begun.elapsed().as_secs_f64(), done)
}

/// The least seconds of some runs.
fn least_of(mut work: impl FnMut()) -> f64 {
    (0..RUNS).map(|_| timed(&mut work).0).fold(f64::INFINITY, f64::min).max(1e-9)
}

/// The engine that a group is named for: the second part of `family.engine.loop`.
fn engine_of(group: &str) -> Option<&str> {
    group.split('.').nth(1)
}

/// The factor on a group's rates that explains the measured time of a problem.
fn factor(group: &str, sample: &Sample, machine: &Machine) -> Option<f64> {
    let engine = engine_of(group);
    let forecasts = sample.forecasts(machine)?;
    let forecast = forecasts.engines.into_iter().find(|forecast| Some(forecast.engine) == engine)?;
    let needs = forecast.needs.ok()?;
    let of_group = needs.work.iter().filter(|work| ROWS[work.rate as usize].group() == group);
    let share: f64 = of_group.map(|work| work.time.as_secs_f64()).sum();
    let rest = needs.time.as_secs_f64() - share;
    let (_, seconds) = sample.timed(engine, machine, EACH).ok()?;
    // If other work takes most of the time, it says little about the group.
    let factor = (seconds.engine - rest).max(0.1 * share) / share;
    (share > rest && (1.0 / FARTHEST..FARTHEST).contains(&factor)).then_some(factor)
}

/// Classes of this many items, with values and weights up to `most`.
fn classes(classes: u64, items: u64, most: u64, capacity: u64, kind: Correlation) -> MckpRecipe {
    let (items, range) = (IntRange { low: items, high: items }, IntRange { low: 1, high: most });
    MckpRecipe { classes, capacity, items, values: range, weights: range, kind, spread: None, seed: 1 }
}

/// The problems for the engines of the CPU.
fn probes() -> Result<Vec<Probe>, RecipeError> {
    let mckp = |group, recipe: MckpRecipe, all| Ok(Probe { group, sample: samples::mckp(&recipe, all)? });
    let (uncorrelated, strong) = (Correlation::Uncorrelated, Correlation::Strong);
    let knapsack =
        KnapsackRecipe { kind: Kind::Strong, items: 300, range: 1000, seed: 1, ..KnapsackRecipe::default() };
    Ok(vec![
        mckp("mckp.reference", classes(10, 20, 1000, 5000, strong), true)?,
        mckp("mckp.dense", classes(40, 6, 10_000, 100_000, uncorrelated), true)?,
        mckp("mckp.dense.bounded", classes(20, 300, 10_000, 100_000, strong), true)?,
        Probe { group: "knapsack.reference", sample: samples::knapsack(&knapsack, true)? },
        Probe { group: "knapsack.dense", sample: samples::knapsack(&knapsack, true)? },
        Probe { group: "resources.dense", sample: samples::resources(12, 5, &[1000, 30], 1) },
    ])
}

/// The problems for the engines of a GPU: large enough that it does not only start and fetch.
fn gpu_probes() -> Option<Vec<Probe>> {
    let mckp = classes(10, 200, 10_000, 4_000_000, Correlation::Strong);
    let knapsack = KnapsackRecipe {
        kind: Kind::Strong,
        items: 400,
        range: 1_000_000,
        seed: 1,
        ..KnapsackRecipe::default()
    };
    let probe = |group, sample: Result<Sample, RecipeError>| Some(Probe { group, sample: sample.ok()? });
    Some(vec![
        probe("mckp.cuda", samples::mckp(&mckp, false))?,
        probe("knapsack.cuda", samples::knapsack(&knapsack, false))?,
    ])
}
