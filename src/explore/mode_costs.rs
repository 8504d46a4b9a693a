//! Sets with several resources in several modes: the front of costs against the largest demand of a mode.
//!
//! The demand of a mode is an amount as those of resources are, and the front of costs and largest demand is part of that of
//! costs and all demands.

use super::ExploreError;
use isx_mckp::Wanted;
use isx_problems::mckp::Claim;
use isx_problems::resources::{Goal, Problem, envelope};
use isx_problems::value::Value;
use isx_solve::{Options, Solution, resources};
use isx_taskset::TaskSet;
use isx_taskset::formulate::{FormulateError, Formulation, ModeProblem, WideDemand};
use num_bigint::BigInt;

/// Solves a scenario of a set with several resources, for the goal of its `problem`: the claim's values are what the design
/// saves of the base demand in the mode of its largest demand. `None` if no design is within the limits.
/// Fails if no engine found an answer, or the demands of a mode are too large to be amounts.
pub(super) fn solve(
    task_set: &TaskSet,
    scenario: &Formulation,
    problem: &Problem,
    options: &Options,
) -> Result<Option<Solution>, ExploreError> {
    let wide = |WideDemand { mode, bits }| {
        let name = task_set.modes.get(mode).map_or_else(String::new, |name| format!(" `{name}`"));
        let (taskset, what) = (task_set.name.clone(), format!("the demands of mode{name}"));
        FormulateError::DemandRange { taskset, what, needed: bits, held: 62 }
    };
    let mode_problem =
        |most: Option<&BigInt>, with_costs| scenario.mode_problem(most, with_costs).map_err(wide);
    let solve_unchecked = |problem: &Problem, options: &Options| {
        resources::solve_unchecked(problem, options).map_err(|error| super::error::wide(task_set, error))
    };
    let most = |saved: &BigInt| &scenario.base_demand - saved;
    let of_modes = match &problem.goal {
        Goal::Front => mode_problem(None, true)?,
        Goal::AtLeast(saved) => mode_problem(Some(&most(saved)), true)?,
        // The least demand first, then the least costs that have it.
        Goal::Greatest => {
            let Some(demands) = mode_problem(None, false)? else { return Ok(None) };
            let options = Options { wanted: Wanted::Values, ..options.clone() };
            let Solution { claim, .. } = solve_unchecked(&demands.problem, &options)?;
            let least = (0..claim.len()).filter_map(|point| largest_demand(&demands, &claim, point)).min();
            let Some(least) = least else { return Ok(None) };
            mode_problem(Some(&least), true)?
        }
    };
    let Some(of_modes) = of_modes else { return Ok(None) };
    let Solution { mut claim, account } = solve_unchecked(&of_modes.problem, options)?;
    let saved = |point: usize| Some(&scenario.base_demand - largest_demand(&of_modes, &claim, point)?);
    let saved: Option<Vec<BigInt>> = (0..claim.len()).map(saved).collect();
    let Some(saved) = saved.filter(|saved| !saved.is_empty()) else { return Ok(None) };
    // Demands are never the first amounts here.
    claim.values = BigInt::store(saved);
    claim.further.drain(of_modes.first - 1..of_modes.first - 1 + of_modes.units.len());
    let claim = envelope(vec![(claim, BigInt::ZERO)], problem.objectives, &problem.goal);
    Ok(Some(Solution { claim, account }))
}

/// The demand of a point in the mode where it is largest.
fn largest_demand(of_modes: &ModeProblem, claim: &Claim, point: usize) -> Option<BigInt> {
    let amounts = claim.costs(point)?;
    let others = of_modes.units.iter().zip(&amounts[of_modes.first..]);
    let others = others.map(|(unit, amount)| unit * BigInt::from(*amount)).max();
    others.max(Some(&of_modes.of_last - claim.value(point)?))
}
