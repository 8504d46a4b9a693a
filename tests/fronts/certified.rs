//! Sets of one area, compared with brute force: fronts and verdicts, and their certificates. What a certificate proves is
//! true, also if it was changed, and every front and every verdict is proved.

use crate::certificates::{Tally, claiming, mutants};
use crate::common::Random;
use crate::common::designs::{Design, Shared, cases, known, options};
use isx::certificate::problem::{hash, of_variants};
use isx::certificate::{CertifyError, Limits, Proved, Statement, certify, certify_verdict, verify};
use isx::exploration::Exploration;
use isx::explore::{Options, check, check_within, explore};
use isx::quantity::Rational;
use isx::schedulability::{Effort, Verdict};
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
    pub variant: usize,
    pub choices: Vec<Option<u32>>,
}

type Make = fn(u64) -> Option<Judged>;

/// What is asked of a set.
pub enum Question {
    Front,
    Within(Rational),
    Smallest,
}

impl Question {
    /// An area to ask about, or something else.
    pub fn new(random: &mut Random) -> Self {
        match random.within(0, 2u32) {
            0 => Self::Front,
            1 => Self::Within(budget(random)),
            _ => Self::Smallest,
        }
    }

    pub fn budget(&self) -> Option<&Rational> {
        if let Self::Within(budget) = self { Some(budget) } else { None }
    }
}

impl Judged {
    /// A set for one processor in one mode.
    pub fn of(shared: &Shared) -> Self {
        let full = BigInt::from(shared.full());
        let summed = |design: Design| Summed {
            area: Rational::from_integer(design.area.into()),
            utilization: Rational::new(design.demand.into(), full.clone()),
            passes: design.schedulable,
            variant: 0,
            choices: design.choices,
        };
        Self { set: shared.task_set(), designs: shared.designs().into_iter().map(summed).collect() }
    }

    /// Compares what is explored and checked with these designs, of which the canonical is the first of equals; where
    /// utilization decides, also with longer WCETs. Returns what is explored.
    pub fn compared(&self, seed: u64, utilization_decides: bool) -> Exploration {
        let (explored, front) = (explore(&self.set, &options()).unwrap(), self.front());
        let front = self.shown(&explored, &front, seed);
        assert!(explored.front.is_complete(), "seed {seed}");
        let mut passing: Vec<&Summed> = self.designs.iter().filter(|one| one.passes).collect();
        passing.sort_by(|a, b| (&a.area, &a.utilization).cmp(&(&b.area, &b.utilization)));
        let smallest = passing.first();
        for (one, (_, design)) in front.iter().zip(explored.designs()) {
            let within = smallest.is_some_and(|smallest| smallest.area <= one.area);
            let verdicts = (design.schedulable, design.schedulable_within);
            assert_eq!(verdicts, (Some(one.passes), Some(within)), "seed {seed}");
        }
        match (known(&explored.verdicts.smallest), smallest) {
            (Some(chosen), Some(one)) => {
                let found = (chosen.design.area(), &chosen.design.utilization);
                assert_eq!(found, (&one.area, &one.utilization), "seed {seed}");
                // Of several variants any may be shown, and of several designs where blocks are shared.
                let is_free = self.set.variants.len() > 1 || !self.set.blocks.is_empty();
                let is_same = chosen.choices == one.choices || is_free;
                assert!(is_same, "seed {seed}: {chosen:?}");
            }
            (found, wanted) => assert_eq!(found.is_some(), wanted.is_some(), "seed {seed}"),
        }
        for (percent, at) in [110u64, 120, 130].into_iter().zip(&explored.margins) {
            let longer = Rational::new(percent.into(), 100.into());
            let fits = |one: &&Summed| &one.utilization * &longer <= Rational::from_integer(1.into());
            let wanted = self.designs.iter().filter(fits).map(|one| &one.area).min();
            assert!(!utilization_decides || known(&at.smallest) == wanted, "seed {seed}, {percent} %");
        }
        for halves in [0u64, 5, 14, 31, 80] {
            let area = Rational::new(halves.into(), 2.into());
            self.within(Some(&area)).compared_within(&area, front.len(), smallest.map(|one| &one.area), seed);
        }
        explored
    }

    /// The designs that a front shows: these, in these variants where a set has some; where blocks are shared, others of the
    /// same area and utilization. Of the tasks that overrun, those that decide are no part of a design.
    fn shown(&self, explored: &Exploration, front: &[Summed], seed: u64) -> Vec<Summed> {
        assert_eq!(explored.front.len(), front.len(), "seed {seed}");
        let mut all = Vec::with_capacity(front.len());
        for (one, (point, design)) in front.iter().zip(explored.designs()) {
            assert_eq!((design.area(), &design.utilization), (&one.area, &one.utilization), "seed {seed}");
            let choices = point.choices().unwrap();
            assert!(choices == one.choices || !self.set.blocks.is_empty(), "seed {seed}: {choices:?}");
            let is_it = |other: &&Summed| {
                other.choices == choices
                    && (&other.area, &other.utilization) == (&one.area, &one.utilization)
                    && (other.variant == design.variant || self.set.overruns.is_some())
            };
            all.push(self.designs.iter().find(is_it).unwrap().clone());
        }
        all
    }

    /// Compares the front and the verdict within an area, where these designs are those within it.
    fn compared_within(&self, area: &Rational, points: usize, smallest: Option<&Rational>, seed: u64) {
        let cut = explore(&self.set, &Options { max_area: Some(area.clone()), ..options() });
        let checked = check(&self.set, area, &options());
        let (Ok(cut), Ok(checked)) = (cut, checked) else {
            assert!(self.designs.is_empty(), "seed {seed}, area {area}");
            return;
        };
        let front = self.front();
        let front = self.shown(&cut, &front, seed);
        let is_plain =
            self.set.variants.is_empty() && self.set.modes.is_empty() && self.set.overruns.is_none();
        let (complete, is_whole) = (cut.front.is_complete(), front.len() == points);
        // Where slots exclude blocks, a front of several formulations may be complete and not known to be.
        assert!(complete == is_whole || (is_whole && !is_plain), "seed {seed}, area {area}");
        let passes = self.designs.iter().any(|one| one.passes);
        assert!(!matches!(checked.verdict, Verdict::Unknown { .. }), "seed {seed}, area {area}");
        let is_schedulable = matches!(checked.verdict, Verdict::Schedulable { .. });
        assert!(is_schedulable == passes && !checked.reason().is_empty(), "seed {seed}, area {area}");
        let shown = checked.shown();
        let variant = if self.set.overruns.is_some() { 0 } else { shown.design.variant };
        let is_shown = |one: &&Summed| one.choices == shown.choices && one.variant == variant;
        let shown = self.designs.iter().find(is_shown).unwrap();
        assert_eq!(shown.passes, passes, "seed {seed}, area {area}");
        assert_eq!(known(&checked.smallest), smallest, "seed {seed}, area {area}");
        if self.set.modes.is_empty() {
            let least = &checked.least.design.utilization;
            assert_eq!(*least, front[front.len() - 1].utilization, "seed {seed}, area {area}");
        }
    }

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

/// No change of a certificate proves anything that is false.
pub fn no_changed_certificate_proves_what_is_false(make: Make) {
    let cases = cases(1_000);
    let tally = Tally::default();
    (0..cases).into_par_iter().for_each(|seed| {
        let Some(judged) = make(seed) else { return };
        let random = &mut Random(seed ^ 0x4d75);
        let question = Question::new(random);
        let (problem, bytes) = judged.certificate(&question);
        let judged = judged.within(question.budget());
        let own = mutants(&problem, &bytes, random, &|mutant| {
            checked(&problem, mutant).map(|proved| assert!(judged.is_true(&proved), "seed {seed}")).is_ok()
        });
        tally.add(own);
    });
    let (refused, same) = tally.total();
    println!("{refused} mutants refused, {same} prove the same front or a true verdict");
    assert!(refused > cases * 40);
}

/// A front that lacks a point, or has a dominated design in the place of one, is not certified.
pub fn wrong_fronts_are_refused(make: Make) {
    let cases = cases(1_000);
    let [lacking, worse] = [(); 2].map(|()| AtomicU64::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let Some(judged) = make(seed) else { return };
        let random = &mut Random(seed ^ 0x1ac5);
        let (explored, points) = (explore(&judged.set, &options()).unwrap(), judged.front());
        let choices: Vec<_> = points.iter().map(|point| point.choices.clone()).collect();
        let refuses = |choices, count: &AtomicU64| {
            let front = claiming(&explored, choices);
            let result = certify(&front, &vec![None; front.len()], MUCH, &mut std::io::sink());
            assert!(matches!(result, Err(CertifyError::Refused(_))), "seed {seed}: {result:?}");
            count.fetch_add(1, Ordering::Relaxed);
        };
        let at = random.within(0, choices.len() - 1);
        if choices.len() > 1 {
            let mut fewer = choices.clone();
            fewer.remove(at);
            refuses(fewer, &lacking);
        }
        let point = &points[at];
        let is_worse = |one: &&Summed| one.area >= point.area && one.utilization > point.utilization;
        if let Some(design) = judged.designs.iter().find(is_worse) {
            let mut changed = choices.clone();
            changed[at].clone_from(&design.choices);
            refuses(changed, &worse);
        }
    });
    let [lacking, worse] = [lacking, worse].map(AtomicU64::into_inner);
    println!("{lacking} fronts without a point, {worse} with a worse one");
    assert!(lacking > cases / 3 && worse > cases / 3);
}
