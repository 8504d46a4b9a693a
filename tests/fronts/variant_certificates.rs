//! Certificates of task sets whose processor has variants, compared with brute force: what is proved of fronts and verdicts
//! is true, also of a changed certificate, and one that is put to other variants proves their front or nothing.

use crate::certificates::{Tally, moved, mutants};
use crate::common::Random;
use crate::common::designs::{cases, options};
use crate::resources::{Costed, effort, half, halves, undominated};
use crate::variants::Varied;
use isx::certificate::problem::{hash, of_variants};
use isx::certificate::{Failure, Limits, Proved, Statement, certify, certify_verdict, nothing_fits, verify};
use isx::explore::resources::check_costs;
use isx::explore::{ExploreError, check, check_within, explore};
use isx::quantity::Rational;
use isx::taskset::formulate::{Formulation, formulate_allowed};
use isx_checker::claim::{Point, Sums};
use num_bigint::BigInt;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

const MUCH: u64 = 1 << 40;

fn varied(seed: u64) -> (Varied, Random) {
    let mut random = Random(seed ^ 0x7a12);
    (Varied::random(seed, &mut random), random)
}

fn formulations(varied: &Varied) -> Vec<Formulation> {
    formulate_allowed(&varied.task_set(), None).unwrap()
}

fn checked(formulations: &[Formulation], bytes: &[u8]) -> Result<Proved, Failure> {
    verify(bytes, &hash(&of_variants(formulations)), Limits::default())
}

/// The variant, the cost in the objectives in halves, and the demand in parts.
type Shown = (usize, Vec<i64>, u64);

fn shown(varied: &Varied, formulations: &[Formulation], sums: &Sums) -> Shown {
    let own = &formulations[sums.variant];
    let costs = own.costs.in_resources(&sums.amounts);
    let cost = match &varied.resources {
        Some(all) => all.objectives(&halves(&costs)),
        None => halves(&costs),
    };
    let full = Rational::from(BigInt::from(varied.variants[0].full()));
    let demand = Rational::from(sums.cost.clone()) * full / Rational::from(own.hyperperiod.clone());
    assert!(demand.is_integer());
    (own.variant, cost, u64::try_from(demand.to_integer()).unwrap())
}

fn points(varied: &Varied, formulations: &[Formulation], points: &[Point]) -> Vec<Shown> {
    points.iter().map(|point| shown(varied, formulations, &point.sums)).collect()
}

fn wanted(front: &[Costed]) -> Vec<Shown> {
    front.iter().map(|one| (one.variant, one.key.clone(), one.design.demand)).collect()
}

/// Whether what is proved is true of the designs, all of which were asked about.
fn is_true(varied: &Varied, formulations: &[Formulation], designs: &[Costed], proved: &Proved) -> bool {
    let passes = |one: &Costed| one.design.schedulable;
    match &proved.statement {
        Statement::Front { points: found, schedulable, .. } => {
            let front = undominated(designs);
            let verdicts = front.iter().zip(schedulable).all(|(one, verdict)| match verdict {
                Some(true) => passes(one),
                Some(false) => one.design.demand > varied.variants[0].full(),
                None => true,
            });
            // Of equal points the certificate may name one of another variant.
            let plain = |points: Vec<Shown>| -> Vec<_> {
                points.into_iter().map(|(_, cost, demand)| (cost, demand)).collect()
            };
            verdicts && plain(points(varied, formulations, found)) == plain(wanted(&front))
        }
        Statement::Schedulable { sums, .. } => {
            let found = shown(varied, formulations, sums);
            designs.iter().any(|one| passes(one) && wanted(std::slice::from_ref(one))[0] == found)
        }
        Statement::LeastArea { sums } => {
            let found = shown(varied, formulations, sums);
            let passing = designs.iter().filter(|one| passes(one));
            let least = passing.clone().map(|one| one.cost[0]).min();
            passing
                .into_iter()
                .any(|one| Some(one.cost[0]) == least && wanted(std::slice::from_ref(one))[0] == found)
        }
        Statement::NotSchedulable => !designs.iter().any(passes),
        Statement::NothingFits => designs.is_empty(),
        _ => false,
    }
}

fn certificate(varied: &Varied) -> Option<Vec<u8>> {
    let explored = match explore(&varied.task_set(), &options()) {
        Err(ExploreError::Limits { .. }) => return None,
        explored => explored.unwrap(),
    };
    let mut bytes = Vec::new();
    certify(&explored.front, &explored.verdicts.points, MUCH, &mut bytes).unwrap();
    assert_eq!(of_variants(explored.front.formulations()), of_variants(&formulations(varied)));
    Some(bytes)
}

#[test]
fn a_certificate_of_variants_proves_the_front_of_brute_force() {
    let cases = cases(2_000);
    let [proved, mixed, empty] = [(); 3].map(|()| AtomicU64::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let (varied, _) = varied(seed);
        let (formulations, designs) = (formulations(&varied), varied.designs());
        let Some(bytes) = certificate(&varied) else {
            assert!(designs.is_empty(), "seed {seed}");
            nothing_fits(&formulations, MUCH, &mut std::io::sink()).unwrap();
            empty.fetch_add(1, Ordering::Relaxed);
            return;
        };
        let answer = checked(&formulations, &bytes).unwrap();
        let Statement::Front { points: found, .. } = &answer.statement else { panic!("no front") };
        let front = undominated(&designs);
        assert_eq!(points(&varied, &formulations, found), wanted(&front), "seed {seed}");
        assert!(is_true(&varied, &formulations, &designs, &answer), "seed {seed}");
        assert!(varied.resources.is_some() || answer.problem.is_unlimited(), "seed {seed}");
        proved.fetch_add(1, Ordering::Relaxed);
        mixed
            .fetch_add(u64::from(front.iter().any(|one| one.variant != front[0].variant)), Ordering::Relaxed);
    });
    let [proved, mixed, empty] = [proved, mixed, empty].map(AtomicU64::into_inner);
    println!("{proved} fronts, {mixed} of them of several variants; {empty} sets without a design");
    assert!(mixed > cases / 10 && empty > 0);
}

#[test]
fn a_certified_verdict_on_variants_is_brute_forces() {
    let cases = cases(2_000);
    let [positive, negative] = [(); 2].map(|()| AtomicU64::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let (varied, mut random) = varied(seed);
        let (set, options) = (varied.task_set(), options());
        let mut designs = varied.designs();
        let budget = half(random.within(0, 40));
        let decided = match (&varied.resources, random.one_in(2)) {
            (Some(_), _) => check_costs(&set, false, &options, &mut effort()),
            (None, true) => {
                designs.retain(|one| half(one.cost[0]) <= budget);
                check(&set, &budget, &options)
            }
            (None, false) => check_within(&set, None, &options, &mut effort()),
        };
        let Ok(decided) = decided else {
            assert!(designs.is_empty(), "seed {seed}");
            return;
        };
        let formulations = formulate_allowed(&set, decided.budget.as_ref()).unwrap();
        let mut bytes = Vec::new();
        certify_verdict(&decided, &formulations, MUCH, &mut bytes)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let proved = checked(&formulations, &bytes).unwrap();
        assert!(is_true(&varied, &formulations, &designs, &proved), "seed {seed}");
        let is_negative = matches!(proved.statement, Statement::NotSchedulable);
        assert_eq!(!is_negative, designs.iter().any(|one| one.design.schedulable), "seed {seed}");
        (if is_negative { &negative } else { &positive }).fetch_add(1, Ordering::Relaxed);
    });
    let [positive, negative] = [positive, negative].map(AtomicU64::into_inner);
    println!("{positive} schedulable, {negative} not");
    assert!(positive > cases / 4 && negative > cases / 20);
}

#[test]
fn no_changed_certificate_of_variants_proves_what_is_false() {
    let cases = cases(300);
    let tally = Tally::default();
    (0..cases).into_par_iter().for_each(|seed| {
        let (varied, mut random) = varied(seed);
        let (formulations, designs) = (formulations(&varied), varied.designs());
        let Some(bytes) = certificate(&varied) else { return };
        let own = mutants(&of_variants(&formulations), &bytes, &mut random, &|mutant| {
            let holds = |proved| assert!(is_true(&varied, &formulations, &designs, &proved), "seed {seed}");
            checked(&formulations, mutant).map(holds).is_ok()
        });
        tally.add(own);
    });
    let (refused, same) = tally.total();
    println!("{refused} mutants refused, {same} prove the same front or a true verdict");
    assert!(refused > cases * 50);
}

#[test]
fn put_to_other_variants_a_certificate_proves_their_front_or_nothing() {
    let cases = cases(2_000);
    let tally = Tally::default();
    (0..cases).into_par_iter().for_each(|seed| {
        let (varied, mut random) = varied(seed);
        let Some(bytes) = certificate(&varied) else { return };
        let from = of_variants(&formulations(&varied));
        for _ in 0..8 {
            let mut other = varied.clone();
            let number = random.within(0, other.costs.len() - 1);
            let at = random.within(0, other.costs[number].len() - 1);
            match random.within(0, 2u32) {
                0 if other.resources.is_some() || other.costs[number][at] > 0 => other.costs[number][at] -= 1,
                0 | 1 => other.costs[number][at] += 1,
                _ => {
                    let tasks = &mut other.variants[number].tasks;
                    let task = random.within(0, tasks.len() - 1);
                    tasks[task].wcet = random.within(1, tasks[task].wcet + 1);
                }
            }
            let formulations = formulations(&other);
            let to = of_variants(&formulations);
            assert_eq!(
                checked(&formulations, &bytes).is_ok(),
                from == to,
                "seed {seed}: the problem is bound"
            );
            let moved = moved(&bytes, &from, &to);
            match checked(&formulations, &moved) {
                Err(_) => tally.add((1, 0)),
                Ok(proved) => {
                    assert!(is_true(&other, &formulations, &other.designs(), &proved), "seed {seed}");
                    tally.add((0, 1));
                }
            };
        }
    });
    let (refused, same) = tally.total();
    println!("{refused} refused, {same} with the same lists");
    assert!(refused > cases && same > cases / 50);
}
