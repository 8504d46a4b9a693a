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
    let Some(name) = name else { return solve_by_fastest(problem, wanted, context) };
    let engine = by_name(name).ok_or_else(|| EngineError::Unavailable {
        engine: "named",
        why: format!("there is no engine called `{name}`"),
    })?;
    Ok(Planned { answer: engine.solve(problem, wanted, context)?, why: "asked for".into() })
}

fn solve_by_fastest(problem: &Tiered, wanted: Wanted, context: &Context) -> Result<Planned, EngineError> {
    let Some((rival, estimate)) = fastest_rival(problem, wanted, context) else {
        let answer = List.solve(problem, wanted, context)?;
        return Ok(Planned { answer, why: "only lists can take these values or this capacity".into() });
    };
    let watch = Watch { seconds: estimate.seconds };
    let given_up = match List::solve_watched(problem, wanted, context, Some(&watch)) {
        Ok(Outcome::Solved { answer, longest }) => {
            let cells = problem.capacity().saturating_add(1);
            let why =
                format!("the lists stay short, at most {longest} pairs where a table row has {cells} cells");
            return Ok(Planned { answer: *answer, why });
        }
        Ok(Outcome::GaveUp { layer, length }) => {
            format!("after {layer} of {} classes the lists hold {length} pairs", problem.classes())
        }
        Err(EngineError::Memory { .. }) => "the lists pass --max-memory".into(),
        Err(error) => return Err(error),
    };
    let answer = rival.solve(problem, wanted, context)?;
    let why = format!("{given_up}; {} was expected to take {}", rival.name(), duration(estimate.seconds));
    Ok(Planned { answer, why })
}

/// The fastest engine beside the lists, of those that can. The textbook table is there to be compared with.
fn fastest_rival(
    problem: &Tiered,
    wanted: Wanted,
    context: &Context,
) -> Option<(&'static dyn Engine, Estimate)> {
    let rivals = ENGINES.iter().filter(|engine| !matches!(engine.name(), "reference" | "list"));
    let able = rivals.filter_map(|&engine| {
        let estimate = engine.estimate(problem, wanted, context).ok()?;
        (estimate.bytes <= context.max_memory).then_some((engine, estimate))
    });
    able.min_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds))
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} us", s * 1e6),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s => format!("{s:.1} s"),
    }
}
