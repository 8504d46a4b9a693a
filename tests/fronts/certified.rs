//! Sets of one area, compared with brute force: fronts and verdicts, and their certificates. What a certificate proves is
//! true, also if it was changed, and every front and every verdict is proved.

use crate::common::Random;
use crate::common::designs::{cases, options};
use isx::certificate::problem::{hash, of_variants};
use isx::certificate::{Limits, Proved, Statement, certify, certify_verdict, verify};
use isx::explore::{check_within, explore};
use isx::quantity::Rational;
use isx::schedulability::Effort;
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

/// What is asked of a set.
pub enum Question {
    Front,
    Within(Rational),
    Smallest,
}

impl Question {
    pub fn budget(&self) -> Option<&Rational> {
        if let Self::Within(budget) = self { Some(budget) } else { None }
    }
}

impl Judged {
    /// The problem of a question.
    pub fn problem(&self, question: &Question) -> Vec<u8> {
        of_variants(&formulate_allowed(&self.set, question.budget()).unwrap())
    }

    /// The problem of a question, and a certificate of the answer.
    pub fn certificate(&self, question: &Question) -> (Vec<u8>, Vec<u8>) {
        let problem = self.problem(question);
        let mut bytes = Vec::new();
        if matches!(question, Question::Front) {
            let explored = explore(&self.set, &options()).unwrap();
            certify(&explored.front, &explored.verdicts.points, MUCH, &mut bytes).unwrap();
            assert_eq!(of_variants(explored.front.formulations()), problem);
            return (problem, bytes);
        }
        let (options, budget) = (options(), question.budget());
        let decided = check_within(&self.set, budget, &options, &mut Effort::new(options.limits)).unwrap();
        let formulations = formulate_allowed(&self.set, budget).unwrap();
        certify_verdict(&decided, &formulations, MUCH, &mut bytes).unwrap();
        (problem, bytes)
    }

    /// The designs within an area.
    pub fn within(&self, budget: Option<&Rational>) -> Self {
        let within = |one: &&Summed| budget.is_none_or(|budget| one.area <= *budget);
        Self { set: self.set.clone(), designs: self.designs.iter().filter(within).cloned().collect() }
    }

    /// The undominated designs, of equals the first.
    pub fn front(&self) -> Vec<Summed> {
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
    pub fn is_true(&self, proved: &Proved) -> bool {
        let ratio = |(num, den): &(_, _)| Rational::new(BigInt::clone(num), BigInt::clone(den));
        let shown = |sums: &Sums| {
            let (num, den) = proved.in_lowest_terms(&sums.cost);
            let (area, unit) = proved.problem.resources.columns[0].cost(sums.amounts[0]);
            (ratio(&(area, unit.into())), ratio(&(num, den.into())))
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
            Statement::Schedulable { sums, .. } | Statement::LeastArea { sums } => {
                let (area, utilization) = shown(sums);
                let is_it = |one: &&Summed| one.area == area && one.utilization <= utilization;
                let is_less = |one: &Summed| one.passes && one.area < area;
                let is_least = matches!(proved.statement, Statement::LeastArea { .. });
                self.designs.iter().filter(is_it).any(|one| one.passes)
                    && !(is_least && self.designs.iter().any(is_less))
            }
            Statement::NotSchedulable => !self.designs.iter().any(|one| one.passes),
            Statement::NothingFits => self.designs.is_empty(),
            _ => false,
        }
    }
}

pub fn checked(problem: &[u8], bytes: &[u8]) -> Result<Proved, isx::certificate::Failure> {
    verify(bytes, &hash(problem), Limits::default())
}

/// An area to ask about.
fn budget(random: &mut Random) -> Rational {
    Rational::from(BigInt::from(random.within(0, 30u64)))
}

/// The fronts and verdicts of sets are proved, as brute force has them.
pub fn fronts_and_verdicts_are_proved(make: Make) {
    let cases = cases(2_000);
    let [fronts, positive, negative] = [(); 3].map(|()| AtomicU64::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let Some(judged) = make(seed) else { return };
        let area = budget(&mut Random(seed));
        for question in [Question::Front, Question::Within(area), Question::Smallest] {
            let (problem, bytes) = judged.certificate(&question);
            let proved = checked(&problem, &bytes).unwrap();
            let within = judged.within(question.budget());
            assert!(within.is_true(&proved), "seed {seed}");
            let (passes, all) = (within.designs.iter().any(|one| one.passes), proved.problem.is_unlimited());
            let count = match (&proved.statement, &question) {
                (Statement::Front { .. }, Question::Front) if all => &fronts,
                (Statement::Schedulable { .. }, Question::Within(_)) if passes => &positive,
                (Statement::LeastArea { .. }, Question::Smallest) if passes && all => &positive,
                (Statement::NotSchedulable, Question::Within(_)) if !passes => &negative,
                (Statement::NotSchedulable, Question::Smallest) if !passes && all => &negative,
                other => panic!("seed {seed}: {:?}", other.0),
            };
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    let [fronts, positive, negative] = [fronts, positive, negative].map(AtomicU64::into_inner);
    println!("{fronts} fronts, {positive} positive and {negative} negative verdicts");
    assert!(fronts > cases / 2 && positive > cases / 20 && negative > cases / 20);
}
