//! Sets with several modes: the front of area against the largest utilization of any mode, and what some of the modes
//! cost without the others.
//!
//! Over the hyperperiod of the set every task has a demand in each mode, so the front is that of weight against the
//! largest of several loads, for which there is an engine of its own. Designs of different clocks are compared as in one
//! mode, see [`clocks`](super::clocks).

use super::clocks::{is_complete, summed};
use super::{ExploreError, Options, smallest};
use isx_design::exploration::AreaOfModes;
use isx_design::schedulability::{Effort, Smallest, SmallestSchedulable};
use isx_engine::{Choice, Context, EngineError, Refusal};
use isx_minmax::{Answer, Item, Problem};
use isx_problems::account::{Account, Timings};
use isx_problems::mckp::Claim;
use isx_problems::resources::{Goal, envelope};
use isx_problems::value::Value;
use isx_solve::{self as solve, Solution, SolveError};
use isx_taskset::TaskSet;
use isx_taskset::formulate::{Formulation, TimedTask};
use num_bigint::BigInt;
use std::sync::Arc;
use std::time::Duration;

/// The name of the engine.
const ENGINE: &str = "minmax";

/// Solves the scenarios of all clocks; the claim's values are the savings from the base demand. If at least a saving is asked
/// for, the only point is that of the least area with it. `None` if there is no point.
pub(super) fn solve(
    formulation: &Formulation,
    goal: &Goal,
    options: &solve::Options,
) -> Result<Option<Solution>, ExploreError> {
    let refused = |cause| SolveError::Engine(Refusal { engine: ENGINE, cause });
    if let Choice::Named(asked) = options.engine {
        let cause = EngineError::Unavailable("several modes have an engine of their own".to_owned());
        return Err(SolveError::Engine(Refusal { engine: asked.name, cause }).into());
    }
    if options.arithmetic.is_some() {
        return Err(ExploreError::NoArithmetic);
    }
    let limit = match goal {
        Goal::AtLeast(saved) => Some(&formulation.base_demand - saved),
        Goal::Front | Goal::Greatest => None,
    };
    let context = Context { progress: options.progress, ..Context::new(&options.machine) };
    let (mut claims, mut account) = (Vec::new(), None::<Account>);
    for clock in 0..formulation.clocks.count() {
        let scenario = formulation.at_clock(clock);
        let answer = isx_minmax::solve(&problem(&scenario, limit.clone()), &context).map_err(refused)?;
        let Answer { weights, loads, picks, tier, updates, solve, traceback } = answer;
        let timings = Timings { reduce: Duration::ZERO, solve, traceback };
        let threads = options.machine.threads();
        let own = Account {
            engine: ENGINE,
            how: if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") },
            threads,
            arithmetic: tier,
            why: "the engine for several modes".to_owned(),
            updates,
            timings,
        };
        account = Some(match account {
            Some(account) => summed(account, own),
            None => own,
        });
        let saved = (0..loads.len()).map(|at| &formulation.base_demand - loads.get(at)).collect();
        let values = BigInt::store(saved);
        let claim = Claim::new(weights, values, formulation.tasks.len(), true);
        claims.push((claim.with_configurations(0, Arc::new(picks)), BigInt::ZERO));
    }
    let mut claim = envelope(claims, 1, goal);
    claim.complete = is_complete(formulation, &claim);
    Ok(account.filter(|_| !claim.is_empty()).map(|account| Solution { claim, account }))
}

/// The most modes whose subsets are all looked at.
const MOST_MODES: usize = 6;

/// The smallest schedulable area of every set of modes, the fewest modes first; `all` is that of all.
pub(super) fn areas(
    task_set: &TaskSet,
    formulation: &Formulation,
    all: &SmallestSchedulable,
    options: &Options,
    effort: &mut Effort,
) -> Result<Vec<AreaOfModes>, ExploreError> {
    let count = formulation.modes.len();
    if !(2..=MOST_MODES).contains(&count) {
        return Ok(Vec::new());
    }
    let subset = |number: u32| (0..count).filter(|mode| number >> mode & 1 == 1).collect();
    let mut subsets: Vec<Vec<usize>> = (1..1 << count).map(subset).collect();
    subsets.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    let mut areas = Vec::with_capacity(subsets.len());
    for modes in subsets {
        let smallest = match all {
            Smallest::At(chosen) if modes.len() == count => Smallest::At(chosen.design.area().clone()),
            Smallest::Unknown(why) if modes.len() == count => Smallest::Unknown(why.clone()),
            Smallest::None if modes.len() == count => Smallest::None,
            _ => smallest(task_set, &formulation.with_some_modes(&modes), options, effort)?,
        };
        areas.push(AreaOfModes { modes, smallest });
    }
    Ok(areas)
}

/// The problem of a scenario.
fn problem(scenario: &Formulation, limit: Option<BigInt>) -> Problem {
    let modes = &scenario.modes;
    let class = |(at, task): (usize, &TimedTask)| {
        let own: Vec<(&TimedTask, BigInt)> = modes
            .iter()
            .map(|mode| (&mode.tasks[at], &scenario.hyperperiod / &mode.tasks[at].period))
            .collect();
        let loads = |choice| own.iter().map(|(task, jobs)| task.wcet_with(choice) * jobs).collect();
        let software = Item { weight: 0, loads: loads(None), uses: Vec::new(), number: None };
        let software = Some(software).filter(|_| !task.forced);
        let choices = (0..task.choices.len() as u32).filter(|&number| !scenario.costs.is_beyond(at, number));
        let choices = choices.map(|number| Item {
            weight: scenario.costs.weight(at, number),
            loads: loads(Some(number)),
            uses: scenario.sharing.uses_of(at, number).to_vec(),
            number: Some(number),
        });
        software.into_iter().chain(choices).collect()
    };
    Problem {
        classes: scenario.tasks.iter().enumerate().map(class).collect(),
        elements: scenario.sharing.elements.clone(),
        capacity: scenario.problem.capacity,
        modes: modes.len(),
        limit,
    }
}
