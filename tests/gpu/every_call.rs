//! Every driver call of an engine fails once: either that call only, or it and all later ones.

use crate::harness::*;
use isx::engine::{Choice, EngineError, Family, Registry};
use isx::machine::Machine;
use isx::machine::faults::{Door, Fault, free_gpu, hits, plan};
use isx::solve::SolveError;

/// Driver errors: out of memory, invalid PTX, an illegal address, a kernel that takes too long.
const CODES: [u32; 4] = [2, 222, 700, 702];

/// The numbers of the calls to fail, without end: every n-th by `ISX_GPU_STRIDE`, or the first, second, fourth, eighth .. if
/// that is 0.
pub fn calls() -> impl Iterator<Item = u64> {
    let stride = from_env("ISX_GPU_STRIDE", 7);
    std::iter::successors(Some(1), move |&nth| Some(if stride == 0 { 2 * nth } else { nth + stride }))
}

/// Why there is no answer.
pub fn cause(error: SolveError) -> EngineError {
    match error {
        SolveError::Engine(refusal) => refusal.cause,
        error => panic!("not refused by an engine: {error}"),
    }
}

/// Fails the calls of these engines of a registry, and of the planner, one after the other; the other registry has
/// the judge. `solve` returns the answer as text.
pub fn walk<F: Family>(
    (registry, judges): (&'static Registry<F>, &'static Registry<F>),
    names: &[&str],
    solve: impl Fn(Choice<F>, Machine) -> Result<String, EngineError>,
) {
    plan(None);
    let cpu = judges.judge().unwrap();
    let wanted = solve(Choice::Named(cpu), Machine::default()).unwrap();
    // Kept open, so that a solve need not start the GPU each time.
    let _open = gpu();
    free_gpu(true);
    for name in names {
        let engine = Choice::Named(registry.named(name).unwrap());
        // The last fault for the previous engine was beyond its calls, and may be within this one's.
        plan(None);
        assert_eq!(solve(engine, Machine::default()).unwrap(), wanted, "{name} without a fault");
        for lasting in [false, true] {
            let (mut called, mut failed, mut went_on) = (0, 0, 0);
            for (nth, code) in calls().zip(CODES.into_iter().cycle()) {
                let fault = Fault { door: Door::Gpu, nth, lasting, code };
                plan(Some(fault.clone()));
                let answer = solve(engine, Machine::default());
                if hits() == 0 {
                    break;
                }
                called = nth;
                match answer {
                    // A call whose failure changes nothing, such as one that frees memory.
                    Ok(answer) => assert_eq!(answer, wanted, "{name} {fault:?}"),
                    Err(EngineError::NoMemory(_) | EngineError::GpuMemory { .. }) => failed += 1,
                    Err(EngineError::Failed(_) | EngineError::Unavailable(_)) => failed += 1,
                    Err(error) => panic!("{name} {fault:?}: {error}"),
                }
                if lasting {
                    plan(Some(fault.clone()));
                    assert_eq!(solve(Choice::Auto, Machine::default()).unwrap(), wanted, "auto {fault:?}");
                    went_on += u64::from(hits() > 0);
                }
            }
            println!("{name}: {called} calls, {failed} failed, the CPU went on {went_on} times");
            assert!(called > 8 && failed > 0, "{name}: {called} calls, {failed} failed");
        }
    }
    free_gpu(false);
    plan(None);
}
