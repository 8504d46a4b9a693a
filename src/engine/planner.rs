//! Chooses the engine that solves a problem: the one asked for, or the one expected to be fastest.
//!
//! Every eligible engine makes its plan once; the chosen plan is the one that runs. The run time of some engines is
//! known only once they run (Pareto lists, for example): such an engine is tried first, and gives up as soon as the
//! rest of its work would take longer than the fastest of the others needs in total. The planner looks for a GPU
//! only if the CPU is expected to need longer than a GPU takes to start.

use super::{
    Auto, Context, EngineError, Entry, Family, Hardware, Outcome, Plan, Progress, Refusal, Registry, Request,
    StateStore, Turn,
};
use choice::is_kept;
use isx_machine::{Machine, allocated};
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
    if request.context.turn == Turn::Forecast {
        let context = &Context { machine: &machine, ..*request.context };
        let all = forecast::forecasts(registry, choice, Request { context, ..request });
        return Err(Refusal { engine: "fastest", cause: EngineError::Forecast(Box::new(all)) });
    }
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
    let Choice::Named(entry) = choice else { return Plans::of(registry, request).solve() };
    if !is_kept(entry, request) {
        return Err(Refusal { engine: entry.name, cause: EngineError::Unavailable(no_states(registry)) });
    }
    Ok(Planned { answer: entry.solve(request)?, engine: entry.name, why: "asked for".into() })
}

/// Why an engine that saves no states is not chosen.
fn no_states<F: Family>(registry: &Registry<F>) -> String {
    let able: Vec<&str> =
        registry.iter().filter(|entry| entry.engine.can_resume()).map(|entry| entry.name).collect();
    match &able[..] {
        [] => "it keeps no checkpoints, nor does any other for this kind of problem".into(),
        able => format!("it keeps no checkpoints; {} can", able.join(" and ")),
    }
}

/// An engine and its plan.
struct Rival<'a, F: Family> {
    name: &'static str,
    plan: Plan<'a, F>,
}

/// What the engines of a registry would do for a problem.
struct Plans<'a, F: Family> {
    /// Those tried first, in the registry's order.
    first: Vec<Rival<'a, F>>,
    /// The other usable ones, fastest first.
    others: Vec<Rival<'a, F>>,
    /// The unusable ones.
    refusals: Vec<Refusal>,
    /// Why a GPU that might be faster cannot be used.
    without_gpu: Option<EngineError>,
    progress: &'a dyn Progress,
    /// Saves states, if requested.
    store: Option<&'a dyn StateStore>,
    /// As in [`Context`].
    turn: Turn,
}

impl<'a, F: Family> Plans<'a, F> {
    fn of(registry: &Registry<F>, request: Request<'a, F>) -> Self {
        let mut plans = Self {
            first: Vec::new(),
            others: Vec::new(),
            refusals: Vec::new(),
            without_gpu: None,
            progress: request.context.progress,
            store: request.context.store,
            turn: request.context.turn,
        };
        let on = |hardware| {
            let may = |entry: &&Entry<F>| entry.auto != Auto::Never && is_kept(entry, request);
            registry.iter().filter(may).filter(move |entry| entry.hardware == hardware)
        };
        on(Hardware::Cpu).for_each(|entry| plans.add(entry, request));
        if !matches!(plans.turn, Turn::Cpu(_)) && plans.is_gpu_worth_asking(request.context) {
            let before = plans.refusals.len();
            on(Hardware::Gpu).for_each(|entry| plans.add(entry, request));
            let mut refused = plans.refusals[before..].iter().map(|refusal| &refusal.cause);
            plans.without_gpu = refused
                .find(|cause| matches!(cause, EngineError::Unavailable(_) | EngineError::Failed(_)))
                .cloned();
        }
        let is_nobody = plans.first.is_empty() && plans.others.is_empty() && plans.refusals.is_empty();
        if plans.store.is_some() && is_nobody {
            let cause = EngineError::Unavailable(no_states(registry));
            plans.refusals.push(Refusal { engine: "fastest", cause });
        }
        plans.others.sort_by(|a, b| a.plan.estimate.seconds.total_cmp(&b.plan.estimate.seconds));
        plans
    }

    fn add(&mut self, entry: &Entry<F>, request: Request<'a, F>) {
        let name = entry.name;
        match entry.engine.plan(request) {
            Err(cause) => self.refusals.push(Refusal { engine: name, cause }),
            Ok(plan) if entry.auto == Auto::TriedFirst => self.first.push(Rival { name, plan }),
            Ok(plan) => self.others.push(Rival { name, plan }),
        }
    }

    /// Whether a GPU might be faster than the plans so far. Loading its driver alone takes time, so the planner does
    /// not look for one if the CPU needs less than a GPU takes to start.
    fn is_gpu_worth_asking(&self, context: &Context) -> bool {
        let start = context.machine.seconds_to_start_gpu();
        self.others.iter().all(|rival| rival.plan.estimate.seconds > start)
    }

    fn solve(self) -> Result<Planned<F::Answer>, Refusal> {
        let Self { mut first, mut others, mut refusals, without_gpu, progress, store, turn } = self;
        if turn == Turn::AfterCpu && !others.is_empty() {
            others.append(&mut first);
        }
        let absent = absent(&refusals);
        let fastest = others.first().map(|rival| rival.plan.estimate.seconds);
        let limit = match turn {
            Turn::Cpu(within) => allowed(within, fastest, &refusals),
            Turn::Any | Turn::AfterCpu | Turn::Forecast => None,
        };
        let patience = match (fastest, limit) {
            (Some(fastest), Some(limit)) => Some(fastest.min(limit)),
            (fastest, limit) => fastest.or(limit),
        };
        // The engines tried so far, with their outcomes.
        let mut tried: Vec<String> = Vec::new();
        for rival in first {
            match try_first(rival, patience, store) {
                Ok((engine, Outcome::Solved { answer, because })) => {
                    let why = because.unwrap_or_else(|| "it was tried first".into());
                    tried.push(why);
                    return Ok(Planned { answer, engine, why: tried.join("; ") + &absent });
                }
                Ok((_, Outcome::GaveUp(why))) => tried.push(why),
                Err(refusal) if is_final(&refusal.cause) => return Err(refusal),
                Err(refusal) => {
                    tried.push(refusal.to_string());
                    refusals.push(refusal);
                }
            }
        }
        if let Some(limit) = limit
            && fastest.is_none_or(|fastest| fastest > limit)
        {
            let seconds = fastest.and_then(|fastest| Duration::try_from_secs_f64(fastest).ok());
            let cause = EngineError::TooLong(seconds.unwrap_or(Duration::MAX));
            return Err(Refusal { engine: others.first().map_or("fastest", |rival| rival.name), cause });
        }
        if let Some(cause) = without_gpu {
            progress.tell(&format!("an engine for a GPU {cause}; the CPU does the work"));
        }
        for Rival { name, plan } in others {
            let seconds = plan.estimate.seconds;
            if let Some(store) = store {
                store.runs(name);
            }
            match plan.run() {
                Ok(answer) => {
                    tried.push(format!("{name} was expected to take {}", duration(seconds)));
                    return Ok(Planned { answer, engine: name, why: tried.join("; ") + &absent });
                }
                Err(cause) if is_final(&cause) => return Err(Refusal { engine: name, cause }),
                // A GPU can be lost at any moment; its partial result is discarded and the next engine starts from
                // the beginning.
                Err(cause) => {
                    let refusal = Refusal { engine: name, cause };
                    progress.tell(&format!("{refusal}; another engine begins anew"));
                    tried.push(refusal.to_string());
                    refusals.push(refusal);
                }
            }
        }
        Err(worst(refusals))
    }
}

/// Whether no other engine should start after this error.
fn is_final(cause: &EngineError) -> bool {
    matches!(cause, EngineError::Cancelled | EngineError::Checkpoint(_))
}

/// The seconds that an engine may take if those of the CPU are to end within a time; `None` for no limit: no others
/// than those tried first can solve the problem, nor could they with more memory.
fn allowed(within: Duration, fastest: Option<f64>, refusals: &[Refusal]) -> Option<f64> {
    let wants_memory = refusals.iter().any(|refusal| refusal.cause.over_memory().is_some());
    let is_limit = within < Duration::MAX && (fastest.is_some() || wants_memory);
    is_limit.then_some(within.as_secs_f64())
}

/// Runs an engine that is tried first, within this many seconds, if given.
fn try_first<F: Family>(
    rival: Rival<'_, F>,
    seconds: Option<f64>,
    store: Option<&dyn StateStore>,
) -> Result<(&'static str, Outcome<F::Answer>), Refusal> {
    let Rival { name, plan } = rival;
    if let Some(store) = store {
        store.runs(name);
    }
    let refused = |cause| Refusal { engine: name, cause };
    match seconds {
        Some(seconds) => Ok((name, plan.run_within(seconds).map_err(refused)?)),
        None => {
            let answer = plan.run().map_err(refused)?;
            let because = match store {
                Some(_) => "no other engine keeps checkpoints of this problem",
                None => "no other engine can take these values or this capacity",
            };
            let because = Some(because.into());
            Ok((name, Outcome::Solved { answer, because }))
        }
    }
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
        EngineError::Memory(_) | EngineError::MemoryOfThisEngine { .. } | EngineError::TooLarge(_) => 0,
        EngineError::GpuMemory { .. } | EngineError::NoMemory(_) => 1,
        EngineError::Failed(_) => 2,
        EngineError::Arithmetic(_) => 3,
        EngineError::Unavailable(_)
        | EngineError::TooLong(_)
        | EngineError::Cancelled
        | EngineError::Checkpoint(_)
        | EngineError::Forecast(_) => 4,
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
mod forecast;
mod memory;
pub use choice::Choice;
pub use memory::enough;
#[cfg(test)]
mod tests;
