//! Certificates of what isx answered: the checker accepts them, what they prove is true, and so is what their mutants
//! prove that it accepts.

use super::Random;
use super::ask::{Case, Checked, Tally, fault, gist, holds};
use super::judge::{Design, Judge, no_larger};
use super::set::{Block, Task};
use isx::certificate::problem::{hash, of_variants};
use isx::certificate::pseudo_boolean::Formula;
use isx::certificate::{CertifyError, Limits, Proved, Statement, certify, certify_verdict, verify};
use isx::exploration::Exploration;
use isx::front::DesignFront;
use isx::problem::mckp::Claim;
use isx::problem::value::Values;
use isx::schedulability::BudgetVerdict;
use isx::taskset::formulate::{Formulation, formulate_allowed};
use isx_checker::claim::Sums;
use isx_checker::shared::format::{claim, reason};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes of memory for the lists of a proof, more than any here takes.
pub const MUCH: u64 = 1 << 40;
/// Mutants of a certificate.
const MUTANTS: u32 = 30;

pub fn front(case: &Case, explored: &Exploration, random: &mut Random, tally: &mut Tally) -> Checked {
    let mut bytes = Vec::new();
    let answer = certify(&explored.front, &explored.verdicts.points, MUCH, &mut bytes);
    let within: Vec<&Design> = case.judge.within().collect();
    if answer.is_ok() {
        wrong_fronts(case, explored, random, tally)?;
        if let Some(is_solved) = formula_is_solved(case, &explored.front) {
            tally.count("formula of a front");
            holds(!is_solved, "a design solves the formula of a front", &|| format!("{within:?}"))?;
        }
    }
    if answer.is_ok() && case.judge.is_known && random.one_in(2) {
        moved(case, &bytes, (explored.front.formulations(), None), random, tally)?;
    }
    let proved = proved(case, answer, explored.front.formulations(), &bytes, &within, random, tally)?;
    // What the search left open is not proved.
    let are_decided = explored.verdicts.points.iter().all(Option::is_some);
    let Some(proved) = proved.filter(|_| are_decided) else { return Ok(()) };
    holds(says_what_passes(case, &proved, &within), "a point not said to pass", &|| {
        format!("{:?}", proved.statement)
    })
}

/// A certificate that is put to a set beside its own proves what is true of that set, or nothing.
fn moved(
    case: &Case,
    bytes: &[u8],
    (from, budget): (&[Formulation], Option<&BigRational>),
    random: &mut Random,
    tally: &mut Tally,
) -> Checked {
    let from = of_variants(from);
    let mut set = case.judge.set.clone();
    let (at, more) = (random.within(0, set.tasks.len() - 1), if random.one_in(2) { 1 } else { -1 });
    let task = &mut set.tasks[at];
    match (random.within(0, 3u32), &mut set.device, set.variants.last_mut()) {
        (0, Some(device), _) => device.iter_mut().for_each(|limit| *limit += more),
        (1, _, Some(variant)) => variant.cost.iter_mut().for_each(|cost| *cost += 1),
        (2, ..) => {
            // Parts must leave some of it.
            let more = if task.parts.is_empty() { more } else { 1 };
            task.wcet.iter_mut().for_each(|wcet| *wcet = (*wcet + more).max(1));
        }
        _ => {
            let of_parts = task.parts.iter_mut().flat_map(|part| &mut part.choices);
            let costs = task.choices.iter_mut().chain(of_parts).flat_map(|choice| &mut choice.cost);
            costs.for_each(|cost| *cost += 1);
        }
    }
    set.expand();
    let judge = Judge::new(&set);
    let Ok(Some(beside)) = Case::of(&judge, tally) else { return Ok(()) };
    let Ok(formulations) = formulate_allowed(&beside.task_set, budget) else { return Ok(()) };
    let to = of_variants(&formulations);
    let put = put(bytes, &from, &to);
    match verify(&put[..], &hash(&to), Limits::default()) {
        Err(_) => tally.count("moved certificate refused"),
        Ok(proved) => {
            tally.count("moved certificate accepted");
            let is_asked =
                |design: &&Design| budget.is_none_or(|budget| judge.figures(design).0[0] <= *budget);
            let within: Vec<&Design> = judge.within().filter(is_asked).collect();
            holds(
                is_true(&beside, &proved, &within),
                "a moved certificate that proves what is false",
                &|| format!("{:?} of {}", proved.statement, set.yaml()),
            )?;
        }
    }
    Ok(())
}

/// A certificate about a problem, put to another one.
pub fn put(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    [&head(to), &bytes[head(from).len()..]].concat()
}

/// Certificates of a problem that differ from one in some bytes.
pub fn mutants(bytes: &[u8], problem: &[u8], random: &mut Random) -> Vec<Vec<u8>> {
    let start = head(problem).len();
    let mutant = |_| {
        let mut mutant = bytes.to_vec();
        (0..random.within(1, 3u32)).for_each(|_| mutate(&mut mutant, start, random));
        mutant
    };
    (0..MUTANTS).map(mutant).collect()
}

/// What a certificate of a problem begins with, up to the claim.
fn head(problem: &[u8]) -> Vec<u8> {
    let length = match problem.len() {
        short @ ..128 => vec![short as u8],
        long @ ..16_384 => vec![long as u8 | 128, (long >> 7) as u8],
        longer => vec![longer as u8 | 128, (longer >> 7) as u8 | 128, (longer >> 14) as u8],
    };
    [&b"isx certificate 2\n"[..], &length, problem].concat()
}

/// A front that lacks a point, or has a worse design in the place of one, has no certificate.
fn wrong_fronts(case: &Case, explored: &Exploration, random: &mut Random, tally: &mut Tally) -> Checked {
    let (judge, set) = (case.judge, &case.judge.set);
    if !judge.is_known || !set.variants.is_empty() || set.overruns.is_some() {
        return Ok(());
    }
    let choices: Vec<_> = explored.front.iter().filter_map(|point| point.choices()).collect();
    let at = random.within(0, choices.len() - 1);
    let own = case.selection(0, &choices[at]);
    let mut wrong = Vec::new();
    if choices.len() > 1 {
        wrong.push([&choices[..at], &choices[at + 1..]].concat());
    }
    let is_worse = |other: &&Design| no_larger(&own.key, &other.key) && other.load() > own.load();
    if let Some(worse) = judge.within().find(is_worse) {
        let mut worse_there = choices.clone();
        worse_there[at] = case.numbers(worse);
        wrong.push(worse_there);
    }
    for choices in wrong {
        let front = claiming(explored, choices);
        let answer = certify(&front, &vec![None; front.len()], MUCH, &mut std::io::sink());
        tally.count("wrong front");
        let is_refused = matches!(answer, Err(CertifyError::Refused(_)));
        holds(is_refused, "a certificate of a wrong front", &|| format!("{answer:?}"))?;
        if let Some(is_solved) = formula_is_solved(case, &front) {
            tally.count("formula of a wrong front");
            holds(is_solved, "no design solves the formula of a wrong front", &|| format!("{own:?}"))?;
        }
    }
    Ok(())
}

/// Whether some design solves the pseudo-Boolean formula of a front, which says that it lies in a gap of it; of sets in which
/// every design takes written choices on their own blocks.
fn formula_is_solved(case: &Case, front: &DesignFront) -> Option<bool> {
    let set = &case.judge.set;
    let is_plain = |block: &Block| {
        block.needs.is_empty()
            && block.excludes.is_empty()
            && block.provides.is_empty()
            && !block.is_forbidden
    };
    let is_written = |task: &Task| {
        let is_free = task.choices.iter().all(|choice| !choice.is_forbidden);
        task.parts.is_empty() && task.forced.is_none() && is_free
    };
    let is_one = set.is_area() && set.variants.is_empty() && set.modes == 0 && set.overruns.is_none();
    let is_plain = is_one && set.blocks.iter().all(is_plain) && set.tasks.iter().all(is_written);
    let formula = Formula::new(front).ok().filter(|_| is_plain && case.is_small && case.judge.is_known)?;
    let mut text = Vec::new();
    formula.write(&mut text).ok()?;
    let text = String::from_utf8(text).ok()?;
    let mut numbers: BTreeMap<&str, &str> = BTreeMap::new();
    let mut sums: Vec<(Vec<(i128, &str)>, i128)> = Vec::new();
    for line in text.lines() {
        if let Some((variable, name)) = line.strip_prefix("* ").and_then(|line| line.split_once(": ")) {
            numbers.insert(name, variable);
        } else if !line.starts_with('*') {
            let (left, least) = line.strip_suffix(" ;")?.split_once(" >= ")?;
            let words: Vec<&str> = left.split_whitespace().collect();
            let terms = words.chunks(2).map(|pair| Some((pair[0].parse().ok()?, pair[1])));
            sums.push((terms.collect::<Option<_>>()?, least.parse().ok()?));
        }
    }
    let gaps: Vec<&str> =
        numbers.iter().filter(|(name, _)| name.starts_with("the design lies")).map(|(_, at)| *at).collect();
    let solves = |design: &Design| {
        let taken = design.choices.iter().enumerate().filter_map(|(task, choice)| Some((task, (*choice)?)));
        let taken = taken.map(|(task, choice)| format!("task `t{task}` takes choice `c{choice}`"));
        let built = design.blocks.iter().map(|block| format!("block `b{block}` is built"));
        // A choice beyond the front's area has no variable.
        let set: Option<Vec<&str>> = taken.chain(built).map(|name| numbers.get(&*name).copied()).collect();
        let Some(set) = set else { return false };
        let holds = |gap: &&str, (terms, least): &(Vec<(i128, &str)>, i128)| {
            let sum = terms.iter().filter(|(_, variable)| variable == gap || set.contains(variable));
            sum.map(|(value, _)| value).sum::<i128>() >= *least
        };
        gaps.iter().any(|gap| sums.iter().all(|sum| holds(gap, sum)))
    };
    Some(case.judge.designs.iter().any(solves))
}

/// The same front with other claimed points.
fn claiming(explored: &Exploration, choices: Vec<Vec<Option<u32>>>) -> DesignFront {
    let formulation = explored.front.formulation();
    let costs: Vec<_> =
        choices.iter().map(|choices| formulation.amounts(choices).unwrap_or_default()).collect();
    let column = |at: usize| costs.iter().map(|costs| costs[at]).collect::<Vec<u64>>();
    let saved = |choices: &Vec<Option<u32>>| {
        let demand = (formulation.utilization(choices) * &formulation.hyperperiod).to_integer();
        &formulation.base_demand - demand
    };
    let values = Values::Big(choices.iter().map(saved).collect());
    let claim = Claim::new(column(0), values, formulation.tasks.len(), true)
        .with_further((1..formulation.costs.resources.len()).map(column).collect());
    let claim = claim.with_configurations(0, Arc::new(choices));
    let account = explored.front.account().clone();
    DesignFront::new(explored.task_set().clone(), formulation.clone(), claim, account)
}

pub fn verdict(
    case: &Case,
    decided: &BudgetVerdict,
    within: &[&Design],
    random: &mut Random,
    tally: &mut Tally,
) -> Checked {
    let formulations = match formulate_allowed(&case.task_set, decided.budget.as_ref()) {
        Ok(formulations) => formulations,
        Err(error) => return fault("formulation", error.to_string()),
    };
    let mut bytes = Vec::new();
    let answer = certify_verdict(decided, &formulations, MUCH, &mut bytes);
    if answer.is_ok() && case.judge.is_known && random.one_in(2) {
        moved(case, &bytes, (&formulations, decided.budget.as_ref()), random, tally)?;
    }
    proved(case, answer, &formulations, &bytes, within, random, tally).map(drop)
}

/// Whether a refusal to prove is one that `docs/questions.md` lists.
pub fn is_listed(case: &Case, refusal: &str) -> bool {
    let set = &case.judge.set;
    set.has_kernel_costs()
        || set.tasks.iter().any(|task| task.priority.is_some())
        || set.may_overlap()
        || refusal.contains("is unknown")
        || refusal.contains("takes too long")
        // Proofs by cases have limits of steps and reasons.
        || refusal.contains("rests on the search alone") && !case.is_small
}

/// Whether a certificate of a set with one variant and one mode has a proof by cases.
fn has_cases(problem: &[u8], certificate: &[u8]) -> bool {
    let mut rest = &certificate[head(problem).len()..];
    let mut next = || {
        let length = rest.iter().take_while(|byte| **byte > 127).count() + 1;
        let (number, after) = rest.split_at(length.min(rest.len()));
        rest = after;
        number.iter().rev().fold(0u64, |value, byte| value << 7 | u64::from(byte & 127))
    };
    match next() {
        claim::NOT_SCHEDULABLE => {}
        claim::LEAST_AREA => (0..2 * next()).for_each(|_| _ = next()),
        _ => return false,
    }
    next() == reason::CASES
}

fn proved(
    case: &Case,
    answer: Result<Proved, CertifyError>,
    formulations: &[Formulation],
    bytes: &[u8],
    within: &[&Design],
    random: &mut Random,
    tally: &mut Tally,
) -> Checked<Option<Proved>> {
    match answer {
        Ok(_) => {}
        Err(CertifyError::Refused(why)) if is_listed(case, &why) => {
            tally.count(format!("not proved: {}", gist(&why)));
            return Ok(None);
        }
        Err(error) => return fault(&format!("not proved: {}", gist(&error.to_string())), error.to_string()),
    }
    let problem = of_variants(formulations);
    let check = |bytes: &[u8]| verify(bytes, &hash(&problem), Limits::default());
    let proved = match check(bytes) {
        Ok(proved) => proved,
        Err(error) => return fault("a refused certificate", error.to_string()),
    };
    holds(is_true(case, &proved, within), "a certificate of what is false", &|| {
        format!("{:?}", proved.statement)
    })?;
    tally.count("certificate");
    if case.judge.set.modes > 0 {
        tally.count("certificate of modes");
    }
    if case.judge.set.overruns.is_some() {
        tally.count("certificate with overruns");
    }
    if has_cases(&problem, bytes) {
        tally.count("certificate by cases");
    }
    for mutant in mutants(bytes, &problem, random) {
        match check(&mutant) {
            Ok(proved) => {
                tally.count("mutant accepted");
                holds(is_true(case, &proved, within), "a mutant that proves what is false", &|| {
                    format!("{:?}", proved.statement)
                })?;
            }
            Err(_) => tally.count("mutant refused"),
        }
    }
    Ok(Some(proved))
}

/// Whether every point of a front that passes under EDF is said to.
fn says_what_passes(case: &Case, proved: &Proved, within: &[&Design]) -> bool {
    let Statement::Front { schedulable, .. } = &proved.statement else { return true };
    let set = &case.judge.set;
    let is_fixed = set.tasks.iter().any(|task| task.priority.is_some());
    if !case.judge.is_known || is_fixed || set.has_kernel_costs() || set.may_overlap() {
        return true;
    }
    // Of several modes another design of a point may be the one that is shown.
    if set.modes > 0 {
        return true;
    }
    let front = case.judge.front(within.iter().copied());
    front.iter().zip(schedulable).all(|(point, printed)| printed.is_some() || point.passes() != Some(true))
}

fn mutate(bytes: &mut Vec<u8>, start: usize, random: &mut Random) {
    let at = random.within(start.min(bytes.len() - 1), bytes.len() - 1);
    match random.within(0, 4u32) {
        0 => bytes[at] = random.within(0, 255u8),
        1 => bytes[at] ^= 1 << random.within(0, 6u32),
        2 => bytes[at] = bytes[at].wrapping_add(if random.one_in(2) { 1 } else { 255 }),
        3 => drop(bytes.remove(at)),
        _ => bytes.insert(at, random.within(0, 3)),
    }
}

fn ratio(numerator: impl Into<BigInt>, denominator: &BigUint) -> BigRational {
    BigRational::new(numerator.into(), denominator.clone().into())
}

/// The cost in the objectives, and the utilization.
fn shown(proved: &Proved, sums: &Sums) -> (Vec<BigRational>, BigRational) {
    let (numerator, denominator) = proved.in_lowest_terms(&sums.cost);
    let columns = proved.problem.resources.columns.iter().zip(sums.objectives(&proved.problem));
    let cost = columns.map(|(column, amount)| column.cost(*amount));
    (cost.map(|(cost, unit)| ratio(cost, &unit)).collect(), ratio(numerator, &denominator))
}

/// Whether what is proved is true of these designs, as far as that is known here.
fn is_true(case: &Case, proved: &Proved, within: &[&Design]) -> bool {
    let judge = case.judge;
    if !judge.is_known {
        return true;
    }
    let passing = |design: &&Design| design.passes() != Some(false);
    let failing = |design: &&&Design| design.passes() != Some(true);
    match &proved.statement {
        Statement::Front { points, schedulable, minimal } => {
            let front = judge.front(within.iter().copied());
            let own: Vec<_> = points.iter().map(|point| shown(proved, &point.sums)).collect();
            let wanted: Vec<_> = front.iter().map(|design| judge.figures(design)).collect();
            let verdicts = front.iter().zip(schedulable).all(|(point, printed)| match printed {
                Some(true) => within
                    .iter()
                    .any(|other| other.key == point.key && other.load() == point.load() && passing(other)),
                Some(false) => within
                    .iter()
                    .filter(|other| no_larger(&other.key, &point.key))
                    .all(|other| failing(&other)),
                None => true,
            });
            let minimal = minimal.as_ref().is_none_or(|minimal| {
                let least = judge.minimal(within.iter().copied(), &judge.all_modes());
                least.is_none_or(|least| minimal.iter().map(|&at| &front[at].key).eq(least.iter()))
            });
            own == wanted && verdicts && minimal
        }
        Statement::Schedulable { sums } | Statement::LeastArea { sums } => {
            let (cost, utilization) = shown(proved, sums);
            // At one of several clocks the load may be above that of the design.
            let is_it = |design: &&Design| {
                let (own, least) = judge.figures(design);
                own == cost && least <= utilization
            };
            let is_least = !matches!(proved.statement, Statement::LeastArea { .. })
                || within
                    .iter()
                    .filter(|design| judge.figures(design).0 < cost)
                    .all(|design| failing(&design));
            within.iter().filter(|design| is_it(design)).any(passing) && is_least
        }
        Statement::NotSchedulable => within.iter().all(|design| failing(&design)),
        Statement::NothingFits => within.is_empty(),
        _ => false,
    }
}
