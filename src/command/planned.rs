//! What `--dry-run` prints: every engine's expected time and memory, what takes it, and which would run.

use crate::failure::{Failure, Outcome};
use crate::terminal::{Talk, talk};
use isx_engine::forecasts::{Forecast, Forecasts, Needs, Role, Work};
use isx_engine::{EngineError, Refusal};
use isx_explore::ExploreError;
use isx_machine::rates::{ROWS, Row};
use isx_report::visible;
use isx_solve::SolveError;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::time::Duration;

const SCHEMA: &str = "isx.plan/1";

/// The outcome of a command, with a plan printed if that is all it was to make.
pub fn or_planned(outcome: Result<Outcome, Failure>, json: bool) -> Result<Outcome, Failure> {
    match outcome {
        Err(
            Failure::Solve(SolveError::Engine(Refusal { cause: EngineError::Forecast(all), .. }))
            | Failure::Explore(ExploreError::Solve(SolveError::Engine(Refusal {
                cause: EngineError::Forecast(all),
                ..
            }))),
        ) => {
            let mut out = io::stdout().lock();
            match json {
                true => writeln!(out, "{:#}", document(&all))?,
                false => write_text(&all, &mut out)?,
            }
            Ok(Outcome::Done)
        }
        outcome => outcome,
    }
}

/// Says that a computation needed no engine.
pub fn needs_no_engine(json: bool) -> Result<Outcome, Failure> {
    let mut out = io::stdout().lock();
    match json {
        true => writeln!(out, "{:#}", json!({ "schema": SCHEMA, "engines": [] }))?,
        false => writeln!(out, "no engine is needed: the reduction leaves nothing to solve")?,
    }
    Ok(Outcome::Done)
}

fn write_text(all: &Forecasts, out: &mut dyn Write) -> io::Result<()> {
    if talk() == Talk::Quiet {
        return writeln!(out, "{}", will_run(all));
    }
    writeln!(out, "problem    {}; nothing is solved", all.family)?;
    writeln!(out, "runs       {}", will_run(all))?;
    writeln!(out, "\n{:13} {:>16} {:>11}  takes most", "engine", "expected", "memory")?;
    for Forecast { engine, needs, .. } in &all.engines {
        let needs = match needs {
            Ok(needs) => needs,
            Err(why) => {
                writeln!(out, "{engine:13} {}", visible(why))?;
                continue;
            }
        };
        let bytes = needs.bytes.map_or_else(|| "unknown".into(), in_bytes);
        let most = needs.work.first().map_or_else(String::new, |work| share(work, needs));
        writeln!(out, "{engine:13} {:>16} {bytes:>11}  {most}", expected(needs))?;
        if talk() == Talk::Verbose {
            for work in &needs.work {
                let Row { name, about, .. } = row(work);
                let each = in_time(work.time.as_secs_f64() / work.amount.max(1) as f64);
                let total = in_time(work.time.as_secs_f64());
                let amount = format!("{} x {each} = {total}", work.amount);
                writeln!(out, "  {amount:32} {name}: {about}")?;
            }
        }
    }
    Ok(())
}

/// Which engines would run, and in which order.
fn will_run(all: &Forecasts) -> String {
    let with = |role: Role| -> Vec<&str> {
        let engines = all.engines.iter().filter(|forecast| forecast.role == role);
        engines.map(|forecast| forecast.engine).collect()
    };
    let (first, then) = (with(Role::TriedFirst), with(Role::Runs));
    match (&first[..], &then[..]) {
        ([], []) => "none can".into(),
        ([], then) => then.join(", "),
        (first, []) => first.join(", then "),
        (first, then) => {
            format!("{}; {} if that turns out to take longer", first.join(", then "), then.join(", "))
        }
    }
}

fn expected(needs: &Needs) -> String {
    let time = in_time(needs.time.as_secs_f64());
    if needs.at_least { format!("at least {time}") } else { time }
}

/// The work, and its share of all work.
fn share(work: &Work, needs: &Needs) -> String {
    let all: Duration = needs.work.iter().map(|work| work.time).sum();
    let percent = 100.0 * work.time.as_secs_f64() / all.as_secs_f64().max(f64::MIN_POSITIVE);
    let counted = row(work).counted();
    format!("{percent:.0} % {counted}: {}", row(work).about)
}

fn row(work: &Work) -> &'static Row {
    &ROWS[work.rate as usize]
}

fn in_time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-9 => format!("{:.2} ps", s * 1e12),
        s if s < 1e-6 => format!("{:.2} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.0} us", s * 1e6),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 1e6 => format!("{s:.1} s"),
        s if s < 1e18 => format!("{s:.1e} s"),
        _ => "over 1e18 s".into(),
    }
}

fn in_bytes(bytes: u64) -> String {
    match bytes as f64 {
        b if b < 1e3 => format!("{b} B"),
        b if b < 1e6 => format!("{:.1} kB", b / 1e3),
        b if b < 1e9 => format!("{:.1} MB", b / 1e6),
        b => format!("{:.1} GB", b / 1e9),
    }
}

fn document(all: &Forecasts) -> Value {
    let work = |work: &Work| {
        let Row { name, unit, about, .. } = row(work);
        json!({ "rate": name, "unit": unit, "about": about, "amount": work.amount, "seconds": work.time.as_secs_f64() })
    };
    let engine = |forecast: &Forecast| {
        let Forecast { engine, role, needs } = forecast;
        let role = match role {
            Role::TriedFirst => "tried first",
            Role::Runs => "runs",
            Role::Idle => "idle",
        };
        match needs {
            Err(why) => json!({ "name": engine, "role": role, "refused": why }),
            Ok(needs) => json!({
                "name": engine,
                "role": role,
                "seconds": needs.time.as_secs_f64(),
                "at_least": needs.at_least,
                "bytes": needs.bytes,
                "work": needs.work.iter().map(work).collect::<Vec<_>>(),
            }),
        }
    };
    json!({
        "schema": SCHEMA,
        "problem": all.family,
        "engines": all.engines.iter().map(engine).collect::<Vec<_>>(),
    })
}
