//! Every sum of costs, with the elements used so far; compared only at the end.
//!
//! The other engines are tested against it, so it stays as simple as the definition. Time and memory grow with the
//! number of different sums.
//!
//! Worked instance, two objectives: classes {nothing, (4; 1, 0), (4; 0, 2)} and {nothing, (3; 1, 1)} as (value; costs),
//! limits (2, 2). Sums: (0; 0, 0), (4; 1, 0), (4; 0, 2), (3; 1, 1), (7; 2, 1), and (7; 1, 3) beyond the limits. Front: (0;
//! 0, 0), (4; 0, 2), (4; 1, 0), (7; 2, 1).

use super::{Answer, Resources, Wanted};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::rates;
use isx_problems::resources::{Goal, Problem};
use isx_problems::value::{Tier, Value};
use num_bigint::BigInt;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The reference engine.
pub struct Reference;

impl Engine<Resources> for Reference {
    fn plan<'a>(&'a self, request: Request<'a, Resources>) -> Result<Plan<'a, Resources>, EngineError> {
        let Request { problem, wanted, context } = request;
        let sums: f64 = problem.classes.iter().map(|items| items.len() as f64).product();
        let bytes = sums * (64.0 + 8.0 * (problem.classes.len() + problem.limits.len()) as f64);
        let bytes = bytes.min(u64::MAX as f64) as u64;
        context.machine.allow(bytes)?;
        let (made, within) = expected_sums(problem);
        let seconds = made * rates::RESOURCES_SUM + within.powf(1.5) * rates::RESOURCES_COMPARED;
        let estimate = Estimate { seconds, bytes };
        Ok(Plan::new(estimate, move || solve(problem, wanted, context)))
    }
}

/// How many sums are expected to be made, and how many different ones within the limits at the end. Each class makes a sum
/// per item and different sum before it. Of so many sums, spread over the R vectors of costs up to the greatest, R (1 -
/// e^(-sums / R)) are different. Costs are sums of many, so about as many as of a normal distribution (here a logistic one)
/// are within a limit. Each of those is later compared with about the square root of their number.
fn expected_sums(problem: &Problem) -> (f64, f64) {
    let resources = problem.limits.len();
    let (mut made, mut all, mut different) = (0.0, 1.0f64, 1.0f64);
    let (mut greatest, mut mean, mut variance) =
        (vec![0.0; resources], vec![0.0; resources], vec![0.0; resources]);
    for items in &problem.classes {
        let count = items.len().max(1) as f64;
        made += different * count;
        all *= count;
        let mut vectors = 1.0;
        for at in 0..resources {
            let costs = || items.iter().map(|item| item.cost[at] as f64);
            let (sum, squares) =
                costs().fold((0.0, 0.0), |(sum, squares), cost| (sum + cost, squares + cost * cost));
            greatest[at] += costs().fold(0.0, f64::max);
            mean[at] += sum / count;
            variance[at] += squares / count - (sum / count).powi(2);
            vectors *= greatest[at] + 1.0;
        }
        different = vectors * -(-all / vectors).exp_m1();
    }
    let within = |at: usize| {
        let deviations = (problem.limits[at] as f64 - mean[at]) / variance[at].max(1e-9).sqrt();
        1.0 / (1.0 + (-1.7 * deviations).exp())
    };
    (made, (0..resources).map(within).product::<f64>() * different)
}

/// The cost of a sum, the elements used so far, in ascending order, and its load in every mode.
type Key = (Vec<u64>, Vec<u32>, Vec<BigInt>);
/// Its value, and the position of the item taken from every class so far.
type Best = (BigInt, Vec<u32>);

/// A selection: its value, costs, and the positions of its items.
struct Selection {
    value: BigInt,
    costs: Vec<u64>,
    items: Vec<u32>,
}

fn solve(problem: &Problem, wanted: Wanted, context: &Context) -> Result<Answer, EngineError> {
    let started = Instant::now();
    let mut sums: BTreeMap<Key, Best> = BTreeMap::new();
    let nothing = (vec![0; problem.limits.len()], vec![], vec![BigInt::ZERO; problem.modes]);
    sums.insert(nothing, (BigInt::ZERO, vec![]));
    let mut updates = 0;
    for items in &problem.classes {
        context.go_on()?;
        let mut next: BTreeMap<Key, Best> = BTreeMap::new();
        for ((costs, used, loads), (value, taken)) in &sums {
            for (at, item) in (0u32..).zip(items) {
                updates += 1;
                let used = union(used, &item.uses);
                if excludes_itself(problem, &used) {
                    continue;
                }
                // Costs only grow: a sum beyond a limit is in no selection.
                let sums = costs.iter().zip(&item.cost).zip(&problem.limits);
                let sums = sums.map(|((a, b), &limit)| a.checked_add(*b).filter(|&sum| sum <= limit));
                let Some(costs) = sums.collect::<Option<Vec<u64>>>() else { continue };
                let loads = loads.iter().zip(&item.loads).map(|(load, more)| load + more).collect();
                let best = (value + &item.value, [&taken[..], &[at]].concat());
                let known = next.entry((costs, used, loads)).or_insert_with(|| best.clone());
                if best.0 > known.0 || (best.0 == known.0 && is_before(&best.1, &known.1)) {
                    *known = best;
                }
            }
        }
        sums = next;
    }
    let within = sums.into_iter().filter_map(|((costs, used, loads), (value, items))| {
        let value = value - loads.into_iter().max().unwrap_or_default();
        let costs = with_elements(problem, costs, &used)?;
        let fits = costs.iter().zip(&problem.limits).all(|(cost, limit)| cost <= limit);
        fits.then_some(Selection { value, costs, items })
    });
    let points = asked_for(problem, within.collect());
    let columns = (0..problem.limits.len()).map(|at| points.iter().map(|point| point.costs[at]).collect());
    let numbers = |point: &Selection| -> Vec<Option<u32>> {
        let items = problem.classes.iter().zip(&point.items).map(|(items, &at)| items[at as usize].number);
        items.map(|number| (number != isx_problems::mckp::NO_ITEM).then_some(number)).collect()
    };
    let picks: Vec<Vec<Option<u32>>> = points.iter().map(numbers).collect();
    Ok(Answer {
        costs: columns.collect(),
        values: BigInt::store(points.iter().map(|point| point.value.clone()).collect()),
        picks: wanted.picks.then(|| Arc::new(picks) as _),
        tier: Tier::Big,
        how: "1 thread".into(),
        threads: 1,
        updates,
        solve: started.elapsed(),
        traceback: Duration::ZERO,
    })
}

fn union(used: &[u32], more: &[u32]) -> Vec<u32> {
    let mut union = [used, more].concat();
    union.sort_unstable();
    union.dedup();
    union
}

/// Whether two of the elements are of one group.
fn excludes_itself(problem: &Problem, used: &[u32]) -> bool {
    let mut groups: Vec<u32> = used.iter().filter_map(|&at| problem.elements[at as usize].group).collect();
    groups.sort_unstable();
    groups.windows(2).any(|pair| pair[0] == pair[1])
}

/// Whether a selection comes first: compared from the last class to the first.
fn is_before(a: &[u32], b: &[u32]) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

/// `None` if a sum exceeds every limit.
fn with_elements(problem: &Problem, mut costs: Vec<u64>, used: &[u32]) -> Option<Vec<u64>> {
    for (at, element) in (0u32..).zip(&problem.elements) {
        let amounts = if used.contains(&at) { &element.built } else { &element.unbuilt };
        for (cost, amount) in costs.iter_mut().zip(amounts) {
            *cost = cost.checked_add(*amount)?;
        }
    }
    Some(costs)
}

/// The points that the goal asks for among all selections within the limits.
fn asked_for(problem: &Problem, mut all: Vec<Selection>) -> Vec<Selection> {
    let objectives = problem.objectives;
    if let Goal::AtLeast(least) = &problem.goal {
        all.retain(|selection| selection.value >= *least);
    }
    // Of equal objectives: the greatest value, then the least other costs, then the canonical selection.
    all.sort_by(|a, b| {
        let by_costs = a.costs[..objectives].cmp(&b.costs[..objectives]);
        let by_value = b.value.cmp(&a.value);
        by_costs
            .then(by_value)
            .then(a.costs.cmp(&b.costs))
            .then(a.items.iter().rev().cmp(b.items.iter().rev()))
    });
    all.dedup_by(|later, first| later.costs[..objectives] == first.costs[..objectives]);
    let no_more = |a: &Selection, b: &Selection| {
        a.costs[..objectives].iter().zip(&b.costs[..objectives]).all(|(a, b)| a <= b)
    };
    let dominates = |a: &Selection, b: &Selection| match problem.goal {
        Goal::AtLeast(_) => no_more(a, b) && a.costs[..objectives] != b.costs[..objectives],
        Goal::Front => {
            no_more(a, b)
                && a.value >= b.value
                && (a.value > b.value || a.costs[..objectives] != b.costs[..objectives])
        }
        // The first of equal value is the one of the least costs.
        Goal::Greatest => (&b.value, &a.costs) < (&a.value, &b.costs),
    };
    let kept: Vec<bool> = all.iter().map(|point| !all.iter().any(|other| dominates(other, point))).collect();
    let mut kept = kept.into_iter();
    all.retain(|_| kept.next() == Some(true));
    all
}
