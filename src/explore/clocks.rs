//! The front of a task set whose designs run at several clocks: the lower envelope of the fronts at the single
//! clocks.
//!
//! At a fixed clock the designs whose blocks all allow it form a separate problem ([`Formulation::at_clock`]). The
//! scenarios are solved one after the other, the fastest first. A design whose own clock is faster has a lower value
//! in a slower scenario than in its own, so a point of the envelope belongs to the scenario of its own clock, and so
//! do all points that tie with it: the canonical point among the scenarios' canonical ones is the canonical one
//! overall.
//!
//! A scenario is skipped if one point already found dominates all its designs: it needs no more area than the
//! smallest block that requires this clock, and has less utilization than all fastest choices together.

use super::ExploreError;
use super::error::wide;
use isx_exact::quantity::format_decimal;
use isx_machine::Machine;
use isx_problems::account::{Account, Timings};
use isx_problems::mckp::Claim;
use isx_problems::resources::{Goal, Item, envelope};
use isx_problems::set_union::Settled;
use isx_solve::resources;
use isx_solve::set_union::solve_unchecked;
use isx_solve::{Options, Solution, SolveError};
use isx_taskset::TaskSet;
use isx_taskset::formulate::Formulation;
use num_bigint::BigInt;

/// Bytes of a point's weight and value, and of the choice of a task at a point: the memory of scenarios solved
/// earlier.
const POINT_BYTES: u64 = 32;
/// Bytes of its cost in each further resource.
const COST_BYTES: u64 = 8;
const CHOICE_BYTES: u64 = 4;

/// A scenario to be solved.
struct Asked<'a> {
    /// The most that a design saves, counted from software at the clock of the scenario.
    most: BigInt,
    solve: Solve<'a>,
}

/// Solves it.
type Solve<'a> = Box<dyn FnOnce(&Options) -> Result<Option<Solution>, ExploreError> + 'a>;

/// A scenario of one weight; `None` if no design within the capacity has all forced choices.
fn of_weight(scenario: &Formulation, is_alone: bool) -> Option<Asked<'_>> {
    // What is saved at most is compared with other clocks only.
    let most = if is_alone { BigInt::ZERO } else { most_saved(scenario)? };
    Some(Asked { most, solve: Box::new(|options| Ok(solve_scenario(scenario, options)?)) })
}

/// A scenario of several resources; `None` if it has no design.
fn of_resources<'a>(task_set: &'a TaskSet, scenario: &'a Formulation, goal: Goal) -> Option<Asked<'a>> {
    // With several modes what an answer is worth is minus its largest demand.
    let offset = if scenario.modes.is_empty() { BigInt::ZERO } else { scenario.base_demand.clone() };
    let goal = match goal {
        Goal::AtLeast(saved) => Goal::AtLeast(saved - &offset),
        goal => goal,
    };
    let problem = scenario.resource_problem(goal)?;
    let greatest = |of: &dyn Fn(&Item) -> BigInt| {
        problem.classes.iter().map(|items| items.iter().map(of).max()).sum::<Option<BigInt>>()
    };
    let most = match problem.modes {
        0 => greatest(&|item| item.value.clone())?,
        modes => (0..modes).filter_map(|mode| greatest(&|item| -&item.loads[mode])).min()? + &offset,
    };
    let solve = move |options: &Options| {
        let solved = resources::solve_unchecked(&problem, options).map_err(|error| wide(task_set, error));
        let Solution { mut claim, account } = solved?;
        if offset != BigInt::ZERO {
            claim.values = claim.values.scaled_in_any_order(&offset, &BigInt::from(1));
        }
        Ok(Some(Solution { claim, account }))
    };
    Some(Asked { most, solve: Box::new(solve) })
}

/// Solves the scenarios of all clocks for the points that `goal` asks for; the claim's values are the savings of a design
/// from the base demand, at its own clock. `None` if there is no point.
/// Fails if no engine found an answer, or the set's numbers are too wide for the engines.
pub fn solve_at_every_clock(
    task_set: &TaskSet,
    formulation: &Formulation,
    goal: &Goal,
    options: &Options,
) -> Result<Option<Solution>, ExploreError> {
    let (clocks, costs) = (formulation.clocks.count(), &formulation.costs);
    let mut solved: Vec<(Claim, BigInt)> = Vec::new();
    let mut account: Option<Account> = None;
    // The maximum saving at clocks whose designs may be missing.
    let mut most_missing: Option<BigInt> = None;
    for clock in 0..clocks {
        let least = formulation.least_amounts_at(clock);
        let scenario = formulation.at_clock(clock);
        // The saving of software at this clock, compared with software at the set's own clock: a negative number.
        let added = &formulation.base_demand - &scenario.base_demand;
        let own_goal = match goal {
            Goal::AtLeast(value) => Goal::AtLeast(value - &added),
            goal => goal.clone(),
        };
        let asked = match costs.is_line() {
            true => of_weight(&scenario, clocks == 1),
            false => of_resources(task_set, &scenario, own_goal),
        };
        let Some(Asked { most, solve }) = asked else { continue };
        let most = most + &added;
        if costs.is_line() && least[0] > formulation.problem.capacity {
            most_missing = most_missing.max(Some(most));
            continue;
        }
        let dominates = |(claim, added): &(Claim, BigInt)| {
            let columns = std::iter::once(&claim.weights).chain(&claim.further).take(costs.objectives);
            let columns: Vec<(&Vec<u64>, u64)> = columns.zip(least.iter().copied()).collect();
            (0..claim.len()).any(|point| {
                columns.iter().all(|&(column, least)| column[point] <= least)
                    && claim.value(point).is_some_and(|value| value + added > most)
            })
        };
        if solved.iter().any(dominates) {
            continue;
        }
        let options = Options { machine: machine_left(options, &solved), ..options.clone() };
        let Some(solution) = solve(&options)? else { continue };
        if !solution.claim.complete {
            most_missing = most_missing.max(Some(most));
        }
        account = Some(match account {
            Some(account) => summed(account, solution.account),
            None => solution.account,
        });
        if !solution.claim.is_empty() {
            solved.push((solution.claim, added));
        }
    }
    let Some(mut account) = account.filter(|_| !solved.is_empty()) else { return Ok(None) };
    if clocks == 1 {
        return Ok(solved.pop().map(|(claim, _)| Solution { claim, account }));
    }
    account.why += &format!("; solved at {} of {clocks} clocks", solved.len());
    let mut claim = envelope(solved, costs.objectives, goal);
    if costs.is_line() {
        let best = claim.values.len().checked_sub(1).map(|last| claim.values.get(last));
        claim.complete = most_missing <= best;
    }
    Ok(Some(Solution { claim, account }))
}

/// Solves the problem of a formulation with one clock, after fixing its forced choices; `None` if no design within
/// the capacity has all forced choices at this clock.
fn solve_scenario(scenario: &Formulation, options: &Options) -> Result<Option<Solution>, SolveError> {
    if !scenario.is_forced() {
        return solve_unchecked(&scenario.problem, &scenario.sharing, options).map(Some);
    }
    let Some(settled) = settled(scenario) else { return Ok(None) };
    let Solution { claim, account } = solve_unchecked(&settled.problem, &settled.sharing, options)?;
    Ok(Some(Solution { claim: settled.put_back(claim), account }))
}

/// The problem left after fixing the forced choices; `None` if no design within the capacity has them all at this
/// clock.
pub(super) fn settled(scenario: &Formulation) -> Option<Settled> {
    let forced = scenario.forced();
    let is_beyond = |(task, choice): (usize, &Option<u32>)| {
        choice.is_some_and(|choice| scenario.costs.is_beyond(task, choice))
    };
    if forced.iter().enumerate().any(is_beyond) {
        return None;
    }
    Settled::new(&scenario.problem, &scenario.sharing, &forced)
}

pub(super) fn forced_beyond(formulation: &Formulation) -> ExploreError {
    ExploreError::Forced { budget: format_decimal(&formulation.in_area_unit(formulation.problem.capacity)) }
}

/// An upper bound on the saving of a scenario's designs, regardless of area; `None` if no design within the capacity
/// has all forced choices.
fn most_saved(scenario: &Formulation) -> Option<BigInt> {
    if !scenario.is_forced() {
        return Some(scenario.sharing.greatest_value(&scenario.problem.classes));
    }
    let settled = settled(scenario)?;
    Some(settled.value + settled.sharing.greatest_value(&settled.problem.classes))
}

/// An upper bound on the saving of all designs from the base demand, regardless of area; `None` if there is no design.
pub(super) fn most_saved_at_any_clock(formulation: &Formulation) -> Option<BigInt> {
    let at = |clock| {
        let scenario = formulation.at_clock(clock);
        Some(most_saved(&scenario)? + &formulation.base_demand - &scenario.base_demand)
    };
    (0..formulation.clocks.count()).filter_map(at).max()
}

/// The machine, with the memory of solved scenarios subtracted from the allowed memory.
fn machine_left(options: &Options, solved: &[(Claim, BigInt)]) -> Machine {
    let held = solved.iter().map(|(claim, _)| bytes_of(claim)).sum();
    options.machine.clone().with_taken(held)
}

/// The memory of a claim solved earlier.
pub(super) fn bytes_of(claim: &Claim) -> u64 {
    let costs = COST_BYTES * claim.further.len() as u64;
    claim.len() as u64 * (POINT_BYTES + costs + CHOICE_BYTES * claim.classes as u64)
}

/// The combined account of both: it names the engine with more updates, the first on a tie.
pub(super) fn summed(one: Account, other: Account) -> Account {
    let (updates, threads) = (one.updates + other.updates, one.threads.max(other.threads));
    let (a, b) = (one.timings, other.timings);
    let timings = Timings {
        reduce: a.reduce + b.reduce,
        solve: a.solve + b.solve,
        traceback: a.traceback + b.traceback,
    };
    let arithmetic = one.arithmetic.max(other.arithmetic);
    let main = if other.updates > one.updates { other } else { one };
    Account { arithmetic, threads, updates, timings, ..main }
}
