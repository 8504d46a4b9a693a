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

use super::error::wide;
use super::{ExploreError, modes};
use isx_machine::Machine;
use isx_problems::account::{Account, Timings};
use isx_problems::mckp::Claim;
use isx_problems::resources::{Goal, envelope};
use isx_solve::resources::solve_unchecked;
use isx_solve::{Options, Solution};
use isx_taskset::TaskSet;
use isx_taskset::formulate::Formulation;
use num_bigint::BigInt;

/// Bytes of a point's weight and value, and of the choice of a task at a point: the memory of scenarios solved
/// earlier.
const POINT_BYTES: u64 = 32;
/// Bytes of its cost in each further resource.
const COST_BYTES: u64 = 8;
const CHOICE_BYTES: u64 = 4;

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
    for clock in 0..clocks {
        let Some(least_demand) = formulation.least_demand_at(clock) else { continue };
        let most = &formulation.base_demand - least_demand;
        let least = formulation.least_amounts_at(clock);
        if costs.is_line() && least[0] > formulation.capacity() {
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
        let scenario = formulation.at_clock(clock);
        // The saving of software at this clock, compared with software at the set's own clock: a negative number. With
        // several modes what an answer is worth is minus its largest demand.
        let software = if scenario.modes.is_empty() { &scenario.base_demand } else { &BigInt::ZERO };
        let added = &formulation.base_demand - software;
        let own_goal = match goal {
            Goal::AtLeast(value) => Goal::AtLeast(value - &added),
            goal => goal.clone(),
        };
        let Some(problem) = scenario.resource_problem(own_goal) else { continue };
        let options = Options { machine: machine_left(options, &solved), ..options.clone() };
        let solution = match costs.is_line() {
            true if modes::suits(&problem, &options) => modes::solve(&problem, &options)?,
            true => solve_unchecked(&problem, &options)?,
            false => solve_unchecked(&problem, &options).map_err(|error| wide(task_set, error))?,
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
    let mut claim = if clocks > 1 {
        account.why += &format!("; solved at {} of {clocks} clocks", solved.len());
        envelope(solved, costs.objectives, goal)
    } else {
        let (mut claim, added) = solved.swap_remove(0);
        if added != BigInt::ZERO {
            claim.values = claim.values.scaled(&added, &BigInt::from(1));
        }
        claim
    };
    if costs.is_line() {
        claim.complete = is_complete(formulation, &claim);
    }
    Ok(Some(Solution { claim, account }))
}

/// Whether no design beyond the area budget has less demand than all within it, of which these are the front.
fn is_complete(formulation: &Formulation, front: &Claim) -> bool {
    let costs = &formulation.costs;
    let areas = formulation.tasks.iter().enumerate().map(|(at, task)| {
        let choices = 0..task.choices.len() as u32;
        choices.map(|choice| costs.weight(at, choice)).max().unwrap_or(0)
    });
    let blocks = (0..costs.blocks()).flat_map(|block| costs.of_block(block)[0]).copied();
    if areas.chain(blocks).fold(0, u64::saturating_add) <= formulation.capacity() {
        return true;
    }
    let reached = front.len().checked_sub(1).map(|last| &formulation.base_demand - front.values.get(last));
    formulation.least_demand() >= reached
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
