//! Certificates about several resources prove the results of brute force, and nothing else.

use crate::certificates::{Tally, moved, mutants, proved_verdict, set};
use crate::common::Random;
use crate::common::designs::{Design, Shared, cases, options, whole};
use crate::resources::{Costed, Costs, halves, no_larger, undominated};
use crate::variants::Varied;
use isx::certificate::problem::{hash, of_task_set};
use isx::certificate::{CertifyError, Failure, Limits, Proved, Statement, certify, nothing_fits, verify};
use isx::explore::resources::check_costs;
use isx::explore::{ExploreError, explore};
use isx::formulate::{Formulation, formulate};
use isx::front::DesignFront;
use isx::problem::account::{Account, Timings};
use isx::problem::mckp::Claim;
use isx::problem::value::{Tier, Values};
use isx::quantity::Rational;
use isx::schedulability::Effort;
use isx::taskset::{Scheduler, TaskSet};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Memory for lists, more than any test here needs.
const MUCH: u64 = 1 << 30;

/// A random set with the costs of its choices and blocks, some of whose choices are forced.
#[derive(Clone)]
struct Costly {
    shared: Arc<Shared>,
    costs: Costs,
    forced: Vec<bool>,
}

impl Costly {
    fn new(shared: Shared, random: &mut Random) -> Self {
        let count = random.within(1, 4usize);
        let part = random.pick(&[1, 2]);
        let cost = |random: &mut Random| match random.within(0, 5u32) {
            0 => 0,
            1 => -part * random.within(1, 4i64),
            _ => part * random.within(1, 9i64),
        };
        let costs = |random: &mut Random| (0..count).map(|_| cost(random)).collect::<Vec<_>>();
        let of_task = |random: &mut Random, count: usize| (0..count).map(|_| costs(random)).collect();
        let choices = shared.tasks.iter().map(|task| of_task(random, task.choices.len())).collect();
        let blocks = of_task(random, shared.blocks.len());
        let base = costs(random);
        let mut objectives: Vec<usize> = (0..count).collect();
        for at in (1..count).rev() {
            objectives.swap(at, random.within(0, at));
        }
        objectives.truncate(random.within(1, count));
        let limit = |random: &mut Random| random.one_in(2).then(|| random.within(0, 30i64));
        let limits = (0..count).map(|_| limit(random)).collect();
        let forced = shared.tasks.iter().map(|task| task.choices.len() == 1 && random.one_in(4)).collect();
        let costs = Costs { base, choices, blocks, objectives, limits };
        Self { shared: shared.into(), costs, forced }
    }

    fn task_set(&self) -> TaskSet {
        let mut set = self.costs.applied(self.shared.task_set());
        for (task, &forced) in set.tasks.iter_mut().zip(&self.forced) {
            task.forced = forced;
        }
        set.validate().unwrap();
        set
    }

    fn formulation(&self) -> Formulation {
        formulate(&self.task_set(), None).unwrap()
    }

    /// The designs within the limits, with their costs.
    fn designs(&self) -> Vec<Costed> {
        let allowed = |one: &Costed| {
            one.design.choices.iter().zip(&self.forced).all(|(choice, forced)| !forced || choice.is_some())
        };
        Varied::plain(&self.shared, &self.costs).designs().into_iter().filter(allowed).collect()
    }

    /// The undominated designs, one for each cost in the objectives, in the order of these.
    fn front(&self) -> Vec<Costed> {
        undominated(&self.designs())
    }
}

/// A front of these designs.
fn claiming(set: &Costly, designs: &[Design]) -> DesignFront {
    let formulation = set.formulation();
    let choices: Vec<_> = designs.iter().map(|design| design.choices.clone()).collect();
    let amounts: Vec<Vec<u64>> =
        choices.iter().map(|choices| formulation.amounts(choices).unwrap()).collect();
    let column = |at: usize| amounts.iter().map(|amounts| amounts[at]).collect::<Vec<_>>();
    let values = choices.iter().map(|choices| {
        let demand = (formulation.utilization(choices) * &formulation.hyperperiod).to_integer();
        &formulation.base_demand - demand
    });
    let claim = Claim::new(column(0), Values::Big(values.collect()), formulation.tasks.len(), false)
        .with_further((1..set.costs.base.len()).map(column).collect())
        .with_configurations(0, Arc::new(choices));
    DesignFront::new(set.task_set(), formulation, claim, account())
}

fn account() -> Account {
    Account {
        engine: "brute force",
        how: String::new(),
        threads: 1,
        arithmetic: Tier::Big,
        why: String::new(),
        updates: 0,
        timings: Timings::default(),
    }
}

fn certificate(set: &Costly, designs: &[Design]) -> Result<Vec<u8>, CertifyError> {
    let front = claiming(set, designs);
    let verdicts: Vec<Option<bool>> = designs.iter().map(|design| Some(design.schedulable)).collect();
    let mut bytes = Vec::new();
    certify(&front, &verdicts, MUCH, &mut bytes).map(|_| bytes)
}

fn checked(set: &Costly, bytes: &[u8]) -> Result<Proved, Failure> {
    verify(bytes, &hash(&of_task_set(&set.formulation())), Limits::default())
}

/// The proved points: the cost in the objectives in halves, and the demand in parts.
fn points(set: &Costly, proved: &Proved) -> Vec<(Vec<i64>, u64)> {
    let Statement::Front { points, .. } = &proved.statement else { panic!("no front") };
    let formulation = set.formulation();
    let costs = &formulation.costs;
    let unit = Rational::new(set.shared.full().into(), formulation.hyperperiod.clone());
    let shown = |point: &isx_checker::claim::Point| {
        let demand = whole(&(Rational::from(point.sums.cost.clone()) * &unit));
        (set.costs.objectives(&halves(&costs.in_resources(&point.sums.amounts))), demand)
    };
    points.iter().map(shown).collect()
}

fn wanted(front: &[Costed]) -> Vec<(Vec<i64>, u64)> {
    front.iter().map(|one| (one.key.clone(), one.design.demand)).collect()
}

fn costly(seed: u64) -> (Costly, Random) {
    let (shared, mut random) = set(seed);
    (Costly::new(shared, &mut random), random)
}

#[test]
fn a_certificate_proves_the_front_of_brute_force() {
    let cases = cases(3_000);
    let [proved, empty, several] = [(); 3].map(|()| AtomicU64::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let (set, mut random) = costly(seed);
        let front = set.front();
        let designs: Vec<Design> = front.iter().map(|one| one.design.clone()).collect();
        let fits = nothing_fits(&[set.formulation()], MUCH, &mut std::io::sink());
        if front.is_empty() {
            assert!(matches!(fits.unwrap().statement, Statement::NothingFits), "seed {seed}");
            empty.fetch_add(1, Ordering::Relaxed);
            return;
        }
        assert!(matches!(fits, Err(CertifyError::Refused(_))), "seed {seed}: {fits:?}");
        let bytes = certificate(&set, &designs).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let answer = checked(&set, &bytes).unwrap();
        assert_eq!(points(&set, &answer), wanted(&front), "seed {seed}");
        let Statement::Front { schedulable, minimal, .. } = &answer.statement else { panic!() };
        for (design, verdict) in designs.iter().zip(schedulable) {
            match verdict {
                Some(true) => assert!(design.schedulable, "seed {seed}"),
                Some(false) => assert!(design.demand > set.shared.full(), "seed {seed}"),
                None => assert!(!design.schedulable, "seed {seed}"),
            }
        }
        // Where utilization decides, no schedulable design is below the minimal costs.
        let by_utilization = set.shared.tasks.iter().all(|task| task.deadline >= task.period);
        assert_eq!(minimal.is_some(), by_utilization, "seed {seed}");
        if let Some(minimal) = minimal {
            let passing: BTreeSet<Vec<i64>> = set
                .designs()
                .iter()
                .filter(|one| one.design.schedulable)
                .map(|one| one.key.clone())
                .collect();
            let least =
                |cost: &&Vec<i64>| !passing.iter().any(|other| other != *cost && no_larger(other, cost));
            let found: BTreeSet<Vec<i64>> = minimal.iter().map(|&at| front[at].key.clone()).collect();
            assert_eq!(found, passing.iter().filter(least).cloned().collect(), "seed {seed}");
        }
        // The front that isx computes, with the verdicts that it finds.
        if seed % 4 < 2 || random.one_in(3) {
            let explored = explore(&set.task_set(), &options()).unwrap();
            let mut own = Vec::new();
            certify(&explored.front, &explored.verdicts.points, MUCH, &mut own).unwrap();
            assert_eq!(points(&set, &checked(&set, &own).unwrap()), wanted(&front), "seed {seed}");
        }
        several.fetch_add((set.costs.objectives.len() > 1) as u64, Ordering::Relaxed);
        proved.fetch_add(1, Ordering::Relaxed);
    });
    let [proved, empty, several] = [proved, empty, several].map(AtomicU64::into_inner);
    println!("{proved} fronts, {several} of them of several objectives; {empty} sets without a design");
    assert!(several > cases / 3 && empty > cases / 50);
}

#[test]
fn a_certified_verdict_is_brute_forces() {
    let cases = cases(3_000);
    let [positive, negative, empty] = [(); 3].map(|()| AtomicU64::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let (set, mut random) = costly(seed);
        let mut task_set = set.task_set();
        let is_edf = random.one_in(2) || set.shared.tasks.iter().any(|task| task.deadline > task.period);
        if !is_edf {
            task_set = task_set.with_scheduler(Scheduler::DeadlineMonotonic).unwrap();
        }
        let options = options();
        let decided = match check_costs(&task_set, false, &options, &mut Effort::new(options.limits)) {
            Err(ExploreError::Limits { .. }) => {
                empty.fetch_add(1, Ordering::Relaxed);
                return;
            }
            decided => decided.unwrap(),
        };
        let passes = set.designs().iter().any(|one| one.design.schedulable);
        let said = proved_verdict(&decided, seed);
        assert!(!is_edf || said == passes, "seed {seed}");
        (if said { &positive } else { &negative }).fetch_add(1, Ordering::Relaxed);
    });
    let [positive, negative, empty] = [positive, negative, empty].map(AtomicU64::into_inner);
    println!("{positive} positive, {negative} negative, {empty} without a design");
    assert!(positive > cases / 10 && negative > cases / 10);
}

#[test]
fn a_front_that_lacks_a_point_or_has_another_is_refused() {
    let cases = cases(3_000) / 3;
    let refused = AtomicU64::new(0);
    (0..cases).into_par_iter().for_each(|seed| {
        let (set, mut random) = costly(seed);
        let front = set.front();
        if front.is_empty() {
            return;
        }
        let designs: Vec<Design> = front.iter().map(|one| one.design.clone()).collect();
        let refuses = |designs: &[Design]| {
            let result = certificate(&set, designs);
            assert!(matches!(result, Err(CertifyError::Refused(_))), "seed {seed}: {result:?}");
            refused.fetch_add(1, Ordering::Relaxed);
        };
        let mut fewer = designs.clone();
        fewer.remove(random.within(0, designs.len() - 1));
        refuses(&fewer);
        // A dominated design in the place that its objectives give it, or in the place of a point.
        let all = set.designs();
        let points = wanted(&front);
        let is_point = |one: &Costed| points.contains(&(one.key.clone(), one.design.demand));
        let dominated: Vec<&Costed> = all.iter().filter(|one| !is_point(one)).collect();
        if !dominated.is_empty() {
            let one = dominated[random.within(0, dominated.len() - 1)];
            let mut more = designs.clone();
            more.insert(front.partition_point(|own| own.key < one.key), one.design.clone());
            refuses(&more);
            let mut changed = designs.clone();
            let at = random.within(0, designs.len() - 1);
            changed[at] = one.design.clone();
            refuses(&changed);
        }
        // A design beyond the limits.
        let mut wider = set.clone();
        wider.costs.limits.iter_mut().for_each(|limit| *limit = None);
        let beyond = |one: &Costed| !all.iter().any(|own| own.cost == one.cost);
        if let Some(one) = wider.designs().into_iter().find(beyond) {
            let mut more = designs.clone();
            more.insert(front.partition_point(|own| own.key < one.key), one.design);
            refuses(&more);
        }
    });
    let refused = refused.into_inner();
    println!("{refused} fronts refused");
    assert!(refused > cases);
}

#[test]
fn no_mutation_of_a_certificate_proves_another_front() {
    let cases = cases(3_000) / 2;
    let tally = Tally::default();
    (0..cases).into_par_iter().for_each(|seed| {
        let (set, mut random) = costly(seed);
        let front = set.front();
        if front.is_empty() {
            return;
        }
        let designs: Vec<Design> = front.iter().map(|one| one.design.clone()).collect();
        let bytes = certificate(&set, &designs).unwrap();
        let problem = of_task_set(&set.formulation());
        let input = hash(&problem);
        let passes = set.designs().iter().any(|one| one.design.schedulable);
        let own = mutants(&problem, &bytes, &mut random, &|mutant| {
            let Ok(proved) = verify(mutant, &input, Limits::default()) else { return false };
            match &proved.statement {
                Statement::Front { .. } => {
                    assert_eq!(points(&set, &proved), wanted(&front), "seed {seed}");
                }
                Statement::Schedulable { .. } => assert!(passes, "seed {seed}"),
                Statement::NotSchedulable => assert!(!passes, "seed {seed}"),
                other => panic!("seed {seed}: {other:?}"),
            }
            true
        });
        tally.add(own);
    });
    let (refused, same) = tally.total();
    println!("{refused} mutants refused, {same} prove the same front or a true verdict");
    assert!(refused > cases * 50);
}

/// A certificate that is put to another problem proves the front of that problem, or nothing.
#[test]
fn with_other_limits_objectives_or_costs_a_certificate_proves_nothing_else() {
    let cases = cases(3_000);
    let tally = Tally::default();
    (0..cases).into_par_iter().for_each(|seed| {
        let (set, mut random) = costly(seed);
        let front = set.front();
        if front.is_empty() {
            return;
        }
        let designs: Vec<Design> = front.iter().map(|one| one.design.clone()).collect();
        let bytes = certificate(&set, &designs).unwrap();
        for _ in 0..8 {
            let mut other = set.clone();
            let at = random.within(0, set.costs.base.len() - 1);
            let by = random.pick(&[-2, -1, 1, 2]);
            match random.within(0, 5u32) {
                0 => other.costs.limits[at] = Some(random.within(0, 30)),
                1 => other.costs.limits[at] = None,
                2 => {
                    // Another objective, or one less.
                    match other.costs.objectives.contains(&at) {
                        true if other.costs.objectives.len() > 1 => {
                            other.costs.objectives.retain(|&other| other != at)
                        }
                        true => continue,
                        false => other.costs.objectives[0] = at,
                    }
                }
                3 => other.costs.base[at] += by,
                4 if !other.costs.blocks.is_empty() => {
                    let block = random.within(0, other.costs.blocks.len() - 1);
                    other.costs.blocks[block] = vec![0; set.costs.base.len()];
                }
                _ => {
                    let task = random.within(0, other.costs.choices.len() - 1);
                    let Some(choice) = other.costs.choices[task].last_mut() else { continue };
                    choice[at] += by;
                }
            }
            let [from, to] = [&set, &other].map(|set| of_task_set(&set.formulation()));
            assert_eq!(checked(&other, &bytes).is_ok(), from == to, "seed {seed}: the problem is bound");
            let moved = moved(&bytes, &from, &to);
            match checked(&other, &moved) {
                Err(_) => tally.add((1, 0)),
                Ok(proved) => {
                    assert_eq!(points(&other, &proved), wanted(&other.front()), "seed {seed}");
                    tally.add((0, 1));
                }
            };
        }
    });
    let (refused, same) = tally.total();
    println!("{refused} refused, {same} with the same lists");
    assert!(refused > cases && same > cases / 10);
}

/// Amounts, demand and choices of a design.
type Summed = (Vec<u64>, num_bigint::BigInt, Vec<Option<u32>>);

#[test]
fn sums_beyond_64_bits_are_proved() {
    let task = |(at, period): (usize, &u64)| {
        format!(
            "- {{name: t{at}, wcet: 900, period: {period}, choices: [{{name: a, cost: {{A: {}, B: 3}}, saves: {}}}, \
             {{name: b, cost: {{A: 2, B: -1}}, saves: {}}}]}}\n",
            at + 1,
            at + 7,
            at + 3
        )
    };
    let periods = [999_999_999_989, 999_999_999_961, 999_999_999_959, 999_999_999_937];
    let tasks: String = periods.iter().enumerate().map(task).collect();
    let text = format!("name: x\nresources: [A, B]\ndevice: {{A: 7, B: 6}}\ntasks:\n{tasks}");
    let set = isx::taskset::read_str("x", &text).unwrap().task_set;
    let formulation = formulate(&set, None).unwrap();
    assert!(formulation.hyperperiod.bits() > 128);
    // Every design: choices, amounts, demand.
    let all = (0..81u32).filter_map(|number| {
        let choices: Vec<Option<u32>> = (0..4).map(|at| (number / 3u32.pow(at) % 3).checked_sub(1)).collect();
        let amounts = formulation.amounts(&choices).unwrap();
        let within = amounts.iter().zip(formulation.costs.limits.as_ref()?).all(|(a, limit)| a <= limit);
        let demand = (formulation.utilization(&choices) * &formulation.hyperperiod).to_integer();
        within.then_some((amounts, demand, choices))
    });
    let mut all: Vec<Summed> = all.collect();
    all.sort();
    all.dedup_by(|later, earlier| later.0 == earlier.0);
    let front: Vec<_> = all
        .iter()
        .filter(|(amounts, demand, _)| {
            !all.iter().any(|(other, less, _)| {
                other != amounts && less <= demand && other.iter().zip(amounts).all(|(a, b)| a <= b)
            })
        })
        .collect();
    assert!(front.len() > 5 && front.len() < all.len());
    let claim = |points: &[&Summed]| {
        let column = |at: usize| points.iter().map(|point| point.0[at]).collect::<Vec<_>>();
        let values = points.iter().map(|point| &formulation.base_demand - &point.1).collect();
        let choices: Vec<_> = points.iter().map(|point| point.2.clone()).collect();
        let claim = Claim::new(column(0), Values::Big(values), 4, false)
            .with_further(vec![column(1)])
            .with_configurations(0, Arc::new(choices));
        let front = DesignFront::new(set.clone(), formulation.clone(), claim, account());
        certify(&front, &vec![None; points.len()], MUCH, &mut std::io::sink())
    };
    let Statement::Front { points, .. } = claim(&front).unwrap().statement else { panic!("no front") };
    let found = points.iter().map(|point| (point.sums.amounts[0], point.sums.amounts[1], &point.sums.cost));
    assert!(found.eq(front.iter().map(|(amounts, demand, _)| (amounts[0], amounts[1], demand))));
    for at in 0..front.len() {
        let mut fewer = front.clone();
        fewer.remove(at);
        assert!(matches!(claim(&fewer), Err(CertifyError::Refused(_))), "point {at}");
    }
}
