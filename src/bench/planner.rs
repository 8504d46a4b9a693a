//! What the planner's choice costs beside the best engine: random problems of all families, solved by the engine that the
//! planner takes and by every other one.

use crate::BenchError;
use crate::charts::chart::DotChart;
use crate::compare::Difference;
use crate::machine::Machine as Described;
use crate::report::Report;
use crate::runner::Settings;
use crate::samples::{FAMILIES, Sample, Solved, draw};
use crate::timed::median;
use isx_machine::{Cancel, Machine};
use serde::Serialize;
use std::fmt::Write;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Time for the runs of an engine on a problem, if five are asked for.
const EACH: Duration = Duration::from_millis(200);

/// Time in which an engine starts; the first run on a GPU compiles its kernels, too.
const START: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(1)];

/// The problems to draw.
pub struct Options<'a> {
    /// How many.
    pub problems: u64,
    /// Seed of the first; the others follow.
    pub seed: u64,
    /// How to measure; problems that take longer than the patience are left out.
    pub settings: Settings<'a>,
}

/// What was found.
#[derive(Serialize)]
pub struct Results {
    command: String,
    machine: Described,
    patience: f64,
    problems: Vec<Measured>,
}

/// A problem with the seconds that its engines took.
#[derive(Serialize)]
struct Measured {
    family: &'static str,
    about: String,
    /// By the engine that the planner chose.
    auto: f64,
    /// The engine that solved it.
    chosen: &'static str,
    /// Those that took at most twice as long.
    engines: Vec<Engine>,
}

/// An engine's seconds for a problem.
#[derive(Serialize)]
struct Engine {
    name: &'static str,
    measured: f64,
}

impl Measured {
    /// The time of `auto` over that of the best engine, which may be `auto`'s own.
    fn ratio(&self) -> f64 {
        let best = self.engines.iter().map(|engine| engine.measured).fold(self.auto, f64::min);
        self.auto / best
    }
}

/// Draws and measures. Fails if two engines disagree.
pub fn run(options: &Options, command: String) -> Result<Results, BenchError> {
    let Settings { machine, patience, tell, repeat, .. } = &options.settings;
    // The GPU starts once, and that is no part of any problem. Without one, the engines say so.
    let _ = machine.gpu().alone();
    let mut problems = Vec::new();
    let mut drawn = 0;
    while (problems.len() as u64) < options.problems {
        let family = FAMILIES[drawn as usize % FAMILIES.len()];
        let sample = draw(family, options.seed.wrapping_add(drawn));
        drawn += 1;
        if let Some(measured) = measured(&sample?, machine, *patience, EACH.mul_f64(*repeat as f64 / 5.0))? {
            problems.push(measured);
            if problems.len() % 20 == 0 {
                tell(&format!("{} of {} problems", problems.len(), options.problems));
            }
        }
    }
    let machine = Described::here(crate::gpu::words(machine));
    Ok(Results { command, machine, patience: patience.as_secs_f64(), problems })
}

/// The times of a problem; `None` if no engine is needed, nothing solves it, or that takes longer than the patience.
fn measured(
    sample: &Sample,
    machine: &Machine,
    patience: Duration,
    each: Duration,
) -> Result<Option<Measured>, BenchError> {
    let within = |engine: Option<&str>, limit: Duration| {
        let cancel = Cancel::default();
        let machine = machine.clone().with_cancel(cancel.clone());
        stopped_after(limit, &cancel, || sample.solve(engine, &machine)).ok()
    };
    let timed = |engine| sample.timed(engine, machine, each).ok();
    if within(None, patience).is_none_or(|solved| solved.account.engine == "reduction") {
        return Ok(None);
    }
    let Some((wanted, auto)) = timed(None) else { return Ok(None) };
    // What takes longer is not the best.
    let limit = Duration::from_secs_f64(2.0 * auto) + START[usize::from(machine.has_gpu())];
    let mut engines = Vec::new();
    for &engine in &sample.engines {
        let solved = within(Some(engine), limit);
        let Some((found, measured)) = solved.and_then(|_| timed(Some(engine))) else { continue };
        if !found.agrees_with(&wanted) {
            let (found, wanted) = (format!("that of {engine}"), wanted.account.engine.to_owned());
            let difference = Difference { point: None, what: "the answer", found, wanted };
            let instance = format!("{} {}", sample.family, sample.about);
            return Err(BenchError::wrong(engine, &instance, difference));
        }
        engines.push(Engine { name: found.account.engine, measured });
    }
    let Solved { account, .. } = wanted;
    let (family, about) = (sample.family, sample.about.clone());
    Ok(Some(Measured { family, about, auto, chosen: account.engine, engines }))
}

/// Runs `work`, and cancels it once it has taken longer than `limit`.
fn stopped_after<T>(limit: Duration, cancel: &Cancel, work: impl FnOnce() -> T) -> T {
    if limit == Duration::MAX {
        return work();
    }
    let (ended, wait) = channel::<()>();
    thread::scope(|scope| {
        // Without a thread to watch it, the work is not stopped.
        let _ = thread::Builder::new().spawn_scoped(scope, move || {
            if wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                cancel.cancel();
            }
        });
        let done = work();
        drop(ended);
        done
    })
}

impl Report for Results {
    fn markdown(&self) -> String {
        let mut text = format!("Command: `{}`\n\nMachine: {}.\n\n", self.command, self.machine.words());
        text.push_str(
            "| family | problems | auto over best: median | worst | above 2 |\n|---|---|---|---|---|\n",
        );
        for family in FAMILIES.iter().map(Some).chain([None]) {
            let of = self.problems.iter().filter(|one| family.is_none_or(|name| *name == one.family));
            let ratios: Vec<f64> = of.map(Measured::ratio).collect();
            if ratios.is_empty() {
                continue;
            }
            let worst = ratios.iter().copied().fold(1.0, f64::max);
            let above = ratios.iter().filter(|&&ratio| ratio > 2.0).count();
            let (name, count) = (family.unwrap_or(&"all"), ratios.len());
            let _ = writeln!(text, "| {name} | {count} | {:.2} | {worst:.2} | {above} |", median(ratios));
        }
        text
    }

    fn charts(&self) -> Vec<(&'static str, DotChart)> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_that_to_the_best_engine() {
        let engines = [("dense", 1.0), ("list", 0.25)];
        let engines = engines.into_iter().map(|(name, measured)| Engine { name, measured }).collect();
        let about = String::new();
        let one = Measured { family: "mckp", about, auto: 0.5, chosen: "dense", engines };
        assert_eq!(one.ratio(), 2.0);
    }

    #[test]
    fn work_that_takes_too_long_is_cancelled() {
        let cancel = Cancel::default();
        stopped_after(Duration::from_millis(1), &cancel, || {
            while !cancel.is_cancelled() {
                thread::yield_now();
            }
        });
        let other = Cancel::default();
        stopped_after(Duration::from_secs(60), &other, || ());
        assert!(cancel.is_cancelled() && !other.is_cancelled());
    }
}
