//! Plain knapsack problems on arrays.

use crate::errors::{self, Answered};
use crate::options::Options;
use crate::running::answers;
use isx::engine::knapsack::{ENGINES as KNAPSACK, Wanted as WantedOfItems};
use isx::engine::mckp::{ENGINES as MCKP, Wanted as WantedOfClasses};
use isx::engine::{Choice as Engine, Progress};
use isx::machine::Machine;
use isx::problem::account::Account;
use isx::problem::knapsack::{self, Knapsack};
use isx::problem::mckp::{self, Choice, Item, Mckp};
use isx::problem::value::Values;
use isx::solve::{Options as ClassesOptions, knapsack as solve_items, solve as solve_classes};
use num_bigint::BigInt;
use pyo3::IntoPyObjectExt;
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The numbers of an array of 64-bit integers, which is one-dimensional and contiguous.
fn numbers(array: &Bound<'_, PyAny>) -> Answered<Vec<i128>> {
    if let Ok(buffer) = PyBuffer::<i64>::get(array) {
        return Ok(buffer.to_vec(array.py())?.into_iter().map(i128::from).collect());
    }
    Ok(PyBuffer::<u64>::get(array)?.to_vec(array.py())?.into_iter().map(i128::from).collect())
}

/// What is wanted of answers.
#[derive(Clone, Copy, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wanted {
    all_capacities: bool,
    picks: bool,
    reduce: bool,
    /// The only problem is solved, which has all the machine and reports its own progress.
    alone: bool,
}

/// An answer: a best selection, or a front of them.
#[pyclass(frozen, module = "isx._isx")]
pub struct Solution {
    claim: Claim,
    /// The first point of the claim that was asked for.
    from: usize,
    account: Account,
}

/// The points and what is behind them.
enum Claim {
    OfClasses(mckp::Claim),
    OfItems(knapsack::Claim),
}

impl Solution {
    fn points(&self) -> (&[u64], &Values) {
        match &self.claim {
            Claim::OfClasses(claim) => (&claim.weights, &claim.values),
            Claim::OfItems(claim) => (&claim.weights, &claim.profits),
        }
    }
}

#[pymethods]
impl Solution {
    /// The weights of all points as 64-bit integers.
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let weights = self.points().0[self.from..].iter();
        PyBytes::new(py, weights.map(|weight| weight.to_ne_bytes()).collect::<Vec<_>>().as_flattened())
    }

    /// The values of all points: as 64-bit integers where they fit, else as a list.
    fn values<'py>(&self, py: Python<'py>) -> Answered<Bound<'py, PyAny>> {
        let (weights, values) = self.points();
        let small = |index| Some(i64::try_from(values.get_i128(index)?).ok()?.to_ne_bytes());
        if let Some(bytes) = (self.from..weights.len()).map(small).collect::<Option<Vec<_>>>() {
            return Ok(PyBytes::new(py, bytes.as_flattened()).into_any());
        }
        let wide: Vec<BigInt> = (self.from..weights.len()).map(|index| values.get(index)).collect();
        Ok(wide.into_bound_py_any(py)?)
    }

    /// The item of every class (-1: none), or the chosen items, of a point as 64-bit integers, where they are known.
    fn picks<'py>(&self, py: Python<'py>, index: usize) -> Option<Bound<'py, PyBytes>> {
        let picks: Vec<i64> = match &self.claim {
            Claim::OfClasses(claim) => {
                let items = claim.items(index + self.from)?.into_iter();
                items.map(|item| item.map_or(-1, i64::from)).collect()
            }
            Claim::OfItems(claim) => claim.items(index + self.from)?.into_iter().map(i64::from).collect(),
        };
        Some(PyBytes::new(py, picks.iter().map(|pick| pick.to_ne_bytes()).collect::<Vec<_>>().as_flattened()))
    }

    /// What ran, and why.
    #[getter]
    fn engine(&self) -> (String, String) {
        (self.account.ran_on(), self.account.why.clone())
    }
}

/// A problem, whose weights and capacity are in bounds: values, weights, offsets of a multiple-choice problem, capacity, whether classes may give no item.
type Parts<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>, u64, bool);

/// A problem with its engine.
enum Problem {
    OfClasses(Mckp<i128>, Engine<isx::engine::mckp::Mckp>),
    OfItems(Knapsack, Engine<isx::engine::knapsack::Knapsack>),
}

impl Problem {
    fn of(parts: Parts<'_>, options: &Options<'_>) -> Answered<Self> {
        let (values, weights, offsets, capacity, optional) = parts;
        let (values, weights) = (numbers(&values)?, numbers(&weights)?);
        let weights: Vec<u64> = weights.into_iter().map(|weight| weight as u64).collect();
        let Some(offsets) = offsets else {
            if u32::try_from(values.len()).is_err() {
                return Err(errors::input("there are more than 2**32 items"));
            }
            let item = |(&profit, &weight)| knapsack::Item { profit, weight };
            let items = values.iter().zip(&weights).map(item).collect();
            return Ok(Self::OfItems(Knapsack { items, capacity }, options.engine(&KNAPSACK)?));
        };
        // Class k has the items from offsets[k] to offsets[k + 1].
        let bounds = numbers(&offsets)?.into_iter().map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        let (bounds, items) = (bounds.collect::<Vec<_>>(), values.len());
        let holds = bounds.first() == Some(&0) && bounds.last() == Some(&items) && bounds.is_sorted();
        if !holds || items != weights.len() {
            return Err(errors::input(format!("offsets must rise from 0 to the number of items, {items}")));
        }
        let item = |at: usize| Item { value: values[at], weight: weights[at] };
        let classes = bounds.windows(2).map(|ends| (ends[0]..ends[1]).map(item).collect()).collect();
        let choice = if optional { Choice::Optional } else { Choice::ExactlyOne };
        Ok(Self::OfClasses(Mckp { classes, capacity, choice }, options.engine(&MCKP)?))
    }

    fn solved(&self, wanted: Wanted, machine: Machine, progress: &dyn Progress) -> Answered<Solution> {
        let raw = !wanted.reduce;
        let (claim, from, account) = match self {
            Self::OfClasses(problem, engine) => {
                let engine = *engine;
                let points = match (wanted.all_capacities, wanted.picks) {
                    (true, true) => WantedOfClasses::AllPicks,
                    (_, false) => WantedOfClasses::Values,
                    (false, true) => WantedOfClasses::BestPicks,
                };
                let options =
                    ClassesOptions { engine, raw, wanted: points, machine, progress, ..Default::default() };
                let solved = solve_classes(problem, &options)?;
                let from = if wanted.all_capacities { 0 } else { solved.claim.len() - 1 };
                (Claim::OfClasses(solved.claim), from, solved.account)
            }
            Self::OfItems(problem, engine) => {
                let engine = *engine;
                let points = match (wanted.all_capacities, wanted.picks) {
                    (true, true) => WantedOfItems::AllPicks,
                    (true, false) => WantedOfItems::AllValues,
                    (false, true) => WantedOfItems::Best,
                    (false, false) => WantedOfItems::Value,
                };
                let options = solve_items::Options {
                    engine,
                    raw,
                    wanted: points,
                    machine,
                    progress,
                    ..Default::default()
                };
                let solved = solve_items::solve(problem, &options)?;
                (Claim::OfItems(solved.claim), 0, solved.account)
            }
        };
        Ok(Solution { claim, from, account })
    }
}

/// Solves problems, as many at the same time as there are threads: a solution or an exception for each, in order.
#[pyfunction]
pub fn solve(
    py: Python<'_>,
    problems: Vec<Parts<'_>>,
    wanted: Wanted,
    options: Options<'_>,
) -> Answered<Vec<Py<PyAny>>> {
    let problems: Vec<_> = problems.into_iter().map(|parts| Problem::of(parts, &options)).collect();
    let asked = ((!wanted.alone).then_some("problems"), problems.len());
    answers(py, &options, asked, move |at, machine, progress| match &problems[at] {
        Ok(problem) => problem.solved(wanted, machine.clone(), progress),
        Err(error) => Err(errors::again(error)),
    })
}
