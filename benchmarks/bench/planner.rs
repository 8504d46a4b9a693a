//! What the planner's choice costs beside the best engine: random problems of all families, solved by the engine that the
//! planner takes and by every other one.

use crate::BenchError;
use crate::charts::measured::ratio as shown;
use crate::compare::Difference;
use crate::comparison::{Comparison, Entry, Problem, Table};
use crate::runner::{AUTO, Outcome, Settings, Work};
use crate::samples::{FAMILIES, Sample, draw};
use crate::timed::{Timed, median, series};
use isx_machine::{Cancel, Machine};
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

/// Draws and measures. Fails if two engines disagree.
pub fn run(options: &Options, command: String) -> Result<Comparison, BenchError> {
    let Settings { machine, patience, tell, repeat, .. } = &options.settings;
    // The GPU starts once, and that is no part of any problem. Without one, the engines say so.
    let _ = machine.gpu().alone();
    let mut problems = Vec::new();
    let mut drawn = 0;
    while (problems.len() as u64) < options.problems {
        let family = FAMILIES[drawn as usize % FAMILIES.len()];
        let sample = draw(family, options.seed.wrapping_add(drawn));
        drawn += 1;
        if let Some(problem) = measured(&sample?, machine, *patience, EACH.mul_f64(*repeat as f64 / 5.0))? {
            problems.push(problem);
            if problems.len() % 20 == 0 {
                tell(&format!("{} of {} problems", problems.len(), options.problems));
            }
        }
    }
    let about = "Random problems of all families: the engine that is chosen (auto), and each that takes at most twice as long.";
    let table = regret(&problems);
    let title = "The engine that is chosen beside the best one";
    let comparison = Comparison::new(title, command, about.to_owned(), machine, problems);
    Ok(Comparison { tables: vec![table], ..comparison })
}

/// The times of a problem; `None` if no engine is needed, nothing solves it, or that takes longer than the patience.
fn measured(
    sample: &Sample,
    machine: &Machine,
    patience: Duration,
    each: Duration,
) -> Result<Option<Problem>, BenchError> {
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
    let name = format!("{} {}", sample.family, sample.about);
    let mut entries = vec![entry(AUTO, wanted.account.engine, auto)];
    for &engine in &sample.engines {
        let solved = within(Some(engine), limit);
        let Some((found, seconds)) = solved.and_then(|_| timed(Some(engine))) else { continue };
        if !found.agrees_with(&wanted) {
            let (found, wanted) = (format!("that of {engine}"), wanted.account.engine.to_owned());
            let difference = Difference { point: None, what: "the answer", found, wanted };
            return Err(BenchError::wrong(engine, &name, difference));
        }
        entries.push(entry(engine, engine, seconds));
    }
    let answer = format!("{} was chosen", wanted.account.engine);
    Ok(Some(Problem { name, answer, optimum: None, candidates: 0.0, entries }))
}

fn entry(contestant: &str, engine: &str, seconds: f64) -> Entry {
    let outcome = Outcome::Timed(Timed::once(engine, seconds));
    let series = series(false, engine.starts_with("cuda"));
    Entry { contestant: contestant.to_owned(), work: Work::Reduced, series, outcome }
}

/// The time of `auto`, the first, over that of the best engine, which may be `auto`'s own.
fn ratio(problem: &Problem) -> f64 {
    let mut times = problem.entries.iter().filter_map(|entry| Some(entry.outcome.timed()?.total()));
    let auto = times.next().unwrap_or(f64::NAN);
    auto / times.fold(auto, f64::min)
}

/// That of all problems, by family.
fn regret(problems: &[Problem]) -> Table {
    let row = |family: Option<&&str>| {
        let of = problems.iter().filter(|one| family.is_none_or(|name| one.name.starts_with(*name)));
        let ratios: Vec<f64> = of.map(ratio).collect();
        let worst = ratios.iter().copied().fold(1.0, f64::max);
        let above = ratios.iter().filter(|&&ratio| ratio > 2.0).count().to_string();
        let (name, count) = (family.copied().unwrap_or("all").to_owned(), ratios.len().to_string());
        vec![name, count, shown(median(ratios)), shown(worst), above]
    };
    let head = ["family", "problems", "median", "worst", "above 2"];
    Table {
        title: "The time of auto over that of the best engine".to_owned(),
        about: "By family.".to_owned(),
        head: head.map(str::to_owned).into(),
        rows: FAMILIES.iter().map(Some).chain([None]).map(row).collect(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_that_to_the_best_engine() {
        let entries = [(AUTO, 0.5), ("dense", 1.0), ("list", 0.25)];
        let entries = entries.into_iter().map(|(name, seconds)| entry(name, name, seconds)).collect();
        let (name, answer) = ("mckp".to_owned(), String::new());
        let one = Problem { name, answer, optimum: None, candidates: 0.0, entries };
        assert_eq!(ratio(&one), 2.0);
        assert_eq!(regret(&[one]).rows[0][1..], ["1", "2.00", "2.00", "0"]);
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
