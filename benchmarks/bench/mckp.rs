//! `isx-bench mckp`: every engine on the papers' instances, all the work and the best algorithm.

use super::BenchError;
use super::comparison::{Comparison, Entry, Problem};
use super::instances::{Family, Instance, recipes};
use super::measure::{Contestant, Judge, engines, judge, measure};
use super::runner::{AUTO, Outcome, Settings, Work};
use super::timed::series;
use isx_engine::{Hardware, Threads};
use isx_mckp::{ENGINES, Wanted};

/// What to measure.
#[derive(Clone)]
pub struct Options<'a> {
    /// The instances.
    pub families: &'a [Family],
    /// Names of engines, `auto` among them; all if empty. The textbook engine always runs.
    pub engines: &'a [String],
    /// Numbers of threads for each engine.
    pub threads: &'a [usize],
    /// How to measure.
    pub settings: Settings<'a>,
}

/// Measures; every answer is checked before its time is recorded.
/// Fails if an answer is wrong, the textbook engine gives none, or an engine is unknown.
pub fn run(options: &Options, command: String) -> Result<Comparison, BenchError> {
    let contestants = contestants(options)?;
    let mut problems = Vec::new();
    for recipe in recipes(options.families) {
        problems.push(on_instance(&Instance::new(recipe)?, &contestants, &options.settings)?);
    }
    let about = "The whole front with the items of every point, compared with the textbook engine's point by point and item by \
                 item. Contestants with all the work have neither reduction nor bounds; below half of the textbook's candidates \
                 it is another algorithm, and rates do not compare."
        .to_owned();
    let title = "Multiple-choice knapsack engines";
    Ok(Comparison::new(title, command, about, &options.settings.machine, problems))
}

fn contestants(options: &Options) -> Result<Vec<Contestant>, BenchError> {
    let mut contestants = Vec::new();
    let most = options.threads.iter().copied().max().unwrap_or(1);
    for work in [Work::Raw, Work::Reduced] {
        for engine in engines(options.engines)? {
            // An engine that does not use threads is measured once.
            let once = engine.threads == Threads::One;
            let threads = options.threads.iter().filter(|&&threads| !once || threads == most);
            contestants.extend(threads.map(|&threads| Contestant::new(engine, work, threads)));
        }
    }
    if options.engines.is_empty() || options.engines.iter().any(|name| name == AUTO) {
        contestants.extend(options.threads.iter().map(|&threads| Contestant::auto(threads)));
    }
    Ok(contestants)
}

fn on_instance(
    instance: &Instance,
    contestants: &[Contestant],
    settings: &Settings,
) -> Result<Problem, BenchError> {
    (settings.tell)(&format!("{}: {}", instance.name, judge()?.name));
    let judge = Judge::new(instance, Wanted::AllPicks, settings)?;
    let entry = |contestant: String, work, series, outcome| Entry { contestant, work, series, outcome };
    let textbook = Outcome::Timed(judge.timed.clone());
    let mut entries = vec![entry("textbook loop".into(), Work::Raw, series(true, false), textbook)];
    for contestant in contestants {
        let Contestant { name, work, threads, .. } = contestant;
        let plural = if *threads == 1 { "" } else { "s" };
        let label = format!("{name}, {threads} thread{plural}");
        (settings.tell)(&format!("{}: {label}", instance.name));
        let outcome = measure(contestant, instance, Wanted::AllPicks, &judge, settings)?;
        let is_gpu = ENGINES.named(name).is_some_and(|engine| engine.hardware == Hardware::Gpu);
        entries.push(entry(label, *work, series(false, is_gpu), outcome));
    }
    let recipe = &instance.recipe;
    Ok(Problem {
        name: instance.name.clone(),
        answer: format!(
            "{} items in {} classes, {} points on the front. `isx generate mckp {recipe}`",
            instance.items(),
            recipe.classes,
            judge.solution.claim.len()
        ),
        optimum: None,
        candidates: judge.timed.updates as f64,
        entries,
    })
}
