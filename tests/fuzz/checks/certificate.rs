//! Bytes that may be a certificate: they are refused at a position within them; or what they prove of a small
//! problem, whatever the problem, agrees with all its selections; that none is schedulable is held against the test of
//! each where its hyperperiod is short.

use isx_checker::claim;
use isx_checker::shared::problem::Problem;
use isx_checker::shared::schedule::is_schedulable;
use isx_checker::{Limits, Statement, check_within};
use num_bigint::{BigInt, BigUint};
use std::collections::BTreeSet;

/// The most selections to enumerate.
const FEW: usize = 1000;

/// The longest hyperperiod of which designs are tested.
const SHORT: u32 = 1000;

/// A selection: its area, or its amounts of several resources, and its cost.
type Sums = (Vec<u128>, BigInt);

pub fn check(data: &[u8]) {
    let proved = match check_within(data, None, Limits::default()) {
        Ok(proved) => proved,
        Err(failure) => {
            let shown = failure.to_string();
            assert!(!shown.is_empty() && !shown.chars().any(char::is_control), "{shown:?}");
            assert!(failure.offset <= data.len() as u64);
            return;
        }
    };
    assert_eq!(proved.bytes, data.len() as u64);
    let problem = &proved.problem;
    let selections = |problem: &Problem| {
        problem.classes.iter().try_fold(1usize, |all, class| all.checked_mul(class.len()))
    };
    let are_many = |problem: &Problem| selections(problem).is_none_or(|selections| selections > FEW);
    if problem.classes.len() > 12 || problem.others.len() > 12 || problem.variants().any(are_many) {
        return;
    }
    let (fitting, passing): (Vec<Sums>, Vec<bool>) = problem.variants().flat_map(fitting).unzip();
    let mut schedulable = fitting.iter().zip(passing).filter(|(_, passes)| *passes).map(|(sums, _)| &sums.0);
    match &proved.statement {
        Statement::Front { points, .. } => {
            let objectives = problem.resources.objectives;
            let amounts =
                |sums: &claim::Sums| sums.objectives(problem).iter().map(|&amount| amount.into()).collect();
            let points: Vec<Sums> =
                points.iter().map(|point| (amounts(&point.sums), point.sums.cost.clone())).collect();
            assert_eq!(points, front(fitting, objectives));
        }
        Statement::Best { sums, is_lightest } => {
            let least = fitting.iter().map(|(_, cost)| cost).min().expect("the claimed one fits");
            assert_eq!(sums.cost, *least);
            let lightest =
                fitting.iter().filter(|(_, cost)| cost == least).map(|(area, _)| area.clone()).min();
            assert!(!is_lightest || lightest == Some(vec![sums.amounts[0].into()]));
        }
        Statement::NothingFits => assert!(fitting.is_empty()),
        Statement::Schedulable { sums } => {
            let fits =
                |variant: &Problem| (0..).zip(&sums.amounts).all(|(at, own)| *own <= variant.limit(at));
            assert!(problem.variants().any(fits));
        }
        Statement::NotSchedulable => assert!(schedulable.next().is_none()),
        Statement::LeastArea { sums } => {
            assert!(schedulable.all(|amounts| amounts[0] >= sums.amounts[0].into()));
        }
        Statement::LeastDivision(division) => {
            let most = BigInt::from(problem.hyperperiod.clone());
            assert_eq!(Some(division.demands.len()), problem.chip.as_ref().map(|chip| chip.cores));
            assert!(division.demands.iter().all(|demand| *demand <= most));
        }
        Statement::NoDivision => assert!(problem.chip.is_some()),
    }
}

/// Every feasible selection within the capacity, and whether it is known to be schedulable.
fn fitting(problem: &Problem) -> Vec<(Sums, bool)> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for class in &problem.classes {
        all = all
            .iter()
            .flat_map(|before| (0..class.len()).map(move |at| [before.as_slice(), &[at]].concat()))
            .collect();
    }
    let built = |taken: &Vec<usize>| {
        let offers = || problem.classes.iter().zip(taken).map(|(class, &at)| &class[at]);
        let is_built: BTreeSet<u32> = offers().flat_map(|offer| offer.blocks.iter().copied()).collect();
        let blocks = || is_built.iter().map(|&at| &problem.blocks[at as usize]);
        let slots: Vec<u64> = blocks().filter_map(|block| block.slot).collect();
        if slots.iter().collect::<BTreeSet<_>>().len() < slots.len() {
            return None;
        }
        let amount = |at: usize| -> u128 {
            let own: u128 = offers().map(|offer| u128::from(offer.amounts[at])).sum();
            let blocks = (0..).zip(&problem.blocks);
            let blocks = blocks.map(|(number, block)| match is_built.contains(&number) {
                true => block.built[at],
                false => block.unbuilt[at],
            });
            own + blocks.map(u128::from).sum::<u128>()
        };
        let amounts: Vec<u128> = (0..problem.width()).map(amount).collect();
        // The clocks are in order, the fastest first.
        let clock = blocks().map(|block| block.clock).max().unwrap_or(0);
        let modes = clock..problem.cost_count();
        let in_mode = |at: usize| offers().map(|offer| &offer.costs[at]).sum::<BigInt>();
        let cost = modes.step_by(problem.clocks).map(in_mode).max().expect("there is a mode");
        let within = amounts.iter().enumerate().all(|(at, &amount)| amount <= problem.limit(at).into());
        let options: Vec<u32> = offers().map(|offer| offer.option).collect();
        let is_short = !problem.modes.is_empty() && problem.hyperperiod <= BigUint::from(SHORT);
        within.then(|| {
            let passes = is_short && is_schedulable(&problem.modes, clock, &options) == Some(true);
            ((amounts, cost), passes)
        })
    };
    all.iter().filter_map(built).collect()
}

fn front(mut all: Vec<Sums>, objectives: usize) -> Vec<Sums> {
    all.iter_mut().for_each(|(amounts, _)| amounts.truncate(objectives));
    all.sort();
    let mut front: Vec<Sums> = Vec::new();
    for (amounts, cost) in all {
        let dominates =
            |(other, less): &Sums| *less <= cost && other.iter().zip(&amounts).all(|(a, b)| a <= b);
        if !front.iter().any(dominates) {
            front.push((amounts, cost));
        }
    }
    front
}
