//! Which engine to use: the one expected to be fastest of those that can.

use super::{Context, ENGINES, Engine, EngineError, Wanted, by_name};
use crate::reduce::Tiered;

/// An engine and why it was taken.
pub struct Plan {
    /// The engine to run.
    pub engine: &'static dyn Engine,
    /// One sentence for the user.
    pub why: String,
}

/// Picks the engine called `name`, or by itself if that is `None`.
///
/// # Errors
///
/// When the named engine cannot solve the problem here, or no engine can.
pub fn plan(
    name: Option<&str>,
    problem: &Tiered,
    wanted: Wanted,
    context: &Context,
) -> Result<Plan, EngineError> {
    if let Some(name) = name {
        let engine = by_name(name).ok_or_else(|| EngineError::Unavailable {
            engine: "named",
            why: format!("there is no engine called `{name}`"),
        })?;
        engine.estimate(problem, wanted, context)?;
        return Ok(Plan { engine, why: format!("--engine {name}") });
    }
    let mut best: Option<(f64, &'static dyn Engine)> = None;
    let mut refusal = None;
    // The textbook table is there to be compared with.
    for &engine in ENGINES.iter().filter(|engine| engine.name() != "reference") {
        match engine.estimate(problem, wanted, context) {
            Ok(estimate) if estimate.bytes > context.max_memory => {
                refusal = Some(EngineError::Memory {
                    engine: engine.name(),
                    needed: estimate.bytes,
                    allowed: context.max_memory,
                });
            }
            Ok(estimate) if best.is_none_or(|(seconds, _)| estimate.seconds < seconds) => {
                best = Some((estimate.seconds, engine));
            }
            Ok(_) => {}
            Err(error) => refusal = refusal.or(Some(error)),
        }
    }
    match (best, refusal) {
        (Some((seconds, engine)), _) => {
            Ok(Plan { engine, why: format!("expected to be fastest, {}", roughly(seconds)) })
        }
        (None, Some(refusal)) => Err(refusal),
        (None, None) => Err(EngineError::Unavailable { engine: "auto", why: "no engine is built in".into() }),
    }
}

/// An expected time as a person says it.
fn roughly(seconds: f64) -> String {
    match seconds {
        ..0.001 => "in less than 1 ms".into(),
        ..1.0 => format!("in about {:.0} ms", seconds * 1e3),
        ..90.0 => format!("in about {seconds:.0} s"),
        _ => format!("in about {:.0} min", seconds / 60.0),
    }
}

#[cfg(test)]
mod tests {
    use super::roughly;

    #[test]
    fn expected_times_are_told_in_the_unit_that_fits() {
        let told = [0.0, 2e-7, 0.0123, 1.4, 89.0, 600.0].map(roughly);
        let wanted =
            ["less than 1 ms", "less than 1 ms", "about 12 ms", "about 1 s", "about 89 s", "about 10 min"];
        assert_eq!(told, wanted.map(|time| format!("in {time}")));
    }
}
