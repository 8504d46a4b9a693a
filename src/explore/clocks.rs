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
use isx_problems::mckp::{Claim, envelope};
use isx_problems::reduce::set_union::Settled;
use isx_problems::resources::{Goal, envelope as resources_envelope};
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

/// Solves the scenarios of all clocks; the claim's values are the savings of a design from the base demand, at its
/// own clock.
pub fn solve_at_every_clock(formulation: &Formulation, options: &Options) -> Result<Solution, ExploreError> {
    let clocks = formulation.clocks.count();
    if clocks == 1 {
        let solution = solve_scenario(formulation, options)?;
        return solution.ok_or_else(|| forced_beyond(formulation));
    }
    let mut solved: Vec<(Claim, BigInt)> = Vec::new();
    let mut account: Option<Account> = None;
    // The maximum saving at clocks whose designs may be missing.
    let mut most_missing: Option<BigInt> = None;
    for clock in 0..clocks {
        let least_area = formulation.least_amounts_at(clock)[0];
        let scenario = formulation.at_clock(clock);
        // The saving of software at this clock, compared with software at the set's own clock: a negative number.
        let added = &formulation.base_demand - &scenario.base_demand;
        let Some(most) = most_saved(&scenario).map(|most| most + &added) else { continue };
        if least_area > formulation.problem.capacity {
            most_missing = most_missing.max(Some(most));
            continue;
        }
        let dominates = |(claim, added): &(Claim, BigInt)| {
            best_within(claim, least_area).is_some_and(|best| best + added > most)
        };
        if solved.iter().any(dominates) {
            continue;
        }
        let options = Options { machine: machine_left(options, &solved), ..options.clone() };
        let Some(solution) = solve_scenario(&scenario, &options)? else { continue };
        if !solution.claim.complete {
            most_missing = most_missing.max(Some(most));
        }
        solved.push((solution.claim, added));
        account = Some(match account {
            Some(account) => summed(account, solution.account),
            None => solution.account,
        });
    }
    let Some(mut account) = account else { return Err(forced_beyond(formulation)) };
    account.why += &format!("; solved at {} of {clocks} clocks", solved.len());
    let mut claim = envelope(solved);
    let best = claim.values.len().checked_sub(1).map(|last| claim.values.get(last));
    claim.complete = most_missing <= best;
    Ok(Solution { claim, account })
}

/// As [`solve_at_every_clock`], for a set with several resources: the points that `goal` asks for, with values that are
/// savings from the base demand; `None` if there is none.
/// Fails if no engine found an answer, or the set's numbers are too wide for the engines.
pub fn solve_resources_at_every_clock(
    task_set: &TaskSet,
    formulation: &Formulation,
    goal: &Goal,
    options: &Options,
) -> Result<Option<Solution>, ExploreError> {
    let clocks = formulation.clocks.count();
    let mut solved: Vec<(Claim, BigInt)> = Vec::new();
    let mut account: Option<Account> = None;
    let mut objectives = 0;
    for clock in 0..clocks {
        let scenario = formulation.at_clock(clock);
        let added = &formulation.base_demand - &scenario.base_demand;
        let own_goal = match goal {
            Goal::AtLeast(value) => Goal::AtLeast(value - &added),
            goal => goal.clone(),
        };
        let Some(problem) = scenario.resource_problem(own_goal) else { break };
        // What is saved in the last mode counts from its demand, and points count from the largest.
        let of_last = scenario.modes.last();
        let of_last = of_last.map(|mode| &mode.base_demand * (&scenario.hyperperiod / &mode.hyperperiod));
        let less = of_last.as_ref().map_or(BigInt::ZERO, |of_last| &scenario.base_demand - of_last);
        objectives = problem.objectives;
        let most = problem.classes.iter().map(|items| items.iter().map(|item| &item.value).max());
        let Some(most) = most.sum::<Option<BigInt>>().map(|most| most + &added + less) else { continue };
        let least = formulation.least_amounts_at(clock);
        let dominates = |(claim, added): &(Claim, BigInt)| {
            let columns = std::iter::once(&claim.weights).chain(&claim.further).take(objectives);
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
        let solution = match of_last {
            None => resources::solve_unchecked(&problem, &options).map_err(|error| wide(task_set, error))?,
            Some(_) => match super::mode_costs::solve(task_set, &scenario, &problem, &options)? {
                Some(solution) => solution,
                None => continue,
            },
        };
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
        let claim = solved.pop().map(|(claim, _)| claim);
        return Ok(claim.map(|claim| Solution { claim, account }));
    }
    account.why += &format!("; solved at {} of {clocks} clocks", solved.len());
    Ok(Some(Solution { claim: resources_envelope(solved, objectives, goal), account }))
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

/// The greatest value of a claim's points within a weight, if any.
fn best_within(claim: &Claim, weight: u64) -> Option<BigInt> {
    claim.value(claim.within(weight).checked_sub(1)?)
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
