//! Plain knapsack problems on arrays.

use crate::options::Options;
use crate::running::run;
use crate::{errors, many};
use isx::engine::knapsack::ENGINES as KNAPSACK;
use isx::engine::mckp::ENGINES as MCKP;
use isx::engine::{Choice as Engine, Progress};
use isx::machine::Machine;
use isx::problem::account::Account;
use isx::problem::knapsack::{self, Knapsack};
use isx::problem::mckp::{self, Choice, Item, Mckp};
use isx::problem::value::Values;
use isx::solve;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Weights and capacities stay below this.
const WEIGHT_LIMIT: u64 = 1 << 62;

/// The numbers of an array of 64-bit integers, which is one-dimensional and contiguous.
pub enum Numbers {
    Signed(Vec<i64>),
    Unsigned(Vec<u64>),
}

impl Numbers {
    pub fn of(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(buffer) = PyBuffer::<i64>::get(array) {
            return buffer.to_vec(array.py()).map(Self::Signed);
        }
        PyBuffer::<u64>::get(array)?.to_vec(array.py()).map(Self::Unsigned)
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Signed(numbers) => numbers.len(),
            Self::Unsigned(numbers) => numbers.len(),
        }
    }

    pub fn at(&self, index: usize) -> i128 {
        match self {
            Self::Signed(numbers) => numbers[index].into(),
            Self::Unsigned(numbers) => numbers[index].into(),
        }
    }

    /// The numbers as weights.
    pub fn weights(&self) -> PyResult<Vec<u64>> {
        let weight = |index| {
            let number = self.at(index);
            let weight = u64::try_from(number).ok().filter(|&weight| weight < WEIGHT_LIMIT);
            weight.ok_or_else(|| {
                let must = if number < 0 { "0 or greater" } else { "below 2**62" };
                errors::input(format!("weights[{index}] is {number}, and a weight must be {must}"))
            })
        };
        (0..self.len()).map(weight).collect()
    }
}

pub fn capacity_of(capacity: &BigInt) -> PyResult<u64> {
    let fits = capacity.to_u64().filter(|&capacity| capacity <= WEIGHT_LIMIT);
    fits.ok_or_else(|| {
        let must = if *capacity < BigInt::ZERO { "0 or greater" } else { "at most 2**62" };
        errors::input(format!("capacity is {capacity}, and it must be {must}"))
    })
}

/// What is wanted of an answer.
#[derive(Clone, Copy, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wanted {
    all_capacities: bool,
    picks: bool,
    reduce: bool,
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
    fn all_weights(&self) -> &[u64] {
        match &self.claim {
            Claim::OfClasses(claim) => &claim.weights,
            Claim::OfItems(claim) => &claim.weights,
        }
    }

    fn all_values(&self) -> &Values {
        match &self.claim {
            Claim::OfClasses(claim) => &claim.values,
            Claim::OfItems(claim) => &claim.profits,
        }
    }

    fn points(&self) -> std::ops::Range<usize> {
        self.from..self.all_weights().len()
    }
}

#[pymethods]
impl Solution {
    fn __len__(&self) -> usize {
        self.points().len()
    }

    /// The weights of all points as 64-bit integers.
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let weights = &self.all_weights()[self.from..];
        PyBytes::new(py, weights.iter().map(|weight| weight.to_ne_bytes()).collect::<Vec<_>>().as_flattened())
    }

    /// The values of all points as 64-bit integers, where they fit.
    fn values<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let small = |index| i64::try_from(self.all_values().get_i128(index)?).ok();
        let bytes: Option<Vec<[u8; 8]>> =
            self.points().map(|index| Some(small(index)?.to_ne_bytes())).collect();
        Some(PyBytes::new(py, bytes?.as_flattened()))
    }

    /// The values of all points.
    fn wide_values(&self) -> Vec<BigInt> {
        self.points().map(|index| self.all_values().get(index)).collect()
    }

    /// The item of every class (-1: none), or the chosen items, of a point as 64-bit integers, where they are known.
    fn picks<'py>(&self, py: Python<'py>, index: usize) -> Option<Bound<'py, PyBytes>> {
        let index = index + self.from;
        let picks: Vec<i64> = match &self.claim {
            Claim::OfClasses(claim) => {
                claim.items(index)?.into_iter().map(|item| item.map_or(-1, i64::from)).collect()
            }
            Claim::OfItems(claim) => claim.items(index)?.into_iter().map(i64::from).collect(),
        };
        let bytes: Vec<[u8; 8]> = picks.iter().map(|pick| pick.to_ne_bytes()).collect();
        Some(PyBytes::new(py, bytes.as_flattened()))
    }

    /// What ran, in which arithmetic, and why.
    #[getter]
    fn engine(&self) -> (String, String, String) {
        (self.account.ran_on(), self.account.arithmetic.to_string(), self.account.why.clone())
    }
}

/// A multiple-choice knapsack problem; class k has the items from offsets[k] to offsets[k + 1].
fn mckp_of(
    values: &Bound<'_, PyAny>,
    weights: &Bound<'_, PyAny>,
    offsets: &Bound<'_, PyAny>,
    capacity: &BigInt,
    optional: bool,
) -> PyResult<Mckp<i128>> {
    let (values, weights, offsets) = (Numbers::of(values)?, Numbers::of(weights)?, Numbers::of(offsets)?);
    let capacity = capacity_of(capacity)?;
    let choice = if optional { Choice::Optional } else { Choice::ExactlyOne };
    Ok(Mckp { classes: classes(&values, &weights.weights()?, &offsets)?, capacity, choice })
}

fn solved_mckp(
    problem: &Mckp<i128>,
    wanted: Wanted,
    engine: Engine<isx::engine::mckp::Mckp>,
    machine: Machine,
    progress: &dyn Progress,
) -> PyResult<Solution> {
    use isx::engine::mckp::Wanted as Points;
    let options = solve::Options {
        engine,
        raw: !wanted.reduce,
        wanted: match (wanted.all_capacities, wanted.picks) {
            (true, true) => Points::AllPicks,
            (_, false) => Points::Values,
            (false, true) => Points::BestPicks,
        },
        machine,
        progress,
        ..solve::Options::default()
    };
    let solved = solve::solve(problem, &options).map_err(|error| errors::solve(&error))?;
    let solve::Solution { claim, account } = solved;
    let from = if wanted.all_capacities { 0 } else { claim.len() - 1 };
    Ok(Solution { claim: Claim::OfClasses(claim), from, account })
}

/// Solves a multiple-choice knapsack problem.
#[pyfunction]
#[pyo3(signature = (values, weights, offsets, capacity, optional, wanted, options))]
#[expect(clippy::too_many_arguments, reason = "they are the parts of a problem")]
pub fn solve_mckp(
    py: Python<'_>,
    values: &Bound<'_, PyAny>,
    weights: &Bound<'_, PyAny>,
    offsets: &Bound<'_, PyAny>,
    capacity: BigInt,
    optional: bool,
    wanted: Wanted,
    options: Options<'_>,
) -> PyResult<Solution> {
    let problem = mckp_of(values, weights, offsets, &capacity, optional)?;
    let (engine, machine) = (options.engine(&MCKP)?, options.machine()?);
    run(py, &machine, options.told.as_ref(), move |lent| {
        solved_mckp(&problem, wanted, engine, lent.machine, &*lent.heard)
    })?
}

/// The items of each class.
fn classes(values: &Numbers, weights: &[u64], offsets: &Numbers) -> PyResult<Vec<Vec<Item<i128>>>> {
    let bounds: Vec<usize> = (0..offsets.len())
        .map(|at| usize::try_from(offsets.at(at)).map_err(|_| errors::input("offsets are 0 or greater")))
        .collect::<PyResult<_>>()?;
    let items = values.len();
    let holds = bounds.first() == Some(&0) && bounds.last() == Some(&items) && bounds.is_sorted();
    if !holds || items != weights.len() {
        return Err(errors::input(format!("offsets must rise from 0 to the number of items, {items}")));
    }
    let item = |at: usize| Item { value: values.at(at), weight: weights[at] };
    Ok(bounds.windows(2).map(|ends| (ends[0]..ends[1]).map(item).collect()).collect())
}

/// A 0-1 knapsack problem.
fn knapsack_of(
    profits: &Bound<'_, PyAny>,
    weights: &Bound<'_, PyAny>,
    capacity: &BigInt,
) -> PyResult<Knapsack> {
    let (profits, weights) = (Numbers::of(profits)?, Numbers::of(weights)?.weights()?);
    let capacity = capacity_of(capacity)?;
    if u32::try_from(profits.len()).is_err() {
        return Err(errors::input("there are more than 2**32 items"));
    }
    let item = |(at, &weight)| knapsack::Item { profit: profits.at(at), weight };
    Ok(Knapsack { items: weights.iter().enumerate().map(item).collect(), capacity })
}

fn solved_knapsack(
    problem: &Knapsack,
    wanted: Wanted,
    engine: Engine<isx::engine::knapsack::Knapsack>,
    machine: Machine,
    progress: &dyn Progress,
) -> PyResult<Solution> {
    use isx::engine::knapsack::Wanted as Points;
    let options = solve::knapsack::Options {
        engine,
        raw: !wanted.reduce,
        wanted: match (wanted.all_capacities, wanted.picks) {
            (true, true) => Points::AllPicks,
            (true, false) => Points::AllValues,
            (false, true) => Points::Best,
            (false, false) => Points::Value,
        },
        machine,
        progress,
        ..solve::knapsack::Options::default()
    };
    let solved = solve::knapsack::solve(problem, &options).map_err(|error| errors::solve(&error))?;
    let solve::knapsack::Solution { claim, account } = solved;
    Ok(Solution { claim: Claim::OfItems(claim), from: 0, account })
}

/// Solves a 0-1 knapsack problem.
#[pyfunction]
pub fn solve_knapsack(
    py: Python<'_>,
    profits: &Bound<'_, PyAny>,
    weights: &Bound<'_, PyAny>,
    capacity: BigInt,
    wanted: Wanted,
    options: Options<'_>,
) -> PyResult<Solution> {
    let problem = knapsack_of(profits, weights, &capacity)?;
    let (engine, machine) = (options.engine(&KNAPSACK)?, options.machine()?);
    run(py, &machine, options.told.as_ref(), move |lent| {
        solved_knapsack(&problem, wanted, engine, lent.machine, &*lent.heard)
    })?
}

/// A problem of several: values, weights, offsets of a multiple-choice problem, capacity, whether classes may give no
/// item.
type Parts<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>, BigInt, bool);

enum Problem {
    Mckp(Mckp<i128>, Engine<isx::engine::mckp::Mckp>),
    Knapsack(Knapsack, Engine<isx::engine::knapsack::Knapsack>),
}

/// Solves problems, as many at the same time as there are threads: a solution or an exception for each, in order.
#[pyfunction]
pub fn solve_many(
    py: Python<'_>,
    problems: Vec<Parts<'_>>,
    wanted: Wanted,
    options: Options<'_>,
) -> PyResult<Vec<Py<PyAny>>> {
    let problem = |(values, weights, offsets, capacity, optional): Parts<'_>| {
        Ok(match offsets {
            Some(offsets) => Problem::Mckp(
                mckp_of(&values, &weights, &offsets, &capacity, optional)?,
                options.engine(&MCKP)?,
            ),
            None => Problem::Knapsack(knapsack_of(&values, &weights, &capacity)?, options.engine(&KNAPSACK)?),
        })
    };
    let problems: Vec<PyResult<Problem>> = problems.into_iter().map(problem).collect();
    let machine = options.machine()?;
    let solved = run(py, &machine, options.told.as_ref(), move |lent| {
        many::answers(&lent, "problems", problems.len(), |at, machine, progress| {
            let machine = machine.clone();
            match &problems[at] {
                Ok(Problem::Mckp(problem, engine)) => {
                    solved_mckp(problem, wanted, *engine, machine, progress)
                }
                Ok(Problem::Knapsack(problem, engine)) => {
                    solved_knapsack(problem, wanted, *engine, machine, progress)
                }
                Err(error) => Err(Python::attach(|py| error.clone_ref(py))),
            }
        })
    })?;
    many::handed_over(py, solved)
}
