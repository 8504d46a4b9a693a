//! Holds the planner against measurements: problems of all families, every engine's predicted and measured time, and
//! what the planner's own choice costs beside the best engine.

use crate::BenchError;
use crate::charts::chart::DotChart;
use crate::charts::measured::markdown_table;
use crate::compare::Difference;
use crate::machine::Machine as Described;
use crate::report::Report;
use crate::runner::Settings;
use crate::timed::median;
use isx_engine::forecasts::{Forecast, Needs, Role};
use isx_machine::{Cancel, Machine};
use isx_solve::samples::{FAMILIES, Sample, Seconds, Solved, draw};
use serde::Serialize;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Time for the runs of an engine on a problem, if five are asked for.
const EACH: Duration = Duration::from_millis(200);

/// Predictions of less than this are also counted apart: beside it, the clock and the caches decide.
const SHORT: f64 = 1e-3;

/// The problems to draw.
pub struct Options<'a> {
    /// How many.
    pub problems: u64,
    /// Seed of the first; the others follow.
    pub seed: u64,
    /// How to measure; engines that expect to take longer than the patience are left out.
    pub settings: Settings<'a>,
}

/// What was found.
#[derive(Serialize)]
pub struct Results {
    command: String,
    machine: Described,
    calibrated: bool,
    patience: f64,
    problems: Vec<Measured>,
}

/// A problem with the times of its engines, in seconds.
#[derive(Serialize)]
struct Measured {
    family: &'static str,
    about: String,
    /// Of the whole solve by the engine that the planner chose.
    auto: f64,
    /// The engine that solved it.
    chosen: &'static str,
    engines: Vec<Engine>,
}

/// An engine's times for a problem.
#[derive(Serialize)]
struct Engine {
    name: &'static str,
    /// What its plan said; `None` if that is only a lower bound.
    predicted: Option<f64>,
    /// The engine's own time.
    measured: f64,
    /// The whole solve.
    whole: f64,
}

impl Engine {
    /// The measured time over the predicted one.
    fn error(&self) -> Option<f64> {
        self.predicted.map(|predicted| self.measured / predicted)
    }
}

impl Measured {
    /// The time of `auto` over that of the best engine, which may be `auto`'s own.
    fn ratio(&self) -> f64 {
        let best = self.engines.iter().map(|engine| engine.whole).fold(self.auto, f64::min);
        self.auto / best
    }
}

/// Draws, predicts and measures. Fails if a problem cannot be solved.
pub fn run(options: &Options, command: String) -> Result<Results, BenchError> {
    let Settings { machine, patience, tell, .. } = &options.settings;
    // The GPU starts once, and that is no part of any problem. Without one, the engines say so.
    let _ = machine.gpu().alone();
    let mut problems = Vec::new();
    let mut drawn = 0;
    while (problems.len() as u64) < options.problems {
        let family = FAMILIES[drawn as usize % FAMILIES.len()];
        let sample = draw(family, options.seed.wrapping_add(drawn));
        drawn += 1;
        // Some are solved by the reduction alone.
        if let Some(measured) = measured(&sample?, machine, *patience, options.settings.repeat)? {
            problems.push(measured);
            if problems.len() % 20 == 0 {
                tell(&format!("{} of {} problems", problems.len(), options.problems));
            }
        }
    }
    let calibrated = *machine.rates() != isx_machine::rates::Rates::DEFAULT;
    let machine = Described::here(machine);
    Ok(Results { command, machine, calibrated, patience: patience.as_secs_f64(), problems })
}

/// The times of a problem; `None` if no engine is needed, or all would take longer than the patience.
fn measured(
    sample: &Sample,
    machine: &Machine,
    patience: Duration,
    repeat: usize,
) -> Result<Option<Measured>, BenchError> {
    let Some(forecasts) = sample.forecasts(machine) else { return Ok(None) };
    let within = |needs: &Needs| needs.time <= patience;
    let runs =
        |forecast: &&Forecast| forecast.role == Role::Runs && forecast.needs.as_ref().is_ok_and(within);
    if forecasts.engines.iter().find(runs).is_none() {
        return Ok(None);
    }
    if machine.has_gpu() {
        // The first run on a GPU compiles kernels, which later ones find compiled. No engine for a GPU has only a lower bound.
        let is_short = |needs: &Needs| !needs.at_least && needs.time <= EACH;
        let short = forecasts.engines.iter().filter(|forecast| forecast.needs.as_ref().is_ok_and(is_short));
        short.for_each(|forecast| drop(sample.solve(Some(forecast.engine), machine)));
    }
    let instance = format!("{} {}", sample.family, sample.about);
    let (auto_found, auto) = timed(sample, None, machine, Duration::MAX, repeat)
        .map_err(|cause| BenchError::NoJudge { instance: instance.clone(), cause })?;
    let mut engines = Vec::new();
    for Forecast { engine, needs, .. } in &forecasts.engines {
        let Ok(needs) = needs else { continue };
        if !within(needs) {
            continue;
        }
        // Who was stopped or refused after all has no time.
        let timed = timed(sample, Some(engine), machine, patience * 4, repeat);
        let Ok((found, seconds)) = timed else { continue };
        if !found.agrees_with(&auto_found) {
            let (found, wanted) = (format!("that of {engine}"), auto_found.account.engine.to_owned());
            let difference = Difference { point: None, what: "the answer", found, wanted };
            return Err(BenchError::wrong(engine, &instance, difference));
        }
        let predicted = (!needs.at_least).then_some(needs.time.as_secs_f64());
        let Seconds { engine: measured, whole } = seconds;
        engines.push(Engine { name: found.account.engine, predicted, measured, whole });
    }
    let (family, about) = (sample.family, sample.about.clone());
    Ok(Some(Measured { family, about, auto: auto.whole, chosen: auto_found.account.engine, engines }))
}

/// The answer and the least times of some runs. Fails if they take longer than `limit`.
fn timed(
    sample: &Sample,
    engine: Option<&str>,
    machine: &Machine,
    limit: Duration,
    repeat: usize,
) -> Result<(Solved, Seconds), isx_solve::SolveError> {
    let cancel = Cancel::default();
    let machine = machine.clone().with_cancel(cancel.clone());
    let each = EACH.mul_f64(repeat as f64 / 5.0);
    stopped_after(limit, &cancel, || sample.timed(engine, &machine, each))
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
        let mut rows = Vec::new();
        for family in FAMILIES.iter().map(Some).chain([None]) {
            let of: Vec<&Measured> =
                self.problems.iter().filter(|one| family.is_none_or(|name| *name == one.family)).collect();
            if of.is_empty() {
                continue;
            }
            let ratios: Vec<f64> = of.iter().map(|one| one.ratio()).collect();
            let worst = ratios.iter().copied().fold(1.0, f64::max);
            let engines = || of.iter().flat_map(|one| &one.engines);
            let all: Vec<f64> = engines().filter_map(Engine::error).collect();
            let long = engines().filter(|engine| engine.predicted.is_some_and(|seconds| seconds >= SHORT));
            let long: Vec<f64> = long.filter_map(Engine::error).collect();
            let [name, count, predicted] =
                [(*family.unwrap_or(&"all")).to_owned(), of.len().to_string(), all.len().to_string()];
            let [middle, worst] = [median(ratios), worst].map(|ratio| format!("{ratio:.2}"));
            rows.push(vec![name, count, middle, worst, predicted, share(&all), share(&long)]);
        }
        let mut by_engine = Vec::new();
        for (family, name) in self.names() {
            let of = self.problems.iter().filter(|one| one.family == family).flat_map(|one| &one.engines);
            let errors: Vec<f64> =
                of.filter(|engine| engine.name == name).filter_map(Engine::error).collect();
            if errors.is_empty() {
                continue;
            }
            let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
            let most = errors.iter().copied().fold(0.0, f64::max);
            let (count, share) = (errors.len().to_string(), share(&errors));
            let [least, middle, most] = [least, median(errors), most].map(|error| format!("{error:.2}"));
            by_engine.push(vec![format!("{family} {name}"), count, share, least, middle, most]);
        }
        let head = [
            "family",
            "problems",
            "auto over best: median",
            "worst",
            "predictions",
            "within twice",
            "of those of 1 ms or more",
        ];
        let engines =
            ["engine", "predictions", "within twice", "measured over predicted: least", "median", "most"];
        let rates = if self.calibrated { "calibrated" } else { "not calibrated" };
        format!(
            "Command: `{}`\n\nMachine: {}; {rates}.\n\n{}\n{}",
            self.command,
            self.machine.words(),
            markdown_table(&head, &rows),
            markdown_table(&engines, &by_engine)
        )
    }

    fn charts(&self) -> Vec<(&'static str, DotChart)> {
        Vec::new()
    }
}

impl Results {
    /// Every engine that was measured, in order.
    fn names(&self) -> Vec<(&'static str, &'static str)> {
        let mut names = Vec::new();
        for family in FAMILIES {
            for engine in self.problems.iter().filter(|one| one.family == family).flat_map(|one| &one.engines)
            {
                if !names.contains(&(family, engine.name)) {
                    names.push((family, engine.name));
                }
            }
        }
        names
    }
}

/// The share of errors within a factor of 2, in percent.
fn share(errors: &[f64]) -> String {
    let near = errors.iter().filter(|error| (0.5..=2.0).contains(*error)).count();
    if errors.is_empty() {
        "-".into()
    } else {
        format!("{:.0} % of {}", 100.0 * near as f64 / errors.len() as f64, errors.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(predicted: Option<f64>, measured: f64) -> Engine {
        Engine { name: "dense", predicted, measured, whole: measured }
    }

    #[test]
    fn errors_and_ratios_are_what_they_are_called() {
        let engines = vec![engine(Some(0.5), 1.0), engine(None, 0.25)];
        let about = String::new();
        let one = Measured { family: "mckp", about, auto: 0.5, chosen: "dense", engines };
        assert_eq!((one.ratio(), one.engines[0].error(), one.engines[1].error()), (2.0, Some(2.0), None));
        assert_eq!(share(&[0.5, 2.0, 2.1, 0.4]), "50 % of 4");
        assert_eq!(share(&[]), "-");
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
