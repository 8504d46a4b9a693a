//! Certificates of sets with overruns or modes, compared with brute force: what is proved is true, also of a changed
//! certificate, and every front and every verdict that has a single reason is proved.

use crate::certificates::mutants;
use crate::common::Random;
use crate::common::designs::{cases, options};
use isx::certificate::problem::{hash, of_variants};
use isx::certificate::{CertifyError, Limits, Proved, Statement, certify, certify_verdict, verify};
use isx::explore::{check, explore};
use isx::quantity::Rational;
use isx::schedulability::Verdict;
use isx::taskset::TaskSet;
use isx::taskset::formulate::formulate_allowed;
use isx_checker::claim::Sums;
use num_bigint::BigInt;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

const MUCH: u64 = 1 << 40;

/// A set with all its designs.
pub struct Judged {
    pub set: TaskSet,
    pub designs: Vec<Summed>,
}

/// A design by brute force.
#[derive(Clone)]
pub struct Summed {
    pub area: Rational,
    pub utilization: Rational,
    pub passes: bool,
}

type Make = fn(u64) -> Option<Judged>;

impl Judged {
    /// The problem of a question, and a certificate of the answer; `None` for a verdict without a single reason.
    fn certificate(&self, budget: Option<&Rational>) -> Option<(Vec<u8>, Vec<u8>)> {
        let problem = of_variants(&formulate_allowed(&self.set, budget).unwrap());
        let mut bytes = Vec::new();
        let Some(budget) = budget else {
            let explored = explore(&self.set, &options()).unwrap();
            certify(&explored.front, &explored.verdicts.points, MUCH, &mut bytes).unwrap();
            assert_eq!(of_variants(explored.front.formulations()), problem);
            return Some((problem, bytes));
        };
        let decided = check(&self.set, budget, &options()).unwrap();
        let formulations = formulate_allowed(&self.set, Some(budget)).unwrap();
        match certify_verdict(&decided, &formulations, MUCH, &mut bytes) {
            Ok(_) => Some((problem, bytes)),
            Err(CertifyError::Refused(why)) => {
                assert!(why.contains("no single time"), "{why}");
                assert!(!matches!(decided.verdict, Verdict::Schedulable { .. }));
                None
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// The designs within an area.
    fn within(&self, budget: Option<&Rational>) -> Self {
        let within = |one: &&Summed| budget.is_none_or(|budget| one.area <= *budget);
        Self { set: self.set.clone(), designs: self.designs.iter().filter(within).cloned().collect() }
    }

    fn front(&self) -> Vec<Summed> {
        let mut sorted = self.designs.clone();
        sorted.sort_by(|a, b| (&a.area, &a.utilization).cmp(&(&b.area, &b.utilization)));
        let mut front: Vec<Summed> = Vec::new();
        for one in sorted {
            if front.last().is_none_or(|last| one.utilization < last.utilization) {
                front.push(one);
            }
        }
        front
    }

    /// Whether what is proved is true of these designs.
    fn is_true(&self, proved: &Proved) -> bool {
        let ratio = |(num, den): &(_, _)| Rational::new(BigInt::clone(num), BigInt::clone(den));
        let unit = &proved.problem.task_set.as_ref().unwrap().area_unit;
        let unit = ratio(&(unit.0.clone().into(), unit.1.clone().into()));
        let offset = proved.problem.variant.offset.clone();
        let offset = offset.map_or_else(Rational::default, |(num, den)| ratio(&(num.into(), den.into())));
        let shown = |sums: &Sums| {
            let (num, den) = proved.in_lowest_terms(&sums.cost);
            (Rational::from(BigInt::from(sums.area)) * &unit + &offset, ratio(&(num, den.into())))
        };
        match &proved.statement {
            Statement::Front { points, schedulable, .. } => {
                let front = self.front();
                let one = Rational::from(BigInt::from(1));
                let verdicts = front.iter().zip(schedulable).all(|(point, verdict)| match verdict {
                    Some(true) => point.passes,
                    Some(false) => point.utilization > one,
                    None => true,
                });
                let own = points.iter().map(|point| shown(&point.sums));
                verdicts && own.eq(front.into_iter().map(|point| (point.area, point.utilization)))
            }
            // In one formulation of several the utilization may be above that of the design.
            Statement::Schedulable { sums, .. } => {
                let (area, utilization) = shown(sums);
                let is_it = |one: &&Summed| one.area == area && one.utilization <= utilization;
                self.designs.iter().filter(is_it).any(|one| one.passes)
            }
            Statement::NotSchedulable { .. } => !self.designs.iter().any(|one| one.passes),
            Statement::NothingFits => self.designs.is_empty(),
            _ => false,
        }
    }
}

fn checked(problem: &[u8], bytes: &[u8]) -> Result<Proved, isx::certificate::Failure> {
    verify(bytes, &hash(problem), Limits::default())
}

/// An area to ask about.
fn budget(random: &mut Random) -> Rational {
    Rational::from(BigInt::from(random.within(0, 30u64)))
}

/// The fronts and verdicts of sets are proved, as brute force has them.
pub fn fronts_and_verdicts_are_proved(make: Make) {
    let cases = cases(2_000);
    let [fronts, positive, negative, unproved] = [(); 4].map(|()| AtomicU64::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let Some(judged) = make(seed) else { return };
        let budget = budget(&mut Random(seed));
        for budget in [None, Some(&budget)] {
            let Some((problem, bytes)) = judged.certificate(budget) else {
                unproved.fetch_add(1, Ordering::Relaxed);
                continue;
            };
            let proved = checked(&problem, &bytes).unwrap();
            assert!(judged.within(budget).is_true(&proved), "seed {seed}");
            let count = match &proved.statement {
                Statement::Front { .. } => {
                    assert!(proved.problem.is_unlimited(), "seed {seed}");
                    &fronts
                }
                Statement::Schedulable { .. } => &positive,
                _ => &negative,
            };
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    let [fronts, positive, negative, unproved] =
        [fronts, positive, negative, unproved].map(AtomicU64::into_inner);
    println!(
        "{fronts} fronts, {positive} positive and {negative} negative verdicts, {unproved} for no single reason"
    );
    assert!(fronts > cases / 2 && positive > cases / 20 && negative > cases / 20 && unproved < negative);
}

/// No change of a certificate proves anything that is false.
pub fn no_changed_certificate_proves_what_is_false(make: Make) {
    let cases = cases(1_000);
    let [refused, same] = [(); 2].map(|()| AtomicU64::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let Some(judged) = make(seed) else { return };
        let random = &mut Random(seed ^ 0x4d75);
        let budget = Some(budget(random)).filter(|_| random.one_in(3));
        let Some((problem, bytes)) = judged.certificate(budget.as_ref()) else { return };
        let judged = judged.within(budget.as_ref());
        let own = mutants(&problem, &bytes, random, &|mutant| {
            checked(&problem, mutant).map(|proved| assert!(judged.is_true(&proved), "seed {seed}")).is_ok()
        });
        refused.fetch_add(own.0, Ordering::Relaxed);
        same.fetch_add(own.1, Ordering::Relaxed);
    });
    let [refused, same] = [refused, same].map(AtomicU64::into_inner);
    println!("{refused} mutants refused, {same} prove the same front or a true verdict");
    assert!(refused > cases * 40);
}
