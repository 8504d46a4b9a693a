//! Chooses the engine that solves a problem: the one asked for, or the one expected to be fastest.
//!
//! Every eligible engine makes its plan once; the chosen plan is the one that runs. The run time of some engines is
//! known only once they run (Pareto lists, for example): such an engine is tried first, and gives up as soon as the
//! rest of its work would take longer than the fastest of the others needs in total. The others make their plans when
//! that is first asked for ([`super::Patience`]), since many problems are solved sooner. The planner looks for a GPU only
//! if the CPU is expected to need longer than a GPU takes to start and to answer.

use super::{
    Auto, Context, EngineError, Entry, Family, Hardware, Outcome, Patience, Plan, Progress, Refusal,
    Registry, Request, Turn,
};
use isx_machine::rates;
use isx_machine::{Machine, allocated};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// An answer, the engine that found it, and why that engine was chosen.
#[derive(Clone, Debug)]
pub struct Planned<A> {
    /// The answer.
    pub answer: A,
    /// Name of the engine.
    pub engine: &'static str,
    /// The reason, as a clause shown to the user.
    pub why: String,
}

/// Solves a problem with an engine of the registry, within the memory limit minus what the process already uses. If
/// memory is refused, the refusal names the amount that is enough for the tables and for what follows them. Fails if
/// the engine asked for cannot solve the problem on this machine, or no engine can.
pub fn solve<F: Family>(
    registry: &Registry<F>,
    choice: Choice<F>,
    request: Request<'_, F>,
) -> Result<Planned<F::Answer>, Refusal> {
    let machine = request.context.machine.clone().with_taken(allocated::beyond_the_program());
    let kept_free = machine.kept_free();
    let solved = solve_on(&machine.clone().with_taken(kept_free), registry, choice, request);
    let solved = match solved {
        // What follows the tables may need less than its upper bound.
        Err(Refusal { cause: EngineError::Memory(_), .. }) if kept_free > 0 => {
            solve_on(&machine, registry, choice, request)
        }
        solved => solved,
    };
    solved.map_err(|refusal| memory::named(&machine, registry, choice, request, refusal))
}

fn solve_on<F: Family>(
    machine: &Machine,
    registry: &Registry<F>,
    choice: Choice<F>,
    request: Request<'_, F>,
) -> Result<Planned<F::Answer>, Refusal> {
    let context = &Context { machine, ..*request.context };
    let request = Request { context, ..request };
    let Choice::Named(entry) = choice else { return fastest(registry, request) };
    Ok(Planned { answer: entry.solve(request)?, engine: entry.name, why: "asked for".into() })
}

/// An engine and its plan.
struct Rival<'a, F: Family> {
    name: &'static str,
    plan: Plan<'a, F>,
}

/// What the engines of a registry would do for a problem, but for those tried first.
struct Others<'a, F: Family> {
    /// The usable ones, fastest first.
    usable: Vec<Rival<'a, F>>,
    /// The unusable ones.
    refusals: Vec<Refusal>,
    /// Why a GPU that might be faster cannot be used.
    without_gpu: Option<EngineError>,
    /// The seconds that an engine may take if those of the CPU are to end within a time.
    limit: Option<f64>,
}

/// The engines of the registry that may be chosen, on the CPU or on a GPU.
fn eligible<F: Family>(
    registry: &Registry<F>,
    hardware: Hardware,
    first: bool,
) -> impl Iterator<Item = &'static Entry<F>> {
    let may = move |entry: &&Entry<F>| {
        let is_first = entry.auto == Auto::TriedFirst && entry.hardware == Hardware::Cpu;
        entry.hardware == hardware && entry.auto != Auto::Never && is_first == first
    };
    registry.iter().filter(may)
}

/// Adds an engine's plan to those that can be used, or its refusal.
fn add<'a, F: Family>(
    entry: &'static Entry<F>,
    request: Request<'a, F>,
    usable: &mut Vec<Rival<'a, F>>,
    refusals: &mut Vec<Refusal>,
) {
    let name = entry.name;
    match entry.engine.plan(request) {
        Err(cause) => refusals.push(Refusal { engine: name, cause }),
        Ok(plan) => usable.push(Rival { name, plan }),
    }
}

impl<'a, F: Family> Others<'a, F> {
    /// `refused` by those tried first says whether more memory would help.
    fn of(registry: &Registry<F>, request: Request<'a, F>, refused: &[Refusal]) -> Self {
        let Context { turn, .. } = *request.context;
        let (mut usable, mut refusals, mut without_gpu) = (Vec::new(), Vec::new(), None);
        let plan = |hardware, usable: &mut Vec<Rival<'a, F>>, refusals: &mut Vec<Refusal>| {
            eligible(registry, hardware, false).for_each(|entry| add(entry, request, usable, refusals));
        };
        plan(Hardware::Cpu, &mut usable, &mut refusals);
        if !matches!(turn, Turn::Cpu(_)) && is_gpu_worth_asking(&usable, request.context) {
            let before = refusals.len();
            plan(Hardware::Gpu, &mut usable, &mut refusals);
            let mut refused = refusals[before..].iter().map(|refusal| &refusal.cause);
            without_gpu = refused
                .find(|cause| matches!(cause, EngineError::Unavailable(_) | EngineError::Failed(_)))
                .cloned();
        }
        usable.sort_by(|a, b| a.plan.estimate.seconds.total_cmp(&b.plan.estimate.seconds));
        let fastest = usable.first().map(|rival| rival.plan.estimate.seconds);
        let limit = match turn {
            Turn::Cpu(within) => allowed(within, fastest, refused.iter().chain(&refusals)),
            Turn::Any | Turn::AfterCpu => None,
        };
        Self { usable, refusals, without_gpu, limit }
    }

    /// Expected seconds of the fastest.
    fn fastest(&self) -> Option<f64> {
        self.usable.first().map(|rival| rival.plan.estimate.seconds)
    }

    /// The seconds that an engine tried first may take, if there is a limit.
    fn patience(&self) -> Option<f64> {
        match (self.fastest(), self.limit) {
            (Some(fastest), Some(limit)) => Some(fastest.min(limit)),
            (fastest, limit) => fastest.or(limit),
        }
    }
}

/// Whether a GPU might be much faster than these plans. Loading its driver alone takes time, and so do the plans of its
/// engines, so the planner does not look for one if the CPU needs less than a GPU takes to start and for two round trips.
fn is_gpu_worth_asking<F: Family>(rivals: &[Rival<'_, F>], context: &Context) -> bool {
    let machine = context.machine;
    let least = machine.seconds_to_start_gpu() + 2.0 * rates::GPU_ROUND_TRIP;
    rivals.iter().all(|rival| rival.plan.estimate.seconds > least)
}

/// Solves a problem by those tried first, or by the fastest of the others.
fn fastest<F: Family>(
    registry: &Registry<F>,
    request: Request<'_, F>,
) -> Result<Planned<F::Answer>, Refusal> {
    let Context { turn, progress, .. } = *request.context;
    let (mut first, mut refusals) = (Vec::new(), Vec::new());
    eligible(registry, Hardware::Cpu, true).for_each(|entry| add(entry, request, &mut first, &mut refusals));
    let refused = refusals.clone();
    let others: Mutex<Option<Others<F>>> = Mutex::default();
    // What those tried first may take, and whether there are others.
    let ask = || {
        let mut others = others.lock().unwrap_or_else(PoisonError::into_inner);
        let others = others.get_or_insert_with(|| Others::of(registry, request, &refused));
        (others.patience(), others.fastest().is_some())
    };
    // The engines tried so far, with their outcomes.
    let mut tried: Vec<String> = Vec::new();
    let mut last = Vec::new();
    if turn == Turn::AfterCpu && ask().1 {
        last = std::mem::take(&mut first);
    }
    for Rival { name, plan } in first {
        match plan.run_within(Patience::new(&|| ask().0)) {
            Ok(Outcome::Solved { answer, because }) => {
                // The reason does not depend on whether the others made plans: on a slow machine they may have.
                tried.push(because.unwrap_or_else(|| "it was tried first".into()));
                return Ok(Planned { answer, engine: name, why: tried.join("; ") });
            }
            Ok(Outcome::GaveUp(why)) => tried.push(why),
            Err(cause @ EngineError::Cancelled) => return Err(Refusal { engine: name, cause }),
            Err(cause) => {
                let refusal = Refusal { engine: name, cause };
                tried.push(refusal.to_string());
                refusals.push(refusal);
            }
        }
    }
    let others = others.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut others = others.unwrap_or_else(|| Others::of(registry, request, &refused));
    others.usable.append(&mut last);
    let absent = absent(&others.refusals);
    refusals.append(&mut others.refusals);
    run_fastest(others, tried, refusals, &absent, progress)
}

/// Runs the usable engines, fastest first, until one solves the problem; `tried` and `refusals` are of earlier ones.
fn run_fastest<F: Family>(
    others: Others<'_, F>,
    mut tried: Vec<String>,
    mut refusals: Vec<Refusal>,
    absent: &str,
    progress: &dyn Progress,
) -> Result<Planned<F::Answer>, Refusal> {
    let fastest = others.fastest();
    if let Some(limit) = others.limit
        && fastest.is_none_or(|fastest| fastest > limit)
    {
        let seconds = fastest.and_then(|fastest| Duration::try_from_secs_f64(fastest).ok());
        let cause = EngineError::TooLong(seconds.unwrap_or(Duration::MAX));
        return Err(Refusal { engine: others.usable.first().map_or("fastest", |rival| rival.name), cause });
    }
    if let Some(cause) = others.without_gpu {
        progress.tell(&format!("an engine for a GPU {cause}; the CPU does the work"));
    }
    for Rival { name, plan } in others.usable {
        let seconds = plan.estimate.seconds;
        match plan.run() {
            Ok(answer) => {
                tried.push(format!("{name} was expected to take {}", duration(seconds)));
                return Ok(Planned { answer, engine: name, why: tried.join("; ") + absent });
            }
            Err(cause @ EngineError::Cancelled) => return Err(Refusal { engine: name, cause }),
            // A GPU can be lost at any moment; its partial result is discarded and the next engine starts from
            // the beginning.
            Err(cause) => {
                let refusal = Refusal { engine: name, cause };
                progress.tell(&format!("{refusal}; another engine starts from the beginning"));
                tried.push(refusal.to_string());
                refusals.push(refusal);
            }
        }
    }
    Err(worst(refusals))
}

/// The seconds that an engine may take if those of the CPU are to end within a time; `None` for no limit: no others
/// than those tried first can solve the problem, nor could they with more memory.
fn allowed<'r>(
    within: Duration,
    fastest: Option<f64>,
    mut refusals: impl Iterator<Item = &'r Refusal>,
) -> Option<f64> {
    let wants_memory = refusals.any(|refusal| refusal.cause.over_memory().is_some());
    let is_limit = within < Duration::MAX && (fastest.is_some() || wants_memory);
    is_limit.then_some(within.as_secs_f64())
}

/// Which engines are not available on this machine, and why.
fn absent(refusals: &[Refusal]) -> String {
    let mut missing: Vec<(&str, Vec<&str>)> = Vec::new();
    for refusal in refusals {
        let EngineError::Unavailable(why) = &refusal.cause else { continue };
        match missing.iter_mut().find(|(reason, _)| reason == why) {
            Some((_, engines)) => engines.push(refusal.engine),
            None => missing.push((why, vec![refusal.engine])),
        }
    }
    missing.iter().map(|(why, engines)| format!("; no {}: {why}", engines.join(", "))).collect()
}

/// The most useful refusal for the user: one for memory, which the user can fix, before one for missing hardware.
fn worst(refusals: Vec<Refusal>) -> Refusal {
    let rank = |refusal: &Refusal| match refusal.cause {
        EngineError::Memory(_)
        | EngineError::MemoryOfThisEngine { .. }
        | EngineError::TooLarge(_)
        | EngineError::Width { .. } => 0,
        EngineError::GpuMemory { .. } | EngineError::NoMemory(_) => 1,
        EngineError::Failed(_) => 2,
        EngineError::Arithmetic(_) => 3,
        EngineError::Unavailable(_) | EngineError::TooLong(_) | EngineError::Cancelled => 4,
    };
    let none = || Refusal { engine: "fastest", cause: EngineError::Unavailable("there is none".into()) };
    refusals.into_iter().min_by_key(rank).unwrap_or_else(none)
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} us", s * 1e6),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s => format!("{s:.1} s"),
    }
}

mod choice;
mod memory;
pub use choice::Choice;
pub use memory::enough;
#[cfg(test)]
mod tests;
