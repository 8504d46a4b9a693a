//! Multi-dimensional knapsacks and shortest tours, on arrays.

use crate::errors;
use crate::options::Options;
use crate::running::run;
use crate::solve::{Numbers, capacity_of};
use isx::engine::multidim::ENGINES as MULTIDIM;
use isx::engine::tsp::ENGINES as TSP;
use isx::problem::account::Account;
use isx::problem::multidim::{Item, MAX_DIMENSIONS, Multidim};
use isx::problem::tsp::Tsp;
use isx::solve::{multidim, tsp};
use num_bigint::BigInt;
use pyo3::prelude::*;

/// What ran, in which arithmetic, and why.
type Engine = (String, String, String);

fn engine_of(account: &Account) -> Engine {
    (account.ran_on(), account.arithmetic.to_string(), account.why.clone())
}

/// Solves a 0-1 knapsack problem in several dimensions; `weights` has the weights of one item after the other. Returns the
/// profit, the weight in each dimension, and the items.
#[pyfunction]
pub fn solve_multidim(
    py: Python<'_>,
    profits: &Bound<'_, PyAny>,
    weights: &Bound<'_, PyAny>,
    capacities: Vec<BigInt>,
    options: Options<'_>,
) -> PyResult<(BigInt, Vec<u64>, Vec<usize>, Engine)> {
    let dimensions = capacities.len();
    if !(1..=MAX_DIMENSIONS).contains(&dimensions) {
        let problem = format!("there are {dimensions} capacities, and there may be 1 to {MAX_DIMENSIONS}");
        return Err(errors::input(problem));
    }
    let (profits, weights) = (Numbers::of(profits)?, Numbers::of(weights)?.weights()?);
    let padded = |figures: &[u64]| -> [u64; MAX_DIMENSIONS] {
        std::array::from_fn(|dimension| figures.get(dimension).copied().unwrap_or(0))
    };
    let capacities = capacities.iter().map(capacity_of).collect::<PyResult<Vec<u64>>>()?;
    let item = |(at, weights)| Item { profit: profits.at(at), weights: padded(weights) };
    let items = weights.chunks_exact(dimensions).enumerate().map(item).collect();
    let problem = Multidim { dimensions, capacities: padded(&capacities), items };
    let (engine, machine) = (options.engine(&MULTIDIM)?, options.machine()?);
    let solved = run(py, &machine, options.told.as_ref(), move |lent| {
        let heard = lent.heard;
        let machine = lent.machine;
        let options =
            multidim::Options { engine, machine, progress: &*heard, ..multidim::Options::default() };
        multidim::solve(&problem, &options)
    })?;
    let multidim::Solution { claim, account } = solved.map_err(|error| errors::solve(&error))?;
    Ok((claim.profit, claim.weights[..dimensions].to_vec(), claim.chosen, engine_of(&account)))
}

/// Finds a shortest tour; `distances` has the distances from one city after the other. Returns the length and the cities.
#[pyfunction]
pub fn solve_tsp(
    py: Python<'_>,
    distances: &Bound<'_, PyAny>,
    cities: u64,
    options: Options<'_>,
) -> PyResult<(i64, Vec<usize>, Engine)> {
    let distances = Numbers::of(distances)?;
    let distance = |at: usize| {
        let distance = distances.at(at);
        let narrow = i64::try_from(distance);
        narrow.map_err(|_| errors::input(format!("distances hold {distance}, which is 2**63 or more")))
    };
    let distances = (0..distances.len()).map(distance).collect::<PyResult<Vec<i64>>>()?;
    let problem = Tsp::new((0..cities).collect(), distances).map_err(errors::input)?;
    let (engine, machine) = (options.engine(&TSP)?, options.machine()?);
    let solved = run(py, &machine, options.told.as_ref(), move |lent| {
        let heard = lent.heard;
        let options =
            tsp::Options { engine, machine: lent.machine, progress: &*heard, ..tsp::Options::default() };
        tsp::solve(&problem, &options)
    })?;
    let tsp::Solution { claim, account } = solved.map_err(|error| errors::solve(&error))?;
    Ok((claim.length, claim.tour, engine_of(&account)))
}
