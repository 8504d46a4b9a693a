//! Which engine solves a problem: the one that was asked for, or the one expected to be fastest.
//!
//! How long Pareto lists get is only known once they are made, so `auto` does not guess it: it starts with lists and
//! gives up on them as soon as the layers that remain would take longer, even if the lists grew no more, than the
//! fastest engine of the others needs for everything. Lists only grow where the front does, so what is lost is a part
//! of that engine's time.

use super::list::{List, Outcome, Watch};
use super::{Answer, Context, ENGINES, Engine, EngineError, Estimate, Wanted, by_name};
use crate::reduce::Tiered;

/// An answer, and why it comes from the engine it comes from.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The answer.
    pub answer: Answer,
    /// Half a sentence for the user.
    pub why: String,
}

/// Solves the problem by the engine called `name`, or by the one expected to be fastest if that is `None`.
///
/// # Errors
///
/// When the named engine cannot solve the problem here, or no engine can.
pub fn solve(
    name: Option<&str>,
    problem: &Tiered,
    wanted: Wanted,
    context: &Context,
) -> Result<Planned, EngineError> {
    let Some(name) = name else {
        let Planned { answer, why } = solve_by_fastest(problem, wanted, context)?;
        return Ok(Planned { answer, why: why + &absent(problem, wanted, context) });
    };
    let engine = by_name(name).ok_or_else(|| EngineError::Unavailable {
        engine: "named",
        why: format!("there is no engine called `{name}`"),
    })?;
    Ok(Planned { answer: engine.solve(problem, wanted, context)?, why: "asked for".into() })
}

fn solve_by_fastest(problem: &Tiered, wanted: Wanted, context: &Context) -> Result<Planned, EngineError> {
    let rivals = rivals(problem, wanted, context);
    let Some((_, fastest)) = rivals.first() else {
        let answer = List.solve(problem, wanted, context)?;
        return Ok(Planned { answer, why: "only lists can take these values or this capacity".into() });
    };
    let watch = Watch { seconds: fastest.seconds };
    let mut why = match List::solve_watched(problem, wanted, context, Some(&watch)) {
        Ok(Outcome::Solved { answer, longest }) => {
            let cells = problem.capacity().saturating_add(1);
            let (pairs, cells) = (counted(longest as u64, "pair"), counted(cells, "cell"));
            let why = format!("the lists stay short, at most {pairs} where a table row has {cells}");
            return Ok(Planned { answer: *answer, why });
        }
        Ok(Outcome::GaveUp { layer, length }) => {
            format!("after {layer} of {} classes the lists hold {length} pairs", problem.classes())
        }
        Err(EngineError::Memory { .. }) => "the lists pass --max-memory".into(),
        Err(error) => return Err(error),
    };
    let mut failure = None;
    for (rival, estimate) in rivals {
        match rival.solve(problem, wanted, context) {
            Ok(answer) => {
                why += &format!("; {} was expected to take {}", rival.name(), duration(estimate.seconds));
                return Ok(Planned { answer, why });
            }
            // A GPU can be lost at any moment; what it had computed is discarded and the next engine begins anew.
            Err(error) => {
                why += &format!("; {} failed ({error})", rival.name());
                failure = failure.or(Some(error));
            }
        }
    }
    match failure {
        Some(error) => Err(error),
        None => unreachable!("there is a fastest rival"),
    }
}

/// Which engines this machine does not have, and why.
fn absent(problem: &Tiered, wanted: Wanted, context: &Context) -> String {
    let missing = |engine: &&dyn Engine| match engine.estimate(problem, wanted, context) {
        Err(EngineError::Unavailable { engine, why }) => Some(format!("; no {engine}: {why}")),
        _ => None,
    };
    ENGINES.iter().filter_map(missing).collect()
}

/// The engines beside the lists that can solve the problem, fastest first. The textbook table is there to be compared
/// with.
fn rivals(problem: &Tiered, wanted: Wanted, context: &Context) -> Vec<(&'static dyn Engine, Estimate)> {
    let others = ENGINES.iter().filter(|engine| !matches!(engine.name(), "reference" | "list"));
    let able = others.filter_map(|&engine| {
        let estimate = engine.estimate(problem, wanted, context).ok()?;
        (estimate.bytes <= context.max_memory).then_some((engine, estimate))
    });
    let mut able: Vec<_> = able.collect();
    able.sort_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds));
    able
}

fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} us", s * 1e6),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s => format!("{s:.1} s"),
    }
}
