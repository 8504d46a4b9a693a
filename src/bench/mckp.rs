//! `isx-bench mckp`: every engine on the papers' instances, comparing all the work and the best algorithm.

use super::BenchError;
use super::instances::{Family, Instance, recipes};
use super::machine::Machine;
use super::measure::{Contestant, Judge, engines, judge, measure};
use super::runner::{AUTO, Outcome, Settings, Work};
use super::timed::Timed;
use isx_engine::{Hardware, Threads};
use isx_mckp::{ENGINES, Wanted};
use serde::{Deserialize, Serialize};

/// The schema's name.
pub const SCHEMA: &str = "isx.bench.mckp/1";

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

/// All measurements of the benchmark.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MckpReport {
    /// [`SCHEMA`].
    pub schema: String,
    /// The command that repeats the measurement.
    pub command: String,
    /// The machine.
    pub machine: Machine,
    /// Most timed runs per contestant.
    pub repeat: usize,
    /// The instances in order.
    pub instances: Vec<InstanceReport>,
}

/// The measurements on an instance.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InstanceReport {
    /// Its name.
    pub instance: String,
    /// The command that generates it.
    pub recipe: String,
    /// m.
    pub classes: u64,
    /// C.
    pub capacity: u64,
    /// Items of all classes.
    pub items: usize,
    /// Points of its front.
    pub points: usize,
    /// The textbook engine: all the work, one thread, one run with the items of every point. Its `solve` is the time
    /// for values only, since it stores every row anyway.
    pub textbook: Timed,
    /// The others.
    pub contestants: Vec<ContestantReport>,
}

/// The measurements of a contestant on an instance.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ContestantReport {
    /// The engine's name, or `auto`.
    pub engine: String,
    /// How much of the problem it examined.
    pub work: Work,
    /// The limit of its threads.
    pub threads: usize,
    /// The whole front, values only.
    pub values: Outcome,
    /// The whole front with the items of every point.
    pub items: Outcome,
}

impl ContestantReport {
    /// Where it runs; `auto` is counted as CPU, whatever the planner selects.
    #[must_use]
    pub fn hardware(&self) -> Hardware {
        ENGINES.named(&self.engine).map_or(Hardware::Cpu, |engine| engine.hardware)
    }
}

/// Measures; every answer is checked before its time is recorded.
///
/// # Errors
///
/// If an answer is wrong, the textbook engine gives none, or an engine is unknown.
pub fn run(options: &Options, command: String) -> Result<MckpReport, BenchError> {
    let contestants = contestants(options)?;
    let mut instances = Vec::new();
    for recipe in recipes(options.families) {
        instances.push(on_instance(&Instance::new(recipe)?, &contestants, &options.settings)?);
    }
    Ok(MckpReport {
        schema: SCHEMA.to_owned(),
        command,
        machine: Machine::here(super::gpu::words(&options.settings.machine)),
        repeat: options.settings.repeat,
        instances,
    })
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
) -> Result<InstanceReport, BenchError> {
    (settings.tell)(&format!("{}: {}", instance.name, judge()?.name));
    let judge = Judge::new(instance, Wanted::AllPicks, settings)?;
    let mut reports = Vec::new();
    for contestant in contestants {
        let Contestant { name, work, threads, .. } = contestant;
        let work_name = if *work == Work::Raw { "all the work" } else { "reduced" };
        (settings.tell)(&format!("{}: {name}, {work_name}, threads: {threads}", instance.name));
        let outcome = |wanted| measure(contestant, instance, wanted, &judge, settings);
        let values = outcome(Wanted::Values)?;
        // A contestant that refuses the values refuses the items too, and is not asked twice.
        let items = match &values {
            Outcome::Timed(_) => outcome(Wanted::AllPicks)?,
            Outcome::NotMeasured(_) => values.clone(),
        };
        reports.push(ContestantReport {
            engine: name.clone(),
            work: *work,
            threads: *threads,
            values,
            items,
        });
    }
    Ok(InstanceReport {
        instance: instance.name.clone(),
        recipe: format!("isx generate mckp {}", instance.recipe),
        classes: instance.recipe.classes,
        capacity: instance.recipe.capacity,
        items: instance.items(),
        points: judge.solution.claim.len(),
        textbook: judge.timed,
        contestants: reports,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_machine::Machine as Computer;
    use std::time::Duration;

    fn report(engines: &[String]) -> MckpReport {
        let settings = Settings {
            repeat: 2,
            patience: Duration::from_secs(9),
            machine: Computer::default(),
            tell: &|_| {},
        };
        let options = Options { families: &[Family::Tiny], engines, threads: &[1, 2], settings };
        run(&options, "isx-bench mckp --instances tiny".into()).unwrap()
    }

    #[test]
    fn every_engine_takes_part_in_both_comparisons() {
        let report = report(&[]);
        assert_eq!(report.instances.len(), 3);
        for instance in &report.instances {
            assert!(instance.points > 1 && !instance.textbook.samples.is_empty());
            for engine in ENGINES.iter().filter(|engine| !engine.judge) {
                for work in [Work::Raw, Work::Reduced] {
                    let of = |one: &&ContestantReport| one.engine == engine.name && one.work == work;
                    let wanted = if engine.threads == Threads::One { 1 } else { 2 };
                    assert_eq!(instance.contestants.iter().filter(of).count(), wanted, "{}", engine.name);
                }
            }
            let list = instance.contestants.iter().find(|one| one.engine == "list").unwrap();
            assert_eq!(list.items.timed().unwrap().samples.len(), 2);
        }
    }

    #[test]
    fn engines_can_be_named_and_must_exist() {
        let named = report(&["list".into()]);
        assert!(named.instances[0].contestants.iter().all(|one| one.engine == "list"));
        assert!(matches!(engines(&["abacus".into()]), Err(BenchError::Unavailable { .. })));
    }
}
