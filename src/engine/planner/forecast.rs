//! Finds what every engine is expected to need for a problem, and by which work.
//!
//! Expected seconds are sums of amounts of work times rates of the machine ([`isx_machine::rates`]), so they grow by the
//! same factor as all rates together. For such a function s of the rates r, Euler's theorem says
//!
//! ```text
//! s(r) = sum over i of  r_i * ds/dr_i
//! ```
//!
//! and `ds/dr_i` is the amount of work of kind i. The amounts are found by planning again with one rate a little lower,
//! so engines need not report them, and what is reported is what decided.

use super::Choice;
use crate::forecasts::{Forecast, Forecasts, Needs, Role, Work};
use crate::{Auto, Context, Entry, Family, Registry, Request};
use isx_machine::OverMemory;
use isx_machine::rates::{ROWS, Rate};
use std::time::Duration;

/// The share by which a rate is lowered to find its amount of work.
const STEP: f64 = 1.0 / 1024.0;

/// What every engine of the registry is expected to need, and which would run.
pub(super) fn forecasts<F: Family>(
    registry: &Registry<F>,
    choice: Choice<F>,
    request: Request<'_, F>,
) -> Forecasts {
    let mut engines: Vec<Forecast> = registry.iter().map(|entry| forecast(entry, request)).collect();
    let mut fastest: Option<(Duration, usize)> = None;
    for (at, entry) in registry.iter().enumerate() {
        let Ok(needs) = &engines[at].needs else { continue };
        match choice {
            Choice::Named(named) if named.name == entry.name => engines[at].role = Role::Runs,
            Choice::Named(_) => {}
            Choice::Auto if entry.auto == Auto::Never => {}
            Choice::Auto if entry.auto == Auto::TriedFirst => engines[at].role = Role::TriedFirst,
            Choice::Auto => {
                if fastest.is_none_or(|(time, _)| needs.time < time) {
                    fastest = Some((needs.time, at));
                }
            }
        }
    }
    if let Some((_, at)) = fastest {
        engines[at].role = Role::Runs;
    }
    Forecasts { family: F::NAME, engines }
}

fn forecast<F: Family>(entry: &Entry<F>, request: Request<'_, F>) -> Forecast {
    let needs = entry.engine.plan(request).map(|plan| {
        let estimate = plan.estimate;
        drop(plan);
        Needs {
            time: duration(estimate.seconds),
            at_least: entry.auto == Auto::TriedFirst,
            bytes: (estimate.bytes != OverMemory::UNKNOWN).then_some(estimate.bytes),
            work: work(entry, request),
        }
    });
    Forecast { engine: entry.name, role: Role::Idle, needs: needs.map_err(|cause| cause.to_string()) }
}

/// The work of one thread, by planning once for every rate that may matter.
fn work<F: Family>(entry: &Entry<F>, request: Request<'_, F>) -> Vec<Work> {
    let machine = request.context.machine.clone().with_threads(1);
    let rates = machine.rates();
    let seconds = |rate: Option<Rate>| {
        let machine = match rate {
            Some(rate) => machine.clone().with_rates(&rates.clone().with(rate, rates[rate] * (1.0 - STEP))),
            None => machine.clone(),
        };
        let context = Context { machine: &machine, ..*request.context };
        let plan = entry.engine.plan(Request { context: &context, ..request });
        plan.map_or(0.0, |plan| plan.estimate.seconds)
    };
    let all = seconds(None);
    let of_family = |name: &str| name.strip_prefix(F::NAME).is_some_and(|rest| rest.starts_with('.'));
    let general = |name: &str| name.starts_with("gpu.") || name.starts_with("memory.");
    let mut found: Vec<(f64, Work)> = Vec::new();
    for row in ROWS.iter().filter(|row| of_family(row.name) || general(row.name)) {
        let taken = (all - seconds(Some(row.rate))) / STEP;
        // Less is rounding.
        if taken > all * 1e-6 {
            let amount = taken / rates[row.rate];
            found
                .push((taken, Work { rate: row.rate, amount: amount.round() as u64, time: duration(taken) }));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().map(|(_, work)| work).collect()
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}
