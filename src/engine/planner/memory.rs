//! How much memory would have been enough, for the message of a refusal.

use super::Choice;
use crate::{Auto, Context, EngineError, Entry, Family, Hardware, Plan, Refusal, Registry, Request};
use isx_machine::{Machine, OverMemory};

/// The memory that an engine needs.
#[derive(Clone, Copy)]
struct Need {
    /// Bytes without which it cannot start.
    least: u64,
    /// Bytes that are certainly enough to finish.
    enough: u64,
}

/// The refusal with the amount of memory that is enough for the engine asked for and for what follows it. If an
/// engine was named, the refusal also names the engine that needs the least memory to start.
pub(super) fn named<F: Family>(
    machine: &Machine,
    registry: &Registry<F>,
    choice: Choice<F>,
    request: Request<'_, F>,
    refusal: Refusal,
) -> Refusal {
    let Refusal { engine, cause: EngineError::Memory(over) } = refusal else { return refusal };
    let beside = machine.taken().saturating_add(machine.kept_free());
    let allowed = machine.taken().saturating_add(machine.max_memory());
    let needs = registry
        .iter()
        .filter(|entry| may_be_taken(entry))
        .filter_map(|entry| Some((entry.name, need(entry, request)?)));
    let needs: Vec<(&'static str, Need)> = needs.collect();
    // An engine that has enough memory failed for another reason.
    let short = needs.iter().filter(|(_, need)| need.enough > machine.max_memory());
    let least = short.min_by_key(|(_, need)| need.enough);
    let (engine, needed) = match (choice, least) {
        (Choice::Auto, Some(&(name, need))) => (name, need.enough),
        // GPU memory is a separate limit; the driver is not queried again.
        (Choice::Named(entry), _) if entry.hardware == Hardware::Gpu => (engine, over.needed),
        (Choice::Named(entry), _) => {
            let need = need(entry, request).map_or(OverMemory::UNKNOWN, |need| need.enough);
            (engine, need.max(over.needed))
        }
        (Choice::Auto, None) => (engine, over.needed),
    };
    let needed = needed.saturating_add(beside);
    let needed = if needed > allowed { needed } else { OverMemory::UNKNOWN };
    let over = OverMemory { needed, allowed };
    let others = needs.into_iter().filter(|(name, _)| *name != engine).map(|(name, need)| (need.least, name));
    let cause = match (choice, others.min()) {
        (Choice::Named(_), Some((least, other))) if least.saturating_add(beside) < needed => {
            let least = least.saturating_add(beside);
            EngineError::MemoryOfThisEngine { over, other, least }
        }
        _ => EngineError::Memory(over),
    };
    Refusal { engine, cause }
}

/// Bytes that are enough for the engine asked for, or for one of the available engines.
pub fn enough<F: Family>(registry: &Registry<F>, choice: Choice<F>, request: Request<'_, F>) -> u64 {
    let needs = registry.iter().filter(|entry| match choice {
        Choice::Auto => may_be_taken(entry),
        Choice::Named(named) => named.name == entry.name,
    });
    needs.filter_map(|entry| Some(need(entry, request)?.enough)).min().unwrap_or(OverMemory::UNKNOWN)
}

/// Whether the planner may choose this engine, and it runs on the CPU.
fn may_be_taken<F: Family>(entry: &Entry<F>) -> bool {
    entry.auto != Auto::Never && entry.hardware == Hardware::Cpu
}

/// What the engine needs; `None` if it refuses for another reason. The engine is asked with increasing limits,
/// because a refusal may name only the first allocation that fails.
fn need<F: Family>(entry: &Entry<F>, request: Request<'_, F>) -> Option<Need> {
    let planned = |allowed| -> Result<u64, EngineError> {
        let machine = request.context.machine.clone().with_max_memory(allowed);
        let context = Context { machine: &machine, ..*request.context };
        let plan: Plan<F> = entry.engine.plan(Request { context: &context, ..request })?;
        Ok(plan.estimate.bytes)
    };
    let (mut least, mut allowed) = (None, 0);
    loop {
        let needed = match planned(allowed) {
            Ok(bytes) => {
                least = least.or(Some(allowed));
                bytes
            }
            // No machine has this much memory.
            Err(EngineError::Memory(over)) if over.needed <= allowed => {
                return Some(Need { least: over.needed, enough: over.needed });
            }
            Err(EngineError::Memory(over)) => over.needed,
            Err(_) => return None,
        };
        if needed <= allowed || needed == OverMemory::UNKNOWN {
            let enough = if needed <= allowed { allowed } else { needed };
            return Some(Need { least: least.unwrap_or(needed), enough });
        }
        allowed = needed;
    }
}
